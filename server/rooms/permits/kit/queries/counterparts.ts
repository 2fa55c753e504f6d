import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import type { Status } from '../domain/facts.ts'
import type { Viewer } from '../domain/visibility.ts'
import { visibleTo } from './visible.ts'

/** A permit that conflicts with another one, as people see it. */
export type Counterpart = {
  id: Id
  permit_number: string | null
  title: string | null
  status: Status
  categories: string[]
  contractor: { id: Id; name: string } | null
  start_at: Instant | null
  end_at: Instant | null
  location: string | null
  seen: boolean
}

/** Returns permits by their ids, and for each whether the viewer sees it. */
export async function counterparts(db: Db, site_id: Id, viewer: Viewer, ids: readonly Id[]): Promise<Map<Id, Counterpart>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Counterpart>`
    select p.id, p.permit_number, p.title, p.status, p.categories, p.start_at, p.end_at, p.location,
      (select jsonb_build_object('id', c.id, 'name', c.name) from contractor c where c.site_id = p.site_id and c.id = p.contractor_id) as contractor,
      coalesce(${visibleTo(viewer)}, false) as seen
    from permit p where p.site_id = ${site_id} and ${among('p.id', ids, 'uuid')}`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}
