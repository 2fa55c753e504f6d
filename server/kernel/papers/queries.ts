import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** A paper that was asked for, and once it is made, what it is. */
export type PaperRow = {
  site_id: Id
  id: Id
  subject_kind: string
  subject_id: Id
  occasion: string
  as_at: Instant
  /** SHA-256 of the facts in canonical JSON. */
  facts_hash: string
  made_at: Instant | null
  sha256: string | null
  size: number | null
  pages: number | null
}

const COLUMNS = [
  'site_id',
  'id',
  'subject_kind',
  'subject_id',
  'occasion',
  'as_at',
  'facts_hash',
  'made_at',
  'sha256',
  'size',
  'pages',
] as const

/** Asks for a paper, with the facts as they stand. */
export async function insertPaper(
  db: Db,
  row: Pick<PaperRow, 'site_id' | 'id' | 'subject_kind' | 'subject_id' | 'occasion' | 'as_at' | 'facts_hash'> & { facts: unknown },
): Promise<void> {
  await db
    .insertInto('paper')
    .values({ ...row, facts: jsonb(row.facts) })
    .execute()
}

/** A paper with its facts, locked when it is about to be written. */
export async function paperRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<(PaperRow & { facts: unknown }) | null> {
  const asked = db
    .selectFrom('paper')
    .select([...COLUMNS, 'facts'])
    .where('site_id', '=', site_id)
    .where('id', '=', id)
  return (await (lock ? asked.forUpdate() : asked).executeTakeFirst()) ?? null
}

/** Writes down what was made; the facts are not needed any more. */
export async function savePaper(
  db: Db,
  paper: Pick<PaperRow, 'site_id' | 'id'>,
  made: { made_at: Instant; sha256: string; size: number; pages: number },
): Promise<void> {
  await db
    .updateTable('paper')
    .set({ ...made, facts: null })
    .where('site_id', '=', paper.site_id)
    .where('id', '=', paper.id)
    .execute()
}

/** The newest paper of each of these subjects that is made. */
export async function newestPapers(db: Db, site_id: Id, subject_ids: readonly Id[]): Promise<Map<Id, PaperRow>> {
  if (subject_ids.length === 0) return new Map()
  const { rows } = await sql<PaperRow>`
    select distinct on (subject_id) site_id, id, subject_kind, subject_id, occasion, as_at, facts_hash, made_at, sha256, size, pages from paper
    where site_id = ${site_id} and subject_id = any(${subject_ids as Id[]}::uuid[]) and made_at is not null order by subject_id, as_at desc, id desc`.execute(
    db,
  )
  return new Map(rows.map(row => [row.subject_id, row]))
}

/** Every paper of a subject, newest first. */
export const papersOf = (db: Db, site_id: Id, subject_id: Id): Promise<PaperRow[]> =>
  db
    .selectFrom('paper')
    .select(COLUMNS)
    .where('site_id', '=', site_id)
    .where('subject_id', '=', subject_id)
    .orderBy('as_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Made papers of a site after this id, for whoever checks their bytes. */
export const madePapers = (db: Db, site_id: Id, after: Id, limit: number): Promise<PaperRow[]> =>
  db
    .selectFrom('paper')
    .select(COLUMNS)
    .where('site_id', '=', site_id)
    .where('made_at', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
