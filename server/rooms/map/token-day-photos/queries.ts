import type { WorkDate } from '../../../../shared/time.ts'
import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

type OnDay = { site_id: Id; token_id: Id; work_date: WorkDate }

/** Returns another photo of the same day with the same bytes; null if there is none. */
export async function sameBytes(
  db: Db,
  { site_id, token_id, work_date, sha256, id }: OnDay & { sha256: string; id: Id | null },
): Promise<Id | null> {
  const row = await db
    .selectFrom('token_photo')
    .select('id')
    .where('site_id', '=', site_id)
    .where('token_id', '=', token_id)
    .where('work_date', '=', work_date)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row === undefined || row.id === id ? null : row.id
}

/** Counts the photos of a day. */
export async function photosOn(db: Db, { site_id, token_id, work_date }: OnDay): Promise<number> {
  const { n } = await db
    .selectFrom('token_photo')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('site_id', '=', site_id)
    .where('token_id', '=', token_id)
    .where('work_date', '=', work_date)
    .executeTakeFirstOrThrow()
  return Number(n)
}
