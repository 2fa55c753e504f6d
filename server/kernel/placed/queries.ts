import type { Areal, LonLat } from '../../../shared/geometry/plane.ts'
import type { Instant } from '../../../shared/time.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** What a person said about a place: names, and a point or a polygon. */
export type StoredPlace = { building_id?: Id; level_index?: number; zone_id?: Id; point?: LonLat; polygon?: Areal }

/** Returns the colours of contractors. */
export async function coloursOf(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('contractor').select(['id', 'colour']).where('site_id', '=', site_id).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row.colour]))
}

/** The condition for what is there at an instant, as its index has it. */
export const aliveAt = (at: Instant) => sql`tstzrange(t.start_at, t.end_at) @> ${at}::timestamptz and t.deleted_at is null`

/** The condition for what is there at some time of a period. */
export const aliveDuring = (from: Instant, to: Instant) =>
  sql`tstzrange(t.start_at, t.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) and t.deleted_at is null`

/** Returns the shapes of everything in a table that hasn’t ended. */
export async function placesAhead(db: Db, table: string, site_id: Id, now: Instant): Promise<StoredPlace[]> {
  const { rows } = await sql<{ place: StoredPlace }>`
    select t.place from ${sql.table(table)} t
    where t.site_id = ${site_id} and t.deleted_at is null and tstzrange(t.start_at, t.end_at) && tstzrange(${now}::timestamptz, null)`.execute(
    db,
  )
  return rows.map(row => row.place)
}
