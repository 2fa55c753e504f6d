// Sends emails and push messages: each is claimed under a lease, checked once more and passed to the relay, and the outcome is recorded.
import { DAY, later, MINUTE, ms, spoken } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import { type House, reading, writing } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { type Delivery, sendMail } from '../../../base/mail.ts'
import { isStopping, noteFailure } from '../../jobs/door.ts'
import { nextTry } from '../../mail/domain/bounce.ts'
import { written } from '../../mail/domain/letter.ts'
import { takeReport } from '../../mail/door.ts'
import { siteFacts } from '../../site/door.ts'
import type { Member } from '../domain/audience.ts'
import { type Item, letterOf, pushWords, titleOf } from '../domain/letter.ts'
import {
  beginDialogue,
  type CarriedRow,
  carriedBy,
  endMessage,
  giveUpLost,
  leaveOut,
  type MessageRow,
  takeDue,
} from '../queries/outgoing.ts'
import { memberOn } from '../queries/people.ts'
import { seenBy } from './address.ts'
import { pushPort } from './push.ts'
import { noticeKind } from './registry.ts'
import { unsubscribeToken } from './unsubscribe.ts'

const LEASE_MS = 2 * MINUTE
const AT_ONCE = 10
const ACTOR = jobActor('notices')
/** How long a push message can wait for its device if its kind doesn't say. */
const TTL_SECONDS = 24 * 3600

/** The outcome of a message: `due_at` if it is tried again. */
type End = { state: string; detail: string | null; due_at?: string | null }

/** The text of a message and its recipient; or the reason why it is no longer sent. */
type Prepared = { member: Member; site: { name: string; timezone: string }; rows: CarriedRow[]; items: Item[]; title: string } | End

async function prepare(house: House, message: MessageRow): Promise<Prepared> {
  const ctx = reading(house, { actor: ACTOR, cause: 'notification.send' })
  const { site_id } = message
  const [site, member, carried] = await Promise.all([
    siteFacts(ctx.db, site_id),
    memberOn(ctx.db, site_id, message.user_id),
    carriedBy(ctx.db, site_id, message.id),
  ])
  // From a deleted site, nothing reaches anyone, neither what was held for a digest nor what was about to be sent.
  if (member === null || site === null || site.deleted) return { state: 'skipped', detail: 'not_a_member' }
  // Nothing is sent to a person who can no longer see the record.
  const hidden = new Set<Id>()
  for (const [subject, rows] of Map.groupBy(carried, row => `${row.subject_kind} ${row.subject_id}`)) {
    const [kind = '', id = ''] = subject.split(' ')
    if (!(await seenBy(ctx, site_id, { kind, id }, [member])).has(member.user_id)) for (const row of rows) hidden.add(row.notification_id)
  }
  if (hidden.size > 0) await leaveOut(house.database.db, site_id, message.id, [...hidden], 'not_visible', house.clock.now())
  const rows = carried.filter(row => !hidden.has(row.notification_id))
  if (rows.length === 0) return { state: 'skipped', detail: 'not_visible' }
  const items = rows.map(row => ({
    kind: row.kind,
    title: row.title,
    body: row.body,
    link: row.link,
    when: spoken(site.timezone, row.created_at, site.locale),
  }))
  return { member, site, rows, items, title: titleOf(items, noticeKind(rows[0]?.kind ?? ''), site.name) }
}

/** Passes an email to the relay. */
async function mail(house: House, message: MessageRow): Promise<End> {
  const made = await prepare(house, message)
  if ('state' in made) return made
  const { member, site, rows, items, title } = made
  if (house.settings.smtp_url === null) return { state: 'skipped', detail: 'not_configured' }
  // Checked now, not when it was queued: the address may have been suppressed since.
  if (member.no_email === 'suppressed') return { state: 'suppressed', detail: 'suppressed' }
  if (member.email === null) return { state: 'skipped', detail: 'unavailable' }
  const kinds = [...new Set(items.map(item => item.kind))]
  const token = await unsubscribeToken(house, { user_id: member.user_id, kinds })
  const [first] = rows
  const one_subject = rows.every(row => row.subject_id === first?.subject_id)
  const said = letterOf(items, {
    name: member.name,
    site: site.name,
    title,
    open_url: `${house.settings.public_url}${(items.length === 1 ? first?.link : null) ?? `/sites/${message.site_id}`}`,
    unsubscribe_url: `${house.settings.public_url}/u#${token}`,
    single_kind: kinds.length === 1 ? (noticeKind(kinds[0] ?? '')?.label ?? null) : null,
  })
  await beginDialogue(house.database.db, message.site_id, message.id)
  const delivery = await sendMail(house, {
    kind: message.kind.replaceAll(':', '-'),
    id: message.id,
    to: { name: member.name, address: member.email },
    subject: said.subject,
    ...written(said, 'en'),
    ...(one_subject && first !== undefined ? { thread: `${first.subject_kind}.${first.subject_id}` } : {}),
    unsubscribe: `${house.settings.public_url}/u/${token}`, // RFC 8058: a URL that the email program can open on its own
  })
  return delivery.outcome === 'refused' ? refused(house, message, member.email, delivery) : { state: 'sent', detail: null }
}

