// The requests of this room, and which queries a change makes stale.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'

export type PermitType = Schemas['PermitType']
export type Appointment = Schemas['PermitAppointment']
export type Config = Schemas['SitePermitConfig']
export type TypeFields = Omit<Schemas['PermitTypeChange'], 'site_id' | 'code'>
export type Policy = Omit<Schemas['SavePermitConfig'], 'site_id'>

/** Appointments of issuers, including revoked ones. */
export const useAppointments = (site_id: string) =>
  useQuery({
    queryKey: ['settings', 'appointments', site_id],
    queryFn: () => ask(client.GET('/permits/appointments', { params: { query: { site_id } } })),
  })

/** The policy and regime of the site. */
export const useConfig = (site_id: string) =>
  useQuery({
    queryKey: ['settings', 'config', site_id],
    queryFn: () => ask(client.GET('/permits/config', { params: { query: { site_id } } })),
  })

/** A permit depends on its types and the policy, so everything about permits is refetched. */
function changed(...more: string[]): void {
  for (const key of ['settings', 'permit-types', 'permits', 'permit', ...more]) void queries.invalidateQueries({ queryKey: [key] })
}

/** Creates a type. */
export async function makeType(site_id: string, code: string, fields: TypeFields): Promise<void> {
  await ask(client.POST('/permits/types', { body: { site_id, code, ...fields }, headers: freshKey() }))
  changed()
}

/** Changes a type, with the version that was shown. */
export async function changeType(type: PermitType, fields: TypeFields): Promise<void> {
  const path = { type_id: type.id }
  await ask(client.PATCH('/permits/types/{type_id}', { params: { path }, body: fields, headers: ifMatch(type.version) }))
  changed()
}

/** Appoints a person; if `permit_type_id` is null, for every type. */
export async function appoint(site_id: string, user_id: string, permit_type_id: string | null): Promise<void> {
  await ask(client.POST('/permits/appointments', { body: { site_id, user_id, permit_type_id }, headers: freshKey() }))
  changed('tasks')
}

/** Revokes an appointment; the record is kept. */
export async function revoke(appointment: Appointment): Promise<void> {
  const path = { appointment_id: appointment.id }
  await ask(client.DELETE('/permits/appointments/{appointment_id}', { params: { path }, headers: ifMatch(appointment.version) }))
  changed('tasks')
}

/** Saves the whole policy, with the version that was shown. */
export async function savePolicy(config: Config, policy: Policy): Promise<void> {
  const query = { site_id: config.site_id }
  await ask(client.PUT('/permits/config', { params: { query }, body: policy, headers: ifMatch(config.version) }))
  changed('tasks')
}

/** Applies a regime. */
export async function applyRegime(site_id: string, regime: 'major_hazard' | 'generic_cdm'): Promise<void> {
  await ask(client.POST('/permits/config/regime', { body: { site_id, regime }, headers: freshKey() }))
  changed()
}
