import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { contractor, oversight } from './door.ts'
import { namesOfFirms } from './queries.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'contractors',
  routes,
  kinds: [contractor, oversight],
  references: [{ name: 'contractor', ids: (ctx, site_id, ids) => namesOfFirms(ctx.db, site_id, ids) }],
  permissions: {
    contractor_edit: held(BANDS.coordinate, 'Create, rename, colour, trades, aliases, logo of firms; their contact details'),
    contractor_manage: held(BANDS.administer, 'Delete firms, say who oversees whom; the sets of imported permits'),
  },
  events: eventsOf(
    'contractor',
    { contractor_id: 'Firm' },
    {
      created: 'A firm was added',
      changed: 'A firm was changed',
      deleted: 'A firm was deleted',
      oversight_changed: 'Who oversees whom was changed',
    },
  ),
})
