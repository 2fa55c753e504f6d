// The primitives that a site builds graphs from, each with label and explanation (`permits-decisions.md` §3).

import type { EffectName } from '../../../../../shared/lifecycle/effects.ts'
import type { Registry } from '../../../../../shared/lifecycle/flaws.ts'
import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { PERMIT_SORTS } from '../../../../../shared/lifecycle/permit-sorts.ts'
import { type GraphWarning, labelled, permitWarnings } from '../../../../../shared/lifecycle/permit-warnings.ts'
import { isOneOf, keysOf } from '../../../../../shared/narrow.ts'
import type { actors } from '../../kit/domain/actors.ts'
import { WITHOUT_SOURCE } from '../../kit/domain/opt-in.ts'
import { SEEDED } from '../../kit/domain/seed.ts'
import type { choosing, guards } from '../../kit/domain/words.ts'

/** A primitive as the registry shows it. */
export type Primitive = { key: string; label: string; says: string }

const ACTIONS: Record<string, string> = {
  submit: 'The requestor submits a draft, or resubmits a corrected permit',
  withdraw: 'The requestor withdraws the permit',
  endorse: 'A reviewer confirms the coordination check and signs',
  approve: 'An approver approves the permit after the H&S desk review and signs',
  reject: 'A reviewer rejects the permit; a rejected permit can’t be reopened',
  request_corrections: 'A reviewer returns the permit to the requestor for corrections',
  hand_back: 'The walk-down fails, or a live or expired permit is handed back',
  issue: 'The appointed issuer signs at the work front; if the step leads to the state Issued, the permit goes live',
  countersign: 'The named receiver signs and the permit goes live',
  close_out:
    'A reviewer or an appointed issuer confirms the three items of the close-out checklist and signs; there must be no open child permit',
  expire:
    'The scheduler marks the permit as expired when its window ends, and H&S and administrators are notified; the permit isn’t closed out',
  reissue: 'A person creates a new draft from the permit',
  request_extension: 'A person requests a later end of the window',
  approve_extension: 'An approver approves the extension request and signs',
  reject_extension: 'An approver rejects the extension request',
}

const ACTORS: Record<keyof typeof actors, string> = {
  requestor: 'The person who requested the permit, or a superadmin',
  stage1_band: 'Coordinators, H&S, site managers, administrators and superadmins',
  stage2_band: 'H&S, site managers, administrators and superadmins',
  acting_gate: 'The reviewers who decide at the next gate',
  appointed_issuer: 'A person appointed for all the permit’s types; no role is enough without an appointment',
  named_receiver: 'The named receiver in person; no role is enough',
  walk_down_party: 'The issuer, the receiver or an approver',
  receiver_or_stage2: 'The receiver, or an approver when the receiver is absent',
  closer: 'Reviewers, and issuers appointed for the permit’s types',
  extension_asker: 'The requestor, the receiver, the issuer or a reviewer',
  reissuer: 'The requestor, the receiver, a reviewer or someone from the permit’s contractor',
  clock: 'The scheduler',
}

const GUARDS: Record<keyof typeof guards | keyof typeof choosing, { says: string; opt_in: boolean }> = {
  required_attachments_present: { says: 'Every required document is attached', opt_in: false },
  parent_present: { says: 'The permit has an open parent permit if its types require one', opt_in: false },
  inside_parent_window: { says: 'The window stays inside the parent permit’s window', opt_in: false },
  two_stage: { says: 'The permit goes through both reviews', opt_in: false },
  single_stage: { says: 'The permit goes through one review', opt_in: false },
  red_conflicts_acknowledged: { says: 'Red conflicts are acknowledged with a reason', opt_in: false },
  issuer_appointed: { says: 'The issuer is appointed for all the permit’s types', opt_in: false },
  close_out_gate_clear: { says: 'The permit’s contractor has no overdue close-outs', opt_in: false },
  caller_is_receiver: { says: 'The person is the named receiver', opt_in: false },
  issue_signature_stands: { says: 'The issuer has signed the permit', opt_in: false },
  no_issue_signature: { says: 'No issuer has signed the permit', opt_in: false },
  categories_extendable: { says: 'All the permit’s types can be extended', opt_in: false },
  checklist_complete: { says: 'All three items of the close-out checklist are confirmed', opt_in: false },
  no_open_children: { says: 'No child permit is open', opt_in: false },
  prechecks_confirmed: {
    says: 'Every required pre-check is confirmed for this permit: answered “yes”, or “not applicable” with a reason',
    opt_in: true,
  },
  required_documents_present: { says: 'Every required document is attached', opt_in: true },
  receiver_named: { says: 'A receiver is named', opt_in: true },
  place_known: { says: 'The place is set on the map', opt_in: true },
  parent_live: { says: 'The parent permit, if there is one, is live', opt_in: true },
  fire_watch_over: { says: 'No fire watch is running', opt_in: true },
  issuer_is_not_receiver: { says: 'The issuer and the receiver are different people', opt_in: true },
  approver_is_not_requestor: { says: 'The approver and the requestor are different people', opt_in: true },
}

const EFFECT_WORDS: Record<EffectName, string> = {
  mint_number: 'Gives the permit its number on the first submit',
  pin_types: 'Records whether the permit goes through one review or two, and whether it needs a parent',
  void_review_signatures: 'Voids the signatures of the previous review, which stay in the chain',
  void_issue_signature: 'Voids the issuer’s signature, which stays in the chain',
  sign_stage1: 'Signs the endorsement',
  sign_stage2: 'Signs the approval',
  sign_issue: 'Signs as issuer',
  sign_countersign: 'Signs as receiver',
  sign_hand_back: 'Signs the hand-back',
  sign_close_out: 'Signs the close-out',
  sign_extension: 'Signs the approval of the extension request',
  move_end: 'Moves the end of the window',
  rearm_warning: 'Resets the expiry warning',
  close_out_due_now: 'Makes the close-out due now',
  tell: 'Notifies the people concerned',
  ask_next_gate: 'Creates the task for the next gate',
}

const list = (words: Record<string, string>): Primitive[] =>
  Object.entries(words).map(([key, says]) => ({ key, label: labelled(key), says }))

/** Returns the registry as the API shows it. */
export const REGISTRY = {
  states: SEEDED.states.map(({ key, label, kind }) => ({ key, label, kind })),
  actions: list(ACTIONS),
  actors: list(ACTORS),
  guards: Object.entries(GUARDS).map(([key, { says, opt_in }]) => ({ key, label: labelled(key), says, opt_in })),
  effects: list(EFFECT_WORDS),
}

/** The registry as the validator reads it. */
export const KNOWN: Registry = {
  states: new Map(SEEDED.states.map(state => [state.key, { kind: state.kind }])),
  actions: new Set(Object.keys(ACTIONS)),
  actors: new Set(Object.keys(ACTORS)),
  guards: new Set(Object.keys(GUARDS)),
  effects: new Set(Object.keys(EFFECT_WORDS)),
  unavailable: new Set(WITHOUT_SOURCE),
  sorts: PERMIT_SORTS,
}

/** Returns what the author of a graph should know about it. */
export const graphWarnings = (graph: Graph): GraphWarning[] => permitWarnings(graph, actorSays)

const actorSays = (key: string): string => (isOneOf(keysOf(ACTORS), key) ? ACTORS[key] : labelled(key))
