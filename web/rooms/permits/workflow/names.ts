// The names of states, steps and other parts of a graph on screen.
import type { Graph, Transition } from '../../../../shared/lifecycle/graph.ts'
import type { Words } from './data.ts'
import { hasWord, t } from './says.ts'

const labelIn = (list: readonly { key: string; label: string }[], key: string): string => list.find(one => one.key === key)?.label ?? key

/** Returns the name of a state: the one in this graph, otherwise the registry's. */
export const stateName = (graph: Graph, words: Words, key: string): string =>
  graph.states.find(one => one.key === key)?.label ?? labelIn(words.states, key)
/** Returns the name of an action. */
export const actionName = (words: Words, key: string): string => labelIn(words.actions, key)
/** Returns the name of an actor, a guard or an effect. */
export function wordName(words: Words, key: string): string {
  const said = `primitive.${key}`
  return hasWord(said) ? t(said) : labelIn([...words.actors, ...words.guards, ...words.effects], key)
}

/** Returns a step in words: `Requested — Endorse → Endorsed`. */
export const stepName = (graph: Graph, words: Words, step: Pick<Transition, 'from' | 'to' | 'action'>): string =>
  t('workflow.arrow', {
    from: stateName(graph, words, step.from),
    action: actionName(words, step.action),
    to: stateName(graph, words, step.to),
  })

/** Returns a path through a graph in words: `Draft — Submit → Requested — Reject → Rejected`. */
export function wayName(graph: Graph, words: Words, path: readonly string[]): string {
  const steps = path.flatMap(key => graph.transitions.find(step => step.key === key) ?? [])
  const [first] = steps
  if (first === undefined) return ''
  return steps.reduce(
    (said, step) => t('workflow.arrow', { from: said, action: actionName(words, step.action), to: stateName(graph, words, step.to) }),
    stateName(graph, words, first.from),
  )
}
