import type { Instant } from '../../../shared/time.ts'
import type { Ctx } from '../../base/ctx.ts'
import type { Db } from '../../base/db.ts'
import type { Findable } from '../../base/findable.ts'
import type { Id } from '../../base/ids.ts'
import type { AnyRow, RevertClass } from './domain.ts'
import { directoryEntry, rowOf } from './queries.ts'

export type { AnyRow, RevertClass } from './domain.ts'
export { directoryEntry, forgetRecords, rowAsJson, rowFrom, rowOf } from './queries.ts'

/** A kind of record: how it is found, who sees it, what it is called, and how its history reads. */
export type Kind<Row = AnyRow> = Findable<Row> & {
  table: string
  /** The record in words, as it is now: "PTW-000123". Kept in each entry as it was. */
  label(row: Row): string
  /** The record that it is part of. */
  parent(row: Row): { kind: string; id: Id } | null
  /** Columns that never reach the audit log. */
  secret: readonly string[]
  /** Columns that are computed from others, whose change is no change. */
  derived: readonly string[]
  /** Columns with a geometry: the audit log stores its digest and area. */
  geometry: readonly string[]
  revert: RevertClass
  /** How a change of it is reverted; without this it can't be. */
  undo: Undo<Row>
  /** Which of these records the caller sees, for lists of many; ids that are no longer there are left out. */
  sees_many?(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<Map<Id, boolean>>
  /** Fields of this record that its history shows to the caller as changed, without values. */
  hides(ctx: Ctx, row: Row): readonly string[] | Promise<readonly string[]>
  /** Every active member sees all of them. */
  open: boolean
  /** Belongs to the platform, not to a site. */
  platform: boolean
}

/**
 * How a change is reverted (`site-and-people.md` §15, Revert): a new write through the room's own function, with its refusals and events, and the
 * permission that it needs today.
 */
export type Undo<Row> = {
  /** Puts fields of a change back to what they were. */
  fields?: {
    needs: string
    put(ctx: Ctx, row: Row, fields: Record<string, unknown>): Promise<unknown>
    /** The record as the audit log spells it, where that is not its row. */
    now?(ctx: Ctx, row: Row): Promise<Record<string, unknown>>
  }
  /** Takes away what was made; `id` is that of the entry's record. */
  create?: { needs: string; take_away(ctx: Ctx, row: Row, id: Id): Promise<unknown> }
  /** Brings back what was deleted, under its old id. */
  delete?: { needs: string; bring_back(ctx: Ctx, row: Row): Promise<unknown> }
}

/** What a room says of a kind; the rest has defaults. */
export type GivenKind<Row> = {
  name: string
  table?: string
  param?: string
  label: (row: Row) => string
  parent?: (row: Row) => { kind: string; id: Id } | null
  sees?: (ctx: Ctx, row: Row) => boolean | Promise<boolean>
  find?: (ctx: Ctx, site_id: Id, id: Id, lock: boolean) => Promise<Row | null>
  shared?: (id: Id) => boolean
  secret?: readonly string[]
  derived?: readonly string[]
  geometry?: readonly string[]
  revert?: RevertClass
  undo?: Undo<Row>
  hides?: (ctx: Ctx, row: Row) => readonly string[] | Promise<readonly string[]>
  sees_many?: (ctx: Ctx, site_id: Id, ids: readonly Id[]) => Promise<Map<Id, boolean>>
  platform?: boolean
}

/**
 * Makes a kind of record. Left out: table and path parameter from the name, found by site and id, seen by every active member; of the platform, found
 * by id and seen by superadmins.
 */
export function kind<Row = AnyRow>(given: GivenKind<Row>): Kind<Row> {
  const table = given.table ?? given.name
  return {
    name: given.name,
    table,
    param: given.param ?? `${given.name}_id`,
    label: given.label,
    parent: given.parent ?? (() => null),
    // Tables of the platform have no site. The table's row is what `Row` describes.
    find:
      given.find ??
      (async (ctx, site_id, id, lock) => (await rowOf(ctx.db, table, given.platform === true ? null : site_id, id, lock)) as Row | null),
    // What belongs to a site is seen by its members, whom the edge has let in; what belongs to no site has no members.
    sees: given.sees ?? (ctx => given.platform !== true || ctx.actor.is_superadmin),
    ...(given.shared === undefined ? {} : { shared: given.shared }),
    secret: given.secret ?? [],
    derived: given.derived ?? [],
    geometry: given.geometry ?? [],
    revert: given.revert ?? 'fields',
    undo: given.undo ?? {},
    hides: given.hides ?? (() => []),
    ...(given.sees_many === undefined ? {} : { sees_many: given.sees_many }),
    open: given.sees === undefined && given.platform !== true,
    platform: given.platform ?? false,
  }
}

const byTable = new Map<string, Kind<AnyRow>>()
const byName = new Map<string, Kind<AnyRow>>()

/** Plugs the kinds of all rooms in, once at start. */
export function plugKinds(kinds: readonly Kind[]): void {
  byTable.clear()
  byName.clear()
  for (const one of kinds) {
    if (byTable.has(one.table)) throw new Error(`Two kinds speak of the table ${one.table}.`)
    if (byName.has(one.name)) throw new Error(`Two kinds are called ${one.name}.`)
    byTable.set(one.table, one)
    byName.set(one.name, one)
  }
}

/** The kind whose records stand in a table. */
export const kindOfTable = (table: string): Kind<AnyRow> | undefined => byTable.get(table)
/** The kind of this name. */
export const kindNamed = (name: string): Kind<AnyRow> | undefined => byName.get(name)
/** Every kind there is. */
export const allKinds = (): Kind<AnyRow>[] => [...byName.values()]

const places = new Map<Id, Id>()

/** The site of a record, by its bare id. A record never moves, so what was once found is remembered. */
export async function siteOfRecord(db: Db, id: Id): Promise<Id | null> {
  const known = places.get(id)
  if (known !== undefined) return known
  const entry = await directoryEntry(db, id)
  if (entry === null) return null
  if (places.size >= 200_000) places.clear()
  places.set(id, entry.site_id)
  return entry.site_id
}

/** What narrows a count of uses: `from`, counted at or after this instant in place of now; `levels`, of a building, what names one of these. */
export type UseScope = { from?: Instant; levels?: readonly number[] }

/**
 * How one area uses records of another: an `ever` use prevents deletion (`in_use`), `ahead` counts what is still to come, `now` is shown as a count.
 */
export type Use = {
  of: string
  name: string
  when: 'ever' | 'ahead' | 'now'
  count(ctx: Ctx, site_id: Id, ids: readonly Id[], scope: UseScope): Promise<Map<Id, number>>
}

const uses: Use[] = []

/** Plugs in who uses whose records, once at start. */
export function plugUses(all: readonly Use[]): void {
  uses.splice(0, uses.length, ...all)
}

/** How often each of these records is used, by area; areas that do not use one are left out. */
export async function usesOf(
  ctx: Ctx,
  of: string,
  when: Use['when'],
  site_id: Id,
  ids: readonly Id[],
  scope: UseScope = {},
): Promise<Map<Id, Record<string, number>>> {
  const out = new Map<Id, Record<string, number>>(ids.map(id => [id, {}]))
  if (ids.length === 0) return out
  for (const use of uses) {
    if (use.of !== of || use.when !== when) continue
    for (const [id, n] of await use.count(ctx, site_id, ids, scope)) {
      const counts = out.get(id)
      if (counts !== undefined && n > 0) counts[use.name] = n
    }
  }
  return out
}
