// What happens after an email was sent: a refusal at RCPT, or a report that arrives later. One function decides which of them suppress an address.
import { DAY, type Instant, later } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { type Id, PLATFORM } from '../../../base/ids.ts'
import { addressKey, type Bounce, bounceOf } from '../domain/bounce.ts'
import {
  clearSuppression,
  insertReport,
  insertSuppression,
  ownersOf,
  type Suppression,
  type SuppressionRow,
  softBounces,
  suppressionOf,
} from '../queries.ts'

/** A report on one email to one address. */
export type Report = {
  /** Assigned by the relay, or computed from the report itself: the same report counts once. */
  event_id: string
  type: 'bounce' | 'complaint' | 'delivered'
  email: string
  /** Enhanced status code (RFC 3463), if there is one. */
  status: string | null
  /** Basic reply code, if there is nothing else. */
  reply: number | null
  at: Instant
  message_id: string | null
  diagnostic: string | null
}

/** The outcome of a report. */
export type Outcome = 'accepted' | 'suppressed' | 'ignored'

/** Receives each report, for the room that sent the email. */
export type ReportHearer = (ctx: Ctx, report: Report & { class: Bounce | null }) => Promise<void>
/** Receives each change of whether email reaches a person, for the rooms that depend on it. */
export type AddressHearer = (ctx: Ctx, user_id: Id, suppressed: boolean) => Promise<void>

const reportHearers: ReportHearer[] = []
const addressHearers: AddressHearer[] = []

/** Registers the receivers of reports and of address changes, once, at startup. */
export function plugReports(reports: readonly ReportHearer[], addresses: readonly AddressHearer[]): void {
  reportHearers.splice(0, reportHearers.length, ...reports)
  addressHearers.splice(0, addressHearers.length, ...addresses)
}

const SOFT_COUNT = 5
const SOFT_DAYS = 3
const SOFT_SPAN_DAYS = 14

/**
 * Handles a report (`site-and-people.md` §10). A hard bounce or a complaint suppresses the address immediately. Five soft bounces on at least three of
 * fourteen days do the same if no email was delivered in between. A fault of our own suppresses nobody.
 */
export async function takeReport(ctx: Ctx, report: Report): Promise<Outcome> {
  const email = addressKey(report.email)
  const found = report.type === 'bounce' ? bounceOf(report.status, report.reply) : null
  if (!(await insertReport(ctx.db, { ...report, email, class: found }))) return 'ignored'
  for (const hear of reportHearers) await hear(ctx, { ...report, email, class: found })
  const reason = await reasonOf(ctx, { ...report, email }, found)
  if (reason === null) return 'accepted'
  await suppress(ctx, email, { reason, status: report.status, diagnostic: report.diagnostic })
  return 'suppressed'
}

async function reasonOf(ctx: Ctx, report: Report, found: Bounce | null): Promise<Suppression['reason'] | null> {
  if (report.type === 'complaint') return 'complaint'
  if (found === 'hard') return 'hard_bounce'
  if (found !== 'soft') return null
  const { count, days } = await softBounces(ctx.db, report.email, later(ctx.now, -SOFT_SPAN_DAYS * DAY))
  return count >= SOFT_COUNT && days >= SOFT_DAYS ? 'repeated_soft' : null
}

/** Suppresses all email to an address, and notifies its owners and everyone who depends on it. */
export async function suppress(
  ctx: Ctx,
  address: string,
  why: { reason: Suppression['reason']; status: string | null; diagnostic: string | null },
): Promise<void> {
  const email = addressKey(address)
  if (!(await insertSuppression(ctx.db, { email, ...why, at: ctx.now }))) return
  trace(ctx, email, why.reason.replaceAll('_', ' '))
  await notifyOwners(ctx, email, 'user.email_suppressed', { reason: why.reason }, true)
}

/** The audit log contains no addresses: the first letter and the host are enough to recognise one. */
function trace(ctx: Ctx, email: string, reason: string): void {
  ctx.trail.entries.push({
    site_id: PLATFORM,
    entity_type: 'email_suppression',
    entity_id: PLATFORM,
    entity_label: email.replace(/^(.).*@/, '$1…@'),
    note: { action: 'update', reason },
  })
}

/** Ends the suppression of an address, for this reason; null if it isn't suppressed. */
export async function unsuppress(ctx: Ctx, address: string, reason: string): Promise<SuppressionRow | null> {
  const email = addressKey(address)
  const cleared = await clearSuppression(ctx.db, email, { at: ctx.now, by: ctx.actor.id })
  if (cleared === null) return null
  trace(ctx, email, reason)
  await notifyOwners(ctx, email, 'user.email_cleared', {}, false)
  return cleared
}

/** Updates whether email reaches a person after their address has changed. */
export async function addressMoved(ctx: Ctx, user_id: Id, address: string | null): Promise<void> {
  const suppressed = address !== null && (await suppressionOf(ctx.db, addressKey(address))) !== null
  for (const hear of addressHearers) await hear(ctx, user_id, suppressed)
}

async function notifyOwners(ctx: Ctx, email: string, kind: string, payload: Record<string, unknown>, suppressed: boolean): Promise<void> {
  for (const { id, name } of await ownersOf(ctx.db, email)) {
    ctx.emit({ kind, site_id: PLATFORM, subject: { kind: 'user', id, label: name }, payload: { user_id: id, ...payload } })
    for (const hear of addressHearers) await hear(ctx, id, suppressed)
  }
}
