import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { rowUse } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { contractor, oversight } from './door.ts'
import { countPairs, namesOfContractors } from './queries.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'contractors',
  says: 'Contractors of a site, their logos, and which contractors oversee others.',
  routes,
  kinds: [contractor, oversight],
  references: [{ name: 'contractor', ids: (ctx, site_id, ids) => namesOfContractors(ctx.db, site_id, ids) }],
  uses: [
    { of: 'contractor', name: 'oversight', when: 'ever', count: (ctx, site_id, ids) => countPairs(ctx.db, site_id, ids) },
    rowUse({ of: 'contractor', name: 'main_contractor', when: 'ever' }, 'main_contractor_period', 'contractor_id'),
  ],
  permissions: {
    contractor_edit: held(BANDS.coordinate, 'Create and change contractors: name, colour, trades, aliases, logo and contact details'),
    contractor_manage: held(BANDS.administer, 'Delete contractors, import registers and manage oversight'),
  },
  events: eventsOf(
    'contractor',
    { contractor_id: 'Contractor', fields: field.texts('Changed fields') },
    { created: 'A contractor was added', changed: 'A contractor was changed', deleted: 'A contractor was deleted' },
    { contractors: { own: 'contractor_id' }, sometimes: ['fields'] },
  ).concat(
    eventsOf(
      'contractor',
      {
        overseer_id: 'Overseeing contractor',
        subordinate_id: 'Overseen contractor',
        oversight_transitive: field.flag(
          'Oversight extends to subcontractors’ subcontractors',
          'Oversight doesn’t extend to subcontractors’ subcontractors',
        ),
      },
      { oversight_changed: 'Oversight was changed' },
      {
        contractors: { overseer: 'overseer_id', subordinate: 'subordinate_id' },
        sometimes: ['overseer_id', 'subordinate_id', 'oversight_transitive'],
      },
    ),
  ),
})
