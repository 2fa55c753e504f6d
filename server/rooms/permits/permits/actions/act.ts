// The only place where a permit changes state: load, decide, save, effects. Single steps, bulk close-out and extensions all use it.

import { effectsOf } from '../../../../../shared/lifecycle/effects.ts'
import { SIGNED } from '../../../../../shared/lifecycle/permit-sorts.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalid, type Verdict } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { type Life, walk } from '../../../../kernel/lifecycle/door.ts'
import { advised } from '../../kit/actions/advised.ts'
import { stillAsWeighed, weighed } from '../../kit/actions/conflicts.ts'
import { type Judged, judgeOne } from '../../kit/actions/facts.ts'
import { adviceOn } from '../../kit/domain/advice.ts'
import { type Facts, isEditable, isSingleStage, type LastDecision, SPOKEN, type Status, type Weighed } from '../../kit/domain/facts.ts'
import type { Warning } from '../../kit/domain/warnings.ts'
import { words } from '../../kit/domain/words.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { keepPermitPaper, type PaperOccasion } from '../../permit-documents/door.ts'
import { askNextGate, tellPermit } from '../../permit-messages/door.ts'
import { sign, voidSignatures } from '../../permit-signatures/door.ts'
import { stopArrivals } from '../../permit-stops/door.ts'
import { lapseExtensions } from '../queries/extensions.ts'
import { type PermitSet, savePermit } from '../queries/permits.ts'
import { effects, ROUND } from './effects.ts'
import { type Action, type Given, type Taking, taking } from './taking.ts'

/** The result of a step. `weighed`: the conflicts that an approval was decided with. */
export type Acted = { permit: PermitRow; warnings: Warning[]; signature_id: Id | null; weighed: Weighed | null }

/** Steps that are a person's decision on the permit: the newest is its `last_decision`. */
const DECISIONS: readonly Action[] = [
  'endorse',
  'approve',
  'reject',
  'request_corrections',
  'hand_back',
  'issue',
  'countersign',
  'close_out',
  'withdraw',
]

/** Steps of permits: the rules of the site’s graph and of the engine, and the effects, which no graph can change. */
const life: Life<Facts, Taking> = { words, effectsOf, effects }

/** Takes a step of a permit, or refuses with everything that forbids it. The route has locked the row. */
export async function act(ctx: Ctx, permit: PermitRow, action: Action, given: Given): Promise<Acted> {
  const judged = await judgedWithConflicts(ctx, permit, action, given)
  const { facts, graph } = judged
  const done = await walk(
    life,
    { graph, status: permit.status, action, facts, said: given },
    plan => taking({ ctx, permit, judged, action, to: plan.to as Status, given }), // the graph's states are the registry's
    () => (action === 'submit' ? missingFields(permit) : null),
  )
  const { to } = done
  if (to !== permit.status) done.set = { ...arrival(ctx, permit, to), ...done.set }
  if (DECISIONS.includes(action)) done.set.last_decision = decisionOf(done)
  leaveWalkDown(done)
  leaveCorrections(done)
  if (to !== 'issued') lapseOpenRequest(done)
  const withAround = await advised(ctx, permit.site_id, [permit])
  const warnings = adviceOn(graph, action, withAround(permit.id, facts))
  if (action === 'issue' || action === 'countersign') {
    // Warnings from the walk-down of the work front are printed on the permit from then on.
    const before = action === 'issue' ? [] : permit.issue_warnings
    done.set.issue_warnings = [...before, ...warnings.filter(w => before.every(b => b.code !== w.code))]
  }
  const after: PermitRow = { ...permit, ...done.set, status: to }
  const single_stage = action === 'submit' ? facts.set.single_stage : isSingleStage(facts.permit, facts.set)
  const touched = permit.source === 'imported' && ctx.actor.kind === 'user' ? { touched_at: ctx.now } : {}
  ctx.note(permit.id, { action: 'transition', ...(done.reason === null ? {} : { reason: done.reason }) })
  const signature_id = done.sign === null ? null : ids.next()
  const shared = { ...done.payload, ...(signature_id === null ? {} : { signature_id }) }
  for (const event of done.events) tellPermit(ctx, event, after, permit.status, single_stage, graph, judged.policy, shared)
  // All statements are sent at the same time, in this order, so that there is only one wait.
  await Promise.all([
    savePermit(ctx.db, permit, { ...done.set, ...touched, ...(to === permit.status ? {} : { status: to }) }),
    done.sign === null || signature_id === null
      ? null
      : sign(
          ctx,
          signature_id,
          { permit, around: judged.around, signing: done.signing, on_behalf_of: done.on_behalf_of },
          after,
          done.sign,
        ),
    ...done.more.map(write => write()),
    done.gates ? askNextGate(ctx, after, single_stage, graph, judged.policy, !LEAVES.includes(action)) : null,
  ])
  if (to === 'issued' && permit.status !== 'issued') await stopArrivals(ctx, permit.site_id, [after])
  const occasion = paperAt(permit, after, action)
  if (occasion !== null) await keepPermitPaper(ctx, after, occasion)
  if (action === 'approve' && judged.facts.weighed !== undefined) await stillAsWeighed(ctx, permit.site_id, permit.id, judged.facts.weighed)
  return { permit: after, warnings, signature_id, weighed: judged.facts.weighed ?? null }
}

