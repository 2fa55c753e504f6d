// Gates and their tasks (`messages.md` §0.4): which one comes next, who is asked, and from when. Pure functions of the pinned graph.

import type { Graph, Transition } from '../../../../../shared/lifecycle/graph.ts'
import { effective } from '../../../../../shared/lifecycle/permit-sorts.ts'
import { HOUR, type Instant, later } from '../../../../../shared/time.ts'
import { GATES, type Gate, type Status } from './facts.ts'

/** What the next gate depends on, in addition to the graph. */
export type GateFacts = { status: string; single_stage: boolean; issue_signed: boolean }

const holds = (guards: readonly string[], facts: GateFacts): boolean =>
  guards.every(guard => {
    if (guard === 'two_stage') return !facts.single_stage
    if (guard === 'single_stage') return facts.single_stage
    if (guard === 'no_issue_signature') return !facts.issue_signed
    if (guard === 'issue_signature_stands') return facts.issue_signed
    return true
  })

/** Returns the first of endorse, approve, issue (while there is no issue signature) and close-out that leaves the state; null when none does. */
export function nextGate(graph: Graph, facts: GateFacts): { gate: Gate; transition: Transition } | null {
  for (const gate of GATES) {
    if (gate === 'issue' && facts.issue_signed) continue
    const transition = graph.transitions.find(t => t.from === facts.status && t.action === gate && holds(t.guards, facts))
    if (transition !== undefined) return { gate, transition }
  }
  return null
}

/** Returns how many gates a permit meets before it is live. For a set of several types, the graph with the most applies. */
export function gatesBeforeLive(graph: Graph, single_stage: boolean): number {
  const live = effective(graph)
  let status = 'draft'
  let issue_signed = false
  const seen = new Set<string>()
  let gates = 0
  const submit = live.transitions.find(t => t.from === status && t.action === 'submit')
  status = submit?.to ?? 'requested'
  while (!seen.has(`${status} ${issue_signed}`)) {
    seen.add(`${status} ${issue_signed}`)
    const next = nextGate(live, { status, single_stage, issue_signed })
    if (next === null || next.gate === 'close_out') break
    gates++
    if (next.gate === 'issue') issue_signed = true
    status = next.transition.to
    if (status === 'issued') return gates
    const countersign = issue_signed && live.transitions.some(t => t.from === status && t.action === 'countersign')
    if (countersign) return gates + 1
  }
  return gates
}

/** Returns the task of a gate. */
export const taskOf = (gate: Gate): string => `${gate}_permit`

/** The tasks of all gates. */
export const GATE_TASKS = GATES.map(taskOf)

/** Returns the bands that an actor of the registry means, for the recipients of its task. */
export const bandsOf = (actor: string): ('stage1' | 'stage2')[] => (actor === 'stage1_band' ? ['stage1'] : ['stage2'])

/** Returns when a gate's task is due, and from when it counts. */
export function dueOf(
  gate: Gate,
  permit: { start_at: Instant | null; end_at: Instant | null; handed_back_at: Instant | null; status: Status },
  lead_hours: number,
  now: Instant,
): { due_at: Instant | null; attention_at: Instant } {
  if (gate !== 'close_out') return { due_at: permit.start_at, attention_at: now }
  if (permit.handed_back_at !== null) return { due_at: permit.handed_back_at, attention_at: permit.handed_back_at }
  if (permit.end_at === null) return { due_at: null, attention_at: now }
  const soon = later(permit.end_at, -lead_hours * HOUR)
  return { due_at: permit.end_at, attention_at: permit.status === 'expired' || soon < now ? now : soon }
}
