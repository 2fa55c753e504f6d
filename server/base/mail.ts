// Sends email: to the relay set in SMTP_URL or, without one, as files in the data directory, where a developer finds them.

import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldsIn } from '../../shared/narrow.ts'
import { ms } from '../../shared/time.ts'
import type { House } from './ctx.ts'
import { HALF } from './leftovers.ts'

/** An email as it is sent: multipart, text and HTML with the same words. */
export type Mail = {
  /** What it is, for the log and the name of a file; never its recipient. */
  kind: string
  /** Used for the Message-ID: if it is sent twice after a crash, it is the same email. */
  id: string
  to: { name: string | null; address: string }
  subject: string
  text: string
  html: string
  /** The id of its subject: emails about one subject are one thread (`References`). */
  thread?: string
  /** Where its reader can unsubscribe from emails of this kind with one click (RFC 8058). */
  unsubscribe?: string
}

/** The result. `rcpt`: the relay refused this address; `other`: it refused us, or could not be reached. */
export type Delivery =
  | { outcome: 'sent' | 'kept' }
  | { outcome: 'refused'; stage: 'rcpt' | 'other'; reply: number | null; status: string | null; diagnostic: string }

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

/** Sends an email, or stores it as a file if no relay is set. Returns the result; throws only if a file can't be written. */
export async function sendMail(house: House, mail: Mail): Promise<Delivery> {
  const { smtp_url } = house.settings
  if (smtp_url === null) return keep(house, mail)
  const loopback = LOOPBACK.test(new URL(smtp_url).hostname)
  const { createTransport } = await import('nodemailer') // slow to load, and no start should wait for it
  const transport = createTransport({
    url: smtp_url,
    requireTLS: !loopback,
    // On the same machine nobody can listen in, and there is no certificate for it.
    ...(loopback ? { tls: { rejectUnauthorized: false } } : {}),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
  try {
    await transport.sendMail(messageOf(house, mail))
    return { outcome: 'sent' }
  } catch (error) {
    return refusalOf(error)
  } finally {
    transport.close()
  }
}

const hostOf = (house: House) => new URL(house.settings.public_url).hostname

/** Returns the return path of one email, which contains the id of the email, so that a report about it contains it, too. */
function returnPath(house: House, mail: Mail): string {
  const { mail_from, mail_return_path } = house.settings
  const address = mail_return_path ?? /<([^<>]+)>\s*$/.exec(mail_from)?.[1] ?? mail_from
  const at = address.lastIndexOf('@')
  return at < 1 ? address : `${address.slice(0, at)}+${mail.id}${address.slice(at)}`
}

const messageOf = (house: House, mail: Mail) => ({
  from: house.settings.mail_from,
  envelope: { from: returnPath(house, mail), to: mail.to.address },
  to: { name: mail.to.name ?? '', address: mail.to.address },
  subject: oneLine(mail.subject).slice(0, 150),
  text: mail.text,
  html: mail.html,
  date: new Date(ms(house.clock.now())),
  messageId: `<${mail.id}@${hostOf(house)}>`,
  ...(mail.thread === undefined ? {} : { references: `<${mail.thread}@${hostOf(house)}>` }),
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(mail.unsubscribe === undefined
      ? {}
      : { 'List-Unsubscribe': `<${mail.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
})

async function keep(house: House, mail: Mail): Promise<Delivery> {
  const folder = join(house.data_dir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { createTransport } = await import('nodemailer')
  const composed = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(messageOf(house, mail))
  if (!Buffer.isBuffer(composed.message)) throw new Error('An email that should have been buffered is a stream.')
  const file = `${house.clock.now().replace(/[:.]/g, '-')}-${mail.kind}-${mail.id}.eml`
  // It may contain a token, so only the service's account can read it.
  const half = join(folder, `${file}${HALF}`)
  try {
    await writeFile(half, composed.message, { mode: 0o600 })
    await rename(half, join(folder, file))
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
  house.log.info({ mail: mail.kind, file }, 'email stored in the outbox')
  return { outcome: 'kept' }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function refusalOf(error: unknown): Delivery {
  const { command, responseCode, response, message } = fieldsIn(error)
  const diagnostic = oneLine(String(response ?? message ?? 'no response')).slice(0, 500)
  const status = /(?:^|\s)([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(diagnostic)?.[1] ?? null
  return {
    outcome: 'refused',
    stage: typeof command === 'string' && command.startsWith('RCPT') ? 'rcpt' : 'other',
    reply: typeof responseCode === 'number' ? responseCode : null,
    status,
    diagnostic,
  }
}
