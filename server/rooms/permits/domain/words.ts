// The registry that graphs are made from: who may, what forbids, and the laws that no graph can leave out. R1 … R10 are the rules of
// `permits.md`, "Rules tying operations together"; gates are those of `permits-decisions.md` §2 and §3.

import type { Transition } from '../../../../shared/lifecycle/graph.ts'
import { counted, listed } from '../../../../shared/text.ts'
import { forbidden, gate, guard, permitOwnership, type Verdict } from '../../../base/errors.ts'
import type { Words } from '../../../kernel/lifecycle/domain/decide.ts'
import { CHECKLIST, CHECKLIST_WORDS, type Facts, isOpen, isSingleStage, nameOf, needsParent, SPOKEN, type Status } from './facts.ts'

type Rule = (facts: Facts) => Verdict

/** R4: a draft is its requestor's; a superadmin passes. */
const requestor: Rule = f =>
  f.me.is_superadmin || (f.me.id !== null && f.permit.requestor_id === f.me.id)
    ? null
    : permitOwnership('This permit is its requestor’s: only who wrote it may do that.')

/** R3: the stage-1 band; a superadmin passes. */
const stage1_band: Rule = f =>
  f.me.stage1 ? null : forbidden('permit_approve_stage1', 'Endorsing is for coordinators, H&S, site managers and administrators.')

/** R3: the stage-2 band; a superadmin passes. A coordinator can endorse but cannot approve. */
const stage2_band: Rule = f =>
  f.me.stage2 ? null : forbidden('permit_approve_stage2', 'That is for H&S, site managers and administrators.')

/** R3: whoever may take the gate that is due may also send the permit back or reject it. */
const acting_gate: Rule = f => (f.gate_actor === 'stage1_band' ? stage1_band(f) : stage2_band(f))

/** R1: active appointments for every category, or one for all types. Nobody passes by role or flag. */
const appointed_issuer: Rule = f =>
  f.me.id !== null && f.me.uncovered.length === 0 && f.permit.categories.length > 0
    ? null
    : gate(
        'no_active_appointment',
        `You hold no active appointment as issuer for ${listed(f.me.uncovered.length > 0 ? f.me.uncovered : ['this permit'])}.`,
        {
          permit_type_codes: f.me.uncovered,
        },
      )

/** R2: the named receiver, and nobody else. */
const named_receiver: Rule = f =>
  f.me.id !== null && f.permit.receiver_id === f.me.id
    ? null
    : gate(
        'not_named_receiver',
        f.permit.receiver_id === null
          ? 'No receiver is named on this permit, so nobody can countersign it.'
          : 'Only the named receiver countersigns a permit.',
      )

const isIssuer = (f: Facts) =>
  f.me.id !== null && (f.permit.issuer_id === f.me.id || (f.me.uncovered.length === 0 && f.permit.categories.length > 0))
const isReceiver = (f: Facts) => f.me.id !== null && f.permit.receiver_id === f.me.id

/** Who stood at the work front: the appointed issuer, the receiver; or the stage-2 band. */
const walk_down_party: Rule = f =>
  isIssuer(f) || isReceiver(f)
    ? null
    : f.me.stage2
      ? null
      : forbidden('permit_approve_stage2', 'Handing back is for the issuer, the receiver and the approval band.')

/** The receiver, or the stage-2 band for one who is absent. */
const receiver_or_stage2: Rule = f =>
  isReceiver(f) || f.me.stage2
    ? null
    : forbidden('permit_approve_stage2', 'Handing back is for the receiver, or the approval band in his absence.')

/** Both bands, and issuers appointed for its types. */
const closer: Rule = f =>
  f.me.stage1 || f.me.stage2 || f.me.appointed
    ? null
    : forbidden('permit_approve_stage1', 'Closing out is for the review bands and the issuers appointed for its types.')

/** Requestor, receiver, issuer or bands. */
const extension_asker: Rule = f =>
  (f.me.id !== null && f.permit.requestor_id === f.me.id) || isReceiver(f) || isIssuer(f) || f.me.stage1 || f.me.stage2
    ? null
    : forbidden('permit_approve_stage1', 'An extension is asked by the requestor, the receiver, the issuer or the review bands.')

/** Requestor, receiver, bands, people of its contractor; the caller becomes requestor of the copy. */
const reissuer: Rule = f =>
  !f.me.may_request
    ? forbidden('permit_request')
    : (f.me.id !== null && f.permit.requestor_id === f.me.id) || isReceiver(f) || f.me.stage1 || f.me.stage2 || f.me.for_contractor
      ? null
      : forbidden('permit_request', 'A copy is made by its requestor, its receiver, the review bands or people of its contractor.')

