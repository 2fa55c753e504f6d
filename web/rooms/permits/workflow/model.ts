// A graph that is being edited: its changes, its faults, and its differences from the standard one.
import { effectsOf } from '../../../../shared/lifecycle/effects.ts'
import type { Problem, Registry } from '../../../../shared/lifecycle/flaws.ts'
import type { Graph, State, StateKind, Transition } from '../../../../shared/lifecycle/graph.ts'
import { permitProblems } from '../../../../shared/lifecycle/permit-faults.ts'
import { effective, PERMIT_SORTS } from '../../../../shared/lifecycle/permit-sorts.ts'
import { type GraphWarning, permitWarnings } from '../../../../shared/lifecycle/permit-warnings.ts'

type Listed = { key: string }
type Words = {
  states: readonly { key: string; kind: StateKind }[]
  actions: readonly Listed[]
  actors: readonly Listed[]
  guards: readonly Listed[]
  effects: readonly Listed[]
}

/** Returns the names of the service in the form that the validator needs. */
export function registryOf(words: Words): Registry {
  const keys = (list: readonly Listed[]) => new Set(list.map(one => one.key))
  return {
    states: new Map(words.states.map(state => [state.key, { kind: state.kind }])),
    actions: keys(words.actions),
    actors: keys(words.actors),
    guards: keys(words.guards),
    effects: keys(words.effects),
    sorts: PERMIT_SORTS,
  }
}

/** Lists every fault of the graph, with the same validator that checks it when it is published. */
export const problemsOf = (graph: Graph, registry: Registry): Problem[] => permitProblems(graph, registry)

/** Returns what the author should know about a graph before it is published. `actors`: those of the service, with what each of them is. */
export const warningsOf = (graph: Graph, actors: readonly { key: string; says: string }[]): GraphWarning[] =>
  permitWarnings(graph, key => actors.find(one => one.key === key)?.says ?? key)

/** Returns the steps that no permit can ever take, as the warnings about a graph say. */
export const idleSteps = (warnings: readonly GraphWarning[]): Set<string> =>
  new Set(warnings.flatMap(({ code, transition }) => (code === 'never_taken' && transition !== undefined ? [transition] : [])))

/** Returns a key that no step has yet. */
function freeKey(graph: Graph, from: string, action: string): string {
  const taken = new Set(graph.transitions.map(step => step.key))
  const first = `${from}.${action}`
  for (let n = 1; ; n++) {
    const key = n === 1 ? first : `${first}-${n}`
    if (!taken.has(key)) return key
  }
}

/** Returns the step with this name in the standard workflow: who takes it, under which guards. Its effects follow from the action. */
function patternOf(seeded: Graph, action: string, from: string): Pick<Transition, 'actor' | 'guards' | 'effects' | 'requires'> {
  const effects = effectsOf({ action, from })
  const same = seeded.transitions.filter(step => step.action === action)
  const found = same.find(step => step.from === from) ?? same[0]
  if (found === undefined) return { actor: 'stage2_band', guards: [], effects, requires: [] }
  const { actor, guards, requires } = found
  return { actor, guards, effects, requires }
}

/** Adds a step with the action that the standard workflow has between these two states, and everything that follows from it. */
export function withStep(graph: Graph, seeded: Graph, from: string, to: string, action?: string): { graph: Graph; key: string } {
  const between = seeded.transitions.find(step => step.from === from && step.to === to)
  const name = action ?? between?.action ?? seeded.transitions.find(step => step.to === to)?.action ?? 'submit'
  const key = freeKey(graph, from, name)
  const step: Transition = { key, action: name, from, to, ...patternOf(seeded, name, from) }
  return { graph: { ...graph, transitions: [...graph.transitions, step] }, key }
}

