import { actionsFrom, type Graph, type Requirement, type Transition } from '../../../../shared/lifecycle/graph.ts'
import { invalidField, type Refusal, type Verdict, wrongStep } from '../../../base/errors.ts'

/** What the names in a graph mean: each turns facts into a verdict. */
export type Words<Facts> = {
  /** By actor of the graph: returns why the caller isn’t one who can take the step; null if they are. */
  actors: Readonly<Record<string, (facts: Facts) => Verdict>>
  /** By guard of the graph: returns why the guard isn’t met; null if it is. */
  guards: Readonly<Record<string, (facts: Facts) => Verdict>>
  /** Guards that choose between steps with the same name: if a guard isn't met, its step isn't offered. */
  choosing: Readonly<Record<string, (facts: Facts) => boolean>>
  /** Who can take the step, whatever the graph says. It is checked first, so that a caller without the permission learns nothing else. */
  held?: (facts: Facts, transition: Transition) => Verdict
  /** Rules of the room that no graph can leave out: checked on every step, after its own guards. */
  always: readonly ((facts: Facts, transition: Transition) => Verdict)[]
  /** What the body of this action can contain. If a graph requires anything else, it isn't checked, and the editor shows a warning. */
  reads?: (action: string) => readonly Requirement[]
  /** The name of a state in sentences. */
  label: (status: string) => string
  /** The record in sentences: `permit`. */
  noun: string
  /** Past participles of steps, for sentences: `closed out`. */
  past?: Readonly<Record<string, string>>
}

/** The result of taking a step, and everything that forbids it; the first refusal is the one returned. */
export type Plan = { transition: Transition | null; to: string; refusals: Refusal[] }

/** What the caller entered with a step, as far as `requires` asks for it. */
export type Said = { note?: string | null; reason?: string | null }

const chosen = <Facts>(words: Words<Facts>, transition: Transition, facts: Facts): boolean =>
  transition.guards.every(guard => words.choosing[guard]?.(facts) ?? true)

/** Returns the step of this name that leaves the state, given these facts; null if there is none. */
export function stepOf<Facts>(graph: Graph, words: Words<Facts>, status: string, action: string, facts: Facts): Transition | null {
  return graph.transitions.find(t => t.from === status && t.action === action && chosen(words, t, facts)) ?? null
}

/** Lists the actions that leave a state, given these facts, for any caller. */
export const stepsFrom = <Facts>(graph: Graph, words: Words<Facts>, status: string, facts: Facts): string[] =>
  actionsFrom(graph, status).filter(action => stepOf(graph, words, status, action, facts) !== null)

/**
 * Returns the result of taking `action` now, and everything that forbids it. The same pure function serves the call, `permissions` and back-tests, so
 * that they can never disagree. A name that the room doesn't know, or whose check throws, refuses the step. If `said` is null, the question has no body
 * (`permissions`), so nothing can be missing in it.
 */
export function decide<Facts>(graph: Graph, words: Words<Facts>, status: string, action: string, facts: Facts, said: Said | null): Plan {
  const transition = stepOf(graph, words, status, action, facts)
  if (transition === null) {
    const allowed = stepsFrom(graph, words, status, facts)
    const past = words.past?.[action] ?? action.replaceAll('_', ' ')
    const detail = `This ${words.noun} is ${words.label(status)}, so it can’t be ${past} now.`
    return { transition: null, to: status, refusals: [wrongStep(status, allowed, detail)] }
  }
  const verdicts: Verdict[] = []
  checks(words, transition, facts, said, verdict => {
    verdicts.push(verdict)
    return true
  })
  // A rule of the room can repeat a refusal of the graph's guard: show it once.
  const refusals = verdicts.filter(v => v !== null).filter((v, i, all) => all.findIndex(other => other.detail === v.detail) === i)
  return { transition, to: transition.to, refusals }
}

/**
 * Returns whether nothing forbids `action` now, for a question without a body: the same checks as in `decide`, up to the first that refuses. For long
 * lists, which show no reasons.
 */
export function allows<Facts>(graph: Graph, words: Words<Facts>, status: string, action: string, facts: Facts): boolean {
  const transition = stepOf(graph, words, status, action, facts)
  return transition !== null && checks(words, transition, facts, null, verdict => verdict === null)
}

/** Calls `each` with the verdict of everything that can forbid a step, in order, until it returns false; returns whether it never did. */
function checks<Facts>(
  words: Words<Facts>,
  transition: Transition,
  facts: Facts,
  said: Said | null,
  each: (verdict: Verdict) => boolean,
): boolean {
  if (!each(judged(words.actors[transition.actor], transition.actor, facts))) return false
  if (words.held !== undefined && !each(judged(f => words.held?.(f, transition) ?? null, 'held', facts))) return false
  if (said !== null) {
    for (const need of transition.requires) {
      if (words.reads?.(transition.action).includes(need) === false) continue
      if (need !== 'checklist' && (said[need] ?? '') === '' && !each(invalidField(need, 'is required for this step.'))) return false
    }
  }
  for (const guard of transition.guards) {
    if (words.choosing[guard] === undefined && !each(judged(words.guards[guard], guard, facts))) return false
  }
  for (const law of words.always) if (!each(judged(f => law(f, transition), 'law', facts))) return false
  return true
}

function judged<Facts>(rule: ((facts: Facts) => Verdict) | undefined, name: string, facts: Facts): Verdict {
  const closed: Refusal = {
    status: 409,
    code: 'invalid_transition',
    detail: `The rule “${name}” couldn’t be checked, so you can’t take this step. Try again in a moment.`,
    context: { guard: name, because: [{ code: name, detail: 'The rule couldn’t be checked.' }] },
  }
  if (rule === undefined) return closed
  try {
    return rule(facts)
  } catch {
    return closed
  }
}
