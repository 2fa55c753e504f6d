import type { Areal, Box } from '../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row, TableName } from '../../../base/rows.ts'
import { isUncovered, isUncoveredOn, tokenKind } from '../../../kernel/covers/door.ts'
import { boxed } from '../../../kernel/geometry/door.ts'

/** What tiles of one kind show: layers of the map, and the columns with the instants at which it changes by itself. */
export type Watched = { layers: readonly string[]; instants: readonly (readonly [TableName, string])[]; deliveries?: true }

/**
 * The state of the layers at an instant: their revisions, that of the whole map, the last start or end not after the instant, the next one after it, and when the next
 * vehicle that is here is expected to leave.
 */
export type State = { revision: string; map_revision: number; last: Instant | null; next: Instant | null; leaves: Instant | null }

/** Returns the state of the layers at an instant: all of it from indexes. */
export async function stateAt(db: Db, site_id: Id, watched: Watched, at: Instant, now: Instant): Promise<State> {
  const ends = (which: 'max' | 'min') =>
    sql.join(
      watched.instants.map(([table, column]) => {
        const instant = sql`t.${sql.ref(column)}`
        const side = which === 'max' ? sql`max(${instant})` : sql`min(${instant})`
        return sql`(select ${side} from ${sql.table(table)} t where t.site_id = ${site_id} and ${instant} ${which === 'max' ? sql`<=` : sql`>`} ${at}::timestamptz)`
      }),
    )
  // A vehicle that is here is expected to leave at the end of its slot, as long as that is ahead of now (`logistics/deliveries`).
  const slot = (which: 'max' | 'min', when: ReturnType<typeof sql>) =>
    watched.deliveries
      ? sql`(select ${which === 'max' ? sql`max(t.slot_end_at)` : sql`min(t.slot_end_at)`} from delivery t
          where t.site_id = ${site_id} and t.status = 'arrived' and t.left_at is null and t.deleted_at is null and t.slot_end_at ${when}::timestamptz)`
      : sql`null::timestamptz`
  const { rows } = await sql<State>`
    select ${sql.join(
      watched.layers.map(layer => sql`coalesce(h.layers ->> ${layer}, '0')`),
      sql` || '.' || `,
    )} || '.' || coalesce(${slot('max', sql`<= ${now}`)}::text, '') || '.' || coalesce(${at > now ? slot('max', sql`<= ${at}`) : sql`null`}::text, '') as revision,
      h.revision as map_revision, greatest(${ends('max')}) as last, least(${ends('min')}) as next, ${slot('min', sql`> ${now}`)} as leaves
    from site_head h where h.site_id = ${site_id}`.execute(db)
  return rows[0] ?? { revision: '0', map_revision: 0, last: null, next: null, leaves: null }
}

/** What is asked for: a place and an instant. */
export type Asked = { site_id: Id; at: Instant; now: Instant; box: Box; level_index?: number | undefined }

const within = ({ site_id, at, box, level_index }: Asked) => sql`
    where t.site_id = ${site_id} and tstzrange(t.start_at, t.end_at) @> ${at}::timestamptz and t.deleted_at is null and t.bounds && ${boxed(box)}
    ${level_index === undefined ? sql`` : sql`and t.level_index = ${level_index}::integer`}`
const there = (asked: Asked) => sql`left join contractor c on c.site_id = t.site_id and c.id = t.contractor_id ${within(asked)}`

/** Workers, machines or deliveries in a tile that are alike in most of what a tile says about them. */
export type TokenGroup = {
  kind: string
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
  edited: boolean | null
  no_permit: boolean
  /** How many there are. */
  count: number
  /** Of each, the 16 bytes of its id and its longitude and latitude as 8 bytes each, in Base64: what the database sends takes as long as what it reads. */
  spots: string
  /** The name of each, in a line. */
  names: string
  /** The schedule of each; null if none has one. */
  series: (Id | null)[] | null
  /** The polygon of each; null if none has one. */
  polygons: (Areal | null)[] | null
}

/** The kinds of records from whose rows `tokensIn` makes its groups: those that are on the tile, and those that say more about them. */
export const TOKEN_KINDS = ['worker', 'plant', 'delivery']
export const ABOUT_TOKENS = ['contractor', 'permit_config', 'permit_entity']

/**
 * Returns the workers, machines and deliveries that are in a box at an instant, in groups: to read thousands of rows with all their columns takes several times as
 * long. `first`: at most this many, by start and id; otherwise `limit` of them, whichever. `only`: none but those with these ids.
 */
export async function tokensIn(
  db: Db,
  asked: Asked,
  { limit, first = false, only }: { limit: number; first?: boolean; only?: readonly Id[] },
): Promise<TokenGroup[]> {
  const { site_id, at, now } = asked
  const wanted = only === undefined ? within(asked) : sql`${within(asked)} and t.id = any(${only}::uuid[])`
  const common = sql`t.id, t.name, t.contractor_id, t.colour as own_colour, t.building_id, t.level_index, t.zone_id, t.start_at, t.lon, t.lat, ${isUncoveredOn(site_id)} as no_permit`
  const delivery = tokenKind('delivery')
  const { rows } = await sql<TokenGroup>`
    select g.kind, g.contractor_id, c.name as contractor, coalesce(g.own_colour, c.colour) as colour, g.trade, g.category, g.headcount, g.building_id, g.level_index,
      g.zone_id, g.start_at, g.end_at, g.edited, g.no_permit, g.count, g.spots, g.names, g.series, g.polygons
    from (
      select kind, contractor_id, own_colour, trade, category, headcount, building_id, level_index, zone_id, start_at, end_at, edited, no_permit,
        count(*) as count, encode(string_agg(uuid_send(id) || float8send(lon) || float8send(lat), ''), 'base64') as spots, string_agg(replace(name, e'\\n', ' '), e'\\n') as names,
        case when count(schedule_group_id) > 0 then json_agg(schedule_group_id) end as series, case when count(polygon) > 0 then json_agg(polygon) end as polygons
      -- A type that can't be sorted, so that the groups are hashed (decision 993).
      from (select *, '0'::xid as hashed from (
        select ${common}, t.end_at, 'worker' as kind, t.trade, null::text as category, t.headcount, t.schedule_group_id, t.edited, t.place -> 'polygon' as polygon from worker t ${wanted}
        union all
        select ${common}, t.end_at, 'plant', null, t.category, null, t.schedule_group_id, t.edited, null from plant t ${wanted}
        union all
        select ${common}, ${delivery.end_at(now)}, 'delivery', null, t.vehicle_kind, null, null, null, t.place -> 'polygon' from delivery t ${wanted} and ${delivery.there(at, now)}
        ${first ? sql`order by start_at, id` : sql``} limit ${limit}) token) tokens
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, hashed) g
    left join contractor c on c.site_id = ${site_id} and c.id = g.contractor_id order by g.start_at, g.spots`.execute(db)
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
