// Queries for what is active at an instant.
import type { Areal, Box } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import { mentions } from '../../../../kernel/listing/door.ts'
import { AFTER_CODES, type FeatureKind, type ZoneType } from '../domain/features.ts'
import type { Level } from '../domain/levels.ts'
import type { NamedFeature } from '../domain/matching.ts'

/** A feature as a record, at any time. `name` is the one that was written last. */
export type FeatureRecord = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  updated_at: Instant
  updated_by: Id | null
  kind: FeatureKind
  name: string
  last_number: number
  source_layer_id: Id | null
  source_key: string | null
}

/** A feature with one of its versions. */
export type FeatureRow = Omit<FeatureRecord, 'last_number'> & {
  version_id: Id
  number: number
  valid_from: Instant
  valid_to: Instant | null
  shown_from: Instant
  shown_to: Instant | null
  shown_number: number
  code: string | null
  code_key: string | null
  aliases: string[]
  zone_type: ZoneType | null
  /** Null if it equals the geometry, so that it isn't read twice. */
  outline: Areal | null
  geometry: Areal
  area_m2: number
  centre_lon: number
  centre_lat: number
  levels: Level[]
  building_id: Id | null
  level_from: number | null
  level_to: number | null
  contractor_id: Id | null
  cut_id: Id | null
  parent_area_id: Id | null
}

/** What only the versions themselves, their order and their writes need. */
type OfVersion = 'version_id' | 'number' | 'valid_from' | 'valid_to' | 'cut_id'

/** A feature with what people see of one of its versions. */
export type FrameRow = Omit<FeatureRow, OfVersion> & Partial<Pick<FeatureRow, OfVersion>>

/** The filters of a list. */
export type Narrowed = {
  kind?: readonly string[]
  zone_type?: readonly string[]
  building_id?: readonly Id[]
  level_index?: readonly number[]
  parent_area_id?: readonly Id[]
  contractor_id?: readonly Id[]
  id?: readonly Id[]
  q?: string
  box?: Box
  updated_since?: Instant
}

// Texts that are equal byte by byte are found several times as quickly as values of JSON; if only a number is written in another way, the outline is read.
const outline = sql`case when not record_image_eq(row(v.outline), row(v.geometry)) then v.outline end as outline`

const ofFrame = sql`
  f.site_id, f.id, f.version, f.created_at, f.created_by, f.updated_at, f.updated_by, f.kind, f.source_layer_id, f.source_key,
  v.shown_from, v.shown_to, v.shown_number, v.code, v.code_key, v.name, v.aliases, v.zone_type, ${outline},
  v.geometry, v.area_m2, v.centre_lon, v.centre_lat, v.levels, v.building_id, v.level_from, v.level_to, v.contractor_id, p.area_id as parent_area_id`

const columns = sql`${ofFrame}, v.id as version_id, v.number, v.valid_from, v.valid_to, v.cut_id`

const joined = (at: Instant) => sql`
  from reference_feature_version v
  join reference_feature f on f.site_id = v.site_id and f.id = v.feature_id
  left join reference_feature_parent p on p.site_id = v.site_id and p.version_id = v.id and tstzrange(p.valid_from, p.valid_to) @> ${at}::timestamptz`

/** Returns the condition for versions whose name, code or alias contains a text. */
const called = (text: string) => mentions([sql`v.name`, sql`v.code`, sql`array_to_string(v.aliases, ' ')`], text)

/** Returns the conditions of filters. */
function meeting(narrowed: Narrowed) {
  const { kind, zone_type, building_id, level_index, parent_area_id, contractor_id, id, q, box, updated_since } = narrowed
  return sql`
      ${kind === undefined ? sql`` : sql`and v.kind = any(${kind}::text[])`}
      ${zone_type === undefined ? sql`` : sql`and v.zone_type = any(${zone_type}::text[])`}
      ${building_id === undefined ? sql`` : sql`and v.building_id = any(${building_id}::uuid[])`}
      ${level_index === undefined ? sql`` : onLevels(level_index)}
      ${parent_area_id === undefined ? sql`` : sql`and p.area_id = any(${parent_area_id}::uuid[])`}
      ${contractor_id === undefined ? sql`` : sql`and v.contractor_id = any(${contractor_id}::uuid[])`}
      ${id === undefined ? sql`` : sql`and v.feature_id = any(${id}::uuid[])`}
      ${q === undefined ? sql`` : sql`and ${called(q)}`}
      ${box === undefined ? sql`` : sql`and v.bounds && ${boxed(box)}`}
      ${updated_since === undefined ? sql`` : sql`and f.updated_at >= ${updated_since}::timestamptz`}`
}

