// A lifecycle as data: states, and the steps between them. Actors and guards are named by words, which each room defines.
// Permits let a site author its own graph; every other room ships one in the same notation.

/** The role of a state in the life of a record. */
export type StateKind = 'initial' | 'normal' | 'live' | 'terminal'

/** A state of a graph. */
export type State = { key: string; label: string; kind: StateKind }

/** What the person must give with a step. */
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

/** Lists the actions that leave a state, without duplicates, in the order of the graph. */
export const actionsFrom = (graph: Graph, status: string): string[] => [
  ...new Set(graph.transitions.filter(t => t.from === status).map(t => t.action)),
]
