// What has to be settled: the open episodes without a decision that settles them, as a page and as counts.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Cursor } from '../../../../base/paging.ts'
import { andAmong, onePast } from '../../../../base/plans.ts'
import { wallSql } from '../../../../base/walls.ts'
import { type ClashEpisodeRow, EFFECT, FROM, inScope, ofContractors, SHOWN } from './episodes.ts'

/** What has to be settled until an instant. `scope`: the contractors whose clashes the caller sees; null for all. */
export type ToSettle = {
  until: Instant
  id: readonly Id[] | undefined
  severity: readonly string[] | undefined
  rule_id: readonly Id[] | undefined
  contractor_id: readonly Id[] | undefined
  scope: readonly (Id | null)[] | null
}

const toSettle = (site_id: Id, { until, id, severity, rule_id, contractor_id, scope }: ToSettle) => sql`
  e.site_id = ${site_id} and e.status = 'open' and e.next_at <= ${until}::timestamptz and (s.id is null or s.kind = 'resolving') ${inScope(scope)}
  ${andAmong('e.id', id, 'uuid')} ${andAmong('e.severity', severity, 'text')} ${andAmong('e.rule_id', rule_id, 'uuid')} ${ofContractors(contractor_id)}`

/** The keys by which the list is ordered, besides the id. */
type Keys = { not_red: number; effect_rank: number; next_at: Instant }

/** Returns where the list goes on after this row. */
export const cursorOf = ({ not_red, effect_rank, next_at, id }: Keys & { id: Id }): Cursor => [not_red, effect_rank, next_at, id]

/** How many values a cursor of the list has. */
export const CURSOR_LENGTH = 4

/**
 * Returns a page of what has to be settled: red first, then by what it means for the work, then the soonest; one row more than asked for, if there are more. Only what
 * orders the list is read of all of them. `total`: how many there are.
 */
export async function unresolvedOf(
  db: Db,
  site_id: Id,
  filter: ToSettle,
  { limit, after }: { limit: number; after: Cursor | null },
): Promise<{ rows: (ClashEpisodeRow & Keys)[]; total: number | null }> {
  const beyond =
    after === null
      ? sql``
      : sql`where (t.not_red, t.effect_rank, t.next_at, t.id) > (${after[0]}::integer, ${after[1]}::integer, ${after[2]}::timestamptz, ${after[3]}::uuid)`
  const { rows } = await sql<ClashEpisodeRow & Keys & { total: number }>`
    with todo as materialized (
      select e.id, (e.severity <> 'red')::integer as not_red, array_position(array['stops', 'slows', 'none'], ${EFFECT}) as effect_rank, e.next_at
      from ${FROM} where ${toSettle(site_id, filter)}),
    cut as materialized (select t.* from todo t ${beyond} order by t.not_red, t.effect_rank, t.next_at, t.id limit ${onePast(limit)})
    select ${SHOWN}, cut.not_red, cut.effect_rank, (select count(*)::integer from todo) as total
    from ${FROM} join cut on cut.id = e.id where e.site_id = ${site_id} order by cut.not_red, cut.effect_rank, cut.next_at, cut.id`.execute(
    db,
  )
  return { rows, total: rows[0]?.total ?? (after === null ? 0 : null) }
}

const isPermit = (side: 'a' | 'b') => sql`e.${sql.ref(side)} ->> 'kind' = 'permit'`
const idOf = (side: 'a' | 'b') => sql`(e.${sql.ref(side)} ->> 'id')::uuid`

/** Returns the permits among the sides of what has to be settled. */
export async function permitsToSettle(db: Db, site_id: Id, filter: ToSettle): Promise<Id[]> {
  const of = (side: 'a' | 'b') => sql`select ${idOf(side)} as id from ${FROM} where ${toSettle(site_id, filter)} and ${isPermit(side)}`
  const { rows } = await sql<{ id: Id }>`${of('a')} union ${of('b')}`.execute(db)
  return rows.map(row => row.id)
}

type Counts = { red: number; amber: number }
/** How much has to be settled. */
export type Sums = Counts & {
  in_hand: number
  overdue: number
  current: number
  oldest_opened_at: Instant | null
  by_rule: (Counts & { rule_id: Id; rule_name: string })[]
  by_contractor: (Counts & { contractor_id: Id })[]
  by_day: (Counts & { date: string })[]
}

/**
 * Counts what has to be settled, in one statement. Of the permits in `unseen` nothing is shown, so they have no contractor here, and a filter by contractor doesn’t find anything
 * through them.
 */
export async function sumsToSettle(
  db: Db,
  site_id: Id,
  filter: ToSettle,
  { unseen, now, timezone }: { unseen: readonly Id[]; now: Instant; timezone: string },
): Promise<Sums> {
  const hides = (side: 'a' | 'b') =>
    unseen.length === 0 ? sql`false` : sql`(${isPermit(side)} and ${idOf(side)} = any(${unseen}::uuid[]))`
  const contractor = (side: 'a' | 'b') => sql`case when not ${hides(side)} then (e.${sql.ref(side)} ->> 'contractor_id')::uuid end`
  const { contractor_id } = filter
  const tells =
    contractor_id === undefined || unseen.length === 0
      ? sql``
      : sql`and ((not ${hides('a')} and not ${hides('b')}) or ${contractor('a')} = any(${contractor_id}::uuid[]) or ${contractor('b')} = any(${contractor_id}::uuid[]))`
  const counts = sql`count(*) filter (where t.severity = 'red')::integer as red, count(*) filter (where t.severity = 'amber')::integer as amber`
  const listed = (grouped: ReturnType<typeof sql>, order: ReturnType<typeof sql>) =>
    sql`(select coalesce(json_agg(x order by ${order}), '[]') from (${grouped}) x)`
  const is_overdue = sql`(t.stance = 'resolving' and t.due_at is not null and t.due_at <= ${now}::timestamptz)`
  const { rows } = await sql<Sums>`
    with todo as materialized (
      select e.severity, e.rule_id, r.name as rule_name, e.opened_at, e.next_at, s.kind as stance, s.due_at, ${contractor('a')} as a, ${contractor('b')} as b
      from ${FROM} where ${toSettle(site_id, filter)} ${tells})
    select ${counts}, count(*) filter (where t.stance = 'resolving' and not ${is_overdue})::integer as in_hand,
      count(*) filter (where ${is_overdue})::integer as overdue, count(*) filter (where t.next_at <= ${now}::timestamptz)::integer as current,
      min(t.opened_at) as oldest_opened_at,
      ${listed(sql`select t.rule_id, t.rule_name, ${counts} from todo t group by t.rule_id, t.rule_name`, sql`x.red desc, x.amber desc, x.rule_name, x.rule_id`)} as by_rule,
      ${listed(
        sql`select o.contractor_id, ${counts} from todo t cross join lateral (values (t.a), (case when t.b is distinct from t.a then t.b end)) o (contractor_id)
          where o.contractor_id is not null group by o.contractor_id`,
        sql`x.red desc, x.amber desc, x.contractor_id`,
      )} as by_contractor,
      ${listed(
        sql`select ${wallSql(timezone, sql`greatest(t.next_at, ${now}::timestamptz)`)}::date::text as date, ${counts} from todo t group by 1`,
        sql`x.date`,
      )} as by_day
    from todo t`.execute(db)
  const [sums] = rows
  if (sums === undefined) throw new Error('A count is missing.')
  return sums
}
