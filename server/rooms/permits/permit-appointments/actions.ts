import type { Ctx } from '../../../base/ctx.ts'
import { conflict, explain, type FieldFault, invalid, refuse } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import { onSite } from '../../../kernel/records/door.ts'
import { holdAppointed, readdressGates } from '../permit-messages/door.ts'
import { type AppointmentRow, appointmentsOn, insertAppointment, isMember, revokeAppointment } from './queries.ts'

const shown = (ctx: Ctx, row: AppointmentRow) => ({
  ...row,
  revoked: row.revoked_at !== null,
  permissions: flagsFor(ctx.actor, {
    revoke: explain([ctx.actor.lacks('permit_settings_manage')]),
  }),
})

/** Lists a site's appointments, revoked ones too, with their flags. */
export async function listAppointments(
  ctx: Ctx,
  query: { site_id: Id; id?: Id[]; user_id?: Id[]; permit_type_id?: Id[]; revoked?: boolean },
): Promise<unknown[]> {
  const rows = await appointmentsOn(ctx.db, query.site_id, {
    ...(query.id === undefined ? {} : { ids: query.id }),
    ...(query.user_id === undefined ? {} : { user_ids: query.user_id }),
    ...(query.permit_type_id === undefined ? {} : { type_ids: query.permit_type_id }),
    ...(query.revoked === undefined ? {} : { revoked: query.revoked }),
  })
  return rows.map(row => shown(ctx, row))
}

/** Appoints an active member as issuer, for a type or for all. */
export async function appoint(ctx: Ctx, body: { site_id: Id; user_id: Id; permit_type_id?: Id | null }): Promise<Record<string, unknown>> {
  const { site_id, user_id } = body
  const permit_type_id = body.permit_type_id ?? null
  await holdAppointed(ctx, site_id)
  const faults: FieldFault[] = []
  if (!(await isMember(ctx.db, site_id, user_id))) faults.push({ path: 'user_id', message: 'isn’t an active member of this site.' })
  if (permit_type_id !== null && !(await onSite(ctx, site_id, 'permit_type', permit_type_id)))
    faults.push({ path: 'permit_type_id', message: 'isn’t a permit type on this site.' })
  if (faults.length > 0) refuse(invalid(faults))
  const same = (await appointmentsOn(ctx.db, site_id, { user_ids: [user_id], revoked: false })).find(
    a => a.permit_type_id === permit_type_id,
  )
  if (same !== undefined)
    refuse(
      conflict(
        'key_taken',
        `${same.user_name} is already appointed for ${same.permit_type_code ?? 'all types'}, so no new appointment is needed.`,
        {
          existing_id: same.id,
        },
      ),
    )
  const id = ids.next()
  await insertAppointment(ctx.db, { site_id, id, user_id, permit_type_id })
  await emitChange(ctx, site_id, id, 'permit_appointment.made')
  const [row] = await appointmentsOn(ctx.db, site_id, { ids: [id] })
  if (row === undefined) throw new Error('The appointment that was just created is missing.')
  return shown(ctx, row)
}

/** Revokes an appointment; the row is kept. Revoking it again changes nothing. */
export async function revoke(ctx: Ctx, row: { site_id: Id; id: Id; revoked_at: string | null }): Promise<void> {
  if (row.revoked_at !== null) return
  await revokeAppointment(ctx.db, row.site_id, row.id, ctx.now, ctx.actor.id)
  await emitChange(ctx, row.site_id, row.id, 'permit_appointment.revoked')
}

async function emitChange(ctx: Ctx, site_id: Id, id: Id, kind: string): Promise<void> {
  const [row] = await appointmentsOn(ctx.db, site_id, { ids: [id] })
  const label = `${row?.user_name ?? ''} for ${row?.permit_type_code ?? 'all types'}`
  ctx.emit({
    kind,
    site_id,
    subject: { kind: 'permit_appointment', id, label },
    payload: { user_id: row?.user_id ?? null, permit_type_id: row?.permit_type_id ?? null },
  })
  // Gives a newly appointed person the tasks that wait for an issuer, and takes them from a former one.
  await readdressGates(ctx, site_id)
}

/** Updates open tasks when an appointee rejoins or leaves: an appointment counts only while they are an active member. */
export async function comesOrGoes(ctx: Ctx, site_id: Id, user_id: Id): Promise<void> {
  const held = await appointmentsOn(ctx.db, site_id, { user_ids: [user_id], revoked: false })
  if (held.length > 0) await readdressGates(ctx, site_id)
}
