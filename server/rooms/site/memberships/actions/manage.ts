import { DAY, later, ms } from '../../../../../shared/time.ts'
import { jobActor, type Role } from '../../../../base/actor.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { enforce, explain, invalidField, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import type { Static } from '../../../../base/schema.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { JOINED, tellPeople } from '../../../../kernel/events/door.ts'
import { hold, onSite, tableRow } from '../../../../kernel/records/door.ts'
import { writingOn } from '../../../../kernel/site/door.ts'
import { cameOrWent, dutiesOf, handTasksOver, raiseTask, resolveTasks } from '../../../../kernel/tasks/door.ts'
import { resolveContractors } from '../../contractors/door.ts'
import { admitting, approving, ending, type Facts } from '../domain.ts'
import {
  activePlacesOf,
  endedMemberships,
  insertMembership,
  type MembershipRow,
  membershipById,
  membershipOf,
  otherAdministrators,
  type PendingRow,
  pendingOn,
  saveMembership,
  waitingSince,
} from '../queries.ts'
import type { ApproveMembership } from '../schema.ts'
import { raiseHandover } from './handover.ts'

const subject = (row: Pick<MembershipRow, 'id'>, label: string) => ({ kind: 'membership', id: row.id, label })

async function factsOf(ctx: Ctx, row: MembershipRow): Promise<Facts> {
  return {
    status: row.status,
    role: row.role,
    approver_role: ctx.actor.standing?.role ?? null,
    approver_is_superadmin: ctx.actor.is_superadmin || ctx.actor.kind === 'job',
    own: row.user_id === ctx.actor.id,
    manages: ctx.actor.can('member_manage'),
    // Only the end of an active membership can leave a site without one.
    other_administrators: row.status === 'active' ? await otherAdministrators(ctx.db, row.site_id, row.id) : 0,
  }
}