/** Changes a step. Another action brings its own actor and guards; its key consists of its start and its action. */
export function withChange(
  graph: Graph,
  seeded: Graph,
  key: string,
  change: Partial<Omit<Transition, 'key'>>,
): { graph: Graph; key: string } {
  const step = graph.transitions.find(one => one.key === key)
  if (step === undefined) return { graph, key }
  const from = change.from ?? step.from
  const action = change.action ?? step.action
  const others = { ...graph, transitions: graph.transitions.filter(one => one !== step) }
  const renamed = from === step.from && action === step.action ? key : freeKey(others, from, action)
  const pattern = change.action === undefined || change.action === step.action ? {} : patternOf(seeded, action, from)
  const next: Transition = { ...step, ...pattern, ...change, effects: effectsOf({ action, from }), key: renamed }
  return { graph: { ...graph, transitions: graph.transitions.map(one => (one === step ? next : one)) }, key: renamed }
}

/** Returns the graph without a step. */
export const withoutStep = (graph: Graph, key: string): Graph => ({
  ...graph,
  transitions: graph.transitions.filter(step => step.key !== key),
})

/** Returns the graph with a state of the registry. */
export const withState = (graph: Graph, state: State): Graph => ({ ...graph, states: [...graph.states, state] })

/** Returns the graph without a state and its steps. */
export const withoutState = (graph: Graph, key: string): Graph => ({
  states: graph.states.filter(state => state.key !== key),
  transitions: graph.transitions.filter(step => step.from !== key && step.to !== key),
})

/** A difference between two graphs. */
export type Difference =
  | { kind: 'state_added' | 'state_removed'; state: State }
  | { kind: 'step_added' | 'step_removed'; step: Transition }
  | { kind: 'step_changed'; step: Transition; was: Transition; parts: StepPart[] }
export type StepPart = 'to' | 'actor' | 'guards' | 'requires'

const PARTS = ['to', 'actor', 'guards', 'requires'] as const
const textOf = (value: string | readonly string[]): string => (typeof value === 'string' ? value : [...value].sort().join(' '))

/** Lists how a graph differs from another, states first. The order of guards doesn't count. */
export function differences(graph: Graph, from: Graph): Difference[] {
  const found: Difference[] = []
  for (const state of graph.states) if (!from.states.some(one => one.key === state.key)) found.push({ kind: 'state_added', state })
  for (const state of from.states) if (!graph.states.some(one => one.key === state.key)) found.push({ kind: 'state_removed', state })
  for (const step of graph.transitions) {
    const was = from.transitions.find(one => one.key === step.key)
    if (was === undefined) {
      found.push({ kind: 'step_added', step })
      continue
    }
    const parts = PARTS.filter(part => textOf(step[part]) !== textOf(was[part]))
    if (parts.length > 0) found.push({ kind: 'step_changed', step, was, parts })
  }
  for (const step of from.transitions) if (!graph.transitions.some(one => one.key === step.key)) found.push({ kind: 'step_removed', step })
  return found
}

/** Returns whether two graphs are the same. */
export const isSame = (a: Graph, b: Graph): boolean => differences(a, b).length === 0

/** Returns what to highlight for a problem: the steps of its path, and the state where it ends. */
export function litBy(problem: Problem | undefined): { steps: ReadonlySet<string>; state: string | null } {
  if (problem === undefined) return { steps: new Set(), state: null }
  const steps = [...(problem.path ?? []), ...(problem.transition === undefined ? [] : [problem.transition])]
  return { steps: new Set(steps), state: problem.state ?? null }
}

/** Groups steps between two different states that share an arrow. Steps that stay in a state belong to that state. */
export function arrowsOf(graph: Graph): {
  arrows: { from: string; to: string; steps: Transition[] }[]
  staying: Map<string, Transition[]>
} {
  const known = new Set(graph.states.map(state => state.key))
  const drawn = effective(graph).transitions.filter(step => known.has(step.from) && known.has(step.to))
  const pairs = Map.groupBy(
    drawn.filter(step => step.from !== step.to),
    step => `${step.from} ${step.to}`,
  )
  return {
    arrows: [...pairs.values()].map(steps => ({ from: steps[0]?.from ?? '', to: steps[0]?.to ?? '', steps })),
    staying: Map.groupBy(
      drawn.filter(step => step.from === step.to),
      step => step.from,
    ),
  }
}