/**
 * Returns what people see of the versions that are active at an instant, in any order; at most `most`. To sort whole rows takes the database as long as all the
 * rest.
 */
export async function frameRows(db: Db, site_id: Id, at: Instant, narrowed: Narrowed, most: number): Promise<FrameRow[]> {
  const { rows } = await sql<FrameRow>`
    select ${ofFrame} ${joined(at)}
    where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz ${meeting(narrowed)} limit ${most}`.execute(
    db,
  )
  return rows
}

/** Lists versions that are active at a point in time, by kind, code and id; with `limit`, one more than the page, after the last row of the page before. */
export async function featuresAt(
  db: Db,
  site_id: Id,
  at: Instant,
  narrowed: Narrowed,
  page: { limit: number; after: readonly (string | number | null)[] | null },
): Promise<FeatureRow[]> {
  const { rows } = await sql<FeatureRow>`
    select ${columns} ${joined(at)}
    where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz ${meeting(narrowed)}
      ${page.after === null ? sql`` : sql`and (v.kind, coalesce(v.code_key, ${AFTER_CODES}), v.feature_id) > (${page.after[0]}, ${page.after[1]}, ${page.after[2]}::uuid)`}
    order by v.kind, coalesce(v.code_key, ${AFTER_CODES}), v.feature_id limit ${page.limit + 1}`.execute(db)
  return rows
}

/** Lists versions that are active at an instant, or at some time of a half-open period, by feature and start. The area that contains each is the one at the start. */
export async function featuresDuring(
  db: Db,
  site_id: Id,
  [from, to]: [Instant, Instant | null],
  narrowed: Narrowed,
  page: { limit: number; after: readonly [Id, number] | null },
): Promise<FeatureRow[]> {
  const when =
    to === null
      ? sql`tstzrange(v.valid_from, v.valid_to) @> ${from}::timestamptz`
      : sql`tstzrange(v.valid_from, v.valid_to) && tstzrange(${from}::timestamptz, ${to}::timestamptz)`
  const { rows } = await sql<FeatureRow>`
    select ${columns} ${joined(from)}
    where v.site_id = ${site_id} and ${when} ${meeting(narrowed)}
      ${page.after === null ? sql`` : sql`and (v.feature_id, v.number) > (${page.after[0]}::uuid, ${page.after[1]}::integer)`}
    order by v.feature_id, v.number limit ${page.limit}`.execute(db)
  return rows
}

/** Returns the query of when versions of features are active during a period; equal versions that follow each other are one. */
export const versionSpans = (site_id: Id, from: Instant, to: Instant, narrowed: Narrowed) => sql`
  select distinct v.feature_id as id, v.shown_from as from_at, v.shown_to as to_at, 0 as people, 0 as uncovered
  from reference_feature_version v join reference_feature f on f.site_id = v.site_id and f.id = v.feature_id
  where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) && tstzrange(${from}::timestamptz, ${to}::timestamptz)
    and v.valid_to is distinct from v.valid_from ${meeting(narrowed)}`

/** Returns the position of a row in the order of lists. */
export const orderOf = (row: FeatureRow): (string | number | null)[] => [row.kind, row.code_key ?? AFTER_CODES, row.id]

/**
 * Returns the condition for buildings that have one of some levels, and zones on one of them: zones on that level, and zones on every level of a building that
 * has it.
 */
const onLevels = (chosen: readonly number[]) => {
  const has = (column: string) =>
    sql`exists (select 1 from jsonb_array_elements(${sql.ref(column)}) l where (l ->> 'index')::integer = any(${chosen}::integer[]))`
  return sql`and (
  ${has('v.levels')}
  or exists (select 1 from unnest(${chosen}::integer[]) l (index) where l.index between v.level_from and coalesce(v.level_to, v.level_from))
  or (v.building_id is not null and v.level_from is null and exists (
    select 1 from reference_feature_version b where b.site_id = v.site_id and b.feature_id = v.building_id and ${has('b.levels')}
      and tstzrange(b.valid_from, b.valid_to) && tstzrange(v.valid_from, v.valid_to))))`
}

/** Returns one version, as it is at an instant of its validity. */
export async function featureVersion(db: Db, site_id: Id, version_id: Id, at: Instant): Promise<FeatureRow | null> {
  const { rows } = await sql<FeatureRow>`select ${columns} ${joined(at)} where v.site_id = ${site_id} and v.id = ${version_id}`.execute(db)
  return rows[0] ?? null
}

