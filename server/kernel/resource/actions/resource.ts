// A plain area: records with fields, which people create, list, read, change, delete and restore. The area says what its fields are and who can do what;
// shapes, SQL, checks of references, uniqueness, numbers, events, flags, uses and revert follow from that. An area that needs a fifth hook is written
// by hand.

import { textIn } from '../../../../shared/narrow.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { conflict, enforce, explain, type FieldFault, invalid, notFound, refuse } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import type { Row, TableName } from '../../../base/rows.ts'
import { flagsFor } from '../../access/domain.ts'
import { myScope } from '../../access/door.ts'
import { firstState, lifeFaults, type Needs } from '../../lifecycle/door.ts'
import { filters, listing } from '../../listing/door.ts'
import { changesOf } from '../../records/domain.ts'
import { hold, type Kind, kind, onSite, refuseUsed, rowUse, tableRow } from '../../records/door.ts'
import { nextReference } from '../../site/door.ts'
import { referencesIn, shapesOf } from '../domain.ts'
import { deleteRow, insertRow, sameAs, touchRow, updateRow } from '../queries.ts'
import { eventsFor } from './events.ts'
import { filesOf } from './evidence.ts'
import type { GivenResource, Plain, Resource } from './given.ts'
import { judging } from './judge.ts'
import { type Judge, stepsOf } from './steps.ts'

/** Returns the name of an area in counts of uses: the last word of its path. */
export const nameOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1)?.replaceAll('-', '_') ?? path

/** The permission that covers all records. */
const fullOf = (needs: Needs): string => (typeof needs === 'string' ? needs : needs.any)

