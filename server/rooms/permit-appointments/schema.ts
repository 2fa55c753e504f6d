import { flag, id, instant, integer, list, object, optional, orNull, shape, text } from '../../base/schema.ts'

export const Appointment = shape('PermitAppointment', 'Somebody who may issue permits', {
  id: id('Appointment'),
  site_id: id('Site'),
  user_id: id('Person'),
  user_name: text('Name', { max: 200, example: 'Ivy Issuer' }),
  permit_type_id: orNull(id('Type; null: all types')),
  permit_type_code: orNull(text('Its code', { max: 20, example: 'HW' })),
  revoked: flag('Revoked: kept for audit, counts for nothing'),
  revoked_at: orNull(instant('When')),
  revoked_by: orNull(id('By whom')),
  absent: flag('The person is no active member: the appointment does not count until then'),
  version: integer('Version'),
  created_at: instant('Since when'),
  created_by: orNull(id('Who appointed')),
})

export const NewAppointment = shape('NewAppointment', 'Appoint somebody', {
  site_id: id('Site'),
  user_id: id('Person; an active member'),
  permit_type_id: optional(orNull(id('Type; left out or null: all types'))),
})

/** Every path of permits takes the site in its query, too (conventions §1). */
export const MaybeSite = object({ site_id: optional(id('Site; on a record only checked to match')) })

export const AppointmentFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Appointment'), 'Only these', { max: 500 })),
  user_id: optional(list(id('Person'), 'Of these people', { max: 200 })),
  permit_type_id: optional(list(id('Type'), 'For these types', { max: 200 })),
  revoked: optional(flag('Only revoked, or only active ones; default both')),
})