/** Returns the ids of the buildings and zones whose name, code or alias contains a text at an instant. */
export async function placesCalled(db: Db, site_id: Id, at: Instant, text: string): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select v.feature_id as id from reference_feature_version v
    where v.site_id = ${site_id} and v.kind in ('building', 'zone') and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz and ${called(text)}`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Returns the names of what is active at an instant: everything that text is matched with, and no geometry. `ids` filters. */
export async function namesAt(db: Db, site_id: Id, at: Instant, ids?: readonly Id[]): Promise<NamedFeature[]> {
  const { rows } = await sql<NamedFeature>`
    select v.feature_id as id, v.kind, v.code, v.name, v.aliases, v.levels, v.building_id, v.level_from, v.level_to, p.area_id as parent_area_id
    from reference_feature_version v
    left join reference_feature_parent p on p.site_id = v.site_id and p.version_id = v.id and tstzrange(p.valid_from, p.valid_to) @> ${at}::timestamptz
    where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz
      ${ids === undefined ? sql`` : sql`and v.feature_id = any(${ids}::uuid[])`}`.execute(db)
  return rows
}

/** Zones and buildings of the place tree, with what a picker shows. */
export type TreeRow = NamedFeature & { zone_type: ZoneType | null; contractor_id: Id | null }

/** Returns everything that is active at an instant, for the place tree. */
export async function treeAt(db: Db, site_id: Id, at: Instant): Promise<TreeRow[]> {
  const { rows } = await sql<TreeRow>`
    select v.feature_id as id, v.kind, v.code, v.name, v.aliases, v.levels, v.building_id, v.level_from, v.level_to, v.zone_type, v.contractor_id,
      p.area_id as parent_area_id
    from reference_feature_version v
    left join reference_feature_parent p on p.site_id = v.site_id and p.version_id = v.id and tstzrange(p.valid_from, p.valid_to) @> ${at}::timestamptz
    where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz`.execute(db)
  return rows
}

/** Returns the geometries that are active at an instant. */
export async function geometriesAt(db: Db, site_id: Id, at: Instant): Promise<Areal[]> {
  const { rows } = await sql<{ geometry: Areal }>`
    select v.geometry from reference_feature_version v
    where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz`.execute(db)
  return rows.map(row => row.geometry)
}

/** Returns the names of these features, including ended ones. */
export async function featureNames(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, string>> {
  const { rows } = await sql<{ id: Id; name: string }>`
    select id, name from reference_feature where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(row => [row.id, row.name]))
}

/** Returns the version of each feature that is active at its instant; null if there is none. */
export async function versionsThen(db: Db, site_id: Id, asked: readonly { feature_id: Id; at: Instant }[]): Promise<(Id | null)[]> {
  const { rows } = await sql<{ id: Id | null }>`
    select v.id from unnest(${asked.map(one => one.feature_id)}::uuid[], ${asked.map(one => one.at)}::timestamptz[]) with ordinality as a(feature_id, at, n)
    left join reference_feature_version v on v.site_id = ${site_id} and v.feature_id = a.feature_id and tstzrange(v.valid_from, v.valid_to) @> a.at
    order by a.n`.execute(db)
  return rows.map(row => row.id)
}

/** Returns when features around a box, or these features, change after one instant and until another, in order. */
export async function changesOf(
  db: Db,
  site_id: Id,
  { box, ids, from, to }: { box: Box | null; ids: readonly Id[]; from: Instant; to: Instant },
): Promise<Instant[]> {
  const around = box === null ? sql`false` : sql`v.bounds && ${boxed(box)}`
  const { rows } = await sql<{ at: Instant }>`
    select distinct e.at from reference_feature_version v cross join lateral (values (v.valid_from), (v.valid_to)) as e(at)
    where v.site_id = ${site_id} and (${around} or v.feature_id = any(${ids}::uuid[])) and e.at > ${from}::timestamptz and e.at <= ${to}::timestamptz
    order by e.at`.execute(db)
  return rows.map(row => row.at)
}

/** Returns the geometries of versions. */
export async function shapesOf(db: Db, site_id: Id, versions: readonly Id[]): Promise<Map<Id, Areal>> {
  if (versions.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; geometry: Areal }>`
    select v.id, v.geometry from reference_feature_version v where v.site_id = ${site_id} and v.id = any(${versions}::uuid[])`.execute(db)
  return new Map(rows.map(row => [row.id, row.geometry]))
}
