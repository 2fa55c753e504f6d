import { kind } from '../../../kernel/records/door.ts'
import type { SetRow } from './queries.ts'

/** An import of a register as a record, visible to those who manage imports. */
export const permitSet = kind<SetRow>({
  name: 'permit_set',
  param: 'set_id',
  label: row => row.filename,
  brings: 'permit',
  seen_with: 'contractor_manage',
  revert: 'import',
})
