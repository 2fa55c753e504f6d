import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { utc } from '../../kit/queries/around.ts'
import type { Replay } from '../domain.ts'
import { type Lister, type ListFilter, listed } from './lists.ts'

/** What an event says about its permit, and since when that is so. */
const state = (event: string, since: string) =>
  sql.raw(`jsonb_build_object('since', ${since}, 'status', ${event}.payload ->> 'status', 'start_at', ${event}.payload ->> 'start_at', 'end_at', ${event}.payload ->> 'end_at',
    'awaiting_countersign', coalesce((${event}.payload ->> 'awaiting_countersign')::boolean, false))`)

/** Events that say how the permit is: all of permits, apart from those about its links. */
const TELLING = sql`e.site_id = c.site_id and e.subject_id = c.id and e.kind like 'permit.%' and e.payload ? 'status'`

/**
 * Returns the states that permits had during a period, by the event log; with `to` equal to `from`, those at that instant. Before its first event a permit was as that event found it: imports
 * publish one event for all of their permits. Permits that have not changed since, and whose window is over, are left out if `current` is set.
 */
export async function statesDuring(
  db: Db,
  site_id: Id,
  viewer: Lister,
  filter: ListFilter,
  { from, to, current }: { from: Instant; to: Instant; current: boolean },
): Promise<Replay[]> {
  const { rows } = await sql<Replay>`
    with c as materialized (
      select p.site_id, p.id, p.source, p.requestor_id, p.status, p.start_at, p.end_at, p.created_at, p.issue_signed_at from ${listed(site_id, viewer, filter)}
        and p.created_at <= ${to}::timestamptz
        and (not ${current}::boolean or p.updated_at >= ${from}::timestamptz or p.end_at is null or p.end_at > ${from}::timestamptz))
    select c.id, c.source, c.requestor_id, coalesce(first.states, '[]') || coalesce(later.states, '[]') as states
    from c
    left join lateral (select e.payload, e.at from event e where ${TELLING} and e.at <= ${from}::timestamptz order by e.event_no desc limit 1) before on true
    left join lateral (select e.payload from event e where ${TELLING} and e.at > ${from}::timestamptz and before.at is null order by e.event_no limit 1) after on true
    left join lateral (select jsonb_build_array(case when before.at is not null then ${state('before', utc('before.at'))}
      else jsonb_build_object('since', ${sql.raw(utc('c.created_at'))}, 'status', coalesce(after.payload ->> 'from_status', c.status),
        'start_at', coalesce(after.payload ->> 'start_at', ${sql.raw(utc('c.start_at'))}), 'end_at', coalesce(after.payload ->> 'end_at', ${sql.raw(utc('c.end_at'))}),
        'awaiting_countersign', false) end) as states
      where before.at is not null or c.created_at <= ${from}::timestamptz or c.source = 'imported') first on true
    left join lateral (select jsonb_agg(${state('e', utc('e.at'))} order by e.event_no) as states from event e
      where ${TELLING} and e.at > ${from}::timestamptz and e.at < ${to}::timestamptz) later on true`.execute(db)
  return rows.filter(({ states }) => states.length > 0)
}
