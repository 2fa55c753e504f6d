// Several things on the map in one write: each is checked as if it were alone; they are written in one statement, and one event tells of all of them (`map.md` §0.9).
import { fieldsIn } from '../../../../shared/narrow.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import { dateOn, type Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row, TableName } from '../../../base/rows.ts'
import { coverage } from '../../covers/door.ts'
import { changesOf } from '../../records/domain.ts'
import { refuseUsed } from '../../records/door.ts'
import { insertRows, lockRows, type Resource, readRows, updateRows } from '../../resource/door.ts'
import { siteOf } from '../../site/door.ts'
import { deleted } from '../domain.ts'
import { columnsIn, givenIn } from './columns.ts'
import { placeReader, type ReadPlace } from './reading.ts'

/** What an event is about: one record, or the schedule of several. */
export type Subject = { kind: string; id: Id; label: string }

/** Publishes one event for several records: as they are now, and as they were if they were changed. */
export type TellAll<T extends TableName> = (
  ctx: Ctx,
  verb: 'created' | 'changed' | 'removed',
  rows: readonly Row<T>[],
  before: readonly Row<T>[],
  subject?: Subject,
) => void

/** Several records of an area at once. */
export type Many<T extends TableName> = {
  /** Returns the records with these ids, in the order of their ids. */
  read(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Row<T>[]>
  /** Returns the records with these ids, locked in the order of their ids. */
  lock(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Row<T>[]>
  /** Creates records; each body has the same fields. Permissions have been checked. */
  createAll(ctx: Ctx, site_id: Id, bodies: readonly Record<string, unknown>[], subject?: Subject): Promise<Row<T>[]>
  /** Changes records, as `set` says for each; those that stay as they are aren’t written. */
  putAll(ctx: Ctx, rows: readonly Row<T>[], set: (row: Row<T>) => Record<string, unknown>, subject?: Subject): Promise<Row<T>[]>
  /**
   * Deletes records, which stay in the table for their history, and their links to permits; refuses if another record uses one of them. `why` is written into the
   * history of the links; null: each was deleted.
   */
  removeAll(ctx: Ctx, rows: readonly Row<T>[], why: string | null, subject?: Subject): Promise<void>
}

/** Makes these functions of an area. */
export function manyOf<T extends TableName>(
  table: T,
  base: Resource<T>,
  tell: TellAll<T>,
  covered: boolean,
  labelOf: (row: Row<T>) => string,
): Many<T> {
  const lock = (ctx: Ctx, site_id: Id, ids: readonly Id[]) => lockRows(ctx.db, table, site_id, ids)
  return {
    read: (ctx, site_id, ids) => readRows(ctx.db, table, site_id, ids),
    lock,
    async createAll(ctx, site_id, bodies, subject) {
      await foresee(ctx, site_id, bodies)
      const whole: Record<string, unknown>[] = []
      for (const body of bodies) whole.push(fieldsIn(await base.checked(ctx, base.blank(site_id, body), null)))
      await insertRows(ctx.db, table, whole)
      const made = await lock(
        ctx,
        site_id,
        whole.map(({ id }) => String(id)),
      )
      if (made.length > 0) tell(ctx, 'created', made, [], subject)
      for (const row of made) await base.given.hooks?.after?.(ctx, row, null)
      return made
    },
    async putAll(ctx, rows, set, subject) {
      const [first] = rows
      if (first === undefined) return []
      const { site_id } = columnsIn(first)
      const next = rows.map(row => ({ ...row, ...set(row) }))
      await foresee(ctx, site_id, next)
      const changed: { before: Row<T>; whole: Row<T> }[] = []
      for (const [i, row] of rows.entries()) {
        const wanted = next[i]
        if (wanted === undefined) continue
        const whole = await base.checked(ctx, wanted, row)
        if (Object.keys(changesOf(fieldsIn(row), fieldsIn(whole))).length > 0) changed.push({ before: row, whole })
      }
      const names = [...new Set(changed.flatMap(({ before, whole }) => Object.keys(changesOf(fieldsIn(before), fieldsIn(whole)))))]
      await updateRows(
        ctx.db,
        table,
        site_id,
        names,
        changed.map(({ whole }) => fieldsIn(whole)),
      )
      const written = await lock(
        ctx,
        site_id,
        changed.map(({ before }) => columnsIn(before).id),
      )
      if (written.length > 0)
        tell(
          ctx,
          'changed',
          written,
          changed.map(({ before }) => before),
          subject,
        )
      const then = new Map(changed.map(({ before }) => [columnsIn(before).id, before]))
      for (const row of written) await base.given.hooks?.after?.(ctx, row, then.get(columnsIn(row).id) ?? null)
      return written
    },
    async removeAll(ctx, rows, why, subject) {
      const [first] = rows
      if (first === undefined) return
      const { site_id } = columnsIn(first)
      const { timezone } = await siteOf(ctx, site_id)
      // Those of a schedule have one name: the day says which of them it is.
      const dayOf = (row: Row<T>) => (rows.length === 1 ? '' : ` on ${dateOn(timezone, columnsIn(row).start_at)}`)
      const named = rows.map(row => ({ id: columnsIn(row).id, label: labelOf(row) + dayOf(row) }))
      await refuseUsed(ctx, base.given.kind, site_id, named, true)
      for (const { id } of named) ctx.note(id, { action: 'delete' })
      const gone = named.map(({ id }) => ({ id, deleted_at: ctx.now }))
      await updateRows(ctx.db, table, site_id, ['deleted_at'], gone)
      tell(ctx, 'removed', rows, [], subject)
      for (const row of rows) await base.given.hooks?.after?.(ctx, null, row)
      if (covered) await coverage().drop(ctx, site_id, new Map(rows.map(row => [columnsIn(row).id, why ?? deleted(labelOf(row))])))
    },
  }
}

type Known = { changes: Map<string, Instant[]>; read: Map<string, Promise<ReadPlace>> }
const known = new WeakMap<Ctx, Known>()
const knownTo = (ctx: Ctx): Known => {
  const one = known.get(ctx) ?? { changes: new Map(), read: new Map() }
  known.set(ctx, one)
  return one
}

/** Finds out when the ground changes at the places of records that start at different times, so that each place is read once for each ground and not for each record. */
async function foresee(ctx: Ctx, site_id: Id, bodies: readonly object[]): Promise<void> {
  const starts = new Map<string, { place: unknown; all: Instant[] }>()
  for (const body of bodies) {
    const { place, start_at } = { place: undefined, start_at: undefined, ...body }
    if (typeof start_at !== 'string') continue
    const key = canonicalJson(place ?? null)
    const found = starts.get(key) ?? { place, all: [] }
    found.all.push(start_at)
    starts.set(key, found)
  }
  for (const [key, { place, all }] of starts) {
    const sorted = all.toSorted()
    const [first, last] = [sorted[0], sorted.at(-1)]
    if (first === undefined || last === undefined || first === last) continue
    knownTo(ctx).changes.set(key, [first, ...(await placeReader().changes(ctx, site_id, givenIn(place), first, last))])
  }
}

/** Reads a place as it is at a start; a place that was foreseen is read once for each ground. */
export function readPlace(ctx: Ctx, site_id: Id, place: unknown, start_at: Instant): Promise<ReadPlace> {
  const { changes, read } = knownTo(ctx)
  const key = canonicalJson(place ?? null)
  const since = changes.get(key)?.findLast(at => at <= start_at)
  if (since === undefined) return placeReader().read(ctx, site_id, givenIn(place), start_at)
  const one = `${key} ${since}`
  const asked = read.get(one) ?? placeReader().read(ctx, site_id, givenIn(place), start_at)
  read.set(one, asked)
  return asked
}
