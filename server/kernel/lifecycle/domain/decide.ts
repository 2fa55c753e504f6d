import { actionsFrom, type Graph, type Requirement, type Transition } from '../../../../shared/lifecycle/graph.ts'
import { invalidField, type Refusal, type Verdict, wrongStep } from '../../../base/errors.ts'

/** What the words of a graph mean: facts in, verdict out. */
export type Words<Facts> = {
  /** Who may: null when the caller is such a one. */
  actors: Readonly<Record<string, (facts: Facts) => Verdict>>
  /** What forbids it: null when it does not. */
  guards: Readonly<Record<string, (facts: Facts) => Verdict>>
  /** Guards that choose between steps of one name: where one is not met, the step is not offered. */
  choosing: Readonly<Record<string, (facts: Facts) => boolean>>
  /** Who can take the step, whatever the graph says. It is checked first, so that a caller without the right learns only that. */
  held?: (facts: Facts, transition: Transition) => Verdict
  /** Laws of the room that no graph can leave out: judged on every step, after its own guards. */
  always: readonly ((facts: Facts, transition: Transition) => Verdict)[]
  /** What the body of this action can say: a graph that requires anything else is not held to it, and the editor warns of that. */
  reads?: (action: string) => readonly Requirement[]
  /** Name of a state in sentences. */
  label: (status: string) => string
}

/** What taking a step would do, and everything that forbids it, the first being what is answered. */
export type Plan = { transition: Transition | null; to: string; refusals: Refusal[] }

/** What the caller said with a step, as `requires` asks for it. */
export type Said = { note?: string | null; reason?: string | null }

const chosen = <Facts>(words: Words<Facts>, transition: Transition, facts: Facts): boolean =>
  transition.guards.every(guard => words.choosing[guard]?.(facts) ?? true)

/** The step of this name that leaves the state for these facts; null when there is none. */
export function stepOf<Facts>(graph: Graph, words: Words<Facts>, status: string, action: string, facts: Facts): Transition | null {
  return graph.transitions.find(t => t.from === status && t.action === action && chosen(words, t, facts)) ?? null
}

/** Actions that leave a state with these facts, for any caller. */
export const stepsFrom = <Facts>(graph: Graph, words: Words<Facts>, status: string, facts: Facts): string[] =>
  actionsFrom(graph, status).filter(action => stepOf(graph, words, status, action, facts) !== null)

/**
 * What pulling `action` would do now, and everything that forbids it. One pure function for the call, for `permissions` and for back-tests, so
 * that they can never disagree. A word that the room does not know, and one that throws, refuses: it fails closed.
 * `said` null: the question is asked without a body (`permissions`), so nothing is missing in it.
 */
export function decide<Facts>(graph: Graph, words: Words<Facts>, status: string, action: string, facts: Facts, said: Said | null): Plan {
  const transition = stepOf(graph, words, status, action, facts)
  if (transition === null) {
    const allowed = stepsFrom(graph, words, status, facts)
    const detail = `This permit is ${words.label(status)}, so it can’t be ${PAST[action] ?? action.replaceAll('_', ' ')} now.`
    return { transition: null, to: status, refusals: [wrongStep(status, allowed, detail)] }
  }
  const verdicts: Verdict[] = [judged(words.actors[transition.actor], transition.actor, facts)]
  if (words.held !== undefined) verdicts.push(judged(f => words.held?.(f, transition) ?? null, 'held', facts))
  if (said !== null) {
    for (const need of transition.requires) {
      if (words.reads?.(action).includes(need) === false) continue
      if (need !== 'checklist' && (said[need] ?? '') === '') verdicts.push(invalidField(need, 'is required for this step.'))
    }
  }
  for (const guard of transition.guards) {
    if (words.choosing[guard] === undefined) verdicts.push(judged(words.guards[guard], guard, facts))
  }
  for (const law of words.always) verdicts.push(judged(f => law(f, transition), 'law', facts))
  // A law says again what the graph's own guard said: once is enough.
  const refusals = verdicts.filter(v => v !== null).filter((v, i, all) => all.findIndex(other => other.detail === v.detail) === i)
  return { transition, to: transition.to, refusals }
}

/** Past participles of steps, for sentences. */
const PAST: Record<string, string> = {
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
  edit: 'edited',
}

function judged<Facts>(rule: ((facts: Facts) => Verdict) | undefined, name: string, facts: Facts): Verdict {
  const closed: Refusal = {
    status: 409,
    code: 'invalid_transition',
    detail: `The rule “${name}” couldn’t be checked, so the step is refused.`,
    context: { guard: name, because: [{ code: name, detail: 'The rule couldn’t be checked.' }] },
  }
  if (rule === undefined) return closed
  try {
    return rule(facts)
  } catch {
    return closed
  }
}
