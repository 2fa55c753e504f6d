// The registry that graphs are made from: actors, guards, and the rules that no graph can leave out. R1 … R10 are the rules of
// `permits.md`, "Rules tying operations together"; gates are those of `permits-decisions.md` §2 and §3.

import type { Transition } from '../../../../../shared/lifecycle/graph.ts'
import { readsOf } from '../../../../../shared/lifecycle/permit-sorts.ts'
import { listed } from '../../../../../shared/text.ts'
import { later } from '../../../../../shared/time.ts'
import { gate, guard, type Verdict } from '../../../../base/errors.ts'
import type { Words } from '../../../../kernel/lifecycle/domain/decide.ts'
import { actors, appointed_issuer, LAWFUL_ACTORS, named_receiver } from './actors.ts'
import { outsideParent } from './extensions.ts'
import { CHECKLIST, CHECKLIST_WORDS, type Facts, isOpen, isSingleStage, nameOf, needsParent, SPOKEN, type Status } from './facts.ts'
import { documentsMissing, optIn, withoutSource } from './opt-in.ts'

type Rule = (facts: Facts) => Verdict

const missing_attachments: Rule = f =>
  f.missing_labels.length === 0
    ? null
    : gate('missing_attachments', documentsMissing(f.missing_labels, 'before you submit'), {
        missing_labels: f.missing_labels,
      })

const parent_present: Rule = f => {
  if (!needsParent(f.permit, f.set)) return null
  if (f.parent === null) return gate('parent_missing', 'This permit needs a parent permit. Choose the permit that it belongs under.')
  return isOpen(f.parent.status)
    ? null
    : gate('parent_missing', `The parent permit ${nameOf(f.parent)} is ${SPOKEN[f.parent.status]}. Choose a parent permit that is open.`, {
        permit_numbers: numbers([f.parent]),
      })
}

const inside_parent_window: Rule = f => {
  const { parent, permit } = f
  if (parent === null) return null
  // There is no new end when only `permissions` are needed: if the parent's window ends with this one, there is no room for an extension.
  const wanted = f.input?.requested_end_at ?? (f.input === null && permit.end_at !== null ? later(permit.end_at, 1) : permit.end_at)
  return outsideParent(parent, permit.start_at, wanted)
    ? gate(
        'outside_parent_window',
        `The extended window must stay inside the window of the parent permit ${nameOf(parent)}. Choose an earlier end, or extend the parent permit first.`,
        {
          permit_numbers: numbers([parent]),
          parent_start_at: parent.start_at,
          parent_end_at: parent.end_at,
        },
      )
    : null
}

/** R5, and the same for an extension that adds red conflicts: they are acknowledged with a reason, as they are now and not as they were when someone looked. */
const red_conflicts_acknowledged: Rule = f => {
  if (f.red_conflicts === 0 || f.input === null) return null
  const { numbers = [], hash = null } = f.weighed ?? {}
  const { red_conflict_reason, acknowledge_red_conflicts, conflicts_hash } = f.input
  const facts = { red_conflicts: f.red_conflicts, permit_numbers: [...numbers], conflicts_hash: hash }
  const count = f.red_conflicts === 1 ? 'is a red conflict' : `are ${f.red_conflicts} red conflicts`
  const named = numbers.length === 0 ? '' : ` with ${listed(numbers, 5)}`
  if (acknowledge_red_conflicts === false || (red_conflict_reason ?? '') === '')
    return gate('red_conflicts_unacknowledged', `There ${count}${named}. Give a reason why the work can go ahead.`, facts)
  return conflicts_hash == null || conflicts_hash === hash
    ? null
    : gate(
        'red_conflicts_unacknowledged',
        `The red conflicts have changed since you looked at them: now there ${count}${named}. Look at them again, and give a reason why the work can go ahead.`,
        facts,
      )
}

const close_out_gate_clear: Rule = f =>
  f.overdue_numbers.length === 0
    ? null
    : gate(
        'close_out_gate',
        `The close-out of ${listed(f.overdue_numbers)} is overdue for this contractor. Close ${f.overdue_numbers.length === 1 ? 'it' : 'them'} out first.`,
        {
          permit_numbers: f.overdue_numbers,
        },
      )

const categories_extendable: Rule = f =>
  f.set.is_extendable
    ? null
    : gate('not_extendable', `${listed(f.set.not_extendable)} permits can’t be extended. Reissue this permit instead.`, {
        permit_type_codes: f.set.not_extendable,
      })

const not_handed_back: Rule = f =>
  f.permit.handed_back_at === null
    ? null
    : guard('not_handed_back', 'This permit was handed back, so it can’t be extended. Reissue the permit if the work must continue.')

const checklist_complete: Rule = f => {
  if (f.input === null) return null
  const missing = CHECKLIST.filter(item => f.input?.checklist?.[item] !== true)
  return missing.length === 0
    ? null
    : gate(
        'checklist_incomplete',
        `The close-out checklist isn’t complete. Confirm first: ${listed(missing.map(item => CHECKLIST_WORDS[item]))}.`,
        { missing },
      )
}

const no_open_children: Rule = f =>
  f.open_children.length === 0
    ? null
    : gate('open_children', openChildren(f.open_children.map(childName)), {
        permit_numbers: numbers(f.open_children),
        ids: f.open_children.filter(child => child.visible).map(child => child.id),
      })

