// When alerts become active and end (`site-and-people.md` §17).
import { sql } from '../../../../base/db.ts'
import { NO_CHANGES } from '../../../../kernel/changes/domain.ts'
import { type ChangeSource, countChanges } from '../../../../kernel/changes/door.ts'
import { inForce } from '../queries.ts'
import { alerts } from './alerts.ts'

/** Changes of the alerts that the caller sees, each counted while it is active. */
export const alertChanges: ChangeSource = {
  kind: 'alert',
  async read(ctx, site_id, { from, to, by: { zone_id, ...by } }) {
    if (zone_id !== undefined) return NO_CHANGES
    const where = await alerts.list.where(ctx, site_id, by)
    const known = sql.join([sql`t.site_id = ${site_id}`, inForce(from, to), ...where], sql` and `)
    const spans = sql`
      select t.id, span.from_at, span.to_at, 0 as people, 0 as uncovered from alert t cross join lateral (
        select p."from" as from_at, coalesce(p."to", t.span_to) as to_at from jsonb_to_recordset(t.periods) as p("from" timestamptz, "to" timestamptz)
        union all select t.start_at, t.span_to where t.state = 'scheduled') span
      where ${known} and tstzrange(span.from_at, span.to_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz)`
    return countChanges(ctx.db, spans, from, to)
  },
}
