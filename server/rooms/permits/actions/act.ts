// The only place where a permit changes state: load, decide, save, effects. Requests, the sweep, bulk close-out and extensions all come through.

import { SIGNED } from '../../../../shared/lifecycle/permit-sorts.ts'
import { HOUR, type Instant, later, MINUTE } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { enforce, invalid, type Verdict } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { decide } from '../../../kernel/lifecycle/domain/decide.ts'
import { nextNumber } from '../../../kernel/site/door.ts'
import { moveTask } from '../../../kernel/tasks/door.ts'
import type { SignatureKind } from '../domain/content.ts'
import { type Input, isSingleStage, type StampedControls, type Status } from '../domain/facts.ts'
import { dueOf } from '../domain/gates.ts'
import { type Warning, warningsAt } from '../domain/warnings.ts'
import { words } from '../domain/words.ts'
import { numbersTaken, type PermitRow, type PermitSet, savePermit, voidSignatures } from '../queries/permits.ts'
import { type Judged, judgeOne } from './facts.ts'
import { keepPermitPaper, type PaperOccasion } from './paper.ts'
import { type Signing, sign } from './sign.ts'
import { askNextGate, expiryOf, tellPermit } from './tell.ts'

/** Steps that this function takes. */
export type Action =
  | 'submit'
  | 'withdraw'
  | 'endorse'
  | 'approve'
  | 'reject'
  | 'request_corrections'
  | 'hand_back'
  | 'issue'
  | 'countersign'
  | 'close_out'
  | 'expire'
  | 'request_extension'
  | 'approve_extension'
  | 'reject_extension'

/** What comes with a step beside what rules judge. */
export type Given = Input & {
  stage1_controls?: string | null | undefined
  stage2_controls?: string | null | undefined
  presence?: unknown
  work_complete?: boolean | undefined
  fire_watch_minutes?: number | undefined
  content_hash?: string | null | undefined
  bulk?: boolean
  /** Of the request that is decided or made. */
  extension_id?: Id
  requested_by_id?: Id
}

/** What a step came to. */
export type Acted = { permit: PermitRow; warnings: Warning[]; signature_id: Id | null }

const WARNED = ['submit', 'endorse', 'approve', 'issue', 'countersign', 'request_extension', 'approve_extension'] as const
const isWarned = (action: Action): action is (typeof WARNED)[number] => (WARNED as readonly string[]).includes(action)

/** Takes a step of a permit, or refuses with everything that forbids it. The row is locked by the edge. */
export async function act(ctx: Ctx, permit: PermitRow, action: Action, given: Given): Promise<Acted> {
  const judged = await judgeOne(ctx, permit, given)
  const { facts, graph } = judged
  const plan = decide(graph, words, permit.status, action, facts, given)
  if (action === 'submit' && plan.transition !== null && plan.refusals.every(r => r.status !== 403)) enforce([missingFields(permit)])
  enforce(plan.refusals)
  const single_stage = isSingleStage(facts.permit, facts.set)
  const to = plan.to as Status // the graph's states are those of the registry
  const done = await consequences[action](ctx, permit, judged, to, given)
  if (to !== permit.status) done.set = { ...arrival(ctx, permit, to), ...done.set }
  if (permit.issue_signed_at !== null && !SIGNED.some(state => state === to)) {
    // Whatever led away from the walk-down: the issuer's signature does not go with it.
    done.set = { ...done.set, issuer_id: null, issue_signed_at: null, issue_warnings: [] }
    done.more.push(() =>
      voidSignatures(ctx.db, permit.site_id, permit.id, ['issue'], ctx.now, given.note ?? given.reason ?? 'Left the walk-down'),
    )
  }
  const warnings = isWarned(action) ? warningsAt(action, facts) : []
  if (action === 'issue' || action === 'countersign') {
    // What stood when the work front was walked is printed on the permit from then on.
    const before = action === 'issue' ? [] : permit.issue_warnings
    done.set.issue_warnings = [...before, ...warnings.filter(w => before.every(b => b.code !== w.code))]
  }
  const after: PermitRow = { ...permit, ...done.set, status: to }
  const pinned = action === 'submit' ? facts.set.single_stage : single_stage
  const touched = permit.source === 'imported' && ctx.actor.kind === 'user' ? { touched_at: ctx.now } : {}
  ctx.note(permit.id, { action: 'transition', ...(done.reason === null ? {} : { reason: done.reason }) })
  const signature_id = done.sign === null ? null : ids.next()
  const shared = { ...done.payload, ...(signature_id === null ? {} : { signature_id }) }
  for (const event of done.events) tellPermit(ctx, event, after, permit.status, pinned, graph, judged.policy, shared)
  const entered = to !== permit.status || done.gates
  // All of it is on its way at once, in this order: one wait for the lot.
  await Promise.all([
    savePermit(ctx.db, permit, { ...done.set, ...touched, ...(to === permit.status ? {} : { status: to }) }),
    done.sign === null || signature_id === null ? null : sign(ctx, signature_id, permit, after, judged.around, done.sign, done.signing),
    ...done.more.map(write => write()),
    entered ? askNextGate(ctx, after, pinned, graph, judged.policy, !LEAVES.includes(action)) : null,
  ])
  const occasion = paperAt(permit, after, action)
  if (occasion !== null) await keepPermitPaper(ctx, after, occasion)
  return { permit: after, warnings, signature_id }
}

