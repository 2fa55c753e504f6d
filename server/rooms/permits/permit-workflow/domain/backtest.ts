// Compares a draft graph with what really happened: which past permits would have taken another path (`permits-decisions.md` §4.6). Pure.
import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { effective } from '../../../../../shared/lifecycle/permit-sorts.ts'
import type { Status } from '../../permits/domain/facts.ts'
import { nextGate } from '../../permits/domain/gates.ts'

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

const BANDS: Record<string, readonly string[]> = {
  stage1_band: ['coordinator', 'hse', 'site_manager', 'admin', 'superadmin'],
  stage2_band: ['hse', 'site_manager', 'admin', 'superadmin'],
}

/** Returns the first step at which a permit would have taken another path on this graph; null when it would have taken the same. */
export function differs(graph: Graph, past: PastPermit): Difference | null {
  const live = effective(graph)
  let issue_signed = false
  for (const [i, step] of past.steps.entries()) {
    const said = (why: string): Difference => ({
      permit_id: past.permit_id,
      permit_number: past.permit_number,
      step: i + 1,
      action: step.action,
      why,
    })
    const holds = (guards: readonly string[]) =>
      guards.every(
        g =>
          (g !== 'two_stage' || !past.single_stage) &&
          (g !== 'single_stage' || past.single_stage) &&
          (g !== 'no_issue_signature' || !issue_signed) &&
          (g !== 'issue_signature_stands' || issue_signed),
      )
    const found = live.transitions.find(t => t.from === step.from && t.action === step.action && holds(t.guards))
    if (found === undefined) {
      const next = nextGate(live, { status: step.from as Status, single_stage: past.single_stage, issue_signed })
      return said(
        next === null
          ? `This workflow has no such step from the state ${step.from}.`
          : `The next gate would have been ${next.gate.replace('_', ' ')}, not ${step.action.replace('_', ' ')}.`,
      )
    }
    if (found.to !== step.to) return said(`The step would have led to ${found.to}, not to ${step.to}.`)
    const band = BANDS[found.actor]
    if (band !== undefined && step.actor_role !== null && !band.includes(step.actor_role))
      return said(`A ${step.actor_role.replace('_', ' ')} couldn’t have taken this step.`)
    const refused = optedOut(found.guards, past, step)
    if (refused !== null) return said(refused)
    if (step.action === 'issue') issue_signed = true
    if (step.action === 'hand_back' && step.from === 'approved') issue_signed = false
  }
  return null
}

function optedOut(guards: readonly string[], past: PastPermit, step: PastStep): string | null {
  if (guards.includes('issuer_is_not_receiver') && step.action === 'issue' && step.actor_id === past.receiver_id)
    return 'The issuer and the receiver were the same person.'
  if (guards.includes('approver_is_not_requestor') && step.actor_id === past.requestor_id) return 'The requestor approved their own permit.'
  if (guards.includes('prechecks_confirmed') && past.unconfirmed_checks > 0)
    return `${past.unconfirmed_checks} required pre-checks weren’t confirmed.`
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
