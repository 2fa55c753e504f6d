import { kind } from '../../../kernel/records/door.ts'
import { restoreFields } from './actions.ts'
import type { TypeRow } from './queries.ts'

/** A permit type as a record. */
export const permitType = kind<TypeRow>({
  name: 'permit_type',
  param: 'type_id',
  label: row => row.code,
  derived: ['system_key'],
  revert: 'fields',
  undo: { fields: { needs: 'permit_settings_manage', put: restoreFields } },
})

export { applyRegime, holdRegime } from './actions.ts'
export { type TypeRow, typesOn } from './queries.ts'
