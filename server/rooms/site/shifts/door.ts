import { kind } from '../../../kernel/records/door.ts'
import type { ShiftRow } from './queries.ts'

/** A shift as a record. */
export const shift = kind<ShiftRow>({ name: 'shift', label: row => row.name, derived: ['system_key'], revert: 'ledger' })
