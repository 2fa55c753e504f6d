import type { Graph, StateKind, Transition } from './graph.ts'

/** What is wrong with a graph, with the shortest path that shows it (`permits-decisions.md` §3). */
export type Problem = {
  kind: 'unreachable_state' | 'deadlock' | 'unintended_terminal' | 'unknown_primitive' | 'duplicate' | 'initial_state'
  detail: string
  state?: string
  transition?: string
  primitive?: string
  /** Keys of the transitions that lead there from the beginning. */
  path?: string[]
}

/** The primitives that a room knows. */
export type Registry = {
  states: ReadonlyMap<string, { kind: StateKind }>
  actions: ReadonlySet<string>
  actors: ReadonlySet<string>
  guards: ReadonlySet<string>
  effects: ReadonlySet<string>
  /** Sets of choosing guards that hold together: every record is of one of these sorts. */
  sorts: readonly ReadonlySet<string>[]
  /** All guards that choose. */
  choosing: ReadonlySet<string>
}

/** Steps that exist for records of a sort. */
const stepsFor = (graph: Graph, registry: Registry, sort: ReadonlySet<string>): Transition[] =>
  graph.transitions.filter(t => t.guards.every(g => !registry.choosing.has(g) || sort.has(g)))

/** Shortest paths (keys of transitions) from a state to every state that it reaches. */
export function pathsFrom(start: string, steps: readonly Transition[]): Map<string, string[]> {
  const paths = new Map<string, string[]>([[start, []]])
  const queue = [start]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const step of steps) {
      if (step.from !== at || paths.has(step.to)) continue
      paths.set(step.to, [...(paths.get(at) ?? []), step.key])
      queue.push(step.to)
    }
  }
  return paths
}

/** Every fault of a graph: words that nobody knows, states that cannot be reached, ways without an end, ends that are none. */
export function flaws(graph: Graph, registry: Registry): Problem[] {
  const problems = [...unknownWords(graph, registry), ...duplicates(graph)]
  const initial = graph.states.filter(s => s.kind === 'initial')
  const [start] = initial
  if (start === undefined || initial.length > 1) {
    problems.push({
      kind: 'initial_state',
      detail:
        start === undefined ? 'No state is the initial one.' : `More than one state is initial: ${initial.map(s => s.key).join(', ')}.`,
    })
  }
  for (const state of graph.states) {
    const meant = registry.states.get(state.key)
    if (meant !== undefined && state.kind === 'terminal' && meant.kind !== 'terminal') {
      problems.push({
        kind: 'unintended_terminal',
        state: state.key,
        detail: `${state.label} is marked as an end, and is none: a permit would stay there for good.`,
      })
    }
  }
  if (start !== undefined) problems.push(...ways(graph, registry, start.key))
  return problems
}

function ways(graph: Graph, registry: Registry, start: string): Problem[] {
  const problems: Problem[] = []
  const reached = new Set<string>()
  const ends = new Set(graph.states.filter(s => s.kind === 'terminal' && registry.states.get(s.key)?.kind === 'terminal').map(s => s.key))
  const trapped = new Map<string, string[]>()
  for (const sort of registry.sorts) {
    const steps = stepsFor(graph, registry, sort)
    const paths = pathsFrom(start, steps)
    for (const [state, path] of paths) {
      reached.add(state)
      if (ends.has(state)) continue
      const onward = pathsFrom(state, steps)
      if ([...onward.keys()].some(key => ends.has(key))) continue
      const known = trapped.get(state)
      if (known === undefined || path.length < known.length) trapped.set(state, path)
    }
  }
  for (const state of graph.states) {
    if (!reached.has(state.key))
      problems.push({
        kind: 'unreachable_state',
        state: state.key,
        path: [],
        detail: `${state.label} can never be reached from the beginning.`,
      })
  }
  for (const [key, path] of trapped) {
    const out = graph.transitions.some(t => t.from === key && t.to !== key)
    const label = graph.states.find(s => s.key === key)?.label ?? key
    problems.push({
      kind: 'deadlock',
      state: key,
      path,
      detail: out ? `From ${label} no end can be reached: the ways out lead in a circle.` : `${label} has no way out.`,
    })
  }
  return problems
}

function unknownWords(graph: Graph, registry: Registry): Problem[] {
  const problems: Problem[] = []
  const unknown = (what: string, primitive: string, transition?: string): void => {
    problems.push({
      kind: 'unknown_primitive',
      primitive,
      ...(transition === undefined ? {} : { transition }),
      detail: `There is no ${what} "${primitive}".`,
    })
  }
  const own = new Set(graph.states.map(s => s.key))
  for (const state of graph.states) if (!registry.states.has(state.key)) unknown('state', state.key)
  for (const t of graph.transitions) {
    if (!registry.actions.has(t.action)) unknown('action', t.action, t.key)
    if (!registry.actors.has(t.actor)) unknown('actor', t.actor, t.key)
    for (const end of [t.from, t.to]) if (!own.has(end)) unknown('state in this graph', end, t.key)
    for (const guard of t.guards) if (!registry.guards.has(guard)) unknown('guard', guard, t.key)
    for (const effect of t.effects) if (!registry.effects.has(effect)) unknown('effect', effect, t.key)
  }
  return problems
}

function duplicates(graph: Graph): Problem[] {
  const problems: Problem[] = []
  const twice = (keys: readonly string[]) => [...new Set(keys.filter((key, i) => keys.indexOf(key) !== i))]
  for (const state of twice(graph.states.map(s => s.key)))
    problems.push({ kind: 'duplicate', state, detail: `The state ${state} is there twice.` })
  for (const transition of twice(graph.transitions.map(t => t.key)))
    problems.push({ kind: 'duplicate', transition, detail: `Two steps are called ${transition}.` })
  return problems
}
