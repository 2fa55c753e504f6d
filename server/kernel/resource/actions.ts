// A plain area: records with fields, which people create, list, read, change, delete and restore. The area says what its fields are and who can do what;
// shapes, SQL, checks of references, uniqueness, numbers, events, flags, uses and revert follow from that. A fifth hook means: write the area by hand.
import type { Ctx } from '../../base/ctx.ts'
import { conflict, explain, type FieldFault, forbidden, invalid, notFound, refuse, type Verdict } from '../../base/errors.ts'
import { type Id, ids } from '../../base/ids.ts'
import type { ColumnName, Row, TableName } from '../../base/rows.ts'
import { flagsFor } from '../access/domain.ts'
import { myScope } from '../access/door.ts'
import { type EventKind, eventsOf } from '../events/door.ts'
import { filters, type Listing, type ListPage, listing } from '../listing/door.ts'
import { type Kind, kind, onSite, rowOf, type Use, usesOf } from '../records/door.ts'
import { nextNumber } from '../site/door.ts'
import { changesOf, referencesIn, type Shaped, shapesOf } from './domain.ts'
import { countUses, deleteRow, holdKind, insertRow, sameAs, updateRow } from './queries.ts'

/** Who can do something: holders of a permission; or those of `own` with their own and their contractor’s records, and those of `any` with all. */
export type Needs = string | { own: string; any: string }

/** What a plain area is. */
export type GivenResource<T extends TableName> = Shaped & {
  /** Name of the kind of record, which is also the name of its table and the first part of its events: `gate`. */
  kind: T
  /** Leaves out the endpoint that returns one record. */
  without_show?: true
  /** The record in a sentence: `gate`. */
  noun: string
  /** Name of a record in audit log, tasks and events. Default: its number, or its name. */
  label?: (row: Row<T>) => string
  /** Columns that contain JSON. */
  json?: readonly ColumnName<T>[]
  /** Columns that no two records of the site share, whatever the case. */
  unique?: readonly ColumnName<T>[]
  /** Order, filters and search of the list. */
  list: Parameters<typeof listing<T>>[1]
  access: { view: string; create: Needs; change: Needs; remove: Needs; restore?: string }
  hooks?: Hooks<T>
}

/** The four ways in which an area differs from a plain one. */
export type Hooks<T extends TableName> = {
  /** What is wrong with the record as it would be; `before` is null at creation. */
  faults?(ctx: Ctx, next: Row<T>, before: Row<T> | null): readonly FieldFault[] | Promise<readonly FieldFault[]>
  /** Columns that follow from others. */
  derive?(ctx: Ctx, next: Row<T>, before: Row<T> | null): Partial<Row<T>> | Promise<Partial<Row<T>>>
  /** The computed fields of the response, for several records at once. */
  shown?(ctx: Ctx, rows: readonly Row<T>[]): Promise<readonly Record<string, unknown>[]> | readonly Record<string, unknown>[]
  /** What else follows from a write: events, tasks, other records. `row` is null after a deletion. */
  after?(ctx: Ctx, row: Row<T> | null, before: Row<T> | null): void | Promise<void>
}

/** The columns that the mechanism itself works with. */
type Plain = {
  site_id: Id
  id: Id
  version: number
  created_by: Id | null
  contractor_id?: Id | null
  deleted_at?: string | null
  [column: string]: unknown
}

/** A plain area at work. `room.ts` takes `kind`, `events` and `uses`; `routes.ts` makes its endpoints with `routesOf`. */
export type Resource<T extends TableName> = {
  given: GivenResource<T>
  shapes: ReturnType<typeof shapesOf>
  kind: Kind<Row<T>>
  /** Deleted records, for the route that restores them. */
  binned: Kind<Row<T>>
  list: Listing<T>
  events: EventKind[]
  uses: Use[]
  page(ctx: Ctx, site_id: Id, query: Record<string, unknown>): Promise<Omit<ListPage<T>, 'rows'> & { rows: Record<string, unknown>[] }>
  show(ctx: Ctx, row: Row<T>): Promise<Record<string, unknown>>
  create(ctx: Ctx, site_id: Id, body: Record<string, unknown>): Promise<Record<string, unknown>>
  change(ctx: Ctx, row: Row<T>, body: Record<string, unknown>): Promise<Record<string, unknown>>
  remove(ctx: Ctx, row: Row<T>): Promise<void>
  restore(ctx: Ctx, row: Row<T>): Promise<Record<string, unknown>>
}

/** Returns the name of an area in counts of uses: the last word of its path. */
export const nameOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1)?.replaceAll('-', '_') ?? path