/** At which of its occasions a permit is kept as a paper (`permits-decisions.md` §1, document); an extension keeps it once the request is decided. */
function paperAt(before: PermitRow, after: PermitRow, action: Action): PaperOccasion | null {
  if (action === 'submit') return 'submit'
  if (action === 'close_out' && after.status === 'closed') return 'close_out'
  return after.status === 'issued' && before.status !== 'issued' && after.source === 'requested' ? 'issue' : null
}

/** When a permit came to a state, by whichever step of its graph: who sees it (R10) hangs on that. */
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

/** What a submit needs of a permit, and what a record keeps: a 422 that names it, or null. */
export function missingFields(permit: Pick<PermitRow, 'categories' | 'start_at' | 'end_at'>): Verdict {
  const fields = [
    permit.categories.length === 0 && { path: 'categories', message: 'is needed: choose at least one permit type.' },
    permit.start_at === null && { path: 'start_at', message: 'is needed: say when the work begins.' },
    permit.end_at === null && { path: 'end_at', message: 'is needed: say when the window ends.' },
  ].filter(f => f !== false)
  return fields.length === 0 ? null : invalid(fields)
}

/** What a step does beside moving the state: columns, a signature, further writes, events. */
type Done = {
  set: PermitSet
  sign: SignatureKind | null
  signing: Signing
  more: (() => Promise<unknown>)[]
  events: string[]
  payload: Record<string, unknown>
  reason: string | null
  /** The next gate is looked at although the status stays. */
  gates: boolean
}

const done = (more: Partial<Done>): Done => ({
  set: {},
  sign: null,
  signing: { note: null },
  more: [],
  events: [],
  payload: {},
  reason: null,
  gates: false,
  ...more,
})

const signing = (given: Given, note: string | null = given.note ?? null): Signing => ({
  note,
  presence: given.presence ?? null,
  seen_hash: given.content_hash ?? null,
})

function stamped(ctx: Ctx, text: string | null | undefined, stage: string): StampedControls | undefined {
  if (text == null || text === '' || ctx.actor.id === null) return undefined
  return { text, added_by: ctx.actor.id, added_at: ctx.now, stamp: `Added at ${stage} by ${ctx.actor.name}` }
}

const AGAIN: PermitSet = {
  endorsed_at: null,
  approved_at: null,
  issuer_id: null,
  issue_signed_at: null,
  stage1_controls: null,
  stage2_controls: null,
  approval_note: null,
}

type Consequence = (ctx: Ctx, permit: PermitRow, judged: Judged, to: Status, given: Given) => Promise<Done>

