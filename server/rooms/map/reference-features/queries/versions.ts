// The versions of a feature over time, and how they are written.
import { type Areal, type Box, boundsOf } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import type { Span, Stretch, Version } from '../../../../kernel/versions/domain.ts'
import { type Content, codeKey, type FeatureKind, type Lying } from '../domain/features.ts'

/** Inserts a feature that has no version yet. */
export async function insertFeature(
  db: Db,
  row: { site_id: Id; id: Id; kind: FeatureKind; name: string; source_layer_id?: Id; source_key?: string },
): Promise<void> {
  await db
    .insertInto('reference_feature')
    .values({ ...row, last_number: 1 })
    .execute()
}

/** Records what was written last. This raises the feature's version, whatever was changed. */
export async function touchFeature(db: Db, site_id: Id, id: Id, set: { name: string; last_number: number }): Promise<void> {
  await db.updateTable('reference_feature').set(set).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the versions of a feature, only with their time. */
export async function versionsOf(db: Db, site_id: Id, feature_id: Id): Promise<Version[]> {
  return db
    .selectFrom('reference_feature_version')
    .select(['id', 'number', 'valid_from', 'valid_to', 'digest'])
    .where('site_id', '=', site_id)
    .where('feature_id', '=', feature_id)
    .execute()
}

/** Returns the versions of every feature that has more than one. */
export async function manyVersions(db: Db, site_id: Id): Promise<(Version & { feature_id: Id })[]> {
  const { rows } = await sql<Version & { feature_id: Id }>`
    select v.feature_id, v.id, v.number, v.valid_from, v.valid_to, v.digest from reference_feature_version v
    join reference_feature f on f.site_id = v.site_id and f.id = v.feature_id
    where v.site_id = ${site_id} and f.last_number > 1`.execute(db)
  return rows
}

/** A version with its content and who wrote it. */
export type WrittenVersion = Version & Content & { written_at: Instant; written_by: Id | null; written_by_name: string | null }

/** Returns versions with their content, newest first; `version_id` for a single one. */
export async function contentsOf(db: Db, site_id: Id, feature_id: Id, version_id?: Id): Promise<WrittenVersion[]> {
  const { rows } = await sql<Omit<WrittenVersion, 'centre'> & { centre_lon: number; centre_lat: number }>`
    select v.id, v.number, v.valid_from, v.valid_to, v.digest, v.code, v.name, v.aliases, v.zone_type, v.outline, v.geometry, v.area_m2, v.centre_lon, v.centre_lat,
      v.levels, v.building_id, v.level_from, v.level_to, v.contractor_id, v.cut_id, v.created_at as written_at, v.created_by as written_by, u.name as written_by_name
    from reference_feature_version v left join app_user u on u.id = v.created_by
    where v.site_id = ${site_id} and v.feature_id = ${feature_id} ${version_id === undefined ? sql`` : sql`and v.id = ${version_id}`}
    order by v.valid_from desc, v.number desc`.execute(db)
  return rows.map(({ centre_lon, centre_lat, ...row }) => ({ ...row, centre: { lon: centre_lon, lat: centre_lat } }))
}

/** Writes a version. */
export async function insertVersion(
  db: Db,
  row: Content & Span & { site_id: Id; id: Id; feature_id: Id; number: number; kind: FeatureKind; digest: string },
): Promise<void> {
  const { centre, outline, geometry, levels, ...rest } = row
  await db
    .insertInto('reference_feature_version')
    .values({
      ...rest,
      outline: jsonb(outline),
      geometry: jsonb(geometry),
      levels: jsonb(levels),
      bounds: boxed(boundsOf(geometry)),
      centre_lon: centre.lon,
      centre_lat: centre.lat,
      code_key: row.code === null ? null : codeKey(row.code),
      shown_from: row.valid_from,
      shown_to: row.valid_to,
      shown_number: row.number,
    })
    .execute()
}

/** Ends a version at an instant. */
export async function endVersion(db: Db, site_id: Id, id: Id, valid_to: Instant): Promise<void> {
  await db.updateTable('reference_feature_version').set({ valid_to }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Gives versions another end, in one statement. */
export async function extendVersions(db: Db, site_id: Id, ends: readonly { id: Id; valid_to: Instant | null }[]): Promise<void> {
  if (ends.length === 0) return
  await sql`
    update reference_feature_version v set valid_to = e.valid_to
    from (select * from jsonb_to_recordset(${jsonb(ends)}::jsonb) as t(id uuid, valid_to timestamptz)) e
    where v.site_id = ${site_id} and v.id = e.id`.execute(db)
}

/** Deletes versions. */
export async function dropVersions(db: Db, site_id: Id, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from reference_feature_version where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
}

/** Records which run of equal versions each version belongs to; rows that are already right aren't written. */
export async function saveStretches(db: Db, site_id: Id, stretches: ReadonlyMap<Id, Stretch>): Promise<void> {
  const given = [...stretches].map(([id, stretch]) => ({ id, ...stretch }))
  if (given.length === 0) return
  await sql`
    update reference_feature_version v set shown_from = s.shown_from, shown_to = s.shown_to, shown_number = s.shown_number
    from (select * from jsonb_to_recordset(${jsonb(given)}::jsonb) as t(id uuid, shown_from timestamptz, shown_to timestamptz, shown_number integer)) s
    where v.site_id = ${site_id} and v.id = s.id and (v.shown_from, v.shown_to, v.shown_number) is distinct from (s.shown_from, s.shown_to, s.shown_number)`.execute(
    db,
  )
}

const meeting = (span: Span) =>
  sql`tstzrange(v.valid_from, v.valid_to) && tstzrange(${span.valid_from}::timestamptz, ${span.valid_to}::timestamptz)`

/** Returns another feature of this kind that has the code during a span. */
export async function codeHolder(
  db: Db,
  site_id: Id,
  kind: FeatureKind,
  code: string,
  span: Span,
  own: Id,
): Promise<{ id: Id; name: string } | null> {
  const { rows } = await sql<{ id: Id; name: string }>`
    select v.feature_id as id, v.name from reference_feature_version v
    where v.site_id = ${site_id} and v.kind = ${kind} and v.code_key = ${codeKey(code)} and v.feature_id <> ${own} and ${meeting(span)} limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

/** A version of another feature that may overlap. */
export type Rival = Lying & { feature_id: Id; version_id: Id; code: string | null; name: string; geometry: Areal } & Span

/** Returns versions of other features of these kinds that are active during a span and whose boxes meet. */
export async function rivalsOf(
  db: Db,
  site_id: Id,
  options: { kinds: readonly FeatureKind[]; span: Span; box: Box; own: Id },
): Promise<Rival[]> {
  const { rows } = await sql<Rival>`
    select v.feature_id, v.id as version_id, v.kind, v.code, v.name, v.area_m2, v.zone_type, v.levels, v.building_id, v.level_from, v.level_to, v.geometry,
      v.valid_from, v.valid_to
    from reference_feature_version v
    where v.site_id = ${site_id} and v.kind = any(${options.kinds}::text[]) and v.feature_id <> ${options.own}
      and ${meeting(options.span)} and v.bounds && ${boxed(options.box)}`.execute(db)
  return rows
}

/** Counts the zones in a building at or after an instant, on these levels or on any. A zone without levels is on all of them. */
export async function zonesIn(db: Db, site_id: Id, building_id: Id, from: Instant, levels?: readonly number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct v.feature_id) as n from reference_feature_version v
    where v.site_id = ${site_id} and v.building_id = ${building_id} and (v.valid_to is null or (v.valid_to > ${from}::timestamptz and v.valid_to > v.valid_from))
      ${levels === undefined ? sql`` : sql`and exists (select 1 from unnest(${levels}::int[]) l where l between v.level_from and coalesce(v.level_to, v.level_from))`}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Counts the features of each of these contractors, in any version. */
export async function countByContractor(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, number>> {
  const { rows } = await sql<{ id: Id; n: number }>`
    select contractor_id as id, count(distinct feature_id) as n from reference_feature_version
    where site_id = ${site_id} and contractor_id = any(${ids}::uuid[]) group by 1`.execute(db)
  return new Map(rows.map(row => [row.id, row.n]))
}

/** A version that is on the ground during some time. */
export type VersionOnGround = Content & Span & { feature_id: Id; kind: FeatureKind }

/** Returns versions of these kinds that are active during a span and whose box meets another. */
export async function onGroundAround(
  db: Db,
  site_id: Id,
  { kinds, box, span }: { kinds: readonly string[]; box: Box; span: Span },
): Promise<VersionOnGround[]> {
  const { rows } = await sql<Omit<VersionOnGround, 'centre'> & { centre_lon: number; centre_lat: number }>`
    select v.feature_id, v.kind, v.valid_from, v.valid_to, v.code, v.name, v.aliases, v.zone_type, v.outline, v.geometry, v.area_m2, v.centre_lon, v.centre_lat,
      v.levels, v.building_id, v.level_from, v.level_to, v.contractor_id, v.cut_id
    from reference_feature_version v
    where v.site_id = ${site_id} and v.kind = any(${kinds}::text[]) and ${meeting(span)} and v.bounds && ${boxed(box)}`.execute(db)
  return rows.map(({ centre_lon, centre_lat, ...row }) => ({ ...row, centre: { lon: centre_lon, lat: centre_lat } }))
}
