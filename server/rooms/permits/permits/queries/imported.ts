// What an import writes of permits: in batches, never row by row.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Status } from '../../kit/domain/facts.ts'

/** What a register says about a permit, with its place and contractor resolved. */
export type Landed = {
  permit_number: string
  categories: string[]
  contractor_id: Id | null
  location: string | null
  zone_text: string | null
  level_text: string | null
  building_id: Id | null
  level_index: number | null
  zone_id: Id | null
  start_at: Instant
  end_at: Instant
  title: string | null
  description: string | null
  controls: string | null
}

/** A permit of the site that has one of a register's numbers. */
export type Numbered = Landed & { id: Id; source: 'imported' | 'requested'; status: Status; set_id: Id | null }

// Permits in one response: few enough that reading them doesn't block the process.
const READ_AT_ONCE = 1000

/** Returns permits with these numbers, after all of them were locked in order of id. */
export async function permitsNumbered(db: Db, site_id: Id, numbers: readonly string[]): Promise<Numbered[]> {
  await sql`
    select count(*) from (select from permit where site_id = ${site_id} and permit_number = any(${numbers}::text[]) order by id for no key update) locked`.execute(
    db,
  )
  const found: Numbered[] = []
  for (let from = 0; from < numbers.length; from += READ_AT_ONCE) {
    const { rows } = await sql<Numbered>`
      select id, source, status, set_id, permit_number, categories, contractor_id, location, zone_text, level_text, building_id, level_index, zone_id,
        start_at, end_at, title, description, controls
      from permit where site_id = ${site_id} and permit_number = any(${numbers.slice(from, from + READ_AT_ONCE)}::text[])`.execute(db)
    for (const row of rows) found.push(row)
  }
  return found
}

const COLUMNS = sql`
  id uuid, permit_number text, categories text[], contractor_id uuid, location text, zone_text text, level_text text, building_id uuid, level_index integer,
  zone_id uuid, start_at timestamptz, end_at timestamptz, title text, description text, controls text, workflow_definition_id uuid, workflow_version integer,
  revived boolean, rewindowed boolean`

/** Adds imported permits: live immediately, without a chain of approval (import rule 5). */
export async function insertImported(
  db: Db,
  site_id: Id,
  set_id: Id,
  now: Instant,
  rows: readonly (Landed & { id: Id; workflow_definition_id: Id; workflow_version: number })[],
): Promise<void> {
  await sql`
    insert into permit (site_id, id, permit_number, status, source, categories, contractor_id, location, zone_text, level_text, building_id, level_index, zone_id,
      start_at, end_at, title, description, controls, workflow_definition_id, workflow_version, pinned_single_stage, pinned_requires_parent, issued_at, set_id)
    select ${site_id}::uuid, id, permit_number, 'issued', 'imported', categories, contractor_id, location, zone_text, level_text, building_id, level_index, zone_id,
      start_at, end_at, title, description, controls, workflow_definition_id, workflow_version, false, false, ${now}::timestamptz, ${set_id}::uuid
    from jsonb_to_recordset(${jsonb(rows)}::jsonb) as r(${COLUMNS})`.execute(db)
}

/** Updates imported permits and points them to the new import. One with a new window can be warned about again. */
export async function updateImported(
  db: Db,
  site_id: Id,
  set_id: Id,
  rows: readonly (Landed & { id: Id; revived: boolean; rewindowed: boolean })[],
): Promise<void> {
  await sql`
    update permit p set set_id = ${set_id}::uuid, categories = r.categories, contractor_id = r.contractor_id, location = r.location, zone_text = r.zone_text,
      level_text = r.level_text, building_id = r.building_id, level_index = r.level_index, zone_id = r.zone_id, start_at = r.start_at, end_at = r.end_at,
      title = r.title, description = r.description, controls = r.controls,
      status = case when r.revived then 'issued' else p.status end,
      expired_at = case when r.revived then null else p.expired_at end,
      -- A hand-back was of the permit as it was. It must not keep work that goes on out of conflicts and area stops.
      handed_back_at = null, handed_back_complete = null,
      expiring_warned_at = case when r.revived or r.rewindowed then null else p.expiring_warned_at end
    from jsonb_to_recordset(${jsonb(rows)}::jsonb) as r(${COLUMNS}) where p.site_id = ${site_id} and p.id = r.id`.execute(db)
}

/** Makes permits point to an import, and changes nothing else. */
export async function repoint(db: Db, site_id: Id, set_id: Id | null, ids: readonly Id[]): Promise<void> {
  await sql`update permit set set_id = ${set_id}::uuid where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
}

/** Writes places that were found later. */
export async function placePermits(
  db: Db,
  site_id: Id,
  places: readonly { id: Id; building_id: Id | null; level_index: number | null; zone_id: Id | null }[],
): Promise<void> {
  await sql`
    update permit p set building_id = r.building_id, level_index = r.level_index, zone_id = r.zone_id
    from jsonb_to_recordset(${jsonb(places)}::jsonb) as r(id uuid, building_id uuid, level_index integer, zone_id uuid)
    where p.site_id = ${site_id} and p.id = r.id`.execute(db)
}

/** Deletes imported permits that nobody acted on. */
export async function deleteImported(db: Db, site_id: Id, ids: readonly Id[]): Promise<void> {
  await sql`delete from permit where site_id = ${site_id} and id = any(${ids}::uuid[]) and source = 'imported'`.execute(db)
}
