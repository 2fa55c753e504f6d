import type { Areal, Box } from '../../../shared/geometry/plane.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { Ground } from './domain/outside.ts'

declare module '../../base/json-columns.ts' {
  interface JsonColumns {
    /** Only what `readAreal` returned. */
    'site.boundary': Areal | null
  }
}

/** Returns where a site is: its boundary and its location. */
export async function groundOf(db: Db, site_id: Id): Promise<Ground> {
  const row = await db
    .selectFrom('site')
    .select(['boundary', 'location_lon', 'location_lat'])
    .where('site_id', '=', site_id)
    .executeTakeFirst()
  const lon = row?.location_lon ?? null
  const lat = row?.location_lat ?? null
  return {
    boundary: row?.boundary ?? null,
    location: lon === null || lat === null ? null : { lon, lat },
  }
}

/** Makes a box for a `box` column or to compare with one: `bounds && ${boxed(box)}`. */
export const boxed = ([west, south, east, north]: Box) => sql<string>`box(point(${west}, ${south}), point(${east}, ${north}))`
