import type { Areal, Box } from '../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row, TableName } from '../../../base/rows.ts'
import { isUncovered, tokenKind } from '../../../kernel/covers/door.ts'
import { boxed } from '../../../kernel/geometry/door.ts'

/** What tiles of one kind show: layers of the map, and the columns with the instants at which it changes by itself. */
export type Watched = { layers: readonly string[]; instants: readonly (readonly [TableName, string])[]; deliveries?: true }

/** Returns the revision of the layers, and the last instant not after `at` at which something starts or ends: both from indexes. */
export async function stateAt(
  db: Db,
  site_id: Id,
  watched: Watched,
  at: Instant,
  now: Instant,
): Promise<{ revision: string; last: Instant | null }> {
  const last = watched.instants.map(
    ([table, column]) =>
      sql`(select max(t.${sql.ref(column)}) from ${sql.table(table)} t where t.site_id = ${site_id} and t.${sql.ref(column)} <= ${at}::timestamptz)`,
  )
  // Ahead of now, a vehicle that is here is expected to leave at the end of its slot (`logistics/deliveries`).
  const ahead = watched.deliveries
    ? sql`|| '.' || coalesce((select max(t.slot_end_at)::text from delivery t where ${at}::timestamptz > ${now}::timestamptz and t.site_id = ${site_id}
        and t.status = 'arrived' and t.left_at is null and t.deleted_at is null and t.slot_end_at <= ${at}::timestamptz), '')`
    : sql``
  const { rows } = await sql<{ revision: string; last: Instant | null }>`
    select ${sql.join(
      watched.layers.map(layer => sql`coalesce(h.layers ->> ${layer}, '0')`),
      sql` || '.' || `,
    )} ${ahead} as revision, greatest(${sql.join(last)}) as last from site_head h where h.site_id = ${site_id}`.execute(db)
  return rows[0] ?? { revision: '0', last: null }
}

/** What is asked for: a place and an instant. */
export type Asked = { site_id: Id; at: Instant; now: Instant; box: Box; level_index?: number | undefined }

const common = sql`t.id, t.name, t.contractor_id, c.name as contractor, coalesce(t.colour, c.colour) as colour, t.building_id, t.level_index, t.zone_id, t.start_at, t.end_at,
  t.lon, t.lat, ${isUncovered} as no_permit`
const there = ({ site_id, at, box, level_index }: Asked) => sql`
  left join contractor c on c.site_id = t.site_id and c.id = t.contractor_id
  where t.site_id = ${site_id} and tstzrange(t.start_at, t.end_at) @> ${at}::timestamptz and t.deleted_at is null and t.bounds && ${boxed(box)}
    ${level_index === undefined ? sql`` : sql`and t.level_index = ${level_index}::integer`}`

/** A worker, a machine or a delivery in a tile. */
export type TokenRow = {
  id: Id
  kind: string
  name: string
  contractor_id: Id | null
  contractor: string | null
  colour: string | null
  trade: string | null
  category: string | null
  headcount: number | null
  building_id: Id | null
  level_index: number | null
  zone_id: Id | null
  start_at: Instant
  end_at: Instant | null
  schedule_group_id: Id | null
  edited: boolean | null
  no_permit: boolean
  lon: number
  lat: number
  polygon: Areal | null
}

/** Returns the workers, machines and deliveries that are in a box at an instant, by start and id. */
export async function tokensIn(db: Db, asked: Asked, limit: number): Promise<TokenRow[]> {
  const { at, now } = asked
  const { rows } = await sql<TokenRow>`
    select * from (
      select ${common}, 'worker' as kind, t.trade, null::text as category, t.headcount, t.schedule_group_id, t.edited, t.place -> 'polygon' as polygon from worker t ${there(asked)}
      union all
      select ${common}, 'plant', null, t.category, null, t.schedule_group_id, t.edited, null from plant t ${there(asked)}
      union all
      select ${common}, 'delivery', null, t.vehicle_kind, null, null, null, t.place -> 'polygon' from delivery t ${there(asked)} and ${tokenKind('delivery').there(at, now)}
    ) tokens order by start_at, id limit ${limit}`.execute(db)
  return rows
}

/** A machine in a tile, with what its reach follows from. */
export type MachineRow = Row<'plant'> & { contractor_colour: string | null; no_permit: boolean }

/** Returns the machines whose reach can be in a box at an instant, by start and id. */
export async function machinesIn(db: Db, asked: Asked, limit: number): Promise<MachineRow[]> {
  const { rows } = await sql<MachineRow>`
    select t.*, c.colour as contractor_colour, ${isUncovered} as no_permit
    from plant t ${there(asked)} order by t.start_at, t.id limit ${limit}`.execute(db)
  return rows
}

/** The colours of the contractors of a site. */
export async function coloursIn(db: Db, site_id: Id): Promise<Map<Id, string>> {
  const rows = await db.selectFrom('contractor').select(['id', 'colour']).where('site_id', '=', site_id).execute()
  return new Map(rows.map(({ id, colour }) => [id, colour]))
}

/** Returns the active areas that are in a box at an instant, as they were then, by start and id. `then`: the query of how they were. */
export async function areasIn(db: Db, asked: Asked, then: ReturnType<typeof sql>, limit: number): Promise<Row<'active_area'>[]> {
  const { rows } = await sql<
    Row<'active_area'>
  >`select t.* from ${then} t ${there(asked)} order by t.start_at, t.id limit ${limit}`.execute(db)
  return rows
}
