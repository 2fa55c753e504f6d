import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { permitConfig } from './door.ts'
import { policiesOf } from './queries.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-config',
  says: 'Permit settings of a site.',
  routes,
  kinds: [permitConfig],
  events: eventsOf('permit_config', { fields: field.texts('Changed fields') }, { changed: 'The permit policy or regime was changed' }),
  site: { flags: [(ctx, site_ids) => policiesOf(ctx.db, site_ids)] },
})
