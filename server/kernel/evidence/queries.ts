import type { Instant } from '../../../shared/time.ts'
import { newColumns, setColumns } from '../../base/columns.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { NewRow, Row } from '../../base/rows.ts'
import type { Condition } from '../listing/door.ts'
import type { PictureFacts, Pin } from './domain.ts'

/** A file that belongs to a site. */
export type FileRow = { sha256: string; size: number; media_type: string; width: number | null; height: number | null }

/** Records that a file belongs to a site. */
export async function holdFile(db: Db, site_id: Id, file: FileRow & { facts: Record<string, unknown> }, now: Instant): Promise<void> {
  await db
    .insertInto('stored_file')
    .values({ site_id, ...file, facts: jsonb(file.facts), kept_at: now })
    .onConflict(conflict => conflict.columns(['site_id', 'sha256']).doNothing())
    .execute()
}

/** Returns a file of a site; null if the site doesn't have it. */
export async function fileOf(db: Db, site_id: Id, sha256: string): Promise<FileRow | null> {
  const row = await db
    .selectFrom('stored_file')
    .select(['sha256', 'size', 'media_type', 'width', 'height'])
    .where('site_id', '=', site_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row ?? null
}

/** Lists a site's files, after this hash. */
export const filesAfter = (db: Db, site_id: Id, after: string, limit: number): Promise<FileRow[]> =>
  db
    .selectFrom('stored_file')
    .select(['sha256', 'size', 'media_type', 'width', 'height'])
    .where('site_id', '=', site_id)
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit)
    .execute()

declare module '../../base/json-columns.ts' {
  interface JsonColumns {
    'evidence.taken_point': { lon: number; lat: number } | null
    'evidence.pin': Pin | null
    /** Empty for a file whose picture wasn’t read. */
    'stored_file.facts': PictureFacts | { taken?: never }
  }
}

/** A file of a record as the database has it. */
export type EvidenceRow = Row<'evidence'>
/** The same with the number of records that have adopted it. */
export type CitedRow = EvidenceRow & { cited: number }

/** Lists the files of these records, oldest first. */
export async function evidenceOf(db: Db, site_id: Id, owner_kind: string, owner_ids: readonly Id[]): Promise<CitedRow[]> {
  if (owner_ids.length === 0) return []
  const { rows } = await sql<CitedRow>`
    select e.*, (select count(*) from evidence c where c.site_id = e.site_id and c.source_id = e.id) as cited
    from evidence e where e.site_id = ${site_id} and e.owner_kind = ${owner_kind} and e.owner_id = any(${owner_ids}::uuid[])
    order by e.created_at, e.id`.execute(db)
  return rows
}

/**
 * Returns one file of a record. Until the end of the transaction, `share` keeps others from changing or removing it, and `update` from adopting it, too.
 */
export async function evidenceRow(
  db: Db,
  site_id: Id,
  owner: { kind: string; id: Id },
  id: Id,
  lock: 'none' | 'share' | 'update',
): Promise<EvidenceRow | null> {
  const row = db
    .selectFrom('evidence')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .where('id', '=', id)
  const locked = lock === 'none' ? row : lock === 'share' ? row.forShare() : row.forUpdate()
  return (await locked.executeTakeFirst()) ?? null
}

/** Lists the files that were adopted from one. */
export async function adoptionsOf(db: Db, site_id: Id, id: Id): Promise<EvidenceRow[]> {
  return db
    .selectFrom('evidence')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('source_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns the condition that a record of this kind has a file that a record of one of these kinds has adopted. `record`: the column with its id. */
export const adoptedBy = (site_id: Id, record: Condition, kind: string, adopters: readonly string[]): Condition =>
  sql`${record} in (select c.source_record_id from evidence c
    where c.site_id = ${site_id} and c.source_kind = ${kind} and c.source_id is not null and c.owner_kind = any(${adopters}::text[]))`

/** Returns whether a record of one of these kinds has adopted a file of this record. */
export async function isAdoptedBy(db: Db, site_id: Id, record: { kind: string; id: Id }, adopters: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('evidence')
    .select('id')
    .where('site_id', '=', site_id)
    .where('source_kind', '=', record.kind)
    .where('source_record_id', '=', record.id)
    .where('source_id', 'is not', null)
    .where('owner_kind', 'in', adopters.length === 0 ? [''] : adopters)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Adds a file to a record. */
export async function insertEvidence(db: Db, row: NewRow<'evidence'>): Promise<void> {
  await db.insertInto('evidence').values(newColumns('evidence', row)).execute()
}

/** Changes what is said about a file. */
export async function describeEvidence(db: Db, row: EvidenceRow, set: Partial<Pick<EvidenceRow, 'caption' | 'role' | 'pin' | 'taken_at'>>) {
  await db.updateTable('evidence').set(setColumns('evidence', set)).where('site_id', '=', row.site_id).where('id', '=', row.id).execute()
}

/** Removes a file from a record. Its bytes stay in the storage. */
export async function dropEvidence(db: Db, row: EvidenceRow): Promise<void> {
  await db.deleteFrom('evidence').where('site_id', '=', row.site_id).where('id', '=', row.id).execute()
}

/** Returns what a file of a site says about itself. */
export async function factsOf(db: Db, site_id: Id, sha256: string): Promise<PictureFacts | null> {
  const row = await db
    .selectFrom('stored_file')
    .select('facts')
    .where('site_id', '=', site_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row?.facts.taken === undefined ? null : row.facts
}