/** Reads what decides on a step; for an approval also the conflicts as they are now, and for that of an extension those that it adds (R5). */
async function judgedWithConflicts(ctx: Ctx, permit: PermitRow, action: Action, given: Given): Promise<Judged> {
  const judged = await judgeOne(ctx, permit, given)
  if (action !== 'approve' && action !== 'approve_extension') return judged
  const found = await weighed(ctx, permit.site_id, permit.id, action === 'approve' ? null : (given.requested_end_at ?? null))
  return { ...judged, facts: { ...judged.facts, red_conflicts: found.red, weighed: found } }
}

/** Voids the issuer's signature when the permit leaves the walk-down, by whatever step: the signature doesn't move on with the permit. */
function leaveWalkDown(done: Taking): void {
  const { ctx, permit, to, given } = done
  if (permit.issue_signed_at === null || SIGNED.some(state => state === to)) return
  Object.assign(done.set, { issuer_id: null, issue_signed_at: null, issue_warnings: [] })
  const why = given.note ?? given.reason ?? 'The permit left the walk-down'
  done.more.push(() => voidSignatures(ctx.db, permit.site_id, [permit.id], ['issue'], ctx.now, why))
}

/**
 * Voids the review's signatures when a permit that was returned for corrections ends without another review: its text can have been changed since, and it isn't what they signed. When it
 * is submitted again, that step voids them.
 */
function leaveCorrections({ ctx, permit, action, to, more }: Taking): void {
  if (permit.submitted_at === null || !isEditable(permit.status) || isEditable(to) || action === 'submit') return
  const why = `Returned for corrections, and then ${SPOKEN[to]}`
  more.push(() => voidSignatures(ctx.db, permit.site_id, [permit.id], ROUND, ctx.now, why))
}

/** Lapses an open extension request when its permit stops being live, and notifies the person who requested it. */
function lapseOpenRequest({ ctx, permit, judged, to, more, events, payload }: Taking): void {
  const open = judged.around.open_extension
  if (open === null) return
  const reason = `The permit is ${SPOKEN[to]}.`
  more.push(async () => {
    await lapseExtensions(ctx.db, permit.site_id, [permit.id], ctx.now, reason)
  })
  events.push('permit.extension_lapsed')
  Object.assign(payload, {
    extension_request_id: open.id,
    requested_by_id: open.requested_by,
    requested_end_at: open.requested_end_at,
    lapse_reason: reason,
  })
}

/** Returns the decision that this step is (`permits-decisions.md` §1, `last_decision`). */
function decisionOf({ ctx, action, reason }: Taking): LastDecision | null {
  const { id, name, standing, is_superadmin } = ctx.actor
  if (id === null) return null
  return { action, by: { id, name, role: standing?.role ?? (is_superadmin ? 'superadmin' : null) }, at: ctx.now, note: reason }
}

/**
 * Returns the occasion on which a snapshot of the permit is stored (`permits-decisions.md` §1, document); an extension stores its own once the request is
 * decided.
 */
function paperAt(before: PermitRow, after: PermitRow, action: Action): PaperOccasion | null {
  if (action === 'submit') return 'submit'
  if (action === 'close_out' && after.status === 'closed') return 'close_out'
  return after.status === 'issued' && before.status !== 'issued' && after.source === 'requested' ? 'issue' : null
}

/** Returns when a permit reached a state, by whichever step of its graph: this decides who sees it (R10). */
function arrival(ctx: Ctx, permit: PermitRow, to: Status): PermitSet {
  if (to === 'endorsed') return { endorsed_at: ctx.now }
  if (to === 'approved') return { approved_at: ctx.now }
  if (to === 'issued') return { issued_at: permit.issued_at ?? ctx.now }
  if (to === 'expired') return { expired_at: ctx.now }
  if (to === 'closed') return { closed_at: ctx.now }
  return {}
}

/** Steps that leave a gate without passing it: its task ends because its subject left. */
const LEAVES: readonly Action[] = ['request_corrections', 'reject', 'withdraw', 'hand_back']

/** Returns null, or a 422 for the fields that a permit must have when it is submitted and ever after. */
export function missingFields(permit: Pick<PermitRow, 'categories' | 'start_at' | 'end_at'>): Verdict {
  const fields = [
    permit.categories.length === 0 && { path: 'categories', message: 'is required: choose at least one permit type.' },
    permit.start_at === null && { path: 'start_at', message: 'is required: set when the window starts.' },
    permit.end_at === null && { path: 'end_at', message: 'is required: set when the window ends.' },
  ].filter(f => f !== false)
  return fields.length === 0 ? null : invalid(fields)
}
