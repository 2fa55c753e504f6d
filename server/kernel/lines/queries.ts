import type { Instant } from '../../../shared/time.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { andAmong } from '../../base/plans.ts'
import { mentions } from '../listing/door.ts'

/** A stored line. */
export type LineRow = {
  id: Id
  at: Instant
  source: 'server' | 'client' | 'auth' | 'job'
  level: 'error' | 'warn' | 'info'
  kind: string
  name: string
  message: string
  stack: string | null
  route: string | null
  value: number | null
  request_id: string | null
  user_id: Id | null
  site_id: Id | null
  app_version: string | null
  platform: string | null
  device_at: Instant | null
  network: string | null
}

/** Writes lines in one statement. */
export async function insertLines(db: Db, rows: readonly LineRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('diag_line')
      .values([...rows])
      .execute()
}

/** The filters of the list of lines. */
export type LineFilter = {
  source?: readonly string[]
  level?: readonly string[]
  kind?: readonly string[]
  id?: readonly Id[]
  request_id?: readonly string[]
  user_id?: readonly Id[]
  site_id?: Id
  app_version?: readonly string[]
  from?: Instant
  to?: Instant
  q?: string
  after: readonly (string | number | null)[] | null
  limit: number
}

/** Lists lines, newest first. */
export async function linesOf(db: Db, filter: LineFilter): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select * from diag_line where true
      ${filter.source === undefined ? sql`` : sql`and source = any(${filter.source}::text[])`}
      ${filter.level === undefined ? sql`` : sql`and level = any(${filter.level}::text[])`}
      ${filter.kind === undefined ? sql`` : sql`and kind = any(${filter.kind}::text[])`}
      ${andAmong('id', filter.id, 'uuid')} ${andAmong('request_id', filter.request_id, 'text')} ${andAmong('user_id', filter.user_id, 'uuid')}
      ${filter.site_id === undefined ? sql`` : sql`and site_id = ${filter.site_id}`}
      ${andAmong('app_version', filter.app_version, 'text')}
      ${filter.from === undefined ? sql`` : sql`and at >= ${filter.from}`}
      ${filter.to === undefined ? sql`` : sql`and at < ${filter.to}`}
      ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`name`, sql`message`], filter.q)}`}
      ${filter.after === null ? sql`` : sql`and (at, id) < (${filter.after[0]}::timestamptz, ${filter.after[1]}::uuid)`}
    order by at desc, id desc limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Deletes lines from before these times; those about signing in are kept longer. Returns how many. */
export async function dropOldLines(db: Db, before: Instant, auth_before: Instant): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from diag_line where at < ${auth_before} or (at < ${before} and source <> 'auth')`.execute(db)
  return Number(numAffectedRows ?? 0)
}
