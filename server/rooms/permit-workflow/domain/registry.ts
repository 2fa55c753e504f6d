// The primitives that a site authors graphs from, each with label and explanation (`permits-decisions.md` §3).

import { neverTaken, type Registry } from '../../../../shared/lifecycle/flaws.ts'
import type { Graph } from '../../../../shared/lifecycle/graph.ts'
import { effective, PERMIT_SORTS } from '../../../../shared/lifecycle/permit-sorts.ts'
import { SEEDED } from '../../permits/domain/seed.ts'
import type { actors, choosing, guards } from '../../permits/domain/words.ts'

/** A primitive as the registry shows it. */
export type Primitive = { key: string; label: string; says: string }

const ACTIONS: Record<string, string> = {
  submit: 'The requestor submits a draft, or a corrected permit again',
  withdraw: 'The requestor withdraws it before it is issued',
  endorse: 'Stage 1, coordination check; signs',
  approve: 'Stage 2, H&S desk review; signs',
  reject: 'Refused in review, for good',
  request_corrections: 'Back to the requestor, editable',
  hand_back: 'The walk-down failed, or the receiver gives the work back',
  issue: 'The appointed issuer signs at the work front; without a countersign step this is go-live',
  countersign: 'The named receiver signs; the permit goes live',
  close_out: 'All three items confirmed, no child open; signs',
  expire: 'The clock finds the window over: an alarm, never an end',
  reissue: 'A new draft is made of it',
  request_extension: 'A longer window is asked for',
  approve_extension: 'A longer window is approved; signs',
  reject_extension: 'A longer window is refused',
}

const ACTORS: Record<keyof typeof actors, string> = {
  requestor: 'Who wrote the permit; a superadmin passes',
  stage1_band: 'Coordinator, H&S, site manager, administrator',
  stage2_band: 'H&S, site manager, administrator',
  acting_gate: 'The band of the gate that is due',
  appointed_issuer: 'Holds active appointments for every type of the permit; nobody passes by rank',
  named_receiver: 'The named receiver; nobody passes by rank',
  walk_down_party: 'Issuer, receiver, or the approval band',
  receiver_or_stage2: 'The receiver, or the approval band in his absence',
  closer: 'Both bands, and issuers appointed for its types',
  extension_asker: 'Requestor, receiver, issuer, or the bands',
  reissuer: 'Requestor, receiver, bands, or people of its contractor',
  clock: 'The scheduler',
}

const GUARDS: Record<keyof typeof guards | keyof typeof choosing, { says: string; opt_in: boolean }> = {
  required_attachments_present: { says: 'Every required slot has a file', opt_in: false },
  parent_present: { says: 'It has an open permit above it where one is needed', opt_in: false },
  inside_parent_window: { says: 'The window stays inside that of its parent', opt_in: false },
  two_stage: { says: 'The set goes through both reviews', opt_in: false },
  single_stage: { says: 'The set goes through one review only', opt_in: false },
  red_conflicts_acknowledged: { says: 'Red conflicts were acknowledged with a reason', opt_in: false },
  issuer_appointed: { says: 'The caller is appointed for every type', opt_in: false },
  close_out_gate_clear: { says: 'Its contractor has no expired permit that nobody closed', opt_in: false },
  caller_is_receiver: { says: 'The caller is the named receiver', opt_in: false },
  issue_signature_stands: { says: 'The issuer has signed', opt_in: false },
  no_issue_signature: { says: 'No issuer has signed yet', opt_in: false },
  categories_extendable: { says: 'Every one of its types may be extended', opt_in: false },
  checklist_complete: { says: 'All three items of the checklist are confirmed', opt_in: false },
  no_open_children: { says: 'No permit under it is open', opt_in: false },
  rams_accepted: { says: 'Each type that expects a method statement has an accepted one named', opt_in: true },
  receiver_briefed: { says: 'The receiver has signed the method statements in force', opt_in: true },
  crew_briefed: { says: 'As many people have signed as the linked gangs count', opt_in: true },
  no_open_serious_observation: { says: 'No serious observation is open against it', opt_in: true },
  inspections_in_date: { says: 'Whatever it is linked to is inspected in date', opt_in: true },
  prechecks_confirmed: { says: 'Every required check is answered, and no answer is only carried forward', opt_in: true },
  issuer_is_not_receiver: { says: 'Two people sign the walk-down', opt_in: true },
  approver_is_not_requestor: { says: 'Nobody approves what he asked for', opt_in: true },
}

