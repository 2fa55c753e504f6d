import { kind, tableRow } from '../../../kernel/records/door.ts'
import { holdShifts } from './actions.ts'
import type { ShiftRow } from './queries.ts'

/** A shift as a record. Its end depends on the shift that replaces it, so both are written one after the other. */
export const shift = kind<ShiftRow>({
  name: 'shift',
  label: row => row.name,
  async find(ctx, site_id, id, lock) {
    if (lock) await holdShifts(ctx, site_id)
    return tableRow(ctx.db, 'shift', site_id, id, lock)
  },
  derived: ['system_key'],
  revert: 'ledger',
})
