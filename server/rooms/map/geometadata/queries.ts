import type { Box } from '../../../../shared/geometry/plane.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { PropertyFacts } from '../../../kernel/geofiles/domain/files.ts'
import type { Shape } from '../../../kernel/geofiles/domain/shapes.ts'
import { boxed } from '../../../kernel/geometry/door.ts'
import type { LayerMap, LayerRole, LayerStyle, QualityLevel, Utility } from './domain.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'geodata_layer.style': LayerStyle
    'geodata_layer.bounds': Box | null
    'geodata_layer.property_schema': PropertyFacts[]
    'geodata_layer.map': LayerMap | null
    'geodata_feature.geometry': Shape
    'geodata_feature.properties': Record<string, unknown>
  }
}

/** Inserts features, given as a JSON list of the lines that the reader wrote. */
export async function insertFeatures(db: Db, site_id: Id, layer_id: Id, lines: string): Promise<void> {
  await sql`
    insert into geodata_feature (site_id, layer_id, number, geometry, properties, bounds)
    select ${site_id}, ${layer_id}, t.n, t.g, t.p,
      box(point((t.b ->> 0)::float8, (t.b ->> 1)::float8), point((t.b ->> 2)::float8, (t.b ->> 3)::float8))
    from jsonb_to_recordset(${lines}::jsonb) as t(n integer, g jsonb, p jsonb, b jsonb)`.execute(db)
}

/** Deletes features of a layer: all of them, or only these. */
export async function dropFeatures(db: Db, site_id: Id, layer_id: Id, numbers?: readonly number[]): Promise<void> {
  await sql`
    delete from geodata_feature where site_id = ${site_id} and layer_id = ${layer_id}
      ${numbers === undefined ? sql`` : sql`and number = any(${numbers}::int[])`}`.execute(db)
}

/** A feature of a layer. */
export type FeatureFound = { number: number; geometry: Shape; properties: Record<string, unknown> }

/** Lists features of a layer by their position in its file. */
export async function featuresIn(
  db: Db,
  site_id: Id,
  layer_id: Id,
  page: { boxes: readonly Box[]; after?: number; limit: number },
): Promise<FeatureFound[]> {
  const { boxes, after, limit } = page
  const { rows } = await sql<FeatureFound>`
    select f.number, f.geometry, f.properties from geodata_feature f
    where f.site_id = ${site_id} and f.layer_id = ${layer_id}
      ${sql.join(
        boxes.map(box => sql`and f.bounds && ${boxed(box)}`),
        sql` `,
      )}
      ${after === undefined ? sql`` : sql`and f.number > ${after}`}
    order by f.number limit ${limit}`.execute(db)
  return rows
}

/** A feature near a place, with what its layer says about it. */
export type NearbyRow = FeatureFound & {
  layer_id: Id
  layer_name: string
  role: LayerRole
  utility: Utility | null
  quality_level: QualityLevel | null
  style: LayerStyle
  accuracy_m: number | null
}

/** Returns features of all layers of these roles whose box meets another. */
export async function featuresAround(db: Db, site_id: Id, roles: readonly LayerRole[], box: Box, most: number): Promise<NearbyRow[]> {
  const { rows } = await sql<NearbyRow>`
    select f.number, f.geometry, f.properties, l.id as layer_id, l.name as layer_name, l.role, l.utility, l.quality_level, l.style, l.accuracy_m
    from geodata_layer l, lateral (
      select g.number, g.geometry, g.properties from geodata_feature g
      where g.site_id = l.site_id and g.layer_id = l.id and g.bounds && ${boxed(box)} limit ${most}) f
    where l.site_id = ${site_id} and l.role = any(${roles}::text[]) and l.deleted_at is null
    order by l.sort, l.name, l.id, f.number limit ${most}`.execute(db)
  return rows
}

/** Returns whether a site has layers of these roles. */
export async function hasLayers(db: Db, site_id: Id, roles: readonly LayerRole[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from geodata_layer l where l.site_id = ${site_id} and l.role = any(${roles}::text[]) and l.deleted_at is null limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** A feature of a layer that is only shown, with what its layer says about it. */
export type OverlayRow = Omit<NearbyRow, 'style'>

/** Lists the features of all layers that are only shown, by layer and position. */
export async function overlaysOn(
  db: Db,
  site_id: Id,
  page: { after: readonly [Id, number] | null; limit: number; box?: Box },
): Promise<OverlayRow[]> {
  const { after, limit, box } = page
  const { rows } = await sql<OverlayRow>`
    select f.number, f.geometry, f.properties, l.id as layer_id, l.name as layer_name, l.role, l.utility, l.quality_level, l.accuracy_m
    from geodata_feature f join geodata_layer l on l.site_id = f.site_id and l.id = f.layer_id
    where f.site_id = ${site_id} and l.deleted_at is null and l.role <> 'reference'
      ${box === undefined ? sql`` : sql`and f.bounds && ${boxed(box)}`}
      ${after === null ? sql`` : sql`and (f.layer_id, f.number) > (${after[0]}::uuid, ${after[1]}::integer)`}
    order by f.layer_id, f.number limit ${limit}`.execute(db)
  return rows
}
