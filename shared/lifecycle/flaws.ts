import type { Graph, StateKind, Transition } from './graph.ts'

/** A fault of a graph, with the shortest path that shows it (`permits-decisions.md` §3). */
export type Problem = {
  kind:
    | 'unreachable_state'
    | 'deadlock'
    | 'unintended_terminal'
    | 'unknown_primitive'
    | 'unavailable_primitive'
    | 'duplicate'
    | 'initial_state'
    | 'live_state'
    | 'extension_not_live'
    | 'live_refused'
    | 'live_unsigned'
  detail: string
  state?: string
  transition?: string
  primitive?: string
  /** Keys of the transitions that lead there from the initial state. */
  path?: string[]
}

/**
 * A category of record that a graph must work for, following the engine's rules. `start` is what such a record remembers besides its state (for example a valid
 * signature). `chosen` says whether the step is offered to it: of several steps with one name, the first. `after` is what it remembers after the step; null
 * if the engine never allows that step for any caller.
 */
export type Sort = {
  start: string
  chosen(memory: string, step: Transition): boolean
  after(memory: string, step: Transition): string | null
}

/** The primitives that a room registers. */
export type Registry = {
  states: ReadonlyMap<string, { kind: StateKind }>
  actions: ReadonlySet<string>
  actors: ReadonlySet<string>
  guards: ReadonlySet<string>
  effects: ReadonlySet<string>
  /** Guards whose facts this installation doesn't have yet. Their names are known, and graphs with them are refused. */
  unavailable?: ReadonlySet<string>
  /** The sorts that a record can have. */
  sorts: readonly Sort[]
}

/** A position that a record of a sort can reach: state and memory, with the shortest path of steps that leads there. */
export type Stand = { state: string; memory: string; path: string[] }

/** Lists the steps that a record of a sort can take in its state, and what it remembers after each. */
function movesOf(sort: Sort, steps: readonly Transition[], state: string, memory: string): { step: Transition; after: string }[] {
  const actions = new Set<string>()
  const moves: { step: Transition; after: string }[] = []
  for (const step of steps) {
    if (step.from !== state || actions.has(step.action) || !sort.chosen(memory, step)) continue
    actions.add(step.action)
    const after = sort.after(memory, step)
    if (after !== null) moves.push({ step, after })
  }
  return moves
}

/** Lists every position that a record of a sort can reach from this state and memory, nearest first. */
export function standsFrom(sort: Sort, steps: readonly Transition[], state: string, memory = sort.start): Stand[] {
  const found: Stand[] = [{ state, memory, path: [] }]
  const seen = new Set([`${state}\n${memory}`])
  for (const at of found) {
    for (const { step, after } of movesOf(sort, steps, at.state, at.memory)) {
      if (seen.has(`${step.to}\n${after}`)) continue
      seen.add(`${step.to}\n${after}`)
      found.push({ state: step.to, memory: after, path: [...at.path, step.key] })
    }
  }
  return found
}

/** Lists the keys of steps that no record of any sort can ever take. */
export function neverTaken(graph: Graph, sorts: readonly Sort[]): string[] {
  const start = graph.states.find(s => s.kind === 'initial')
  const taken = new Set<string>()
  for (const sort of start === undefined ? [] : sorts) {
    for (const at of standsFrom(sort, graph.transitions, start?.key ?? ''))
      for (const { step } of movesOf(sort, graph.transitions, at.state, at.memory)) taken.add(step.key)
  }
  return graph.transitions.filter(t => !taken.has(t.key)).map(t => t.key)
}

/** Lists every fault of a graph: unknown words, unreachable states, paths that never end, and states wrongly marked as final. */
export function flaws(graph: Graph, registry: Registry): Problem[] {
  const problems = [...unknownWords(graph, registry), ...duplicates(graph)]
  const initial = graph.states.filter(s => s.kind === 'initial')
  const [start] = initial
  if (start === undefined || initial.length > 1) {
    problems.push({
      kind: 'initial_state',
      detail:
        start === undefined
          ? 'No state is marked as the initial state. Mark the state in which permits start.'
          : `More than one state is marked as the initial state: ${initial.map(s => s.key).join(', ')}. Mark only one.`,
    })
  }
  if (start !== undefined && (registry.states.get(start.key)?.kind ?? 'initial') !== 'initial') {
    problems.push({
      kind: 'initial_state',
      state: start.key,
      detail: `${start.label} is marked as the initial state, but permits can’t start there. Mark another state.`,
    })
  }
  for (const state of graph.states) {
    const meant = registry.states.get(state.key)
    if (meant !== undefined && state.kind === 'terminal' && meant.kind !== 'terminal') {
      problems.push({
        kind: 'unintended_terminal',
        state: state.key,
        detail: `${state.label} is marked as a final state, but permits don’t end there. Remove the mark.`,
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
    for (const { state, memory, path } of standsFrom(sort, graph.transitions, start)) {
      reached.add(state)
      if (ends.has(state)) continue
      if (standsFrom(sort, graph.transitions, state, memory).some(onward => ends.has(onward.state))) continue
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
        detail: `${state.label} can’t be reached from the initial state. Add a step that leads to this state, or remove the state.`,
      })
  }
  for (const [key, path] of trapped) {
    const out = graph.transitions.some(t => t.from === key && t.to !== key)
    const label = graph.states.find(s => s.key === key)?.label ?? key
    problems.push({
      kind: 'deadlock',
      state: key,
      path,
      detail: out
        ? `From ${label} some permits can’t reach a final state. Add a step that leads on and that every permit can take.`
        : `No step leads out of ${label}. Add a step that leads to a final state.`,
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
      detail: `The ${what} “${primitive}” is unknown. Correct or remove it.`,
    })
  }
  const own = new Set(graph.states.map(s => s.key))
  for (const state of graph.states) if (!registry.states.has(state.key)) unknown('state', state.key)
  for (const t of graph.transitions) {
    if (!registry.actions.has(t.action)) unknown('action', t.action, t.key)
    if (!registry.actors.has(t.actor)) unknown('actor', t.actor, t.key)
    for (const end of [t.from, t.to]) if (!own.has(end)) unknown('state', end, t.key)
    for (const guard of t.guards) {
      if (registry.unavailable?.has(guard))
        problems.push({
          kind: 'unavailable_primitive',
          primitive: guard,
          transition: t.key,
          detail: `The guard “${guard}” can’t be used yet, because this installation doesn’t have the records that the guard checks. Remove the guard.`,
        })
      else if (!registry.guards.has(guard)) unknown('guard', guard, t.key)
    }
    for (const effect of t.effects) if (!registry.effects.has(effect)) unknown('effect', effect, t.key)
  }
  return problems
}

function duplicates(graph: Graph): Problem[] {
  const problems: Problem[] = []
  const twice = (keys: readonly string[]) => [...new Set(keys.filter((key, i) => keys.indexOf(key) !== i))]
  for (const state of twice(graph.states.map(s => s.key)))
    problems.push({ kind: 'duplicate', state, detail: `The state ${state} appears twice. Remove one of the two.` })
  for (const transition of twice(graph.transitions.map(t => t.key)))
    problems.push({ kind: 'duplicate', transition, detail: `Two steps have the key ${transition}. Give one of them another key.` })
  return problems
}
