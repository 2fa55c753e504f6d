import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

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
