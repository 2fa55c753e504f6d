// What area stops need to know about permits: where the things that are linked to them are now.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import { tokenKinds } from '../../../../kernel/covers/door.ts'
import type { Where } from '../../../messages/alerts/domain.ts'

/** Returns the places of the workers, machines and deliveries that are linked to permits and on site now. */
export async function linkedNow(db: Db, site_id: Id, permit_ids: readonly Id[], now: Instant): Promise<(Where & { permit_id: Id })[]> {
  const kinds = tokenKinds()
  if (permit_ids.length === 0 || kinds.length === 0) return []
  const each = kinds.map(
    ({ kind, there }) => sql`
      select l.permit_id, coalesce(t.place -> 'polygon', jsonb_build_object('type', 'Point', 'coordinates', jsonb_build_array(t.lon, t.lat))) as geometry,
        t.building_id, t.level_index
      from permit_entity l join ${sql.table(kind)} t on t.site_id = l.site_id and t.id = l.entity_id
      where l.site_id = ${site_id} and ${among('l.permit_id', permit_ids, 'uuid')} and t.deleted_at is null and t.lon is not null
        and tstzrange(t.start_at, t.end_at) @> ${now}::timestamptz and ${there(now, now)}`,
  )
  const { rows } = await sql<Where & { permit_id: Id }>`${sql.join(each, sql` union all `)}`.execute(db)
  return rows
}
