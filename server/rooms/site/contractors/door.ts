import { kind } from '../../../kernel/records/door.ts'
import { removeContractor, restoreDeleted, restoreFields, seesContacts } from './actions/contractors.ts'
import type { ContractorRow } from './queries.ts'

/** A contractor as a record. */
export const contractor = kind<ContractorRow>({
  name: 'contractor',
  label: row => row.name,
  derived: ['name_key'],
  revert: 'fields',
  hides: async (ctx, row) => ((await seesContacts(ctx, row.id)) ? [] : ['email', 'phone', 'address']),
  undo: {
    fields: { needs: 'contractor_edit', put: restoreFields },
    create: { needs: 'contractor_manage', take_away: removeContractor },
    delete: { needs: 'contractor_edit', bring_back: restoreDeleted },
  },
})

/** A direct pair of oversight as a record. */
export const oversight = kind<{ id: string; overseer_id: string }>({
  name: 'contractor_oversight',
  label: () => 'Oversight',
  parent: pair => ({ kind: 'contractor', id: pair.overseer_id }),
  revert: 'access',
})

export { resolveContractors } from './actions/resolve.ts'
export { contractorsOf } from './queries.ts'
