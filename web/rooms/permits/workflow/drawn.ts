import type { Graph } from '../../../../shared/lifecycle/graph.ts'
import type { Words } from './data.ts'

/** The changes to a graph. */
export type Hands = {
  choose(key: string | null): void
  addStep(from: string, to: string): void
  removeStep(key: string): void
  addState(key: string): void
  removeState(key: string): void
}

/** The props that the drawing and the table share. */
export type Drawn = {
  graph: Graph
  words: Words
  may: boolean
  chosen: string | null
  lit: { steps: ReadonlySet<string>; state: string | null }
  idle: ReadonlySet<string>
  hands: Hands
}
