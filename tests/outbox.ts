// The emails of a service without a mail server: queued ones are sent, and the files in the outbox are read.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runJob } from '../server/kernel/jobs/door.ts'
import type { TestHouse } from './world.ts'

/** A stored email. */
export type Kept = { kind: string; to: string; subject: string; text: string; html: string; raw: string; headers: string }

/** Runs every queued mail job that is due within five seconds; returns the result of each. */
export async function sendMails(house: TestHouse): Promise<Record<string, unknown>[]> {
  const { pool } = house.house.database
  const { rows } = await pool.query(
    `select id from job_run where kind = 'mail' and state = 'queued' and run_after <= $1::timestamptz + interval '5 seconds' order by queued_at, id`,
    [house.house.clock.now()],
  )
  for (const { id } of rows) await runJob(house.house, id).catch(() => {})
  const done = await pool.query(`select state, result, error_detail from job_run where id = any($1::uuid[]) order by queued_at, id`, [
    rows.map(r => r.id),
  ])
  return done.rows.map(row => ({ state: row.state, ...row.result, ...(row.error_detail === null ? {} : { error: row.error_detail }) }))
}

/** Lists the emails to an address, oldest first. */
export function mailsTo(house: TestHouse, address: string): Kept[] {
  let files: string[]
  try {
    files = readdirSync(join(house.house.data_dir, 'outbox'))
  } catch {
    return []
  }
  return files
    .filter(file => file.endsWith('.eml'))
    .map(file => ({ file, at: file.slice(-40) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ file }) =>
      readMail(readFileSync(join(house.house.data_dir, 'outbox', file), 'utf8'), /Z-(.+)-[0-9a-f-]{36}\.eml$/.exec(file)?.[1] ?? ''),
    )
    .filter(mail => mail.to.toLowerCase().includes(address.toLowerCase()))
}

/** Parses a raw email. */
export function readMail(raw: string, kind = ''): Kept {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = head.replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string, from = headers) => new RegExp(`^${name}: (.*)$`, 'im').exec(from)?.[1]?.trim() ?? ''
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? ''
  const part = (type: string): string => {
    const found = rest
      .join('\r\n\r\n')
      .split(`--${boundary}`)
      .find(text => text.includes(`Content-Type: ${type}`))
    if (found === undefined) return ''
    const [partHead = '', ...body] = found.trimStart().split('\r\n\r\n')
    const text = body.join('\r\n\r\n').trimEnd()
    const encoding = header('Content-Transfer-Encoding', partHead)
    if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8')
    return encoding === 'quoted-printable' ? unquoted(text) : text.replaceAll('\r\n', '\n')
  }
  const word = (text: string) =>
    text.replace(/=\?UTF-8\?([QB])\?([^?]*)\?=\s*/gi, (_, how: string, inner: string) =>
      how.toUpperCase() === 'B' ? Buffer.from(inner, 'base64').toString('utf8') : unquoted(inner.replaceAll('_', ' ')),
    )
  return { kind, to: header('To'), subject: word(header('Subject')), text: part('text/plain'), html: part('text/html'), raw, headers }
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
    .toString('utf8')
    .replaceAll('\r\n', '\n')

/** Returns the first link in an email's text that starts like this. */
export const linkIn = (mail: Kept | undefined, begins: string): string => {
  const found = mail?.text.split(/\s+/).find(word => word.startsWith(begins))
  if (found === undefined) throw new Error(`No link that begins with ${begins} in: ${mail?.text}`)
  return found
}
