// Clashes as people read them.
import type { StanceKind } from '../../../../../shared/conflicts/stances.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { andAmong } from '../../../../base/plans.ts'
import type { ClashRow } from '../../kit/domain/stored.ts'

/** A clash with its rule and the active decision about its episode. */
export type ListedClash = ClashRow & { rule_name: string; stance: StanceKind | null; due_at: Instant | null }

/** What a list of clashes is filtered by. `scope`: the contractors whose clashes the caller sees; null for all. */
export type ClashFilter = {
  at?: Instant
  from?: Instant
  to?: Instant
  now: Instant
  id?: readonly Id[]
  severity?: readonly string[]
  rule_id?: readonly Id[]
  status?: readonly string[]
  sides?: readonly Id[]
  kind?: readonly string[]
  contractor_id?: readonly Id[]
  building_id?: readonly Id[]
  level_index?: readonly number[]
  zone_id?: readonly Id[]
  stance?: readonly string[]
  permit_only?: boolean
  episode_ids?: readonly Id[]
  scope: readonly (Id | null)[] | null
}

type Sql = ReturnType<typeof sql>
const when = (value: unknown, condition: Sql): Sql => (value === undefined ? sql`` : sql`and ${condition}`)
const contractor = (side: 'a' | 'b'): Sql => sql`(c.${sql.ref(side)} ->> 'contractor_id')::uuid`
const kindOf = (side: 'a' | 'b'): Sql => sql`c.${sql.ref(side)} ->> 'kind'`
const within = (scope: ClashFilter['scope']): Sql =>
  scope === null
    ? sql``
    : sql`and (${contractor('a')} = any(${scope}::uuid[]) or ${contractor('b')} = any(${scope}::uuid[])
        ${scope.includes(null) ? sql`or ${contractor('a')} is null or ${contractor('b')} is null` : sql``})`
const STATUS: Record<string, (now: Instant) => Sql> = {
  upcoming: now => sql`c.from_at > ${now}::timestamptz`,
  current: now => sql`c.from_at <= ${now}::timestamptz and (c.to_at is null or c.to_at > ${now}::timestamptz)`,
  past: now => sql`c.to_at <= ${now}::timestamptz`,
}

/** Returns clashes by start, red first, by id. */
export async function clashesOf(
  db: Db,
  site_id: Id,
  filter: ClashFilter,
  page: { limit: number; after: readonly (string | number | null)[] | null } | null,
): Promise<ListedClash[]> {
  const {
    at,
    from,
    to,
    now,
    id,
    severity,
    rule_id,
    status,
    sides,
    kind,
    contractor_id,
    building_id,
    level_index,
    zone_id,
    stance,
    permit_only,
    scope,
  } = filter
  const { episode_ids } = filter
  const after = page?.after ?? null
  const { rows } = await sql<ListedClash>`
    select c.id, c.episode_id, c.rule_id, c.rule_version, c.origin_id, c.severity, c.from_at, c.to_at, c.a, c.b, c.distance_m, c.level_gap, c.nearest, c.reasons,
      c.building_ids, c.level_indexes, c.zone_ids, c.detected_at, r.name as rule_name, s.kind as stance, s.due_at
    from clash c join clash_rule r on r.site_id = c.site_id and r.id = c.rule_id
    left join clash_stance s on s.site_id = c.site_id and s.episode_id = c.episode_id and s.lapsed_at is null and s.replaced_at is null and s.withdrawn_at is null
    where c.site_id = ${site_id} ${when(episode_ids, sql`c.episode_id = any(${episode_ids ?? []}::uuid[])`)}
      ${when(at, sql`tstzrange(c.from_at, c.to_at) @> ${at}::timestamptz`)}
      ${when(from, sql`tstzrange(c.from_at, c.to_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz)`)}
      ${andAmong('c.id', id, 'uuid')} ${andAmong('c.severity', severity, 'text')} ${andAmong('c.rule_id', rule_id, 'uuid')}
      ${when(
        status,
        sql`(${sql.join(
          (status ?? []).map(one => STATUS[one]?.(now) ?? sql`false`),
          sql` or `,
        )})`,
      )}
      ${when(sides, sql`(c.a_id = any(${sides ?? []}::uuid[]) or c.b_id = any(${sides ?? []}::uuid[]))`)}
      ${when(kind, sql`(${kindOf('a')} = any(${kind ?? []}::text[]) or ${kindOf('b')} = any(${kind ?? []}::text[]))`)}
      ${when(permit_only === true ? true : undefined, sql`${kindOf('a')} = 'permit' and ${kindOf('b')} = 'permit'`)}
      ${when(contractor_id, sql`(${contractor('a')} = any(${contractor_id ?? []}::uuid[]) or ${contractor('b')} = any(${contractor_id ?? []}::uuid[]))`)}
      ${when(building_id, sql`${building_id ?? []}::uuid[] && c.building_ids`)} ${when(level_index, sql`${level_index ?? []}::integer[] && c.level_indexes`)}
      ${when(zone_id, sql`${zone_id ?? []}::uuid[] && c.zone_ids`)} ${when(stance, sql`coalesce(s.kind, 'none') = any(${stance}::text[])`)}
      ${within(scope)}
      ${after === null ? sql`` : sql`and (c.from_at, c.severity <> 'red', c.id) > (${after[0]}::timestamptz, ${after[1]}::integer = 1, ${after[2]}::uuid)`}
    order by c.from_at, c.severity <> 'red', c.id ${page === null ? sql`` : sql`limit ${page.limit}`}`.execute(db)
  return rows
}

/** Returns when the clashes of a period start and end, for the time slider; `ids`: only these of them. `scope` is as in a filter. */
export const clashSpans = (
  site_id: Id,
  from: Instant,
  to: Instant,
  scope: ClashFilter['scope'],
  ids: readonly Id[] | undefined,
): Sql => sql`
  select c.id, c.from_at, c.to_at, 0 as people, 0 as uncovered from clash c where c.site_id = ${site_id}
    and tstzrange(c.from_at, c.to_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) ${andAmong('c.id', ids, 'uuid')} ${within(scope)}`

/** Returns which of these sides don't exist on a site. */
export async function strangeSides(db: Db, site_id: Id, sides: readonly { kind: string; id: Id }[]): Promise<boolean> {
  for (const { kind, id } of sides) {
    const { rows } = await sql`select 1 from ${sql.table(kind)} where site_id = ${site_id} and id = ${id}`.execute(db)
    if (rows.length === 0) return true
  }
  return false
}

/** Returns whether a person is an active member of a site, or a contractor belongs to it. */
export async function isOnSite(db: Db, site_id: Id, of: { user_id: Id } | { contractor_id: Id }): Promise<boolean> {
  const { rows } =
    'user_id' in of
      ? await sql`select 1 from membership where site_id = ${site_id} and user_id = ${of.user_id} and status = 'active'`.execute(db)
      : await sql`select 1 from contractor where site_id = ${site_id} and id = ${of.contractor_id} and status = 'active'`.execute(db)
  return rows.length > 0
}
