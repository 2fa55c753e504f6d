import type { Instant } from '../../../shared/time.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Change, Changes } from './domain.ts'

type Relation = ReturnType<typeof sql>

/**
 * Counts what starts and ends in a period. `spans`: a query with the columns id, from_at, to_at, people and uncovered, of what is there at some time of the period. Of one id
 * there can be several, for its versions: where one follows the other, it is changed.
 */
export async function countChanges(db: Db, spans: Relation, from: Instant, to: Instant): Promise<Changes> {
  type Row = Omit<Change, 'at'> & { at: Instant | null; alive: number }
  const { rows } = await sql<Row>`
    with s as materialized (${spans}),
    e as (
      select s.from_at as at, s.id, 1 as step, s.people, s.uncovered from s where s.from_at >= ${from}::timestamptz and s.from_at < ${to}::timestamptz
      union all select s.to_at, s.id, -1, -s.people, -s.uncovered from s where s.to_at < ${to}::timestamptz),
    c as (select at, id, sum(step)::int as step, sum(people)::int as people, sum(uncovered)::int as uncovered from e group by at, id)
    select null::timestamptz as at, 0 as started, 0 as ended, 0 as changed, count(*)::int as alive, coalesce(sum(people), 0)::int as people,
      coalesce(sum(uncovered), 0)::int as uncovered from s where s.from_at < ${from}::timestamptz
    union all
    select at, (count(*) filter (where step > 0))::int, (count(*) filter (where step < 0))::int, (count(*) filter (where step = 0))::int, 0, sum(people)::int,
      sum(uncovered)::int from c group by at
    order by at nulls first`.execute(db)
  const first = rows.find(({ at }) => at === null)
  return {
    alive: first?.alive ?? 0,
    people: first?.people ?? 0,
    uncovered: first?.uncovered ?? 0,
    changes: rows.flatMap(({ at, started, ended, changed, people, uncovered }) =>
      at === null ? [] : [{ at, started, ended, changed, people, uncovered }],
    ),
  }
}
