import { createHmac, timingSafeEqual } from 'node:crypto'
import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, notFound, refuse, unauthenticated } from '../../../../base/errors.ts'
import { sha256 } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { addressKey, type Report, suppressionsOf, takeReport, unsuppress } from '../../../../kernel/mail/door.ts'
import { readReport } from '../domain/reports.ts'
import type { Bounces, ClearSuppression, SuppressionFilter } from '../schema.ts'

type Wire = { headers: Record<string, string | string[] | undefined>; bytes: Buffer | null }

const WINDOW_MS = 5 * 60_000

/** Returns whether `t=<unix>,v1=<hex>` signs these bytes (HMAC-SHA256 over `t.body`) within five minutes of now (`site-and-people.md` §10). */
function isSignedBy(header: string, bytes: Buffer, secret: string, now: number): boolean {
  const parts = new Map(
    header.split(',').map(part => {
      const [name = '', value] = part.trim().split('=', 2)
      return [name, value]
    }),
  )
  const [t, v1] = [parts.get('t') ?? '', parts.get('v1') ?? '']
  if (!/^\d{1,12}$/.test(t) || !/^[0-9a-f]{64}$/i.test(v1)) return false
  const made = createHmac('sha256', secret).update(`${t}.`).update(bytes).digest()
  return timingSafeEqual(made, Buffer.from(v1, 'hex')) && Math.abs(now - Number(t) * 1000) <= WINDOW_MS
}

/** Refuses a report that neither the mail relay has signed nor a superadmin sends. */
function demandSender(ctx: Ctx, wire: Wire): void {
  if (ctx.actor.can('platform_operate')) return
  const header = wire.headers['x-signature']
  if (typeof header !== 'string')
    refuse(
      unauthenticated(
        'missing',
        'This report has no signature. Sign it with the mail relay’s secret (X-Signature), or send it with a superadmin’s token.',
      ),
    )
  const secret = ctx.house.settings.bounce_secret
  if (secret === null || wire.bytes === null || !isSignedBy(header, wire.bytes, secret, ms(ctx.now)))
    refuse(
      unauthenticated(
        'bad_signature',
        'The signature doesn’t match this body, or is more than five minutes old. Check BOUNCE_SECRET and sign the report again.',
      ),
    )
}

/** Records reports about emails. Each report counts once, however often the relay sends it. */
export async function takeBounces(ctx: Ctx, format: 'generic' | 'dsn', body: Bounces, wire: Wire): Promise<Record<string, number>> {
  demandSender(ctx, wire)
  const counts = { accepted: 0, suppressed: 0, ignored: 0 }
  for (const report of format === 'dsn' ? dsn(ctx, wire.bytes) : generic(ctx, body)) {
    const outcome = await takeReport(ctx, report)
    if (outcome === 'ignored') counts.ignored++
    else counts.accepted++
    if (outcome === 'suppressed') counts.suppressed++
  }
  return counts
}

function generic(ctx: Ctx, { events }: Bounces): Report[] {
  if (events === undefined) return refuse(invalidField('events', 'is required with format=generic. Send a raw report with format=dsn.'))
  return events.map(({ event_id, type, email, status, message_id, at, diagnostic }) => ({
    event_id,
    type,
    email,
    status: status ?? null,
    reply: null,
    // A report dated in the future would count as later than every delivery.
    at: at === undefined || at > ctx.now ? ctx.now : at,
    message_id: message_id?.replace(/^<|>$/g, '') ?? null,
    diagnostic: diagnostic ?? null,
  }))
}

function dsn(ctx: Ctx, bytes: Buffer | null): Report[] {
  const reports = bytes === null ? null : readReport(bytes.toString('utf8'))
  if (reports === null)
    return refuse(
      invalidField('', 'isn’t a delivery report (RFC 3464) or a complaint report (RFC 5965). Send one, or JSON with format=generic.'),
    )
  const mark = sha256(bytes?.toString('utf8').replace(/\s+/g, ' ') ?? '')
  return reports.map(one => ({ ...one, event_id: `dsn ${mark} ${addressKey(one.email)}`, reply: null, at: ctx.now }))
}

/** Lists the suppressed addresses, newest first. */
export async function listSuppressions(ctx: Ctx, query: SuppressionFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const { cursor, limit = PAGE, active = true, ...filter } = query
  const found = await suppressionsOf(ctx.db, { ...filter, active, limit, after: readCursor(cursor, 2) })
  return cut(found, limit, row => [row.last_at, row.email])
}

/** Allows email to an address again. A person who complained only gets email again if the caller confirms it. */
export async function clearAddress(ctx: Ctx, email: string, body: ClearSuppression): Promise<Record<string, unknown>> {
  const cleared = await unsuppress(ctx, email, body.reason)
  if (cleared === null) return refuse(notFound())
  if (cleared.reason === 'complaint' && body.confirm !== true)
    refuse(invalidField('confirm', 'must be true: this person complained about an email. Confirm that they asked for email again.'))
  return { ...cleared }
}
