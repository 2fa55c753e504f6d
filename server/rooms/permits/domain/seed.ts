// The shipped graph (`permits.md`, States and transitions), as data. Read-only: a site that wants another clones it.
import type { Graph, State, Transition } from '../../../../shared/lifecycle/graph.ts'

/** Id of the shipped definition: the same on every site. */
export const SEEDED_ID = '00000000-0000-7000-8000-000000000001'
/** Its version. A change of the graph below is a new version beside the old one: permits in flight finish on theirs. */
export const SEEDED_VERSION = 1

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

type Short = [
  from: string,
  action: string,
  to: string,
  actor: string,
  guards?: string[],
  effects?: string[],
  requires?: Transition['requires'],
]

const step = ([from, action, to, actor, guards = [], effects = [], requires = []]: Short): Transition => ({
  key: `${from}.${action}`,
  action,
  from,
  to,
  actor,
  guards,
  effects,
  requires,
})

const SUBMIT = ['mint_number', 'pin_types', 'tell', 'ask_next_gate']

const transitions: readonly Transition[] = (
  [
    ['draft', 'submit', 'requested', 'requestor', ['required_attachments_present', 'parent_present'], SUBMIT],
    [
      'corrections_requested',
      'submit',
      'requested',
      'requestor',
      ['required_attachments_present', 'parent_present'],
      ['void_review_signatures', ...SUBMIT],
    ],
    ['requested', 'endorse', 'endorsed', 'stage1_band', ['two_stage'], ['sign_stage1', 'tell', 'ask_next_gate']],
    ['endorsed', 'approve', 'approved', 'stage2_band', ['red_conflicts_acknowledged'], ['sign_stage2', 'tell', 'ask_next_gate']],
    [
      'requested',
      'approve',
      'approved',
      'stage2_band',
      ['single_stage', 'red_conflicts_acknowledged'],
      ['sign_stage2', 'tell', 'ask_next_gate'],
    ],
    ['requested', 'request_corrections', 'corrections_requested', 'acting_gate', [], ['tell'], ['note']],
    ['endorsed', 'request_corrections', 'corrections_requested', 'acting_gate', [], ['tell'], ['note']],
    ['requested', 'reject', 'rejected', 'acting_gate', [], ['tell'], ['reason']],
    ['endorsed', 'reject', 'rejected', 'acting_gate', [], ['tell'], ['reason']],
    [
      'approved',
      'issue',
      'approved',
      'appointed_issuer',
      ['no_issue_signature', 'issuer_appointed', 'close_out_gate_clear'],
      ['sign_issue', 'tell'],
    ],
    [
      'approved',
      'countersign',
      'issued',
      'named_receiver',
      ['issue_signature_stands', 'caller_is_receiver'],
      ['sign_countersign', 'tell', 'ask_next_gate'],
    ],
    ['approved', 'hand_back', 'corrections_requested', 'walk_down_party', [], ['void_issue_signature', 'tell'], ['note']],
    ['issued', 'hand_back', 'issued', 'receiver_or_stage2', [], ['sign_hand_back', 'tell', 'close_out_due_now']],
    ['expired', 'hand_back', 'expired', 'receiver_or_stage2', [], ['sign_hand_back', 'tell', 'close_out_due_now']],
    ['issued', 'expire', 'expired', 'clock', [], ['tell']],
    ['issued', 'close_out', 'closed', 'closer', ['checklist_complete', 'no_open_children'], ['sign_close_out', 'tell'], ['checklist']],
    ['expired', 'close_out', 'closed', 'closer', ['checklist_complete', 'no_open_children'], ['sign_close_out', 'tell'], ['checklist']],
    [
      'issued',
      'request_extension',
      'issued',
      'extension_asker',
      ['categories_extendable', 'inside_parent_window'],
      ['open_extension', 'tell'],
    ],
    [
      'issued',
      'approve_extension',
      'issued',
      'stage2_band',
      ['categories_extendable', 'inside_parent_window'],
      ['sign_extension', 'move_end', 'rearm_warning', 'tell'],
    ],
    ['issued', 'reject_extension', 'issued', 'stage2_band', [], ['tell'], ['reason']],
    ['issued', 'reissue', 'issued', 'reissuer', [], ['clone']],
    ['expired', 'reissue', 'expired', 'reissuer', [], ['clone']],
    ['closed', 'reissue', 'closed', 'reissuer', [], ['clone']],
    ['draft', 'withdraw', 'withdrawn', 'requestor', [], ['tell']],
    ['corrections_requested', 'withdraw', 'withdrawn', 'requestor', [], ['tell']],
    ['requested', 'withdraw', 'withdrawn', 'requestor', [], ['tell']],
    ['endorsed', 'withdraw', 'withdrawn', 'requestor', [], ['tell']],
    ['approved', 'withdraw', 'withdrawn', 'requestor', ['no_issue_signature'], ['tell']],
  ] satisfies Short[]
).map(step)

/** The shipped graph. */
export const SEEDED: Graph = { states, transitions }