/** Returns why the caller can't do something with a record; null if they can. */
async function mayNot(ctx: Ctx, needs: Needs, row: Plain): Promise<Verdict> {
  if (typeof needs === 'string') return ctx.actor.lacks(needs)
  if (ctx.actor.can(needs.any)) return null
  const lacks = ctx.actor.lacks(needs.own)
  if (lacks !== null) return lacks
  if (row.created_by === ctx.actor.id) return null
  const contractor = row.contractor_id ?? null
  return contractor !== null && (await myScope(ctx)).has(contractor)
    ? null
    : forbidden(needs.any, 'You can only do this with your own records and those of your contractor.')
}

/** Makes a plain area. */
export function resource<T extends TableName>(given: GivenResource<T>): Resource<T> {
  const { access, hooks = {}, fields, json = [], unique = [] } = given
  const table = given.kind
  const shapes = shapesOf(given)
  const label = given.label ?? (row => String((row as Plain).number ?? (row as Plain).name ?? given.noun))
  const plain = (row: Row<T>) => row as unknown as Plain // every record table has these columns
  const event = (ctx: Ctx, verb: string, row: Row<T>) =>
    ctx.emit({
      kind: `${given.kind}.${verb}`,
      site_id: plain(row).site_id,
      subject: { kind: given.kind, id: plain(row).id, label: label(row) },
      payload: { contractor_id: plain(row).contractor_id ?? null },
    })
  const read = async (ctx: Ctx, site_id: Id, id: Id): Promise<Row<T>> => {
    const row = await rowOf(ctx.db, table, site_id, id, false)
    return (row as Row<T> | null) ?? refuse(notFound()) // every column of the table
  }
  const base = {
    name: given.kind,
    label,
    sees: (ctx: Ctx) => ctx.actor.can(access.view),
    revert: 'fields' as const,
  }
  const found = (deleted: boolean) => async (ctx: Ctx, site_id: Id, id: Id, lock: boolean) => {
    const row = (await rowOf(ctx.db, table, site_id, id, lock)) as Row<T> | null // every column of the table
    return row !== null && ((plain(row).deleted_at ?? null) === null) === !deleted ? row : null
  }

  /** Checks the record as it would be, and returns it with what follows from its fields. */
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
      faults.push({ path: 'contractor_id', message: 'isn’t your contractor, or one that it oversees.' })
    if (faults.length > 0) refuse(invalid(faults))
    const whole = { ...next, ...(await hooks.derive?.(ctx, next, before)) }
    if (unique.some(column => before === null || column in changed || 'deleted_at' in changed)) {
      await holdKind(ctx.db, plain(next).site_id, given.kind)
      const values = Object.fromEntries(unique.map(column => [column, plain(whole)[column]]))
      const existing_id = await sameAs(ctx.db, table, plain(next).site_id, values, plain(next).id, given.bin ?? false)
      if (existing_id !== null)
        refuse(
          conflict('key_taken', `There is already a ${given.noun} with this ${unique.join(' and ').replaceAll('_', ' ')}.`, {
            existing_id,
          }),
        )
    }
    return whole
  }

  async function save(ctx: Ctx, before: Row<T>, next: Row<T>, verb: string): Promise<Row<T>> {
    const changes = changesOf(plain(before), plain(await checked(ctx, next, before)))
    if (Object.keys(changes).length === 0) return before
    const { site_id, id } = plain(before)
    await updateRow(ctx.db, table, site_id, id, changes, json)
    const row = await read(ctx, site_id, id)
    event(ctx, verb, row)
    await hooks.after?.(ctx, row, before)
    return row
  }

  async function takeAway(ctx: Ctx, row: Row<T>): Promise<void> {
    const { site_id, id } = plain(row)
    const used = (await usesOf(ctx, given.kind, 'ever', site_id, [id])).get(id) ?? {}
    if (Object.keys(used).length > 0) refuse(conflict('in_use', `${label(row)} is used elsewhere and can’t be deleted.`, { in_use: used }))
    if (given.bin) {
      ctx.note(id, { action: 'delete' })
      await updateRow(ctx.db, table, site_id, id, { deleted_at: ctx.now }, json)
    } else await deleteRow(ctx.db, table, site_id, id)
    event(ctx, 'deleted', row)
    await hooks.after?.(ctx, null, row)
  }

  async function bringBack(ctx: Ctx, row: Row<T>): Promise<Row<T>> {
    ctx.note(plain(row).id, { action: 'restore' })
    return save(ctx, row, { ...row, deleted_at: null }, 'restored')
  }

  const made: Kind<Row<T>> = kind<Row<T>>({
    ...base,
    find: found(false),
    undo: {
      ...(typeof access.change === 'string'
        ? { fields: { needs: access.change, put: (ctx, row, values) => save(ctx, row, { ...row, ...values }, 'changed') } }
        : { fields: { needs: access.change.any, put: (ctx, row, values) => save(ctx, row, { ...row, ...values }, 'changed') } }),
      create: { needs: typeof access.remove === 'string' ? access.remove : access.remove.any, take_away: takeAway },
      ...(access.restore === undefined ? {} : { delete: { needs: access.restore, bring_back: bringBack } }),
    },
  })
  const binned = kind<Row<T>>({ ...base, find: found(true), sees: ctx => access.restore !== undefined && ctx.actor.can(access.restore) })

  const list = listing<T>(table, {
    ...given.list,
    site_in_query: !given.path.includes(':site_id'),
    filters: {
      ...given.list.filters,
      ...(given.bin ? { deleted: filters.present('deleted_at', 'Deleted records instead of the others') } : {}),
    },
  })

  const showAll = async (ctx: Ctx, rows: readonly Row<T>[]): Promise<Record<string, unknown>[]> => {
    const computed = (await hooks.shown?.(ctx, rows)) ?? []
    return Promise.all(
      rows.map(async (row, i) => {
        const gone = (plain(row).deleted_at ?? null) !== null
        const is_gone = gone ? notFound() : null
        const change = [is_gone, await mayNot(ctx, access.change, plain(row))]
        const remove = [is_gone, await mayNot(ctx, access.remove, plain(row))]
        const flags: Record<string, ReturnType<typeof explain>> = { change: explain(change), delete: explain(remove) }
        if (access.restore !== undefined) flags.restore = explain([gone ? null : notFound(), ctx.actor.lacks(access.restore)])
        return { ...row, ...computed[i], permissions: flagsFor(ctx.actor, flags) }
      }),
    )
  }
  const show = async (ctx: Ctx, row: Row<T>) => (await showAll(ctx, [row]))[0] ?? refuse(notFound())

  return {
    given,
    shapes,
    kind: made,
    binned,
    list,
    events: eventsOf(
      given.kind,
      { contractor_id: 'Contractor of the record' },
      {
        created: `A ${given.noun} was created`,
        changed: `A ${given.noun} was changed`,
        deleted: `A ${given.noun} was deleted`,
        ...(given.bin ? { restored: `A ${given.noun} was restored` } : {}),
      },
      'contractor_id' in fields ? { contractors: { own: 'contractor_id' } } : {},
    ),
    uses: referencesIn(fields).map(({ field, kind: of }) => ({
      of,
      name: nameOf(given.path),
      when: 'ever',
      count: (ctx, site_id, of_these) => countUses(ctx.db, table, field, site_id, of_these),
    })),
    async page(ctx, site_id, query) {
      const deleted = given.bin && query.deleted === true && access.restore !== undefined && ctx.actor.can(access.restore)
      const { rows, ...rest } = await list.page(ctx, site_id, given.bin ? { ...query, deleted } : query)
      return { ...rest, rows: await showAll(ctx, rows) }
    },
    show,
    async create(ctx, site_id, body) {
      const empty = Object.fromEntries(Object.keys(fields).map(field => [field, null]))
      const first = { ...empty, ...given.defaults, ...body, site_id, id: ids.next() } as unknown as Row<T> // the schema has checked the body
      const whole = await checked(ctx, first, null)
      const number =
        given.number === undefined
          ? {}
          : { number: `${given.number}-${String(await nextNumber(ctx.db, site_id, given.kind)).padStart(6, '0')}` }
      await insertRow(ctx.db, table, { ...plain(whole), ...number }, json)
      const row = await read(ctx, site_id, plain(first).id)
      event(ctx, 'created', row)
      await hooks.after?.(ctx, row, null)
      return show(ctx, row)
    },
    async change(ctx, row, body) {
      const verdict = await mayNot(ctx, access.change, plain(row))
      if (verdict !== null) refuse(verdict)
      return show(ctx, await save(ctx, row, { ...row, ...body }, 'changed'))
    },
    async remove(ctx, row) {
      const verdict = await mayNot(ctx, access.remove, plain(row))
      if (verdict !== null) refuse(verdict)
      await takeAway(ctx, row)
    },
    restore: async (ctx, row) => show(ctx, await bringBack(ctx, row)),
  }
}
