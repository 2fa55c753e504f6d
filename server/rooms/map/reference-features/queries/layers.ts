// Queries for features that came from a geodata layer.
import type { Areal } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { FeatureRecord } from './features.ts'

/** Returns the features of a layer, with the end of each; null if it has none. */
export async function featuresOfLayer(
  db: Db,
  site_id: Id,
  layer_id: Id,
): Promise<(FeatureRecord & { source_key: string; ended_at: string | null })[]> {
  const { rows } = await sql<FeatureRecord & { source_key: string; ended_at: string | null }>`
    select f.*, (select nullif(max(coalesce(v.valid_to, 'infinity')), 'infinity') from reference_feature_version v
      where v.site_id = f.site_id and v.feature_id = f.id) as ended_at
    from reference_feature f where f.site_id = ${site_id} and f.source_layer_id = ${layer_id} order by f.id`.execute(db)
  return rows
}

/** Makes features independent of their layer: all of them, or only these. */
export async function leaveLayer(db: Db, site_id: Id, layer_id: Id, ids?: readonly Id[]): Promise<void> {
  await sql`
    update reference_feature f set source_layer_id = null, source_key = null
    where f.site_id = ${site_id} and f.source_layer_id = ${layer_id} ${ids === undefined ? sql`` : sql`and f.id = any(${ids}::uuid[])`}`.execute(
    db,
  )
}

/** Returns the geometries of features as they are at an instant; a feature that isn't active then is left out. */
export async function shapesAt(db: Db, site_id: Id, at: Instant, ids: readonly Id[]): Promise<Map<Id, Areal>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; geometry: Areal }>`
    select v.feature_id as id, v.geometry from reference_feature_version v
    where v.site_id = ${site_id} and v.feature_id = any(${ids}::uuid[]) and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz`.execute(
    db,
  )
  return new Map(rows.map(row => [row.id, row.geometry]))
}
