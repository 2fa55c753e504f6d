// The steps of a plain area with a lifecycle: decided by its graph, saved with their stamps and fields, reported by an event, followed by tasks.
import { actionsFrom } from '../../../../shared/lifecycle/graph.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { type Because, explain, notFound, refuse, type Verdict, wrongStep } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { decide, type Said } from '../../lifecycle/domain/decide.ts'
import {
  type Each,
  editableIn,
  type GivenLife,
  type Needs,
  type StepFacts,
  type Taken,
  takeEach,
  walk,
  wordsOf,
} from '../../lifecycle/door.ts'
import { type Raised, raiseTask, resolveTasks } from '../../tasks/door.ts'

/** Returns why the caller can’t do something with a record; null if they can. The facts that this depends on have been read. */
export type Judge<Row> = (needs: Needs, row: Row) => Verdict

/** What a lifecycle needs from its area. */
export type Area<Row> = {
  noun: string
  site_of(row: Row): Id
  id_of(row: Row): Id
  status_of(row: Row): string
  /** The column with the state. */
  state_column: string
  judge(ctx: Ctx): Promise<Judge<Row>>
  subject(row: Row): Raised['subject']
  /** Finds a visible record, locked. */
  find(ctx: Ctx, site_id: Id, id: Id): Promise<Row | null>
  /** Writes columns and returns the record as it is then. */
  write(ctx: Ctx, row: Row, set: Partial<Row>): Promise<Row>
  emit(ctx: Ctx, verb: string, row: Row, payload: Record<string, unknown>): void
}

/** The steps of an area. */
export type Steps<Row> = {
  /** Takes a step, or refuses with everything that forbids it. The route has locked the record. */
  take(ctx: Ctx, row: Row, action: string, given: Readonly<Record<string, unknown>>): Promise<Row>
  /** Takes a step for several records, in the order of their ids; each is checked as if it were alone. */
  takeAll(
    ctx: Ctx,
    site_id: Id,
    ids: readonly Id[],
    action: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<Each<Row & { id: Id }>>
  /** Returns the flags of every step, for several records. */
  flags(ctx: Ctx, rows: readonly Row[], judge: Judge<Row>): Promise<Record<string, { allowed: boolean; because: Because[] }>[]>
  /** Returns why fields can’t be changed in this state; null if they can. */
  editing(row: Row): Verdict
  /** Returns why a record is final in this state; null if it isn’t. */
  final(row: Row): Verdict
  /** Updates the tasks of a record: `row` null when it was deleted. */
  ask(ctx: Ctx, row: Row | null, before: Row | null): Promise<void>
}

/** Makes the steps of an area. */
export function stepsOf<Row>(life: GivenLife<Row>, area: Area<Row>): Steps<Row> {
  const words = wordsOf(life, area.noun)
  const { graph, tasks = {} } = life
  const editable = editableIn(life)

  async function factsOf(ctx: Ctx, rows: readonly Row[], input: StepFacts<Row, unknown>['input'], judge: Judge<Row>) {
    const more = await life.facts?.(ctx, rows)
    return rows.map(
      (row): StepFacts<Row, unknown> => ({
        row,
        may: needs => judge(needs, row),
        me: ctx.actor.id,
        now: ctx.now,
        input,
        more: more?.get(area.id_of(row)),
      }),
    )
  }
  const oneOf = async (ctx: Ctx, row: Row, input: StepFacts<Row, unknown>['input']) =>
    (await factsOf(ctx, [row], input, await area.judge(ctx)))[0] ?? refuse(notFound())
  const said = (given: Readonly<Record<string, unknown>>): Said => {
    const text = (field: string) => (typeof given[field] === 'string' ? given[field] : null)
    return { note: text('note'), reason: text('reason') }
  }

  async function take(ctx: Ctx, row: Row, action: string, given: Readonly<Record<string, unknown>>): Promise<Row> {
    const step = life.steps[action] ?? refuse(notFound())
    const facts = await oneOf(ctx, row, given)
    const words_said = said(given)
    const taken = await walk<StepFacts<Row, unknown>, Taken<Row>>(
      { words, effectsOf: transition => transition.effects, effects: life.effects ?? {} },
      { graph, status: area.status_of(row), action, facts, said: words_said },
      ({ transition }) => ({ ctx, row, transition, given, set: {}, more: [], payload: {} }),
    )
    const set: Record<string, unknown> = { [area.state_column]: taken.transition.to }
    for (const field of step.writes ?? []) if (field in given) set[field] = given[field]
    if (step.stamps?.at !== undefined) set[step.stamps.at] = ctx.now
    if (step.stamps?.by !== undefined) set[step.stamps.by] = ctx.actor.id
    const why = words_said.reason ?? words_said.note ?? null
    ctx.note(area.id_of(row), { action: 'transition', ...(why === null ? {} : { reason: why }) })
    const after = await area.write(ctx, row, { ...(set as Partial<Row>), ...taken.set }) // columns of the table, by the types of `writes` and `stamps`
    for (const write of taken.more) await write()
    area.emit(ctx, step.event.verb, after, { from_status: area.status_of(row), status: taken.transition.to, ...taken.payload })
    await ask(ctx, after, row)
    return after
  }

  async function ask(ctx: Ctx, row: Row | null, before: Row | null): Promise<void> {
    const of = row ?? before
    if (of === null) return
    const task = row === null ? undefined : tasks[area.status_of(row)]?.(row)
    const kinds = [...new Set(Object.values(tasks).map(make => make(of).kind))]
    const others = kinds.filter(kind => kind !== task?.kind)
    const left = row === null ? 'subject_left' : 'done_by_step'
    if (before !== null && others.length > 0) await resolveTasks(ctx, area.site_of(of), area.id_of(of), { only: others }, left)
    if (row !== null && task !== undefined) await raiseTask(ctx, area.site_of(row), { ...task, subject: area.subject(row) })
  }

  return {
    take,
    ask,
    async takeAll(ctx, site_id, ids, action, given) {
      const rows: (Row & { id: Id })[] = []
      // Locked in the order of their ids, as everywhere.
      for (const id of [...new Set(ids)].sort()) {
        const row = await area.find(ctx, site_id, id)
        if (row !== null) rows.push({ ...row, id })
      }
      return takeEach(ids, rows, {
        verdict: async row =>
          decide(graph, words, area.status_of(row), action, await oneOf(ctx, row, given), said(given)).refusals[0] ?? null,
        take: async row => void (await take(ctx, row, action, given)),
      })
    },
    async flags(ctx, rows, judge) {
      return (await factsOf(ctx, rows, null, judge)).map(facts =>
        Object.fromEntries(
          Object.entries(life.steps).flatMap(([action, step]) =>
            step.by_clock ? [] : [[action, explain(decide(graph, words, area.status_of(facts.row), action, facts, null).refusals)]],
          ),
        ),
      )
    },
    final(row) {
      const status = area.status_of(row)
      return graph.states.some(({ key, kind }) => key === status && kind === 'terminal')
        ? wrongStep(status, actionsFrom(graph, status), `This ${area.noun} is ${words.label(status)}, so its files can’t be removed.`)
        : null
    },
    editing(row) {
      const status = area.status_of(row)
      return editable.includes(status)
        ? null
        : wrongStep(status, actionsFrom(graph, status), `This ${area.noun} is ${words.label(status)}, so it can’t be changed now.`)
    },
  }
}