/** Decides what a refusal means (`messages.md` §3.2, 4): it may be temporary, the address may not exist, or the fault is ours. */
async function refused(house: House, message: MessageRow, address: string, said: Delivery & { outcome: 'refused' }): Promise<End> {
  const { stage, reply, status, diagnostic } = said
  const passes = reply === null || reply < 500
  const wait = passes ? nextTry(message.attempts - 1) : null
  if (wait !== null) return { state: 'queued', detail: diagnostic, due_at: later(house.clock.now(), wait) }
  const work = { actor: ACTOR, cause: 'mail.bounce' }
  if (stage === 'rcpt') {
    // One function decides which refusals suppress an address, at RCPT and in a report that arrives later.
    const report = {
      event_id: `rcpt ${message.id} ${message.attempts}`,
      type: 'bounce' as const,
      email: address,
      status,
      reply,
      message_id: null,
      diagnostic,
    }
    await writing(house, work, ctx => takeReport(ctx, { ...report, at: ctx.now }))
    return { state: 'failed', detail: diagnostic }
  }
  const why =
    reply === null ? 'The mail relay couldn’t be reached or didn’t respond, so an email wasn’t sent' : 'The mail relay refused an email'
  house.log.error({ mail: message.kind, stage, reply, status }, 'a notification email couldn’t be sent')
  await writing(house, work, ctx =>
    noteFailure(ctx, {
      kind: 'mail',
      site_id: message.site_id,
      attempts: message.attempts,
      message: `${why} (${message.kind})`,
      detail: diagnostic,
      input: { message_id: message.id },
    }),
  )
  return { state: 'failed', detail: diagnostic }
}

async function push(house: House, message: MessageRow): Promise<End> {
  const port = pushPort()
  if (port === null) return { state: 'skipped', detail: 'not_configured' }
  const ttl_seconds = noticeKind(message.kind)?.ttl_seconds ?? (message.urgency === 'critical' ? 3600 : TTL_SECONDS)
  const age = (ms(house.clock.now()) - ms(message.created_at)) / 1000
  if (age > ttl_seconds) return { state: 'skipped', detail: 'stale' }
  const made = await prepare(house, message)
  if ('state' in made) return made
  const { rows, items, title, site, member } = made
  const [first] = rows
  await beginDialogue(house.database.db, message.site_id, message.id)
  const said = await port.pushTo(house, member.user_id, {
    id: rows.length === 1 ? (first?.notification_id ?? message.id) : message.id,
    kind: message.kind,
    ...pushWords(items, title, site.name),
    site_id: message.site_id,
    tag: rows.length === 1 ? `${first?.subject_id} ${message.kind}` : `${message.site_id} ${message.kind}`,
    link: rows.length === 1 ? (first?.link ?? null) : null,
    urgency: message.urgency,
    ttl_seconds: Math.floor(ttl_seconds - age),
  })
  if (said.outcome === 'later') return { state: 'queued', detail: 'later', due_at: said.after }
  if (said.outcome === 'sent') return { state: 'sent', detail: null }
  return said.outcome === 'no_subscription'
    ? { state: 'skipped', detail: 'no_subscription' }
    : { state: 'failed', detail: said.detail ?? null }
}

async function sendOne(house: House, message: MessageRow): Promise<void> {
  const end = await (message.channel === 'email' ? mail : push)(house, message).catch((error): End => {
    house.log.error({ message_id: message.id, channel: message.channel, err: error }, 'a message was not sent')
    const wait = nextTry(message.attempts - 1)
    return wait === null || ms(house.clock.now()) - ms(message.created_at) > DAY
      ? { state: 'failed', detail: 'internal_error' }
      : { state: 'queued', detail: 'internal_error', due_at: later(house.clock.now(), wait) }
  })
  await endMessage(house.database.db, message, { state: end.state, detail: end.detail, now: house.clock.now(), due_at: end.due_at ?? null })
}

/** Sends everything that is due now; returns how many messages it claimed. Several processes can do this at the same time. */
export async function dispatchDue(house: House): Promise<number> {
  const { db } = house.database
  await giveUpLost(db, house.clock.now())
  let count = 0
  for (;;) {
    const now = house.clock.now()
    const taken = await takeDue(db, now, later(now, LEASE_MS), AT_ONCE)
    await Promise.all(taken.map(message => sendOne(house, message)))
    count += taken.length
    if (taken.length === 0 || isStopping(house)) return count
  }
}

/** Sends what is due, every second, until it is stopped. */
export function startDispatch(house: House): { stop(): Promise<void> } {
  let busy = false
  let running: Promise<void> = Promise.resolve()
  const timer = house.timers.every(1000, () => {
    if (busy) return
    busy = true
    running = dispatchDue(house)
      .then(() => {})
      .catch(error => house.log.error({ err: error }, 'dispatch'))
      .finally(() => {
        busy = false
      })
  })
  return {
    async stop() {
      timer.stop()
      await running
    },
  }
}
