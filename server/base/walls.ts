// Wall-clock time in SQL, with the offsets that this process knows. PostgreSQL has a copy of the time-zone database of its own: where a country has changed its
// rules since one of the two was released, the same instant would have another hour in a statement than in memory.
import { offsetChanges } from '../../shared/time.ts'
import { type Db, jsonb, sql } from './db.ts'

type Expression = ReturnType<typeof sql>

/** Returns the wall-clock time of an instant in a zone, as a `timestamp` without a zone; NULL for no instant. */
export function wallSql(zone: string, instant: Expression): Expression {
  const changes = offsetChanges(zone)
  const starts = changes.map(({ from }) => from / 1000)
  const offsets = changes.map(({ offset }) => offset / 1000)
  // The first offset is also that of all earlier instants.
  const place = sql`width_bucket(extract(epoch from ${instant})::double precision, ${starts.slice(1)}::double precision[]) + 1`
  return sql`((${instant}) at time zone 'UTC' + (${offsets}::integer[])[${place}] * interval '1 second')`
}

/** Returns, as SQL text over `s.timezone`, what a function gives for the time zone of a site. */
export async function ofZone(db: Db, value: (zone: string) => string): Promise<Expression> {
  const { rows } = await sql<{ timezone: string }>`select distinct timezone from site`.execute(db)
  return sql`(${jsonb(Object.fromEntries(rows.map(({ timezone }) => [timezone, value(timezone)])))}::jsonb ->> s.timezone)`
}
