// What a step does in addition to changing the state, by name (`shared/lifecycle/effects.ts`): columns, a signature, further writes, an event.
import type { EffectName } from '../../../../../shared/lifecycle/effects.ts'
import { HOUR, type Instant, later, MINUTE } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { nextReference } from '../../../../kernel/site/door.ts'
import { moveTask } from '../../../../kernel/tasks/door.ts'
import type { SignatureKind } from '../../kit/domain/content.ts'
import type { StampedControls } from '../../kit/domain/facts.ts'
import { dueOf } from '../../kit/domain/gates.ts'
import { expiryOf } from '../../permit-messages/door.ts'
import { voidSignatures } from '../../permit-signatures/door.ts'
import { numbersTaken, type PermitSet } from '../queries/permits.ts'
import type { Action, Taking } from './taking.ts'

type Effect = (t: Taking) => void | Promise<void>

/** Signatures of one round of review; each submission starts a new round. */
export const ROUND: SignatureKind[] = ['stage1_approve', 'stage2_approve', 'issue', 'countersign']
const AGAIN: PermitSet = {
  endorsed_at: null,
  approved_at: null,
  issuer_id: null,
  issue_signed_at: null,
  stage1_controls: null,
  stage2_controls: null,
  approval_note: null,
}

const signs =
  (kind: SignatureKind): Effect =>
  t => {
    t.sign = kind
  }

/** Every effect, by name. */
export const effects: Record<EffectName, Effect> = {
  async mint_number(t) {
    if (t.permit.permit_number === null) t.set.permit_number = await mintNumber(t.ctx, t.permit.site_id)
  },

  pin_types(t) {
    const { set } = t.judged.facts
    Object.assign(t.set, {
      submitted_at: t.permit.submitted_at ?? t.ctx.now,
      pinned_single_stage: set.single_stage,
      pinned_requires_parent: set.requires_parent,
    })
  },

  void_review_signatures(t) {
    const { ctx, permit } = t
    if (permit.submitted_at === null) return
    Object.assign(t.set, AGAIN)
    t.more.push(() => voidSignatures(ctx.db, permit.site_id, [permit.id], ROUND, ctx.now, 'Resubmitted'))
  },

  void_issue_signature(t) {
    const { ctx, permit, given } = t
    if (permit.issue_signed_at !== null)
      t.more.push(() =>
        voidSignatures(ctx.db, permit.site_id, [permit.id], ['issue'], ctx.now, given.note ?? 'Handed back at the walk-down'),
      )
    Object.assign(t.set, { issuer_id: null, issue_signed_at: null })
    t.gates = true
  },

  sign_stage1(t) {
    const stage1_controls = stamped(t.ctx, t.given.stage1_controls, 'endorsement')
    if (stage1_controls !== undefined) t.set.stage1_controls = stage1_controls
    t.sign = 'stage1_approve'
  },

  sign_stage2(t) {
    const stage2_controls = stamped(t.ctx, t.given.stage2_controls, 'approval')
    if (stage2_controls !== undefined) t.set.stage2_controls = stage2_controls
    // The reason becomes part of the note (permits.md, approve): first the sentence, then the approver's own words.
    const note = withAcknowledgement(t)
    t.set.approval_note = note
    t.signing = { ...t.signing, note }
    t.reason = note
    t.sign = 'stage2_approve'
  },

  sign_issue(t) {
    Object.assign(t.set, { issuer_id: t.ctx.actor.id, issue_signed_at: t.ctx.now })
    t.sign = 'issue'
    t.gates = true
  },

  sign_countersign: signs('countersign'),

  sign_hand_back(t) {
    const { ctx, given } = t
    Object.assign(t.set, {
      handed_back_at: ctx.now,
      handed_back_complete: given.work_complete ?? true,
      ...(given.fire_watch_minutes === undefined ? {} : { fire_watch_until: later(ctx.now, given.fire_watch_minutes * MINUTE) }),
    })
    const { receiver_id } = t.permit
    if (receiver_id !== null && receiver_id !== ctx.actor.id)
      t.on_behalf_of = { id: receiver_id, name: t.judged.facts.receiver_name ?? 'the receiver' }
    t.sign = 'hand_back'
  },

  sign_close_out: signs('close_out'),
  sign_extension(t) {
    const note = withAcknowledgement(t)
    t.signing = { ...t.signing, note }
    t.reason = note ?? t.reason
    t.sign = 'extend_approve'
  },

  move_end(t) {
    const { ctx, permit } = t
    const end_at = t.given.requested_end_at ?? permit.end_at
    t.set.end_at = end_at
    const due = dueOf('close_out', { ...permit, end_at }, t.judged.policy.expiring_warning_lead_hours, ctx.now)
    t.more.push(() => moveTask(ctx, permit.site_id, permit.id, 'close_out_permit', due))
  },

  rearm_warning(t) {
    t.set.expiring_warned_at = null
  },

  close_out_due_now(t) {
    const { ctx, permit, to } = t
    const handed_back = { ...permit, handed_back_at: ctx.now, status: to }
    const due = dueOf('close_out', handed_back, t.judged.policy.expiring_warning_lead_hours, ctx.now)
    t.more.push(() => moveTask(ctx, permit.site_id, permit.id, 'close_out_permit', due))
  },

  tell(t) {
    const emitted = EVENTS[t.action](t)
    t.events.push(...emitted.events)
    Object.assign(t.payload, emitted.payload)
  },

  ask_next_gate(t) {
    if (t.to !== t.permit.status) t.gates = true
  },
}

