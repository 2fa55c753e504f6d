import { networkOf } from '../../../../shared/scrub.ts'
import { instant, ms } from '../../../../shared/time.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import { enforce, rateLimited, refuse } from '../../../base/errors.ts'
import { PLATFORM, sha256 } from '../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../base/paging.ts'
import { countCall } from '../../../kernel/identity/door.ts'
import { linesOf } from '../../../kernel/lines/door.ts'
import { pushEnabled } from '../../../kernel/push/door.ts'
import { levelOf, readEvent } from './domain.ts'
import type { AuthEvent, ClientEvents, LineQuery } from './schema.ts'

const UPLOAD_MB = 25
const BATCH = 50
const AUTH_EVENTS_A_MINUTE = 10
const CLIENT_EVENTS_A_MINUTE = 120

/** Returns what the app must know before anyone has signed in, with an ETag that changes with it. */
export function clientConfig(house: House): { body: Record<string, unknown>; etag: string } {
  const { settings } = house
  const built_in = settings.oidc_issuer === null
  const body = {
    issuer: settings.oidc_issuer ?? `${settings.public_url}/oidc`,
    client_id: settings.oidc_client_id,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    provider_kind: built_in ? 'built_in' : 'external',
    ws_url: `${settings.public_url.replace(/^http/, 'ws')}/api/ws`,
    app_version: house.process.version,
    min_app_version: settings.min_app_version,
    sampling: { errors: 1, vitals: 0.1 },
    limits: { upload_mb: UPLOAD_MB, batch: BATCH },
    map: settings.map,
    geocoder_enabled: settings.geocoder_url !== null,
    mail_enabled: settings.smtp_url !== null,
    password_min_length: settings.password_min_length,
    push_enabled: pushEnabled(house),
    weather_attribution: 'Weather data by Open-Meteo.com',
    support: settings.support,
    privacy_url: settings.privacy_url,
    locales: ['en'],
  }
  return { body: { ...body, server_time: house.clock.now() }, etag: `"${sha256(JSON.stringify(body)).slice(0, 32)}"` }
}

const MINUTE_MS = 60_000

/** Limits how many events a minute each sender can report, counted across all processes. */
async function allow(ctx: Ctx, bucket: string, count: number, most: number): Promise<void> {
  const now = ms(ctx.now)
  const begin = now - (now % MINUTE_MS)
  if ((await countCall(ctx.db, bucket, instant(begin), count)) > most)
    refuse(rateLimited(Math.max(1, Math.ceil((begin + MINUTE_MS - now) / 1000))))
}

/** Logs that a person couldn't sign in: 10 a minute from one IP address. */
export async function tellAuthEvent(ctx: Ctx, event: AuthEvent, address: string): Promise<void> {
  await allow(ctx, `diag-auth ${sha256(address)}`, 1, AUTH_EVENTS_A_MINUTE)
  ctx.house.lines.push({
    source: 'auth',
    level: event.event === 'signed_out' ? 'info' : 'warn',
    kind: event.event,
    name: event.event,
    message: event.code ?? '',
    value: event.skew_ms ?? null,
    app_version: event.app_version,
    platform: event.platform,
    device_at: event.at,
    network: networkOf(address),
  })
}

/** Logs what an app reports: 120 events a minute from one person. A bad event is dropped, not the batch. */
export async function tellClientEvents(ctx: Ctx, { events }: ClientEvents, address: string): Promise<Record<string, unknown>> {
  const { actor, house } = ctx
  await allow(ctx, `diag-client ${actor.id}`, events.length, CLIENT_EVENTS_A_MINUTE)
  const dropped: { index: number; reason: string }[] = []
  for (const [index, sent] of events.entries()) {
    const event = readEvent(sent)
    if ('reason' in event) {
      dropped.push({ index, reason: event.reason })
      continue
    }
    const { at, kind, ...rest } = event
    house.lines.push({
      ...rest,
      source: 'client',
      level: levelOf(kind),
      kind,
      user_id: actor.id,
      device_at: at,
      network: networkOf(address),
    })
  }
  return { accepted: events.length - dropped.length, dropped }
}

/** Lists log lines of the service and its apps, newest first. Reading them leaves an entry in the platform's audit log. */
export async function readLines(ctx: Ctx, query: LineQuery): Promise<{ rows: unknown[]; next: string | null }> {
  const { cursor, limit = PAGE, ...filter } = query
  enforce([ctx.actor.lacks('platform_operate')])
  ctx.trail.entries.push({
    site_id: PLATFORM,
    entity_type: 'diag_log',
    entity_id: PLATFORM,
    entity_label: 'Logs',
    note: { action: 'read', reason: said(filter) },
  })
  const found = await linesOf(ctx.db, { ...filter, after: readCursor(cursor, 2), limit })
  return cut(found, limit, row => [row.at, row.id])
}

/** Describes the search for the audit log. */
const said = (filter: Record<string, unknown>): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('; ')
    .slice(0, 500) || 'all'
