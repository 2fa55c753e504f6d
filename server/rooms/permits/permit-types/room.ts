import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { copyTypes, seedTypes } from './actions.ts'
import { CATALOGUE } from './domain/catalogue.ts'
import { permitType } from './door.ts'
import { typesOn } from './queries.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-types',
  says: 'Permit types of a site, with their pre-checks and required documents.',
  routes,
  kinds: [permitType],
  references: [{ name: 'permit_type', codes: async (ctx, site_id) => (await typesOn(ctx.db, site_id)).map(type => type.code) }],
  permissions: { permit_settings_manage: held(BANDS.manage, 'Change permit types, appointments, the site’s permit policy and its regime') },
  events: eventsOf(
    'permit_type',
    { code: 'Code', fields: field.texts('Changed fields') },
    { changed: 'A permit type was added, changed or retired' },
  ),
  site: {
    seeds: [
      {
        area: 'permits',
        keys: CATALOGUE.map(type => type.code),
        run: (ctx, site_id, { keys }) => seedTypes(ctx, site_id, keys),
        copy: async (ctx, site_id, from_site_id) => {
          await copyTypes(ctx, site_id, from_site_id)
          return []
        },
      },
    ],
  },
})
