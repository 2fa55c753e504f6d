import { kind, tableRow } from '../../../kernel/records/door.ts'
import { holdAppointed } from '../permit-messages/door.ts'

/** An appointment as a record. */
export const appointment = kind<{ id: string; site_id: string; version: number; user_id: string; revoked_at: string | null }>({
  name: 'permit_appointment',
  param: 'appointment_id',
  label: () => 'Appointment as issuer',
  async find(ctx, site_id, id, lock) {
    if (lock) await holdAppointed(ctx, site_id)
    return tableRow(ctx.db, 'permit_appointment', site_id, id, lock)
  },
  seen_with: 'member_view',
  revert: 'access',
})