async function shown(ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown>> {
  const row = await membershipById(ctx.db, site_id, id)
  if (row === null) throw new Error('The membership that was just saved is missing.')
  return { ...row, permissions: permissionsOn(ctx, await factsOf(ctx, row)) }
}

/** What the caller can do with a membership. For a request, another role or contractor than the one asked for can be chosen. */
const permissionsOn = (ctx: Ctx, facts: Facts) =>
  flagsFor(
    ctx.actor,
    { approve: explain([ctx.actor.lacks('member_manage'), ...admitting(facts, facts.role)]), end: explain(ending(facts)) },
    ['end'],
  )

/**
 * Returns a membership; null if it doesn’t exist. Whether a person is the last who can manage members depends on the other memberships, so changes of the
 * memberships of a site are made one after the other (decision 1091).
 */
export async function findMembership(ctx: Ctx, site_id: Id, id: Id, lock: boolean): Promise<MembershipRow | null> {
  if (lock) await hold(ctx, 'memberships', site_id)
  return tableRow(ctx.db, 'membership', site_id, id, lock)
}

/** Lists pending membership requests. */
export async function listPending(
  ctx: Ctx,
  site_id: Id,
  query: { limit?: number; cursor?: string },
): Promise<{ rows: unknown[]; next: string | null }> {
  const limit = query.limit ?? PAGE
  const found = await pendingOn(ctx.db, site_id, limit, readCursor(query.cursor, 2))
  const { rows, next } = cut(found, limit, row => [row.created_at, row.id])
  const shownRow = async (row: PendingRow) => ({
    ...row,
    user: { id: row.user_id, name: row.user_name, email: row.email, email_verified: row.email_verified },
    invite: row.invite_kind === null ? null : { kind: row.invite_kind, label: row.invite_label, invited_by: row.invited_by },
    why: row.why_pending ?? 'approval',
    waiting_days: Math.floor((ms(ctx.now) - ms(row.created_at)) / DAY),
    permissions: permissionsOn(ctx, await factsOf(ctx, row)),
  })
  return { next, rows: await Promise.all(rows.map(shownRow)) }
}

/** Approves a membership request, or changes a member's terms. */
export async function approveMembership(
  ctx: Ctx,
  row: MembershipRow,
  body: Static<typeof ApproveMembership>,
): Promise<Record<string, unknown>> {
  const role: Role = body.role ?? row.role
  let contractor_id = body.contractor_id === undefined ? row.contractor_id : body.contractor_id
  if (body.create_contractor) {
    if (row.requested_contractor_name === null)
      refuse(
        invalidField(
          'create_contractor',
          'can’t be true: the person didn’t enter a contractor name. Choose a contractor with contractor_id.',
        ),
      )
    else contractor_id = await typedContractor(ctx, row.site_id, row.requested_contractor_name)
  } else if (body.contractor_id != null && !(await onSite(ctx, row.site_id, 'contractor', body.contractor_id)))
    refuse(invalidField('contractor_id', 'isn’t a contractor on this site.'))
  enforce(approving(await factsOf(ctx, row), role, contractor_id))
  const admitted = row.status === 'pending'
  // Nobody is notified of a role that they have already.
  if (!admitted && role === row.role && contractor_id === row.contractor_id) return shown(ctx, row.site_id, row.id)
  await saveMembership(ctx.db, row.site_id, row.id, {
    role,
    contractor_id,
    ...(admitted ? { status: 'active', why_pending: null, approved_by: ctx.actor.id, approved_at: ctx.now } : {}),
  })
  if (admitted) {
    await resolveTasks(ctx, row.site_id, row.id, { only: ['approve_membership'] }, 'done_by_step')
    await welcome(ctx, row.site_id, row.user_id)
  }
  const label = role.replace('_', ' ')
  ctx.note(row.id, { action: admitted ? 'transition' : 'update' })
  ctx.emit({
    kind: admitted ? 'membership.activated' : 'membership.changed',
    site_id: row.site_id,
    subject: subject(row, label),
    payload: { user_id: row.user_id, role, contractor_id },
  })
  return shown(ctx, row.site_id, row.id)
}

async function typedContractor(ctx: Ctx, site_id: Id, name: string): Promise<Id> {
  enforce([ctx.actor.lacks('contractor_edit')])
  const found = await resolveContractors(ctx, site_id, [name], 'invite')
  const id = found.ids.get(name)
  return (
    id ??
    refuse(
      invalidField(
        'create_contractor',
        `“${name}” matches more than one contractor: ${(found.ambiguous.get(name) ?? []).join(', ')}. Choose one with contractor_id.`,
      ),
    )
  )
}

/** Ends a membership. It acts immediately; records, signatures and comments stay under the person's name. */
export async function endMembership(ctx: Ctx, row: MembershipRow): Promise<void> {
  enforce(ending(await factsOf(ctx, row)))
  await leave(ctx, row)
}

/** Ends a membership, whoever asks for it, with everything that follows. */
export async function leave(ctx: Ctx, row: MembershipRow): Promise<void> {
  await saveMembership(ctx.db, row.site_id, row.id, { status: 'ended', ended_at: ctx.now, ended_by: ctx.actor.id })
  ctx.note(row.id, { action: 'transition' })
  await resolveTasks(ctx, row.site_id, row.id, { only: ['approve_membership', 'check_address'] }, 'subject_left')
  await handTasksOver(ctx, row.site_id, row.user_id)
  await cameOrWent(ctx, row.site_id, row.user_id)
  const duties = row.status === 'active' ? (await dutiesOf(ctx, [row])).flat() : []
  if (duties.length > 0) await raiseHandover(ctx, row, duties)
  ctx.emit({
    kind: 'membership.ended',
    site_id: row.site_id,
    subject: subject(row, row.role),
    payload: { user_id: row.user_id, role: row.role, contractor_id: row.contractor_id, duties },
  })
}

/** What follows when a person becomes a member, or one again: handover tasks end, because their duties no longer need a successor, and their open apps listen on this site. */
async function welcome(ctx: Ctx, site_id: Id, user_id: Id): Promise<void> {
  const ended = await endedMemberships(ctx.db, site_id, user_id)
  for (const id of ended) await resolveTasks(ctx, site_id, id, { only: ['reassign_duties'] }, 'subject_left')
  await cameOrWent(ctx, site_id, user_id)
  await tellPeople(ctx.db, [{ user_id, thing: JOINED, site_id, ids: [], more: false }])
}

/** How a person joins a site by an invitation. */
export type Admission = {
  user_id: Id
  role: Role
  contractor_id: Id | null
  requested_contractor_name: string | null
  invite_id: Id | null
  why_pending: string | null
  label: string
}

/** Creates a membership: active immediately, or pending with its reason. If the person already has one, it is returned unchanged. */
export async function admit(ctx: Ctx, site_id: Id, who: Admission): Promise<{ made: boolean; membership: Record<string, unknown> }> {
  const known = await membershipOf(ctx.db, site_id, who.user_id)
  if (known !== null) return { made: false, membership: await plain(ctx, site_id, known.id) }
  const { label, ...terms } = who
  const id = ids.next()
  const active = who.why_pending === null
  await insertMembership(ctx.db, {
    site_id,
    id,
    ...terms,
    status: active ? 'active' : 'pending',
    approved_by: null,
    approved_at: active ? ctx.now : null,
    ended_at: null,
    ended_by: null,
  })
  const payload = { user_id: who.user_id, role: who.role, contractor_id: who.contractor_id }
  ctx.emit({ kind: active ? 'membership.activated' : 'membership.requested', site_id, subject: subject({ id }, label), payload })
  if (active) await welcome(ctx, site_id, who.user_id)
  else await raiseTask(ctx, site_id, { kind: 'approve_membership', subject: subject({ id }, label), bands: ['administer'] })
  return { made: true, membership: await plain(ctx, site_id, id) }
}

/** Returns the membership of a person on a site, active or pending; null when there is none. */
export async function placeOf(ctx: Ctx, site_id: Id, user_id: Id): Promise<Record<string, unknown> | null> {
  const row = await membershipOf(ctx.db, site_id, user_id)
  return row === null ? null : { ...row }
}

async function plain(ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown>> {
  return { ...(await membershipById(ctx.db, site_id, id)) }
}

/** Raises a task on each of the member's sites to correct their address when email to it is stopped (it bounced, or was reported as spam). The task ends once email reaches them. */
export async function askForAddress(ctx: Ctx, user_id: Id, suppressed: boolean): Promise<void> {
  for (const { site_id, id, name } of await activePlacesOf(ctx.db, user_id)) {
    if (suppressed) await raiseTask(ctx, site_id, { kind: 'check_address', subject: subject({ id }, name), bands: ['administer'] })
    else await resolveTasks(ctx, site_id, id, { only: ['check_address'] }, 'done_by_step')
  }
}

const WAIT_DAYS = 30

/** Ends membership requests that have been pending for thirty days. */
export async function endStale(house: House): Promise<{ ended: number }> {
  let ended = 0
  const actor = jobActor('memberships_due')
  for (const { site_id, id } of await waitingSince(house.database.db, later(house.clock.now(), -WAIT_DAYS * DAY), 1000)) {
    await writingOn(
      house,
      { actor, cause: 'membership.lapse' },
      site_id,
      async ctx => {
        const row = await findMembership(ctx, site_id, id, true)
        if (row?.status !== 'pending') return
        await endMembership(ctx, row)
        ended++
      },
      { passes_lock: true },
    )
  }
  return { ended }
}
