// A lifecycle as data: states, and the steps between them. Who may take a step and what forbids it are words; what the words mean is the
// room's. Permits let a site author the graph; every other room ships one in the same notation.

/** What a state is in the life of a record. */
export type StateKind = 'initial' | 'normal' | 'live' | 'terminal'

/** A state of a graph. */
export type State = { key: string; label: string; kind: StateKind }

/** What the person must say with a step. */
export type Requirement = 'note' | 'reason' | 'checklist'

/** A step between two states. */
export type Transition = {
  key: string
  action: string
  from: string
  to: string
  actor: string
  guards: readonly string[]
  effects: readonly string[]
  requires: readonly Requirement[]
}

/** A lifecycle. */
export type Graph = { states: readonly State[]; transitions: readonly Transition[] }

/** Actions that leave a state, in the order of the graph, each once. */
export const actionsFrom = (graph: Graph, status: string): string[] => [
  ...new Set(graph.transitions.filter(t => t.from === status).map(t => t.action)),
]

/** The state of this key. */
export const stateOf = (graph: Graph, key: string): State | undefined => graph.states.find(state => state.key === key)
