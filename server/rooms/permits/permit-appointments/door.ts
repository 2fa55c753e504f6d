import { kind } from '../../../kernel/records/door.ts'

/** An appointment as a record. */
export const appointment = kind<{ id: string; site_id: string; version: number; user_id: string; revoked_at: string | null }>({
  name: 'permit_appointment',
  param: 'appointment_id',
  label: () => 'Appointment as issuer',
  seen_with: 'member_view',
  revert: 'access',
})
