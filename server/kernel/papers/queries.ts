import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** A document that a step requested, with the facts of that step. */
export type OrderRow = {
  site_id: Id
  id: Id
  subject_kind: string
  subject_id: Id
  occasion: string
  as_at: Instant
  facts: unknown
  /** SHA-256 of the facts in canonical JSON. */
  facts_hash: string
}

/** A stored document. */
export type PaperRow = Omit<OrderRow, 'facts'> & { made_at: Instant; sha256: string; size: number; pages: number }

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

/**
 * Requests a document, with the present facts and, separately, the head of the site's audit log before this step (`log_head`). The head is not part of
 * `facts_hash`: it changes with every write, and the record still says the same.
 */
export async function insertOrder(db: Db, row: OrderRow): Promise<void> {
  const head = sql`(select h.seq || ';' || h.hash from site_head h where h.site_id = ${row.site_id})`
  await db
    .insertInto('paper_order')
    .values({ ...row, facts: sql<string>`${jsonb(row.facts)}::jsonb || jsonb_build_object('log_head', ${head})` })
    .execute()
}

/** Returns a document that has been requested and hasn't been made yet; with `lock`, locks it so that only one process makes it. */
export async function orderRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<OrderRow | null> {
  const asked = db.selectFrom('paper_order').selectAll().where('site_id', '=', site_id).where('id', '=', id)
  return (await (lock ? asked.forUpdate() : asked).executeTakeFirst()) ?? null
}

/** Stores a finished document, and deletes its request. */
export async function insertPaper(db: Db, { facts: _facts, ...order }: OrderRow, made: Omit<PaperRow, keyof OrderRow>): Promise<void> {
  await db
    .insertInto('paper')
    .values({ ...order, ...made })
    .execute()
  await db.deleteFrom('paper_order').where('site_id', '=', order.site_id).where('id', '=', order.id).execute()
}

/** Returns the newest document of each of these subjects. */
export async function newestPapers(db: Db, site_id: Id, subject_ids: readonly Id[]): Promise<Map<Id, PaperRow>> {
  if (subject_ids.length === 0) return new Map()
  const { rows } = await sql<PaperRow>`
    select distinct on (subject_id) ${sql.join(COLUMNS.map(column => sql.ref(column)))} from paper
    where site_id = ${site_id} and subject_id = any(${subject_ids}::uuid[]) order by subject_id, as_at desc, id desc`.execute(db)
  return new Map(rows.map(row => [row.subject_id, row]))
}

/** Lists every document of a subject, newest first. */
export const papersOf = (db: Db, site_id: Id, subject_id: Id): Promise<PaperRow[]> =>
  db
    .selectFrom('paper')
    .select(COLUMNS)
    .where('site_id', '=', site_id)
    .where('subject_id', '=', subject_id)
    .orderBy('as_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Lists the occasions of a subject whose documents are still being made. */
export async function ordersOf(db: Db, site_id: Id, subject_id: Id): Promise<string[]> {
  const rows = await db
    .selectFrom('paper_order')
    .select('occasion')
    .where('site_id', '=', site_id)
    .where('subject_id', '=', subject_id)
    .execute()
  return rows.map(row => row.occasion)
}

/** Lists a site's documents after this id, to check their bytes. */
export const papersAfter = (db: Db, site_id: Id, after: Id, limit: number): Promise<PaperRow[]> =>
  db.selectFrom('paper').select(COLUMNS).where('site_id', '=', site_id).where('id', '>', after).orderBy('id').limit(limit).execute()

/** Returns documents by their ids. */
export const papersById = (db: Db, site_id: Id, ids: readonly Id[]): Promise<PaperRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('paper')
        .select(COLUMNS)
        .where('site_id', '=', site_id)
        .where('id', 'in', [...ids])
        .execute()