/** Says which child permits have to be closed out or withdrawn before their parent. */
const openChildren = (names: readonly string[]): string =>
  names.length === 1
    ? `You can’t close out this permit, because this child permit is still open: ${listed(names)}. Close it out or withdraw it first.`
    : `You can’t close out this permit, because these child permits are still open: ${listed(names)}. Close out or withdraw them first.`

const numbers = (permits: readonly { permit_number: string | null }[]): string[] =>
  permits.flatMap(p => (p.permit_number === null ? [] : [p.permit_number]))

/** Returns what a child is called: a draft by its author if the caller can see it, and otherwise only as a private draft (`permits-decisions.md` §1, Who closes out). */
const childName = (child: Facts['open_children'][number]): string =>
  child.permit_number ?? (child.requestor_name === null ? 'a private draft' : `a draft by ${child.requestor_name}`)

/** The guards that forbid a step, by name. */
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
  ...optIn,
} satisfies Record<string, Rule>

/** Guards that choose between steps: if one isn't met, the step doesn't exist (`invalid_transition`). */
export const choosing = {
  two_stage: (f: Facts) => !isSingleStage(f.permit, f.set),
  single_stage: (f: Facts) => isSingleStage(f.permit, f.set),
  issue_signature_stands: (f: Facts) => f.permit.issue_signed_at !== null,
  no_issue_signature: (f: Facts) => f.permit.issue_signed_at === null,
}

/** Rules of the engine (`permits-decisions.md` §3): they apply whether the graph has them or not, and a site can't remove them. */
const laws: readonly ((facts: Facts, transition: Transition) => Verdict)[] = [
  // A draft has no number, perhaps no window, and is private: only submission makes it a record, and withdrawing ends it.
  (f, t) =>
    f.permit.status === 'draft' && t.action !== 'submit' && !(t.action === 'withdraw' && t.to === 'withdrawn')
      ? guard('submitted', 'This is a draft. Submit it first.')
      : null,
  // A permit that has ended stays so, because its parent may have been closed out in reliance on it.
  (f, t) =>
    !isOpen(f.permit.status) && t.to !== t.from
      ? guard('not_ended', `This permit is ${SPOKEN[f.permit.status]}, and that can’t be undone. Request a new permit instead.`)
      : null,
  // There is only one valid issue signature at a time: the permit is handed back before a walk-down is repeated. Only approved permits are issued.
  (f, t) =>
    t.action === 'issue' && (f.permit.issue_signed_at !== null || !['approved', 'issued'].includes(t.to))
      ? guard(
          'no_issue_signature',
          f.permit.issue_signed_at === null
            ? 'In this site’s workflow, the issue step leads to the wrong state. Ask H&S, a site manager or an administrator to correct the workflow.'
            : 'An issuer has already signed this permit. To repeat the walk-down, hand it back first.',
        )
      : null,
  // No permit goes live, or expires, without a valid issue signature by an appointed issuer.
  (f, t) => {
    if (!['issued', 'expired'].includes(t.to) || t.to === t.from || t.action === 'issue' || f.permit.source === 'imported') return null
    const voids = t.action === 'submit' || (t.action === 'hand_back' && t.from === 'approved')
    return f.permit.issue_signed_at === null || voids
      ? guard(
          'issue_signature_stands',
          'A permit can’t go live without the signature of an appointed issuer. An issuer must sign it first.',
        )
      : null
  },
  // No permit is closed with open children or an incomplete checklist.
  (f, t) => (t.to === 'closed' && t.from !== 'closed' ? (no_open_children(f) ?? checklist_complete(f)) : null),
  // R8, R9: reasons to refuse a submission or an extension, whatever the graph says.
  (f, t) => (t.action === 'submit' ? (missing_attachments(f) ?? parent_present(f)) : null),
  (f, t) =>
    t.action === 'request_extension' || t.action === 'approve_extension'
      ? (not_handed_back(f) ?? categories_extendable(f) ?? inside_parent_window(f))
      : null,
  // R5 and R7.
  (f, t) =>
    t.action === 'approve' || t.action === 'approve_extension'
      ? red_conflicts_acknowledged(f)
      : t.action === 'issue'
        ? close_out_gate_clear(f)
        : null,
  (f, t) =>
    t.action === 'expire' && (f.permit.end_at === null || f.permit.end_at > f.now)
      ? guard('window_over', 'The permit window hasn’t ended yet.')
      : null,
]

/** Past participles of steps, for sentences. */
const PAST: Readonly<Record<string, string>> = {
  submit: 'submitted',
  withdraw: 'withdrawn',
  endorse: 'endorsed',
  approve: 'approved',
  reject: 'rejected',
  request_corrections: 'returned for corrections',
  issue: 'issued',
  countersign: 'countersigned',
  hand_back: 'handed back',
  close_out: 'closed out',
  expire: 'expired',
  reissue: 'reissued',
  request_extension: 'extended',
  approve_extension: 'extended',
  reject_extension: 'refused an extension',
  edit: 'edited',
}

/** The vocabulary of a permit's graph. */
export const words: Words<Facts> = {
  actors,
  // A graph that was published earlier can have guards without facts: they refuse nothing, and the step's advice says so.
  guards: { ...guards, ...withoutSource },
  choosing,
  held: (f, t) => LAWFUL_ACTORS[t.action]?.(f) ?? null,
  always: laws,
  reads: readsOf,
  label: status => SPOKEN[status as Status] ?? status, // any other state has no words of its own
  noun: 'permit',
  past: PAST,
}
