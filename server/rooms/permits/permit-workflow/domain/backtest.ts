// Compares a draft graph with what really happened: which past permits would have taken another path (`permits-decisions.md` §4.6). Pure.
import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { effective } from '../../../../../shared/lifecycle/permit-sorts.ts'
import { guard, type Verdict } from '../../../../base/errors.ts'
import { decide, type Words } from '../../../../kernel/lifecycle/domain/decide.ts'
import { nextGate } from '../../kit/domain/gates.ts'

/** A step that was taken. */
export type PastStep = { action: string; from: string; to: string; actor_role: string | null; actor_id: string | null }

/** The steps that a permit has taken. */
export type PastPermit = {
  permit_id: string
  permit_number: string | null
  single_stage: boolean
  requestor_id: string | null
  receiver_id: string | null
  unconfirmed_checks: number
  steps: readonly PastStep[]
}

/** Where a permit would have left the path that it took. */
export type Difference = { permit_id: string; permit_number: string | null; step: number; action: string; why: string }

/** A past step as the rules see it: what is known about it today. */
type PastFacts = { past: PastPermit; step: PastStep; issue_signed: boolean }
type PastRule = (facts: PastFacts) => Verdict

const spaced = (key: string): string => key.replaceAll('_', ' ')

const band =
  (roles: readonly string[]): PastRule =>
  ({ step: { actor_role } }) =>
    actor_role === null || roles.includes(actor_role)
      ? null
      : guard('actor', `The role ${spaced(actor_role)} couldn’t have taken this step.`)
const fails = (failed: boolean, name: string, detail: string): Verdict => (failed ? guard(name, detail) : null)

/** The actors that can be checked later: what people were appointed for at the time is no longer known. */
const ACTORS: Readonly<Record<string, PastRule>> = {
  stage1_band: band(['coordinator', 'hse', 'site_manager', 'admin', 'superadmin']),
  stage2_band: band(['hse', 'site_manager', 'admin', 'superadmin']),
}
/** The guards that can be checked later. */
const GUARDS: Readonly<Record<string, PastRule>> = {
  issuer_is_not_receiver: ({ past, step }) =>
    fails(step.action === 'issue' && step.actor_id === past.receiver_id, 'same', 'The issuer and the receiver were the same person.'),
  approver_is_not_requestor: ({ past, step }) =>
    fails(step.actor_id === past.requestor_id, 'same', 'The requestor approved their own permit.'),
  prechecks_confirmed: ({ past: { unconfirmed_checks: n } }) =>
    fails(n > 0, 'prechecks', `${n} required ${n === 1 ? 'pre-check wasn’t' : 'pre-checks weren’t'} confirmed.`),
}
const CHOOSING: Words<PastFacts>['choosing'] = {
  two_stage: ({ past }) => !past.single_stage,
  single_stage: ({ past }) => past.single_stage,
  no_issue_signature: ({ issue_signed }) => !issue_signed,
  issue_signature_stands: ({ issue_signed }) => issue_signed,
}

/** The vocabulary of a graph for past steps. What can no longer be checked refuses nothing. */
function pastWords(graph: Graph): Words<PastFacts> {
  const known = (rules: Readonly<Record<string, PastRule>>, names: readonly string[]) =>
    Object.fromEntries(names.map(name => [name, rules[name] ?? (() => null)]))
  return {
    actors: known(
      ACTORS,
      graph.transitions.map(t => t.actor),
    ),
    guards: known(
      GUARDS,
      graph.transitions.flatMap(t => t.guards),
    ),
    choosing: CHOOSING,
    always: [],
    label: status => status,
    noun: 'permit',
  }
}

/** Returns the first step at which a permit would have taken another path on this graph; null when it would have taken the same. */
export function differs(graph: Graph, past: PastPermit): Difference | null {
  const live = effective(graph)
  const words = pastWords(live)
  let issue_signed = false
  for (const [i, step] of past.steps.entries()) {
    const said = (why: string): Difference => ({
      permit_id: past.permit_id,
      permit_number: past.permit_number,
      step: i + 1,
      action: step.action,
      why,
    })
    const { transition, to, refusals } = decide(live, words, step.from, step.action, { past, step, issue_signed }, null)
    if (transition === null) {
      const next = nextGate(live, { status: step.from, single_stage: past.single_stage, issue_signed })
      return said(
        next === null
          ? `In this workflow, the state ${spaced(step.from)} doesn’t have this step.`
          : `The next gate would have been ${spaced(next.gate)}, not ${spaced(step.action)}.`,
      )
    }
    if (to !== step.to) return said(`The step would have led to ${spaced(to)}, not to ${spaced(step.to)}.`)
    const [refusal] = refusals
    if (refusal !== undefined) return said(refusal.detail)
    if (step.action === 'issue') issue_signed = true
    if (step.action === 'hand_back' && step.from === 'approved') issue_signed = false
  }
  return null
}

/** Returns the step behind an event of a permit; null for events that aren't steps. */
export function stepOfEvent(kind: string, payload: { by_gate?: string; by?: string }): string | null {
  switch (kind) {
    case 'permit.submitted':
      return 'submit'
    case 'permit.endorsed':
      return 'endorse'
    case 'permit.approved':
      return 'approve'
    case 'permit.rejected':
      return 'reject'
    case 'permit.withdrawn':
      return 'withdraw'
    case 'permit.corrections_requested':
      return payload.by_gate === 'hand_back' ? 'hand_back' : 'request_corrections'
    case 'permit.issue_signed':
      return 'issue'
    case 'permit.issued':
      return payload.by === 'countersign' ? 'countersign' : null
    case 'permit.handed_back':
      return 'hand_back'
    case 'permit.expired':
      return 'expire'
    case 'permit.closed':
      return 'close_out'
    case 'permit.extension_requested':
      return 'request_extension'
    case 'permit.extension_approved':
      return 'approve_extension'
    case 'permit.extension_rejected':
      return 'reject_extension'
    case 'permit.reissued':
      return 'reissue'
    default:
      return null
  }
}
