// The lifecycle of a plain area: its graph, what its words mean, and its steps.

import { flaws } from '../../../../shared/lifecycle/flaws.ts'
import type { Graph, Transition } from '../../../../shared/lifecycle/graph.ts'
import { capitalized } from '../../../../shared/text.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Verdict } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { optional, shape, type TSchema } from '../../../base/schema.ts'
import type { Raised } from '../../tasks/domain.ts'
import type { Words } from '../domain/decide.ts'

/** Who can do something: holders of a permission; or those of `own` with their own and their contractor’s records, and those of `any` with all. */
export type Needs = string | { own: string; any: string }

/** What decides on a step of a plain area. */
export type StepFacts<Row, More> = {
  row: Row
  /** Returns why the caller can’t do something with this record; null if they can. */
  may(needs: Needs): Verdict
  /** The person who takes the step; null for a job. */
  me: Id | null
  now: Instant
  /** The fields that were sent with the step; null if only `permissions` are needed. */
  input: Readonly<Record<string, unknown>> | null
  /** What the area has loaded for its guards. */
  more: More
}

/** A step while it is being taken: what its effects have collected so far. */
export type Taken<Row> = {
  ctx: Ctx
  row: Row
  transition: Transition
  /** The fields that were sent with the step. */
  given: Readonly<Record<string, unknown>>
  /** Columns to write. */
  set: Partial<Row>
  /** Further writes, after the record’s own. */
  more: (() => Promise<unknown>)[]
  /** Payload of its event, in addition to that of every event of the record. */
  payload: Record<string, unknown>
}

/** A step of a plain area, by the name of its action. */
export type GivenStep<Row> = {
  /** Last part of its path; default the action with hyphens. */
  verb?: string
  summary: string
  /** Description for the API reference. */
  says: string
  /** Past participle in sentences: `closed out`. */
  past: string
  /** Name of its event after the kind (`closed`), and its payload. */
  event: { verb: string; says: string }
  /** Fields that are sent with it. */
  body?: Readonly<Record<string, TSchema>>
  /** Fields of the body that are columns. */
  writes?: readonly (keyof Row & string)[]
  /** Columns that get the time of the step, and the person who takes it. */
  stamps?: { at?: keyof Row & string; by?: keyof Row & string }
  /** Adds an endpoint that takes the step for several records, with a result for each. */
  bulk?: true
  /** Whether the step is possible on a locked site. */
  passes_lock?: true
  /** Only the clock takes it, in a job of the area: it has no endpoint and no flag. */
  by_clock?: true
}

/** The lifecycle of a plain area. The table has a column `status`, or another one with the state. */
export type GivenLife<Row, More = unknown> = {
  /** Name of the column and field with the state; default `status`. */
  column?: string
  graph: Graph
  /** Who is meant by each actor of the graph: needs, or a rule of their own. */
  actors: Readonly<Record<string, Needs | ((facts: StepFacts<Row, More>) => Verdict)>>
  guards?: Readonly<Record<string, (facts: StepFacts<Row, More>) => Verdict>>
  /** What the effects of the graph’s steps do, by name. */
  effects?: Readonly<Record<string, (step: Taken<Row>) => void | Promise<void>>>
  steps: Readonly<Record<string, GivenStep<Row>>>
  /** Its steps have no endpoints: the area takes them when `status` is changed. */
  by_change?: true
  /** States in which fields can be changed; default all but the final ones. */
  editable?: readonly string[]
  /** Loads what guards and actors need to know, for several records at once. */
  facts?(ctx: Ctx, rows: readonly Row[]): Promise<ReadonlyMap<Id, More>>
  /** The task of each state: raised when a record enters it, resolved when it leaves. */
  tasks?: Readonly<Record<string, (row: Row) => Omit<Raised, 'subject'>>>
}

/** The state in which records are created. */
export const firstState = (graph: Graph): string => graph.states.find(state => state.kind === 'initial')?.key ?? ''

/** The states in which fields can be changed. */
export const editableIn = (life: GivenLife<never>): readonly string[] =>
  life.editable ?? life.graph.states.filter(state => state.kind !== 'terminal').map(state => state.key)

/** Returns the last part of a step’s path. */
export const verbOf = (action: string, step: { verb?: string }): string => step.verb ?? action.replaceAll('_', '-')

/** Returns what the names in the graph mean to `decide`. */
export function wordsOf<Row, More>(life: GivenLife<Row, More>, noun: string): Words<StepFacts<Row, More>> {
  const label = (status: string) => life.graph.states.find(state => state.key === status)?.label.toLowerCase() ?? status
  return {
    actors: Object.fromEntries(
      Object.entries(life.actors).map(([name, who]) => [
        name,
        typeof who === 'function' ? who : (facts: StepFacts<Row, More>) => facts.may(who),
      ]),
    ),
    guards: life.guards ?? {},
    choosing: {},
    always: [],
    label,
    noun,
    past: Object.fromEntries(Object.entries(life.steps).map(([action, { past }]) => [action, past])),
  }
}

/** Returns the words of an action, as shapes are named: `CloseOut`. */
export const wordsIn = (action: string): string => action.split('_').map(capitalized).join('')

/** Returns the shape of what is sent with a step. A field that the graph requires is checked when the step is taken, and the refusal lists it. */
export const bodyOf = (area: string, action: string, step: { body?: Readonly<Record<string, TSchema>>; summary: string }) =>
  shape(
    `${area}${wordsIn(action)}`,
    step.summary,
    Object.fromEntries(Object.entries(step.body ?? {}).map(([field, schema]) => [field, optional(schema)])),
  )

/**
 * Lists the faults of a lifecycle: those of any graph, steps without a description, and words that nothing uses. The service doesn’t start with one, so that
 * nothing is offered that is never performed.
 */
export function lifeFaults(life: GivenLife<never>): string[] {
  const { graph, actors, guards = {}, effects = {}, steps } = life
  const names = (of: (t: Transition) => readonly string[]) => new Set(graph.transitions.flatMap(of))
  const found = flaws(graph, {
    states: new Map(graph.states.map(state => [state.key, { kind: state.kind }])),
    actions: new Set(Object.keys(steps)),
    actors: new Set(Object.keys(actors)),
    guards: new Set(Object.keys(guards)),
    effects: new Set(Object.keys(effects)),
    sorts: [{ start: '', chosen: () => true, after: () => '' }],
  }).map(problem => problem.detail)
  const unused = (what: string, known: object, used: Set<string>) =>
    Object.keys(known)
      .filter(name => !used.has(name))
      .map(name => `The graph doesn’t use the ${what} “${name}”.`)
  return [
    ...found,
    ...unused(
      'step',
      steps,
      names(t => [t.action]),
    ),
    ...unused(
      'actor',
      actors,
      names(t => [t.actor]),
    ),
    ...unused(
      'guard',
      guards,
      names(t => t.guards),
    ),
    ...unused(
      'effect',
      effects,
      names(t => t.effects),
    ),
    ...Object.keys(life.tasks ?? {})
      .filter(state => !graph.states.some(({ key }) => key === state))
      .map(state => `There is a task for the unknown state “${state}”.`),
  ]
}
