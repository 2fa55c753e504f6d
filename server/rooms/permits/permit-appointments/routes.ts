import { created, del, get, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { appoint, listAppointments, revoke } from './actions.ts'
import { appointment } from './door.ts'
import { Appointment, AppointmentFilter, MaybeSite, NewAppointment } from './schema.ts'

export const routes = [
  get('/permits/appointments', {
    name: 'permit_appointment.list',
    summary: 'List issuer appointments',
    says: 'Returns issuer appointments: who can issue permits, and for which types. Active appointments come first, then revoked ones, each by name and permit type.',
    access: { needs: 'member_view' },
    query: AppointmentFilter,
    reply: Type.Array(ref(Appointment)),
    handle: ({ ctx, query }) => listAppointments(ctx, query),
  }),
  post('/permits/appointments', {
    name: 'permit_appointment.create',
    summary: 'Appoint an issuer',
    says: 'Appoints an active member as issuer for one permit type or for all types. Gives the person the open tasks of an issuer.',
    access: { needs: 'permit_settings_manage' },
    query: MaybeSite,
    body: NewAppointment,
    of: Appointment,
    reply: ref(Appointment),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await appoint(ctx, body)
      return created(made, `/permits/appointments?site_id=${body.site_id}&id=${made.id}`)
    },
  }),
  del('/permits/appointments/:appointment_id', {
    name: 'permit_appointment.revoke',
    summary: 'Revoke an issuer appointment',
    says: 'Revokes an appointment and keeps its record. The person can no longer issue permits under this appointment.',
    access: { needs: 'permit_settings_manage' },
    on: appointment,
    query: MaybeSite,
    reply: null,
    handle: ({ ctx, thing }) => revoke(ctx, thing),
  }),
]