/** The scheduler alone. */
const clock: Rule = f => (f.me.is_clock ? null : guard('clock', 'Only the clock takes this step.'))

const missing_attachments: Rule = f =>
  f.missing_labels.length === 0
    ? null
    : gate('missing_attachments', `Attach ${listed(f.missing_labels)} before you submit.`, { missing_labels: f.missing_labels })

const parent_present: Rule = f => {
  if (!needsParent(f.permit, f.set)) return null
  if (f.parent === null) return gate('parent_missing', 'This permit needs a general permit above it: name its parent.')
  return isOpen(f.parent.status)
    ? null
    : gate('parent_missing', `Its parent ${nameOf(f.parent)} is ${SPOKEN[f.parent.status]}: name one that is open.`, {
        permit_numbers: numbers([f.parent]),
      })
}

const inside_parent_window: Rule = f => {
  const wanted = f.input?.requested_end_at
  if (f.parent === null || wanted === undefined) return null
  const over = f.parent.end_at !== null && wanted > f.parent.end_at
  return over
    ? gate('outside_parent_window', `The longer window would end after that of its parent ${nameOf(f.parent)}.`, {
        permit_numbers: numbers([f.parent]),
        parent_end_at: f.parent.end_at,
      })
    : null
}

const red_conflicts_acknowledged: Rule = f => {
  if (f.red_conflicts === 0 || f.input === null) return null
  const acknowledged = f.input.acknowledge_red_conflicts !== false && (f.input.red_conflict_reason ?? '') !== ''
  return acknowledged
    ? null
    : gate(
        'red_conflicts_unacknowledged',
        `There ${f.red_conflicts === 1 ? 'is a red conflict' : `are ${f.red_conflicts} red conflicts`}: say why it may go ahead all the same.`,
        { red_conflicts: f.red_conflicts },
      )
}

const close_out_gate_clear: Rule = f =>
  f.overdue_numbers.length === 0
    ? null
    : gate(
        'close_out_gate',
        `Its contractor has ${counted(f.overdue_numbers.length, 'expired permit')} that nobody closed: ${listed(f.overdue_numbers)}. Close ${f.overdue_numbers.length === 1 ? 'it' : 'them'} first.`,
        {
          permit_numbers: f.overdue_numbers,
        },
      )

const categories_extendable: Rule = f =>
  f.set.is_extendable
    ? null
    : gate('not_extendable', `${listed(f.set.not_extendable)} cannot be extended: make a new permit from this one.`, {
        permit_type_codes: f.set.not_extendable,
      })

const checklist_complete: Rule = f => {
  if (f.input === null) return null
  const missing = CHECKLIST.filter(item => f.input?.checklist?.[item] !== true)
  return missing.length === 0
    ? null
    : gate('checklist_incomplete', `Confirm first: ${listed(missing.map(item => CHECKLIST_WORDS[item]))}.`, { missing })
}

const no_open_children: Rule = f =>
  f.open_children.length === 0
    ? null
    : gate('open_children', `Still open under it: ${listed(f.open_children.map(childName))}.`, {
        permit_numbers: numbers(f.open_children),
        ids: f.open_children.filter(child => child.visible).map(child => child.id),
      })

const numbers = (permits: readonly { permit_number: string | null }[]): string[] =>
  permits.flatMap(p => (p.permit_number === null ? [] : [p.permit_number]))

/** A draft is named by its author where the caller may see it, else only as a private draft (`permits-decisions.md` §1, Who closes out). */
const childName = (child: Facts['open_children'][number]): string =>
  child.permit_number ?? (child.requestor_name === null ? 'a private draft' : `a draft of ${child.requestor_name}`)

// What a site may opt into.

const prechecks_confirmed: Rule = f => {
  const open = f.permit.pre_checks.filter(check => check.required && (check.answer === null || check.carried_forward))
  return open.length === 0
    ? null
    : gate('precheck_unconfirmed', `Answer these checks first: ${listed(open.map(check => check.label))}.`, {
        missing_labels: open.map(check => check.label),
      })
}

const issuer_is_not_receiver: Rule = f => {
  const issuer = f.permit.issuer_id ?? f.me.id
  return issuer !== null && issuer === f.permit.receiver_id
    ? gate('issuer_is_not_receiver', 'On this site two people sign the walk-down: the issuer and another receiver.')
    : null
}

const approver_is_not_requestor: Rule = f =>
  f.me.id !== null && f.me.id === f.permit.requestor_id
    ? gate('approver_is_not_requestor', 'On this site nobody approves what he asked for.')
    : null

const rams_accepted: Rule = f =>
  f.expects_rams.length > 0 && f.permit.rams_document_ids.length === 0
    ? gate('rams_accepted', `${listed(f.expects_rams)} needs an accepted method statement: name it on the permit.`, {
        permit_type_codes: f.expects_rams,
      })
    : null

