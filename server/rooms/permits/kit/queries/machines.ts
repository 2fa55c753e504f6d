// The lifting machines that open permits cover, with their next thorough examination.
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { OPEN } from '../domain/facts.ts'
import type { LinkedMachine } from '../domain/machines.ts'

/** Returns the lifting machines of a site that are linked to open permits without duplicates for a permit, by name. */
export async function machinesOn(db: Db, site_id: Id): Promise<(LinkedMachine & { permit_id: Id })[]> {
  const { rows } = await sql<LinkedMachine & { permit_id: Id }>`
    select l.permit_id, coalesce(t.source_plant_id, t.id) as id, min(t.name) as name, min(t.examination_due_on) as examination_due_on,
      case when bool_and(t.end_at is not null) then max(t.end_at) end as leaves_at
    from plant t join permit_entity l on l.site_id = t.site_id and l.entity_id = t.id
    join permit p on p.site_id = l.site_id and p.id = l.permit_id and p.status = any(${[...OPEN]}::text[])
    where t.site_id = ${site_id} and t.lifting and t.examination_due_on is not null and t.deleted_at is null
    group by l.permit_id, coalesce(t.source_plant_id, t.id) order by 3, 2`.execute(db)
  return rows
}
