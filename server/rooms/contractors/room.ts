import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
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
    { contractor_id: 'Firm', fields: field.texts('What was changed') },
    { created: 'A firm was added', changed: 'A firm was changed', deleted: 'A firm was deleted' },
    { contractors: { own: 'contractor_id' }, sometimes: ['fields'] },
  ).concat(
    eventsOf(
      'contractor',
      {
        overseer_id: 'Firm that oversees',
        subordinate_id: 'Firm that is overseen',
        oversight_transitive: field.flag('Oversight counts through chains'),
      },
      { oversight_changed: 'Who oversees whom was changed' },
      {
        contractors: { overseer: 'overseer_id', subordinate: 'subordinate_id' },
        sometimes: ['overseer_id', 'subordinate_id', 'oversight_transitive'],
      },
    ),
  ),
})
