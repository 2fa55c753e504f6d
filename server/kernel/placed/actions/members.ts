// Things on the map as conditions select them (`conflict-and-planning.md` §0.4, fields of `entity`): the relation that smart groups are evaluated on.
import { ENTITY_COLUMNS, type EntityFacts } from '../../../../shared/predicates/entity.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { TableName } from '../../../base/rows.ts'
import { coverage } from '../../covers/door.ts'
import type { Expression, Members } from '../../predicates/door.ts'
import { ownerThen, siteOf } from '../../site/door.ts'
import { aliveAt } from '../queries.ts'
import { shownPlaceOf } from './columns.ts'
import type { There } from './there.ts'

type Sql = ReturnType<typeof sql>
type Columns = Partial<Record<keyof EntityFacts, Expression>>

/** What only this area knows of its records, each a row called `t`; and on which site day, if it depends on that. */
export type Facts = (site: { at: Instant; now: Instant; timezone: string }) => Columns

/** What all things on the map have, and what those have that nobody knows anything of. */
const COMMON: Record<Exclude<keyof EntityFacts, 'kind'>, Expression> = {
  id: sql`t.id`,
  label: sql`t.name`,
  start_at: sql`t.start_at`,
  end_at: sql`t.end_at`,
  contractor_id: ownerThen('t'),
  building_id: sql`t.building_id`,
  level_index: sql`t.level_index`,
  zone_ids: sql`array_remove(array[t.zone_id], null)`,
  trade: sql`null::text`,
  headcount: sql`null::integer`,
  plant_category: sql`null::text`,
  lifting: sql`null::boolean`,
  lifts_persons: sql`null::boolean`,
  examination_state: sql`null::text`,
  area_kind: sql`null::text`,
  exclusive: sql`null::boolean`,
  delivery_status: sql`null::text`,
  permit_types: sql`'{}'::text[]`,
  permit_statuses: sql`'{}'::text[]`,
  has_live_permit: sql`false`,
  work_line_id: sql`null::uuid`,
  activity_key: sql`null::text`,
  schedule_group_id: sql`null::uuid`,
}

/** What an area tells about its records for conditions. */
export type OfMembers = { table: TableName; facts: Facts; covered: boolean }

/** Returns the columns of a row `t` that conditions read. `whole`: permits count whether or not the caller sees them. */
export async function factsOf(ctx: Ctx, site_id: Id, of: OfMembers, at: Instant, whole: boolean): Promise<Sql> {
  const { timezone } = await siteOf(ctx, site_id)
  const permits = of.covered ? await coverage().facts(ctx, site_id, whole) : {}
  const all: Record<string, Expression> = {
    ...COMMON,
    kind: sql`${sql.lit(of.table)}::text`,
    ...permits,
    ...of.facts({ at, now: ctx.now, timezone }),
  }
  return sql.join(ENTITY_COLUMNS.map(name => sql`${all[name]} as ${sql.ref(name)}`))
}

/** Makes the records of an area members of what conditions select. */
export const membersOfArea = (
  of: OfMembers,
  there: There<never> | undefined,
  as_then: ((site_id: Id, at: Instant) => Sql) | undefined,
): Members => ({
  subject: 'entity',
  async places(ctx, site_id, at, ids) {
    const { rows } = await sql<{ id: Id }>`
      select t.id, t.building_id, t.level_index, t.zone_id, t.place from ${as_then?.(site_id, at) ?? sql.table(of.table)} t
      where t.site_id = ${site_id} and t.id = any(${ids}::uuid[]) and ${aliveAt(at)}`.execute(ctx.db)
    return new Map(rows.map(row => [row.id, shownPlaceOf(row)]))
  },
  async of(ctx, site_id, at, ids) {
    const columns = await factsOf(ctx, site_id, of, at, true)
    const also = there === undefined ? sql`` : sql`and ${there.where(null, ctx.now)}`
    return sql`(select ${columns} from ${sql.table(of.table)} t where t.site_id = ${site_id} and t.id = any(${ids}::uuid[]) and t.deleted_at is null ${also})`
  },
  async at(ctx, site_id, at, whole) {
    const columns = await factsOf(ctx, site_id, of, at, whole)
    const also = there === undefined ? sql`` : sql`and ${there.where(at, ctx.now)}`
    return sql`(select ${columns} from ${as_then?.(site_id, at) ?? sql.table(of.table)} t where t.site_id = ${site_id} and ${aliveAt(at)} ${also})`
  },
})
