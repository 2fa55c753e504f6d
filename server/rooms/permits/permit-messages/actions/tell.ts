import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { remembered } from '../../../../base/memo.ts'
import { eventKind } from '../../../../kernel/events/door.ts'
import { hold, share } from '../../../../kernel/records/door.ts'
import { type Raised, raiseTasks, resolveTasks } from '../../../../kernel/tasks/door.ts'
import { graphOf } from '../../kit/actions/graphs.ts'
import { awaitingCountersign } from '../../kit/domain/facts.ts'
import { bandsOf, dueOf, GATE_TASKS, nextGate, taskOf } from '../../kit/domain/gates.ts'
import { placeOfRow } from '../../kit/domain/place.ts'
import type { Policy } from '../../kit/domain/policy.ts'
import { siteFactsFor } from '../../kit/queries/facts.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { appointedFor, lockGated } from '../queries/audience.ts'

/** Returns a permit as the subject of tasks and events. */
const subjectOf = (permit: Pick<PermitRow, 'id' | 'permit_number' | 'title'>) => ({
  kind: 'permit',
  id: permit.id,
  label: permit.permit_number ?? permit.title ?? 'Draft permit',
})

/** Returns what the event of an expiry has in addition to the payload of every permit event. */
export const expiryOf = (permit: PermitRow) => ({
  handed_back: permit.handed_back_at !== null,
  fire_watch_until: permit.fire_watch_until,
  backdated: permit.source === 'imported' && permit.end_at !== null && permit.end_at <= permit.created_at,
})

/** Emits an event about a permit, with the payload that every permit event has (`messages.md` §0.3). */
export function tellPermit(
  ctx: Ctx,
  kind: string,
  permit: PermitRow,
  from_status: string,
  single_stage: boolean,
  graph: Graph,
  policy: Policy,
  payload: Record<string, unknown> = {},
): void {
  const next = nextGate(graph, { status: permit.status, single_stage, issue_signed: permit.issue_signed_at !== null })
  const declared = eventKind(kind)?.payload
  ctx.emit({
    kind,
    site_id: permit.site_id,
    subject: subjectOf(permit),
    contractor_ids: permit.contractor_id === null ? [] : [permit.contractor_id],
    place: placeOfRow(permit),
    payload: {
      permit_id: permit.id,
      permit_number: permit.permit_number,
      title: permit.title,
      source: permit.source,
      status: permit.status,
      from_status,
      categories: permit.categories,
      single_stage,
      contractor_id: permit.contractor_id,
      parent_id: permit.parent_id,
      requestor_id: permit.requestor_id,
      receiver_id: permit.receiver_id,
      issuer_id: permit.issuer_id,
      nominee_user_id: policy.nominee_user_id,
      deputy_nominee_user_id: policy.deputy_nominee_user_id,
      start_at: permit.start_at,
      end_at: permit.end_at,
      workflow_definition_id: permit.workflow_definition_id,
      workflow_version: permit.workflow_version,
      next_gate: next?.gate ?? null,
      awaiting_countersign: awaitingCountersign(permit),
      // One step can emit two events; each has only its own fields.
      ...Object.fromEntries(Object.entries(payload).filter(([name]) => declared === undefined || name in declared)),
    },
  })
}

/**
 * Updates the gate tasks of a permit that enters a state (`messages.md` §0.4, 2): open tasks of other gates are resolved, and that of the next gate is
 * raised unless it is already open. Imported permits raise none, because nobody closes out a spreadsheet's permits from a list.
 */
export const askNextGate = (
  ctx: Ctx,
  permit: PermitRow,
  single_stage: boolean,
  graph: Graph,
  policy: Policy,
  done: boolean,
): Promise<void> => askNextGates(ctx, permit.site_id, [{ permit, single_stage, graph }], policy, done)

const APPOINTED = 'who is appointed'

/** Returns whether appointed people are asked at a gate. */
const asksAppointed = (gate: string): boolean => gate === 'issue' || gate === 'close_out'

