import type { Db } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { AnyRow, GivenKind, Kind } from './domain.ts'
import { directoryEntry, rowOf } from './queries.ts'

export type { AnyRow, Kind, RevertClass } from './domain.ts'

/** Makes a kind of record. Left out: table and path parameter from the name, found by site and id, seen by every active member. */
export function kind<Row = AnyRow>(given: GivenKind<Row>): Kind<Row> {
  const table = given.table ?? given.name
  return {
    name: given.name,
    table,
    param: given.param ?? `${given.name}_id`,
    label: given.label,
    parent: given.parent ?? (() => null),
    find: given.find ?? (async (ctx, site_id, id, lock) => (await rowOf(ctx.db, table, site_id, id, lock)) as Row | null), // the table's row is what `Row` describes
    sees: given.sees ?? (() => true),
    ...(given.hides_from_writes === undefined ? {} : { hides_from_writes: given.hides_from_writes }),
    secret: given.secret ?? [],
    derived: given.derived ?? [],
    geometry: given.geometry ?? [],
    revert: given.revert ?? 'fields',
    ...(given.put_back === undefined ? {} : { put_back: given.put_back }),
    platform: given.platform ?? false,
  }
}

const byTable = new Map<string, Kind<AnyRow>>()
const byName = new Map<string, Kind<AnyRow>>()

/** Plugs the kinds of all rooms in, once at start. */
export function plugKinds(kinds: readonly Kind<never>[]): void {
  byTable.clear()
  byName.clear()
  for (const one of kinds as unknown as Kind<AnyRow>[]) { // a kind is only ever given rows of its own table
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
