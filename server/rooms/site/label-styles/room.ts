import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { seedStyles } from './actions.ts'
import { labelStyle } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'label-styles',
  says: 'Styles of the labels on the map of a site.',
  routes,
  kinds: [labelStyle],
  events: eventsOf(
    'label_styles',
    { version: field.number('Version number'), removed: field.texts('Keys of the styles that were removed') },
    { changed: 'Label styles were changed' },
  ),
  site: {
    seeds: [
      {
        area: 'label-styles',
        keys: ['styles'],
        run: (ctx, site_id) => seedStyles(ctx, site_id),
        copy: async (ctx, site_id, from_site_id) => {
          await seedStyles(ctx, site_id, from_site_id)
          return []
        },
      },
    ],
  },
})