/** Makes a plain area. */
export function resource<T extends TableName>(given: GivenResource<T>): Resource<T> {
  const { access, hooks = {}, limits = {}, fields, unique = [], lifecycle: life } = given
  const table = given.kind
  const faults_of_life = life === undefined ? [] : lifeFaults(life)
  if (faults_of_life.length > 0) throw new Error(`The lifecycle of ${table} has faults: ${faults_of_life.join(' ')}`)
  const shapes = shapesOf(given)
  const state_column = life?.column ?? 'status'
  const plain = (row: Row<T>) => row as Plain // every record table has these columns
  const label = given.label ?? (row => String(plain(row).number ?? plain(row).name ?? given.noun))
  const judgeOf = judging(given, plain)
  const subject = (row: Row<T>) => ({ kind: given.kind, id: plain(row).id, label: label(row) })
  const event = (ctx: Ctx, verb: string, row: Row<T>, payload: Record<string, unknown> = {}, before: Row<T> | null = null) =>
    given.tell === undefined
      ? ctx.emit({
          kind: `${given.kind}.${verb}`,
          site_id: plain(row).site_id,
          subject: subject(row),
          payload: { contractor_id: plain(row).contractor_id ?? null, ...payload },
        })
      : given.tell(ctx, verb, row, before)
  const read = async (ctx: Ctx, site_id: Id, id: Id): Promise<Row<T>> => {
    return (await tableRow(ctx.db, table, site_id, id, false)) ?? refuse(notFound())
  }
  const passes = Object.entries(life?.steps ?? {}).flatMap(([action, step]) => (step.passes_lock ? [action] : []))
  const steps =
    life === undefined
      ? null
      : stepsOf<Row<T>>(life, {
          noun: given.noun,
          site_of: row => plain(row).site_id,
          id_of: row => plain(row).id,
          status_of: row => textIn(plain(row)[state_column]),
          state_column,
          subject,
          judge: judgeOf,
          find: async (ctx, site_id, id) => {
            const row = await found(false)(ctx, site_id, id, true)
            return row !== null && (await made.sees(ctx, row)) ? row : null
          },
          async write(ctx, row, set) {
            await updateRow(ctx.db, table, plain(row).site_id, plain(row).id, set)
            return read(ctx, plain(row).site_id, plain(row).id)
          },
          emit: event,
        })
  const files =
    given.evidence === undefined
      ? null
      : filesOf<Row<T>>({
          ...given.evidence,
          kind: given.kind,
          id_of: row => plain(row).id,
          site_of: row => plain(row).site_id,
          judge: judgeOf,
          final: row => steps?.final(row) ?? null,
          async touch(ctx, row) {
            await touchRow(ctx.db, table, plain(row).site_id, plain(row).id)
            event(ctx, 'changed', row)
          },
        })
  const base = {
    holds_evidence: given.evidence !== undefined,
    name: given.kind,
    ...(given.param === undefined ? {} : { param: given.param }),
    label,
    ...(given.hides === undefined ? {} : { hides: given.hides }),
    ...(given.sight === undefined ? {} : { sight: given.sight }),
    ...(given.derived === undefined ? {} : { derived: given.derived }),
    ...(given.personal === undefined ? {} : { personal: given.personal }),
    revert: 'fields' as const,
  }
  const found = (deleted: boolean) => async (ctx: Ctx, site_id: Id, id: Id, lock: boolean) => {
    const row = await tableRow(ctx.db, table, site_id, id, lock)
    return row !== null && ((plain(row).deleted_at ?? null) === null) === !deleted ? row : null
  }

  /** Checks the record as it would be saved, and returns it with the columns that follow from its fields. */
  async function checked(ctx: Ctx, next: Row<T>, before: Row<T> | null): Promise<Row<T>> {
    const changed = before === null ? plain(next) : changesOf(plain(before), plain(next))
    const faults: FieldFault[] = []
    for (const { field, kind: of } of referencesIn(fields)) {
      const value = changed[field]
      if (typeof value === 'string' && !(await onSite(ctx, plain(next).site_id, of, value)))
        faults.push({ path: field, message: `isn’t a ${of.replaceAll('_', ' ')} on this site.` })
    }
    faults.push(...((await hooks.faults?.(ctx, next, before)) ?? []))
    const { contractor_id } = changed
    const beyond = typeof access.create !== 'string' && !ctx.actor.can(access.create.any) && typeof contractor_id === 'string'
    if (beyond && !(await myScope(ctx)).has(contractor_id))
      faults.push({ path: 'contractor_id', message: 'isn’t your contractor, or a contractor that yours oversees.' })
    if (faults.length > 0) refuse(invalid(faults))
    const whole = { ...next, ...(await hooks.derive?.(ctx, next, before)) }
    const written = before === null ? plain(whole) : changesOf(plain(before), plain(whole))
    if (unique.some(column => column in written || 'deleted_at' in written)) {
      await hold(ctx, given.kind, plain(next).site_id)
      const values = Object.fromEntries(unique.map(column => [column, plain(whole)[column]]))
      const binned = given.bin !== undefined && given.bin !== false
      const existing_id = await sameAs(ctx.db, table, plain(next).site_id, values, plain(next).id, binned)
      const in_use = `There is already a ${given.noun} with this ${unique.join(' and ').replaceAll('_', ' ')}. Choose another.`
      if (existing_id !== null) refuse(conflict('key_taken', in_use, { existing_id }))
    }
    return whole
  }

  async function save(ctx: Ctx, before: Row<T>, next: Row<T>, verb: string): Promise<Row<T>> {
    const changes = changesOf(plain(before), plain(await checked(ctx, next, before)))
    if (Object.keys(changes).length === 0) return before
    const { site_id, id } = plain(before)
    await updateRow(ctx.db, table, site_id, id, changes)
    const row = await read(ctx, site_id, id)
    event(ctx, verb, row, {}, before)
    if (verb === 'restored') await steps?.ask(ctx, row, null)
    else if (plain(row)[state_column] !== plain(before)[state_column]) await steps?.ask(ctx, row, before)
    await hooks.after?.(ctx, row, before)
    return row
  }

  async function takeAway(ctx: Ctx, row: Row<T>): Promise<void> {
    const { site_id, id } = plain(row)
    await refuseUsed(ctx, given.kind, site_id, [{ id, label: label(row) }], given.bin === 'kept')
    if (given.bin) {
      ctx.note(id, { action: 'delete' })
      await updateRow(ctx.db, table, site_id, id, { deleted_at: ctx.now })
    } else {
      await files?.remove_all(ctx, row)
      await deleteRow(ctx.db, table, site_id, id)
    }
    event(ctx, 'deleted', row)
    await steps?.ask(ctx, null, row)
    await hooks.after?.(ctx, null, row)
  }

  async function mayRemove(ctx: Ctx, row: Row<T>): Promise<void> {
    enforce([(await judgeOf(ctx))(access.remove, row), limits.remove?.(ctx, row) ?? null])
    enforce([(await limits.relied_on?.(ctx, [row]))?.get(plain(row).id) ?? null])
  }

  async function mayChange(ctx: Ctx, row: Row<T>): Promise<void> {
    enforce([(await judgeOf(ctx))(access.change, row), limits.change?.(ctx, row) ?? null, steps?.editing(row) ?? null])
  }

  function blank(site_id: Id, body: Record<string, unknown>): Row<T> {
    const empty = Object.fromEntries(Object.keys(fields).map(field => [field, null]))
    const status = life === undefined ? {} : { [state_column]: firstState(life.graph) }
    const first: Record<string, unknown> = { ...empty, ...given.defaults, ...status, ...body, site_id, id: ids.next() }
    return first as Row<T> // the schema has checked the body
  }

  async function bringBack(ctx: Ctx, row: Row<T>): Promise<Row<T>> {
    ctx.note(plain(row).id, { action: 'restore' })
    return save(ctx, row, { ...row, deleted_at: null }, 'restored')
  }

  const made: Kind<Row<T>> = kind<Row<T>>({
    ...base,
    ...(given.sees === undefined ? { seen_with: access.view } : { sees: given.sees }),
    find: found(false),
    undo: {
      fields: { needs: fullOf(access.change), put: (ctx, row, values) => save(ctx, row, { ...row, ...values }, 'changed') },
      create: { needs: fullOf(access.remove), take_away: takeAway },
      ...(access.restore === undefined ? {} : { delete: { needs: access.restore, bring_back: bringBack } }),
    },
  })
  const binned = kind<Row<T>>({ ...base, find: found(true), sees: ctx => access.restore !== undefined && ctx.actor.can(access.restore) })

  const list = listing<T>(table, {
    ...given.list,
    site_in_query: !given.path.includes(':site_id'),
    filters: {
      ...given.list.filters,
      ...(life === undefined
        ? {}
        : {
            [state_column]: filters.oneOf(
              life.graph.states.map(state => state.key),
              'States',
            ),
          }),
      ...(given.bin === true ? { deleted: filters.present('deleted_at', 'Whether to return deleted records instead of the others') } : {}),
    },
  })

  const flagsBy = async (ctx: Ctx, rows: readonly Row<T>[], judge: Judge<Row<T>>) => {
    const [taken, relied_on] = await Promise.all([steps?.flags(ctx, rows, judge), limits.relied_on?.(ctx, rows)])
    return rows.map((row, i) => {
      const gone = (plain(row).deleted_at ?? null) !== null
      const is_gone = gone ? notFound() : null
      const flags: Record<string, ReturnType<typeof explain>> = {
        change: explain([is_gone, judge(access.change, row), limits.change?.(ctx, row) ?? null, steps?.editing(row) ?? null]),
        delete: explain([is_gone, judge(access.remove, row), limits.remove?.(ctx, row) ?? null, relied_on?.get(plain(row).id) ?? null]),
        ...(given.evidence === undefined ? {} : { add_evidence: explain([is_gone, judge(given.evidence.add, row)]) }),
        ...(gone ? Object.fromEntries(Object.keys(taken?.[i] ?? {}).map(action => [action, explain([notFound()])])) : taken?.[i]),
      }
      if (access.restore !== undefined) flags.restore = explain([gone ? null : notFound(), ctx.actor.lacks(access.restore)])
      return flagsFor(ctx.actor, flags, passes)
    })
  }
  const showAll = async (ctx: Ctx, rows: readonly Row<T>[]): Promise<Record<string, unknown>[]> => {
    const judge = await judgeOf(ctx)
    const parts = [hooks.shown?.(ctx, rows, ctx.now), files?.all(ctx, rows, judge), flagsBy(ctx, rows, judge)] as const
    const [computed, evidence, flags] = await Promise.all(parts)
    return rows.map((row, i) => {
      const has = evidence === undefined ? {} : { evidence: evidence.get(plain(row).id) ?? [] }
      return { ...row, ...computed?.[i], ...has, permissions: flags[i] }
    })
  }
  const show = async (ctx: Ctx, row: Row<T>) => (await showAll(ctx, [row]))[0] ?? refuse(notFound())

  return {
    given,
    shapes,
    kind: made,
    binned,
    list,
    evidence: files?.routes ?? null,
    events: eventsFor(given),
    uses: referencesIn(fields).map(({ field, kind: of }) =>
      rowUse({ of, name: nameOf(given.path), when: 'ever' }, table, field, null, given.bin === 'kept'),
    ),
    async page(ctx, site_id, query) {
      const deleted = given.bin === true && query.deleted === true && access.restore !== undefined && ctx.actor.can(access.restore)
      const { rows, ...rest } = await list.page(ctx, site_id, given.bin === true ? { ...query, deleted } : query)
      return { ...rest, rows: await showAll(ctx, rows) }
    },
    show,
    showAll,
    flagsOf: async (ctx, rows) => flagsBy(ctx, rows, await judgeOf(ctx)),
    async showBare(ctx, rows, at = ctx.now) {
      const computed = await hooks.shown?.(ctx, rows, at)
      return rows.map((row, i) => ({ ...row, ...computed?.[i] }))
    },
    put: (ctx, row, set) => save(ctx, row, { ...row, ...set }, 'changed'),
    checked,
    mayChange,
    blank,
    async create(ctx, site_id, body) {
      const first = blank(site_id, body)
      const { id } = plain(first)
      const whole = await checked(ctx, first, null)
      const number = given.number === undefined ? {} : { number: await nextReference(ctx.db, site_id, given.kind, given.number) }
      await insertRow(ctx.db, table, { ...plain(whole), ...number })
      const row = await read(ctx, site_id, id)
      event(ctx, 'created', row)
      await steps?.ask(ctx, row, null)
      await hooks.after?.(ctx, row, null)
      return show(ctx, row)
    },
    async change(ctx, row, body) {
      await mayChange(ctx, row)
      return show(ctx, await save(ctx, row, { ...row, ...body }, 'changed'))
    },
    mayRemove,
    async remove(ctx, row) {
      await mayRemove(ctx, row)
      await takeAway(ctx, row)
    },
    restore: async (ctx, row) => show(ctx, await bringBack(ctx, row)),
    step: async (ctx, row, action, body) => show(ctx, (await steps?.take(ctx, row, action, body)) ?? refuse(notFound())),
    async stepAll(ctx, site_id, ids, action, body) {
      const { done, refused } = (await steps?.takeAll(ctx, site_id, ids, action, body)) ?? refuse(notFound())
      return {
        done: done.map(row => ({ id: row.id, label: label(row) })),
        refused: refused.map(({ id, row, code, detail }) => ({ id, label: row === null ? null : label(row), code, detail })),
      }
    },
  }
}
