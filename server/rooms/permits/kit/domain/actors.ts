// Who can take which step of a permit. R1 … R10 are the rules of `permits.md`, "Rules tying operations together".
import { listed } from '../../../../../shared/text.ts'
import { forbidden, gate, guard, type Verdict } from '../../../../base/errors.ts'
import type { Facts } from './facts.ts'
import { mayRequest, ownSubmit, ownWrite } from './requesting.ts'

type Rule = (facts: Facts) => Verdict

/** R3: allows the stage-1 band; a superadmin passes. */
const stage1_band: Rule = f =>
  f.me.stage1
    ? null
    : forbidden('permit_approve_stage1', 'Only coordinators, H&S, site managers, administrators and superadmins can take this step.')

/** R3: allows the stage-2 band; a superadmin passes. A coordinator can endorse but can't approve. */
const stage2_band: Rule = f =>
  f.me.stage2 ? null : forbidden('permit_approve_stage2', 'Only H&S, site managers, administrators and superadmins can take this step.')

/** R3: allows the band that can take the next gate, which can also return the permit for corrections or reject it. */
const acting_gate: Rule = f => (f.gate_actor === 'stage1_band' ? stage1_band(f) : stage2_band(f))

/** R1: requires active appointments for every category, or one for all types. No role or flag replaces them. */
export const appointed_issuer: Rule = f =>
  f.me.id !== null && f.me.uncovered.length === 0 && f.permit.categories.length > 0
    ? null
    : gate(
        'no_active_appointment',
        `You aren’t appointed to issue ${f.me.uncovered.length > 0 ? `${listed(f.me.uncovered)} permits` : 'this permit'}. Ask H&S, a site manager or an administrator to appoint you.`,
        {
          permit_type_codes: f.me.uncovered,
        },
      )

/** R2: allows the named receiver while they are a member of the site, and nobody else. */
export const named_receiver: Rule = f => {
  const is_named = f.me.id !== null && f.permit.receiver_id === f.me.id
  return is_named && f.me.is_member
    ? null
    : gate(
        'not_named_receiver',
        is_named
          ? 'You are no longer a member of this site, so you can’t countersign, although you are the named receiver. The issuer or an approver must hand the permit back, so that the requestor can name another one.'
          : f.permit.receiver_id === null
            ? 'No receiver is named on this permit, so no one can countersign it. The issuer or an approver must hand it back, so that the requestor can name one.'
            : 'Only the named receiver can countersign.',
      )
}

const isIssuer = (f: Facts) =>
  f.me.id !== null && (f.permit.issuer_id === f.me.id || (f.me.uncovered.length === 0 && f.permit.categories.length > 0))
const isRequestor = (f: Facts) => f.me.id !== null && f.permit.requestor_id === f.me.id
const isReceiver = (f: Facts) => f.me.id !== null && f.permit.receiver_id === f.me.id

/** Allows the people at the work front, who are the appointed issuer and the receiver, and the stage-2 band. */
const walk_down_party: Rule = f =>
  isIssuer(f) || isReceiver(f)
    ? null
    : f.me.stage2
      ? null
      : forbidden('permit_approve_stage2', 'Only the issuer, the receiver or an approver can hand this permit back.')

/** Allows the receiver, and the stage-2 band for an absent one. */
const receiver_or_stage2: Rule = f =>
  isReceiver(f) || f.me.stage2
    ? null
    : forbidden('permit_approve_stage2', 'Only the receiver can hand this permit back. If the receiver is absent, an approver can.')

/** Allows both bands, and issuers appointed for its types. */
const closer: Rule = f =>
  f.me.stage1 || f.me.stage2 || f.me.appointed
    ? null
    : forbidden('permit_approve_stage1', 'Only reviewers, and issuers appointed for the permit’s types, can close out this permit.')

/** Allows the requestor, the receiver, the issuer and the bands. */
const extension_asker: Rule = f =>
  (isRequestor(f) && mayRequest(f) === null) || isReceiver(f) || isIssuer(f) || f.me.stage1 || f.me.stage2
    ? null
    : forbidden('permit_approve_stage1', 'Only the requestor, receiver, issuer or a reviewer can request an extension.')

/** Allows the requestor, the receiver, the bands and people of its contractor; the caller becomes requestor of the copy. */
const reissuer: Rule = f =>
  mayRequest(f) ??
  (isRequestor(f) || isReceiver(f) || f.me.stage1 || f.me.stage2 || f.me.for_contractor
    ? null
    : forbidden(
        'permit_request',
        'Only the requestor, the receiver, a reviewer or someone from the permit’s contractor can reissue this permit.',
      ))

/** Allows only the scheduler. */
const clock: Rule = f => (f.me.is_clock ? null : guard('clock', 'Only the scheduler can take this step.'))

/** The actors, by name. */
export const actors = {
  requestor: ownWrite,
  stage1_band,
  stage2_band,
  acting_gate,
  appointed_issuer,
  named_receiver,
  walk_down_party,
  receiver_or_stage2,
  closer,
  extension_asker,
  reissuer,
  clock,
} satisfies Record<string, Rule>

/** Steps whose actor no graph can change. */
export const LAWFUL_ACTORS: Record<string, Rule> = {
  submit: ownSubmit,
  withdraw: ownWrite,
  endorse: stage1_band,
  approve: stage2_band,
  reject: acting_gate,
  request_corrections: acting_gate,
  issue: appointed_issuer,
  countersign: named_receiver,
  hand_back: f => (f.permit.status === 'approved' ? walk_down_party(f) : receiver_or_stage2(f)),
  close_out: closer,
  reissue: reissuer,
  request_extension: extension_asker,
  approve_extension: stage2_band,
  reject_extension: stage2_band,
  expire: clock,
}