/** Signatures of the round before, which a submit starts again. */
const ROUND: SignatureKind[] = ['stage1_approve', 'stage2_approve', 'issue', 'countersign']

const consequences: Record<Action, Consequence> = {
  async submit(ctx, permit, { facts }, _to, _given) {
    const resubmission = permit.submitted_at !== null
    const set: PermitSet = {
      submitted_at: permit.submitted_at ?? ctx.now,
      pinned_single_stage: facts.set.single_stage,
      pinned_requires_parent: facts.set.requires_parent,
      ...(permit.permit_number === null ? { permit_number: await mintNumber(ctx, permit.site_id) } : {}),
      ...(resubmission ? AGAIN : {}),
    }
    const more = resubmission ? [() => voidSignatures(ctx.db, permit.site_id, permit.id, ROUND, ctx.now, 'Submitted again')] : []
    return done({ set, more, events: ['permit.submitted'], payload: { resubmission } })
  },

  async endorse(ctx, _permit, _judged, _to, given) {
    const stage1_controls = stamped(ctx, given.stage1_controls, 'endorsement')
    const set = stage1_controls === undefined ? {} : { stage1_controls }
    return done({
      set,
      sign: 'stage1_approve',
      signing: signing(given),
      events: ['permit.endorsed'],
      payload: { controls_added: stage1_controls !== undefined },
      reason: given.note ?? null,
    })
  },

  async approve(ctx, _permit, { facts }, _to, given) {
    const stage2_controls = stamped(ctx, given.stage2_controls, 'approval')
    // The reason is folded into the note (permits.md, approve): first the sentence, then the approver's own words.
    const n = facts.red_conflicts
    const folded = n === 0 ? null : `Approved despite ${n} red conflict${n === 1 ? '' : 's'}: ${given.red_conflict_reason ?? ''}`
    const note = [folded, given.note].filter(part => part != null && part !== '').join('\n') || null
    const set = { approval_note: note, ...(stage2_controls === undefined ? {} : { stage2_controls }) }
    const payload = { red_conflicts: n, amber_conflicts: 0, controls_added: stage2_controls !== undefined }
    return done({ set, sign: 'stage2_approve', signing: signing(given, note), events: ['permit.approved'], payload, reason: note })
  },

  async reject(_ctx, _permit, { facts }, _to, given) {
    return done({
      events: ['permit.rejected'],
      payload: { by_gate: facts.gate_actor === 'stage1_band' ? 'endorse' : 'approve', reason: given.reason ?? null },
      reason: given.reason ?? null,
    })
  },

  async request_corrections(_ctx, _permit, { facts }, _to, given) {
    return done({
      events: ['permit.corrections_requested'],
      payload: { by_gate: facts.gate_actor === 'stage1_band' ? 'endorse' : 'approve', note: given.note ?? null },
      reason: given.note ?? null,
    })
  },

  async withdraw(_ctx, permit, _judged, _to, given) {
    // What was never submitted stays private: nobody is told.
    return done({ events: permit.submitted_at === null ? [] : ['permit.withdrawn'], reason: given.reason ?? null })
  },

  async issue(ctx, _permit, { facts }, to, given) {
    const live = to === 'issued'
    const set = { issuer_id: ctx.actor.id, issue_signed_at: ctx.now }
    const window_ended = facts.permit.end_at !== null && facts.permit.end_at <= ctx.now
    return done({
      set,
      sign: 'issue',
      signing: signing(given),
      events: live ? ['permit.issue_signed', 'permit.issued'] : ['permit.issue_signed'],
      payload: { window_ended, by: 'issue' },
      reason: given.note ?? null,
      gates: true,
    })
  },

  async countersign(_ctx, _permit, _judged, to, given) {
    return done({
      sign: 'countersign',
      signing: signing(given),
      events: to === 'issued' ? ['permit.issued'] : [],
      payload: { by: 'countersign' },
      reason: given.note ?? null,
    })
  },

  async hand_back(ctx, permit, { policy }, to, given) {
    const by_receiver = permit.receiver_id === ctx.actor.id
    if (permit.status === 'approved') {
      // The walk-down failed: an issue signature that stands is voided, not erased.
      const more =
        permit.issue_signed_at === null
          ? []
          : [() => voidSignatures(ctx.db, permit.site_id, permit.id, ['issue'], ctx.now, given.note ?? 'Handed back at the walk-down')]
      const set = { issuer_id: null, issue_signed_at: null }
      return done({
        set,
        more,
        events: ['permit.corrections_requested'],
        payload: { by_gate: 'hand_back', note: given.note ?? null },
        reason: given.note ?? null,
        gates: true,
      })
    }
    const minutes = given.fire_watch_minutes
    const set: PermitSet = {
      handed_back_at: ctx.now,
      handed_back_complete: given.work_complete ?? true,
      ...(minutes === undefined ? {} : { fire_watch_until: later(ctx.now, minutes * MINUTE) }),
    }
    const due = dueOf('close_out', { ...permit, handed_back_at: ctx.now, status: to }, policy.expiring_warning_lead_hours, ctx.now)
    const payload = { work_complete: given.work_complete ?? true, by_receiver, note: given.note ?? null }
    return done({
      set,
      sign: 'hand_back',
      signing: signing(given),
      more: [() => moveTask(ctx, permit.site_id, permit.id, 'close_out_permit', due)],
      events: ['permit.handed_back'],
      payload,
      reason: given.note ?? null,
    })
  },

  async expire(_ctx, permit) {
    return done({ events: ['permit.expired'], payload: expiryOf(permit) })
  },

  async close_out(_ctx, _permit, _judged, _to, given) {
    return done({
      sign: 'close_out',
      signing: signing(given),
      events: ['permit.closed'],
      payload: { bulk: given.bulk === true },
      reason: given.note ?? null,
    })
  },

  async request_extension(_ctx, _permit, _judged, _to, given) {
    const { extension_id, requested_by_id, requested_end_at, reason } = given
    return done({
      events: ['permit.extension_requested'],
      payload: { extension_request_id: extension_id, requested_by_id, requested_end_at, reason: reason ?? null },
      reason: reason ?? null,
    })
  },

  async approve_extension(ctx, permit, { policy }, _to, given) {
    const { extension_id, requested_by_id, requested_end_at } = given
    const end_at = requested_end_at ?? permit.end_at
    const due = dueOf('close_out', { ...permit, end_at }, policy.expiring_warning_lead_hours, ctx.now)
    const more = [() => moveTask(ctx, permit.site_id, permit.id, 'close_out_permit', due)]
    const payload = { extension_request_id: extension_id, requested_by_id, new_end_at: end_at, reason: null }
    return done({
      set: { end_at, expiring_warned_at: null },
      sign: 'extend_approve',
      signing: signing(given),
      more,
      events: ['permit.extension_approved'],
      payload,
      reason: given.note ?? null,
    })
  },

  async reject_extension(_ctx, permit, _judged, _to, given) {
    const { extension_id, requested_by_id, reason } = given
    return done({
      events: ['permit.extension_rejected'],
      payload: { extension_request_id: extension_id, requested_by_id, new_end_at: permit.end_at, reason: reason ?? null },
      reason: reason ?? null,
    })
  },
}

/** The next number of the site (`PTW-000123`); those that an import took are skipped. */
async function mintNumber(ctx: Ctx, site_id: Id): Promise<string> {
  for (;;) {
    const number = `PTW-${String(await nextNumber(ctx.db, site_id, 'permit')).padStart(6, '0')}`
    if (!(await numbersTaken(ctx.db, site_id, [number])).has(number)) return number
  }
}

/** The end of a window that begins then: after the shortest default of its types (rule 2). */
export const defaultEnd = (start_at: Instant, hours: number | null): Instant | null =>
  hours === null ? null : later(start_at, hours * HOUR)
