import { refuse } from '../../base/errors.ts'
import { kind } from '../../kernel/records/door.ts'
import { changeContractor } from './actions.ts'
import type { ContractorRow } from './queries.ts'

/** A firm as a record. */
export const contractor = kind<ContractorRow>({
  name: 'contractor',
  label: row => row.name,
  derived: ['name_key'],
  revert: 'fields',
  put_back: async (ctx, row, fields) => {
    const refusal = ctx.actor.lacks('contractor_edit')
    if (refusal !== null) refuse(refusal)
    const { colour_source: _source, logo_sha256: _sha, logo_type: _type, logo_version: _version, ...rest } = fields
    await changeContractor(ctx, row, rest)
  },
})

/** A direct pair of oversight as a record. */
export const oversight = kind<{ id: string; overseer_id: string }>({
  name: 'contractor_oversight',
  label: () => 'Oversight',
  parent: pair => ({ kind: 'contractor', id: pair.overseer_id }),
  revert: 'access',
})

export { contractorsForLink, type Resolved, resolveContractors } from './actions.ts'