const EFFECTS: Record<string, string> = {
  mint_number: 'Gives the permit its number, once',
  pin_types: 'Pins what its set of types comes to',
  void_review_signatures: 'Voids the signatures of the review before; they stay in the chain',
  void_issue_signature: 'Voids the issuer’s signature; it stays in the chain',
  sign_stage1: 'Signs the endorsement',
  sign_stage2: 'Signs the approval',
  sign_issue: 'Signs as issuer',
  sign_countersign: 'Signs as receiver',
  sign_hand_back: 'Signs the hand-back',
  sign_extension: 'Signs the longer window',
  sign_close_out: 'Signs the close-out',
  open_extension: 'Writes the wish for a longer window down',
  move_end: 'Moves the end of the window',
  rearm_warning: 'Arms the warning again',
  close_out_due_now: 'Makes the close-out due at once',
  clone: 'Makes a new draft',
  tell: 'Tells those whom it concerns',
  ask_next_gate: 'Raises the task of the next gate, wherever it is',
}

const labelled = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
const list = (words: Record<string, string>): Primitive[] =>
  Object.entries(words).map(([key, says]) => ({ key, label: labelled(key), says }))

/** The registry as the wire shows it. */
export const REGISTRY = {
  states: SEEDED.states.map(({ key, label, kind }) => ({ key, label, kind })),
  actions: list(ACTIONS),
  actors: list(ACTORS),
  guards: Object.entries(GUARDS).map(([key, { says, opt_in }]) => ({ key, label: labelled(key), says, opt_in })),
  effects: list(EFFECTS),
}

/** The registry as the validator reads it. */
export const KNOWN: Registry = {
  states: new Map(SEEDED.states.map(state => [state.key, { kind: state.kind }])),
  actions: new Set(Object.keys(ACTIONS)),
  actors: new Set(Object.keys(ACTORS)),
  guards: new Set(Object.keys(GUARDS)),
  effects: new Set(Object.keys(EFFECTS)),
  sorts: PERMIT_SORTS,
}

/** What a graph may be saved with, but should be known. */
export type GraphWarning = { code: string; detail: string; transition?: string }

/** What the engine keeps although the graph leaves it out, and what the graph can never come to. */
export function graphWarnings(graph: Graph, livesFor: (graph: Graph, single_stage: boolean) => boolean): GraphWarning[] {
  const found: GraphWarning[] = []
  for (const t of graph.transitions) {
    if (t.action === 'issue' && t.actor !== 'appointed_issuer' && !t.guards.includes('issuer_appointed')) {
      found.push({ code: 'issuer_appointed_kept', transition: t.key, detail: 'Only an appointed issuer signs, named in the graph or not.' })
    }
    if (t.to === 'closed' && t.from !== 'closed') {
      for (const guard of ['no_open_children', 'checklist_complete']) {
        if (!t.guards.includes(guard))
          found.push({ code: `${guard}_kept`, transition: t.key, detail: `${labelled(guard)} is asked for, named in the graph or not.` })
      }
    }
  }
  if (!graph.transitions.some(t => t.action === 'issue'))
    found.push({ code: 'no_issue', detail: 'No step issues a permit: nothing can go live.' })
  if (!graph.transitions.some(t => t.action === 'expire'))
    found.push({ code: 'no_expiry', detail: 'Nothing expires on this graph: nobody is alarmed when a window is over.' })
  for (const key of neverTaken(effective(graph), KNOWN.sorts)) {
    found.push({
      code: 'never_taken',
      transition: key,
      detail: 'No permit can ever take this step: the engine, or the graph itself, forbids it.',
    })
  }
  for (const single of [false, true]) {
    if (!livesFor(graph, single))
      found.push({
        code: single ? 'single_stage_never_live' : 'two_stage_never_live',
        detail: `A permit of ${single ? 'one review' : 'two reviews'} cannot go live on this graph.`,
      })
  }
  return found
}