/** Who, by name. */
export const actors = {
  requestor,
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

/** Facts of areas that hold nothing yet: no briefing is asked for, no observation is open, nothing is due for inspection. */
const nothing_stands_against_it: Rule = () => null

/** What forbids a step, by name. */
export const guards = {
  required_attachments_present: missing_attachments,
  parent_present,
  inside_parent_window,
  red_conflicts_acknowledged,
  issuer_appointed: appointed_issuer,
  close_out_gate_clear,
  caller_is_receiver: named_receiver,
  categories_extendable,
  checklist_complete,
  no_open_children,
  rams_accepted,
  prechecks_confirmed,
  issuer_is_not_receiver,
  approver_is_not_requestor,
  receiver_briefed: nothing_stands_against_it,
  crew_briefed: nothing_stands_against_it,
  no_open_serious_observation: nothing_stands_against_it,
  inspections_in_date: nothing_stands_against_it,
} satisfies Record<string, Rule>

/** Guards that choose: where one does not hold, the step is not there (`invalid_transition`). */
export const choosing = {
  two_stage: (f: Facts) => !isSingleStage(f.permit, f.set),
  single_stage: (f: Facts) => isSingleStage(f.permit, f.set),
  issue_signature_stands: (f: Facts) => f.permit.issue_signed_at !== null,
  no_issue_signature: (f: Facts) => f.permit.issue_signed_at === null,
}

/** Steps whose actor no graph can change. */
const LAWFUL_ACTORS: Record<string, Rule> = {
  submit: requestor,
  withdraw: requestor,
  endorse: stage1_band,
  approve: stage2_band,
  reject: acting_gate,
  request_corrections: acting_gate,
  issue: appointed_issuer,
  countersign: named_receiver,
  close_out: closer,
  reissue: reissuer,
  request_extension: extension_asker,
  approve_extension: stage2_band,
  reject_extension: stage2_band,
  expire: clock,
}

/** Laws of the engine (`permits-decisions.md` §3): named in the graph or not, a site cannot author them away. */
const laws: readonly ((facts: Facts, transition: Transition) => Verdict)[] = [
  (f, t) => LAWFUL_ACTORS[t.action]?.(f) ?? null,
  // A draft has no number, perhaps no window, and is private: only a submit makes a record of it, and withdrawing ends it.
  (f, t) =>
    f.permit.status === 'draft' && t.action !== 'submit' && !(t.action === 'withdraw' && t.to === 'withdrawn')
      ? guard('submitted', 'It is a draft: submit it first.')
      : null,
  // What has ended has ended: a parent was closed in reliance on it.
  (f, t) => (!isOpen(f.permit.status) && t.to !== t.from ? guard('not_ended', `It is ${SPOKEN[f.permit.status]}, for good.`) : null),
  // One issue signature stands at a time: a walk-down that is to be done again is handed back first. It is for what is approved.
  (f, t) =>
    t.action === 'issue' && (f.permit.issue_signed_at !== null || !['approved', 'issued'].includes(t.to))
      ? guard('no_issue_signature', 'It cannot be signed as issuer now.')
      : null,
  // Nothing becomes live, or expires, without an issue signature by an appointed issuer that stands.
  (f, t) => {
    if (!['issued', 'expired'].includes(t.to) || t.to === t.from || t.action === 'issue' || f.permit.source === 'imported') return null
    const voids = t.action === 'submit' || (t.action === 'hand_back' && t.from === 'approved')
    return f.permit.issue_signed_at === null || voids
      ? guard('issue_signature_stands', 'Nothing goes live without the signature of an appointed issuer.')
      : null
  },
  // Nothing becomes closed past open children or an incomplete checklist.
  (f, t) => (t.to === 'closed' && t.from !== 'closed' ? (no_open_children(f) ?? checklist_complete(f)) : null),
  // R8, R9: what a submit and an extension are refused for, whatever the graph says.
  (f, t) => (t.action === 'submit' ? (missing_attachments(f) ?? parent_present(f)) : null),
  (f, t) =>
    t.action === 'request_extension' || t.action === 'approve_extension' ? (categories_extendable(f) ?? inside_parent_window(f)) : null,
  // R5 and R7.
  (f, t) => (t.action === 'approve' ? red_conflicts_acknowledged(f) : t.action === 'issue' ? close_out_gate_clear(f) : null),
  (f, t) =>
    t.action === 'expire' && (f.permit.end_at === null || f.permit.end_at > f.now)
      ? guard('window_over', 'Its window is not over yet.')
      : null,
]

/** The words of a permit's graph. */
export const words: Words<Facts> = { actors, guards, choosing, always: laws, label: status => SPOKEN[status as Status] ?? status }
