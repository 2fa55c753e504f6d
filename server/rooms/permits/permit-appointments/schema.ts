import { flag, flags, id, instant, integer, list, object, optional, orNull, shape, text } from '../../../base/schema.ts'

export const Appointment = shape('PermitAppointment', 'The appointment of an issuer', {
  id: id('Appointment'),
  site_id: id('Site'),
  user_id: id('Person'),
  user_name: text('Person’s name', { max: 200, example: 'Ivy Issuer' }),
  permit_type_id: orNull(id('Permit type; null for all types')),
  permit_type_code: orNull(text('Permit type code; null for all types', { max: 20, example: 'HW' })),
  revoked: flag('Whether the appointment was revoked; a revoked appointment is kept for the record'),
  revoked_at: orNull(instant('Time of the revocation; null while the appointment is active')),
  revoked_by: orNull(id('Person who revoked the appointment; null while it is active')),
  absent: flag('Whether the person is no longer an active member; the appointment then has no effect'),
  version: integer('Version'),
  created_at: instant('Time of the appointment'),
  created_by: orNull(id('Person who made the appointment; null if no person did')),
  permissions: flags(['revoke']),
})

export const NewAppointment = shape('NewAppointment', 'A new issuer appointment', {
  site_id: id('Site'),
  user_id: id('Person, an active member of the site'),
  permit_type_id: optional(orNull(id('Permit type; null or left out for all types'))),
})

/** Every path of permits can have the site in its query, too (conventions §1). */
export const MaybeSite = object({ site_id: optional(id('Site; must match that of the record or the body')) })

export const AppointmentFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Appointment'), 'Ids', { max: 500 })),
  user_id: optional(list(id('Person'), 'People', { max: 200 })),
  permit_type_id: optional(list(id('Type'), 'Permit types', { max: 200 })),
  revoked: optional(flag('State of the appointments to return: true for revoked ones, false for active ones; default both')),
})