/** Returns the note of an approval: first the sentence that acknowledges red conflicts (permits.md, approve), then the approver's own words. */
function withAcknowledgement({ judged, given }: Taking): string | null {
  const n = judged.facts.red_conflicts
  const folded = n === 0 ? null : `Approved despite ${n} red conflict${n === 1 ? '' : 's'}: ${given.red_conflict_reason ?? ''}`
  return [folded, given.note].filter(part => part != null && part !== '').join('\n') || null
}

type Emitted = { events: string[]; payload: Record<string, unknown> }
const event = (kind: string, payload: Record<string, unknown> = {}): Emitted => ({ events: [kind], payload })

const byGate = (t: Taking) => (t.judged.facts.gate_actor === 'stage1_band' ? 'endorse' : 'approve')
const extension = ({ given, permit }: Taking, new_end_at: Instant | null) => ({
  extension_request_id: given.extension_id,
  requested_by_id: given.requested_by_id,
  requested_end_at: given.requested_end_at,
  previous_end_at: permit.end_at,
  new_end_at,
})

/** The event of each step, with what it adds to the payload that every permit event has (`messages.md` §0.3). */
const EVENTS: Record<Action, (t: Taking) => Emitted> = {
  submit: t => event('permit.submitted', { resubmission: t.permit.submitted_at !== null }),
  endorse: t => event('permit.endorsed', { controls_added: t.set.stage1_controls !== undefined }),
  approve: t =>
    event('permit.approved', {
      red_conflicts: t.judged.facts.red_conflicts,
      amber_conflicts: t.judged.facts.weighed?.amber ?? 0,
      controls_added: t.set.stage2_controls !== undefined,
    }),
  reject: t => event('permit.rejected', { by_gate: byGate(t), reason: t.given.reason ?? null }),
  request_corrections: t => event('permit.corrections_requested', { by_gate: byGate(t), note: t.given.note ?? null }),
  // A permit that was never submitted stays private, so nobody is notified.
  withdraw: t => (t.permit.submitted_at === null ? { events: [], payload: {} } : event('permit.withdrawn')),
  issue: t => ({
    events: t.to === 'issued' ? ['permit.issue_signed', 'permit.issued'] : ['permit.issue_signed'],
    payload: { window_ended: t.permit.end_at !== null && t.permit.end_at <= t.ctx.now, by: 'issue' },
  }),
  countersign: t => ({ events: t.to === 'issued' ? ['permit.issued'] : [], payload: { by: 'countersign' } }),
  hand_back: t =>
    t.permit.status === 'approved'
      ? event('permit.corrections_requested', { by_gate: 'hand_back', note: t.given.note ?? null })
      : event('permit.handed_back', {
          work_complete: t.given.work_complete ?? true,
          by_receiver: t.permit.receiver_id === t.ctx.actor.id,
          note: t.given.note ?? null,
        }),
  expire: ({ permit }) => event('permit.expired', expiryOf(permit)),
  close_out: t => event('permit.closed', { bulk: t.given.bulk === true }),
  request_extension: t => event('permit.extension_requested', { ...extension(t, null), reason: t.given.reason ?? null }),
  approve_extension: t => event('permit.extension_approved', { ...extension(t, t.set.end_at ?? t.permit.end_at), reason: null }),
  reject_extension: t => event('permit.extension_rejected', { ...extension(t, t.permit.end_at), reason: t.given.reason ?? null }),
}

function stamped(ctx: Ctx, text: string | null | undefined, stage: string): StampedControls | undefined {
  if (text == null || text === '' || ctx.actor.id === null) return undefined
  return { text, added_by: ctx.actor.id, added_at: ctx.now, stamp: `Added at ${stage} by ${ctx.actor.name}` }
}

/** Returns the next number of the site (`PTW-000123`), skipping numbers that an import uses. */
async function mintNumber(ctx: Ctx, site_id: Id): Promise<string> {
  for (;;) {
    const number = await nextReference(ctx.db, site_id, 'permit', 'PTW')
    if (!(await numbersTaken(ctx.db, site_id, [number])).has(number)) return number
  }
}

/** Returns the end of a window that starts then, after the shortest default duration of its types (derived rule 2). */
export const defaultEnd = (start_at: Instant, hours: number | null): Instant | null =>
  hours === null ? null : later(start_at, hours * HOUR)
