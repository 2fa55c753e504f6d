// The standard graph (`permits.md`, States and transitions), as data. It is read-only: a site that wants another copies it.
import { effectsOf } from '../../../../../shared/lifecycle/effects.ts'
import type { Graph, State, Transition } from '../../../../../shared/lifecycle/graph.ts'

/** Id of the standard definition: the same on every site. */
export const SEEDED_ID = '00000000-0000-7000-8000-000000000001'
/** Its version. A change of the graph below becomes a new version in addition to the old one, so that permits in progress finish on theirs. */
export const SEEDED_VERSION = 2
/** Id of the standard strict definition: a site adopts it as a copy. */
export const STRICT_ID = '00000000-0000-7000-8000-000000000002'

const states: readonly State[] = [
  { key: 'draft', label: 'Draft', kind: 'initial' },
  { key: 'requested', label: 'Requested', kind: 'normal' },
  { key: 'corrections_requested', label: 'Corrections requested', kind: 'normal' },
  { key: 'endorsed', label: 'Endorsed', kind: 'normal' },
  { key: 'approved', label: 'Approved', kind: 'normal' },
  { key: 'issued', label: 'Issued', kind: 'live' },
  { key: 'expired', label: 'Expired', kind: 'normal' },
  { key: 'closed', label: 'Closed', kind: 'terminal' },
  { key: 'rejected', label: 'Rejected', kind: 'terminal' },
  { key: 'withdrawn', label: 'Withdrawn', kind: 'terminal' },
]

type Short = [from: string, action: string, to: string, actor: string, guards?: string[], requires?: Transition['requires']]

const step = ([from, action, to, actor, guards = [], requires = []]: Short): Transition => ({
  key: `${from}.${action}`,
  action,
  from,
  to,
  actor,
  guards,
  effects: effectsOf({ action, from }),
  requires,
})

const SUBMIT_GUARDS = ['required_attachments_present', 'parent_present']
const CLOSE_GUARDS = ['checklist_complete', 'no_open_children']
const EXTENSION_GUARDS = ['categories_extendable', 'inside_parent_window']

const transitions: readonly Transition[] = (
  [
    ['draft', 'submit', 'requested', 'requestor', SUBMIT_GUARDS],
    ['corrections_requested', 'submit', 'requested', 'requestor', SUBMIT_GUARDS],
    ['requested', 'endorse', 'endorsed', 'stage1_band', ['two_stage']],
    ['endorsed', 'approve', 'approved', 'stage2_band', ['red_conflicts_acknowledged']],
    ['requested', 'approve', 'approved', 'stage2_band', ['single_stage', 'red_conflicts_acknowledged']],
    ['requested', 'request_corrections', 'corrections_requested', 'acting_gate', [], ['note']],
    ['endorsed', 'request_corrections', 'corrections_requested', 'acting_gate', [], ['note']],
    ['requested', 'reject', 'rejected', 'acting_gate', [], ['reason']],
    ['endorsed', 'reject', 'rejected', 'acting_gate', [], ['reason']],
    ['approved', 'issue', 'approved', 'appointed_issuer', ['no_issue_signature', 'issuer_appointed', 'close_out_gate_clear']],
    ['approved', 'countersign', 'issued', 'named_receiver', ['issue_signature_stands', 'caller_is_receiver']],
    // Without a note the response has a warning (`reason_missing`): nobody has to stay at an unsafe work front because they didn't write one.
    ['approved', 'hand_back', 'corrections_requested', 'walk_down_party'],
    ['issued', 'hand_back', 'issued', 'receiver_or_stage2'],
    ['expired', 'hand_back', 'expired', 'receiver_or_stage2'],
    ['issued', 'expire', 'expired', 'clock'],
    ['issued', 'close_out', 'closed', 'closer', CLOSE_GUARDS, ['checklist']],
    ['expired', 'close_out', 'closed', 'closer', CLOSE_GUARDS, ['checklist']],
    ['issued', 'request_extension', 'issued', 'extension_asker', EXTENSION_GUARDS],
    ['issued', 'approve_extension', 'issued', 'stage2_band', EXTENSION_GUARDS],
    ['issued', 'reject_extension', 'issued', 'stage2_band', [], ['reason']],
    ['issued', 'reissue', 'issued', 'reissuer'],
    ['expired', 'reissue', 'expired', 'reissuer'],
    ['closed', 'reissue', 'closed', 'reissuer'],
    ['draft', 'withdraw', 'withdrawn', 'requestor'],
    ['corrections_requested', 'withdraw', 'withdrawn', 'requestor'],
    ['requested', 'withdraw', 'withdrawn', 'requestor'],
    ['endorsed', 'withdraw', 'withdrawn', 'requestor'],
    ['approved', 'withdraw', 'withdrawn', 'requestor', ['no_issue_signature']],
  ] satisfies Short[]
).map(step)

/** The standard graph. */
export const SEEDED: Graph = { states, transitions }

/** Version 1 needed a note when a walk-down failed; permits that are pinned to it finish on it. */
const FIRST: Graph = {
  states,
  transitions: transitions.map(t => (t.action === 'hand_back' && t.from === 'approved' ? { ...t, requires: ['note'] as const } : t)),
}

/** Returns the standard graph in the version that a permit is pinned to. */
export const seededGraph = (version: number): Graph => (version === 1 ? FIRST : SEEDED)

const READY = ['prechecks_confirmed', 'required_documents_present', 'receiver_named', 'place_known']
const STRICTER: Readonly<Record<string, readonly string[]>> = {
  submit: READY,
  approve: ['approver_is_not_requestor'],
  issue: [...READY, 'issuer_is_not_receiver'],
  countersign: ['issuer_is_not_receiver'],
}

/** The standard graph with every safeguard that a site can turn on from its first day (`permits-decisions.md` §3). */
export const STRICT: Graph = {
  states,
  transitions: transitions.map(t => ({ ...t, guards: [...t.guards, ...(STRICTER[t.action] ?? [])] })),
}
