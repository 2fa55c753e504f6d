// The one walker over lifecycles: it decides on a step, and performs its effects by name and in their order. What a step writes is collected, so that the
// area saves it in one statement. Permits and plain areas use it.
import type { Graph, Transition } from '../../../../shared/lifecycle/graph.ts'
import { codeOf, enforce, notFound, type Refusal, type Verdict } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { decide, type Plan, type Said, type Words } from '../domain/decide.ts'

/** How the steps of an area are decided on, and what they do. */
export type Life<Facts, Step> = {
  words: Words<Facts>
  /** The names of what a step does, in this order. */
  effectsOf(transition: Transition): readonly string[]
  /** What each name does. A name that is missing here is a fault of the program. */
  effects: Readonly<Record<string, (step: Step) => void | Promise<void>>>
}

/** A step that a caller wants to take. `graph` is the record's own, because a permit keeps the version that it is pinned to. */
export type Wanted<Facts> = { graph: Graph; status: string; action: string; facts: Facts; said: Said }

/**
 * Takes a step: refuses with everything that forbids it, or performs its effects on what `begin` returns. `first` is checked as soon as the caller is known to
 * be allowed to take the step, before its guards.
 */
export async function walk<Facts, Step>(
  life: Life<Facts, Step>,
  wanted: Wanted<Facts>,
  begin: (plan: Plan & { transition: Transition }) => Step,
  first: () => Verdict = () => null,
): Promise<Step> {
  const { graph, status, action, facts, said } = wanted
  const { transition, to, refusals } = decide(graph, life.words, status, action, facts, said)
  if (transition !== null && refusals.every(refusal => refusal.status !== 403)) enforce([first()])
  enforce(refusals)
  if (transition === null) throw new Error(`The step ${action} was allowed from ${status}, where it doesn’t exist.`)
  const step = begin({ transition, to, refusals })
  for (const name of life.effectsOf(transition)) {
    const effect = life.effects[name]
    if (effect === undefined) throw new Error(`The effect ${name} of the step ${action} isn’t defined.`)
    await effect(step)
  }
  return step
}

/** The result of a step for several records: for each, that it was taken, or the refusal that it would have alone. */
export type Each<Row> = { done: Row[]; refused: { id: Id; row: Row | null; code: string; detail: string }[] }

/**
 * Takes a step for several records, in this order; a refusal of one doesn’t affect the others. `verdict` decides before anything is written, so that a
 * refusal leaves nothing behind. Records that the caller can’t see are refused as if they didn’t exist.
 */
export async function takeEach<Row extends { id: Id }>(
  ids: readonly Id[],
  visible: readonly Row[],
  how: { verdict(row: Row): Promise<Verdict>; take(row: Row): Promise<void> },
): Promise<Each<Row>> {
  const out: Each<Row> = { done: [], refused: [] }
  const refuse = (id: Id, row: Row | null, refusal: Refusal) => out.refused.push({ id, row, code: codeOf(refusal), detail: refusal.detail })
  const seen = new Set(visible.map(row => row.id))
  for (const id of ids) if (!seen.has(id)) refuse(id, null, notFound())
  for (const row of visible) {
    const refusal = await how.verdict(row)
    if (refusal !== null) refuse(row.id, row, refusal)
    else {
      await how.take(row)
      out.done.push(row)
    }
  }
  return out
}
