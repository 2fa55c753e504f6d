// Which area contains which feature. It is derived from the geometries on write, so that reading the frame computes nothing.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** A version that an area's version contains, while both are active. */
export type Held = { version_id: Id; area_version_id: Id; area_id: Id; share: number; valid_from: Instant; valid_to: Instant | null }

/** Records which areas contain which features. Areas can share a square metre: a feature in it stays with the area that already has it. */
export async function insertParents(db: Db, site_id: Id, held: readonly Held[]): Promise<void> {
  if (held.length === 0) return
  await sql`
    insert into reference_feature_parent (site_id, version_id, area_version_id, area_id, share, valid_from, valid_to)
    select ${site_id}, t.* from jsonb_to_recordset(${jsonb(held)}::jsonb)
      as t(version_id uuid, area_version_id uuid, area_id uuid, share double precision, valid_from timestamptz, valid_to timestamptz)
    where not exists (select 1 from reference_feature_parent p where p.site_id = ${site_id} and p.version_id = t.version_id
      and tstzrange(p.valid_from, p.valid_to) && tstzrange(t.valid_from, t.valid_to))`.execute(db)
}

/** Copies, between versions with the same geometry, the area that contains them and the features that they contain. */
export async function copyParents(db: Db, site_id: Id, pairs: readonly { from: Id; to: Id }[]): Promise<void> {
  if (pairs.length === 0) return
  const given = sql`jsonb_to_recordset(${jsonb(pairs)}::jsonb) as n("from" uuid, "to" uuid)`
  await sql`
    insert into reference_feature_parent (site_id, version_id, area_version_id, area_id, share, valid_from, valid_to)
    select p.site_id, n."to", p.area_version_id, p.area_id, p.share, p.valid_from, p.valid_to
    from ${given} join reference_feature_parent p on p.site_id = ${site_id} and p.version_id = n."from"
    on conflict (site_id, version_id, area_version_id) do nothing`.execute(db)
  await sql`
    insert into reference_feature_parent (site_id, version_id, area_version_id, area_id, share, valid_from, valid_to)
    select p.site_id, p.version_id, n."to", p.area_id, p.share, p.valid_from, p.valid_to
    from ${given} join reference_feature_parent p on p.site_id = ${site_id} and p.area_version_id = n."from"
    on conflict (site_id, version_id, area_version_id) do nothing`.execute(db)
}

/** Limits the time in which areas contain features to the validity of both, for these versions. */
export async function alignParents(db: Db, site_id: Id, versions: readonly Id[]): Promise<void> {
  if (versions.length === 0) return
  const ids = [...versions]
  await sql`
    update reference_feature_parent p set valid_from = greatest(v.valid_from, a.valid_from), valid_to = least(v.valid_to, a.valid_to)
    from reference_feature_version v, reference_feature_version a
    where p.site_id = ${site_id} and (p.version_id = any(${ids}::uuid[]) or p.area_version_id = any(${ids}::uuid[]))
      and v.site_id = p.site_id and v.id = p.version_id and a.site_id = p.site_id and a.id = p.area_version_id
      and tstzrange(v.valid_from, v.valid_to) && tstzrange(a.valid_from, a.valid_to)
      and (p.valid_from, p.valid_to) is distinct from (greatest(v.valid_from, a.valid_from), least(v.valid_to, a.valid_to))`.execute(db)
  await sql`
    delete from reference_feature_parent p using reference_feature_version v, reference_feature_version a
    where p.site_id = ${site_id} and (p.version_id = any(${ids}::uuid[]) or p.area_version_id = any(${ids}::uuid[]))
      and v.site_id = p.site_id and v.id = p.version_id and a.site_id = p.site_id and a.id = p.area_version_id
      and not tstzrange(v.valid_from, v.valid_to) && tstzrange(a.valid_from, a.valid_to)`.execute(db)
}