/** Locks who is appointed on a site against changes, until the end of the transaction: before any task of a permit is written (decision 1091). */
export const shareAppointed = (ctx: Ctx, site_id: Id): Promise<void> => share(ctx, APPOINTED, site_id)

/** Locks who is appointed on a site for a change, before an appointment is locked. */
export const holdAppointed = (ctx: Ctx, site_id: Id): Promise<void> => hold(ctx, APPOINTED, site_id)

/** Does the same for several permits of a site, in a few statements. */
export async function askNextGates(
  ctx: Ctx,
  site_id: Id,
  entering: readonly { permit: PermitRow; single_stage: boolean; graph: Graph }[],
  policy: Policy,
  done: boolean,
): Promise<void> {
  const raised: Raised[] = []
  const kept = new Map<string | null, Id[]>()
  const asked = new Map<string, ReturnType<typeof addresseesOf>>()
  const gates = entering.map(({ permit, single_stage, graph }) => ({
    permit,
    next: nextGate(graph, { status: permit.status, single_stage, issue_signed: permit.issue_signed_at !== null }),
  }))
  if (gates.some(({ next }) => next !== null && asksAppointed(next.gate))) await shareAppointed(ctx, site_id)
  for (const { permit, next } of gates) {
    const wanted = next === null || permit.source === 'imported' ? null : taskOf(next.gate)
    remembered(kept, wanted, () => []).push(permit.id)
    if (next === null || wanted === null) continue
    const { gate, transition } = next
    const key = `${gate} ${transition.actor} ${[...permit.categories].sort().join()}`
    const addressees = await remembered(asked, key, () => addresseesOf(ctx, permit, gate, transition.actor))
    raised.push({
      kind: wanted,
      subject: subjectOf(permit),
      ...addressees,
      ...dueOf(gate, permit, policy.expiring_warning_lead_hours, ctx.now),
    })
  }
  const resolution = done ? 'done_by_step' : 'subject_left'
  for (const [wanted, subjects] of kept)
    await resolveTasks(ctx, site_id, subjects, { only: GATE_TASKS.filter(kind => kind !== wanted) }, resolution)
  await raiseTasks(ctx, site_id, raised)
}

/** Returns who is asked at a gate: bands, and people by their appointments. */
export async function addresseesOf(
  ctx: Ctx,
  permit: Pick<PermitRow, 'site_id' | 'categories'>,
  gate: string,
  actor: string,
): Promise<{ bands: ('stage1' | 'stage2')[]; user_ids: Id[] }> {
  if (gate === 'issue') return { bands: ['stage2'], user_ids: (await appointedFor(ctx.db, permit.site_id, permit.categories)).all }
  if (gate === 'close_out')
    return { bands: ['stage1', 'stage2'], user_ids: (await appointedFor(ctx.db, permit.site_id, permit.categories)).any }
  return { bands: bandsOf(actor), user_ids: [] }
}

/**
 * Updates who gets the open issue and close-out tasks after appointments or the warning lead time have changed: newly appointed people get them,
 * former ones lose them. The tasks are locked, so that none is raised again that a step resolves meanwhile.
 */
export async function readdressGates(ctx: Ctx, site_id: Id): Promise<void> {
  await holdAppointed(ctx, site_id)
  const policy = await siteFactsFor(ctx.db, site_id, null, false)
  const tasks: Raised[] = []
  for (const permit of await lockGated(ctx.db, site_id, ['issue_permit', 'close_out_permit'])) {
    const graph = await graphOf(ctx, permit)
    const next = nextGate(graph, {
      status: permit.status,
      single_stage: permit.pinned_single_stage ?? false,
      issue_signed: permit.issue_signed_at !== null,
    })
    if (next === null || !asksAppointed(next.gate)) continue
    const addressees = await addresseesOf(ctx, permit, next.gate, next.transition.actor)
    const due = dueOf(next.gate, permit, policy.expiring_warning_lead_hours, ctx.now)
    tasks.push({ kind: taskOf(next.gate), subject: subjectOf(permit), ...addressees, ...due })
  }
  await raiseTasks(ctx, site_id, tasks)
}
