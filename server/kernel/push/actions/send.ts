// Sends a message to the devices of a person (RFC 8030, encrypted by RFC 8291).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { rootCertificates } from 'node:tls'
import { type Instant, later, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { isPrivateAddress, PrivateAddress, publicLookup } from '../../../base/outbound.ts'
import { type Heard, judged } from '../domain/answers.ts'
import { serviceFor, servicesOf } from '../domain/endpoints.ts'
import { type PushMessage, payloadOf, urgencyHeader } from '../domain/message.ts'
import { dropSubscription, noteTry, type Target, targetsOf } from '../queries.ts'
import { keyNamed, vapidHeader } from './keys.ts'

/** The outcome of a message. `later`: call again with the same message at that time; devices that have received it don't get it again. */
export type Pushed = { outcome: 'sent' | 'no_subscription' | 'failed'; detail?: string } | { outcome: 'later'; after: Instant }

const SECONDS = 10
const agents = new WeakMap<House, Agent>()

function agentOf(house: House): Agent {
  const { ca_file } = house.settings.push
  const trusted = ca_file === null || agents.has(house) ? {} : { ca: [...rootCertificates, readFileSync(ca_file, 'utf8')] }
  const agent = agents.get(house) ?? new Agent({ keepAlive: true, maxSockets: 50, timeout: 60_000, ...trusted })
  agents.set(house, agent)
  return agent
}

/** Returns this installation's push services. */
export const pushServices = (house: House) => servicesOf(house.settings.push.services, house.settings.push.own_services)

type Tried = { is: 'sent' | 'removed' | 'failed'; detail?: string } | { is: 'later'; after: Instant }

/**
 * Sends a message to every device of a person. It is never called inside a transaction, because it uses the network. A device that its push service
 * reports as gone is deleted. If a service is busy, the message is tried again later, as long as it is still useful.
 */
export async function pushTo(house: House, user_id: Id, message: PushMessage): Promise<Pushed> {
  const now = house.clock.now()
  const targets = await targetsOf(house.database.db, user_id, message.id, now)
  const tried = await Promise.all(targets.map(target => toDevice(house, target, message, now)))
  const waiting = tried.flatMap(one => (one.is === 'later' ? [one.after] : [])).sort()
  if (waiting[0] !== undefined) return { outcome: 'later', after: waiting[0] }
  if (tried.some(one => one.is === 'sent')) return { outcome: 'sent' }
  const failed = tried.flatMap(one => (one.is === 'failed' ? [one.detail ?? 'An earlier attempt failed.'] : []))
  return failed[0] === undefined ? { outcome: 'no_subscription' } : { outcome: 'failed', detail: failed[0] }
}

async function toDevice(house: House, target: Target, message: PushMessage, now: Instant): Promise<Tried> {
  if (target.state === 'sent' || target.state === 'failed') return { is: target.state }
  if (target.not_before !== null && target.not_before > now) return { is: 'later', after: target.not_before }
  const { db } = house.database
  const { endpoint_hash } = target
  const first_at = target.first_at ?? now
  const gone_at = later(first_at, message.ttl_seconds * 1000)
  const tries = (target.tries ?? 0) + 1
  const note = (state: 'sent' | 'failed' | 'waiting', not_before: Instant | null) =>
    noteTry(db, { endpoint_hash, message_id: message.id, first_at, gone_at, tries, state, not_before }, now)
  const { key, current } = await keyNamed(house, target.vapid_key_id)
  if (key === null) {
    await dropSubscription(db, endpoint_hash, null)
    return { is: 'removed' }
  }
  const left = Math.max(0, Math.ceil((ms(gone_at) - ms(now)) / 1000))
  const { origin, host } = new URL(target.endpoint)
  let heard: Heard
  let said = 'no response'
  try {
    const answer = await post(house, target, payloadOf(message), {
      authorization: await vapidHeader(house, key, origin),
      ttl: String(left),
      urgency: urgencyHeader(message.urgency),
      topic: topicOf(message),
    })
    heard = answer
    said = `${answer.status} ${answer.said}`.trim()
  } catch (error) {
    if (error instanceof PrivateAddress) {
      house.log.warn({ push: message.kind, host }, error.message)
      await note('failed', null)
      return { is: 'failed', detail: error.message }
    }
    heard = { status: null }
    said = error instanceof Error ? error.message : said
  }
  const verdict = judged(heard, { now, tries, until: gone_at, current })
  if (verdict.is === 'sent') {
    await note('sent', null)
    return { is: 'sent' }
  }
  house.log.warn({ push: message.kind, host, said, verdict: verdict.is }, 'a push service did not accept a message')
  if (verdict.is === 'remove') {
    await dropSubscription(db, endpoint_hash, null)
    return { is: 'removed' }
  }
  if (verdict.is === 'later') {
    await note('waiting', verdict.after)
    return { is: 'later', after: verdict.after }
  }
  await note('failed', null)
  return { is: 'failed', detail: `${host}: ${said}` }
}

/** A newer message about the same subject replaces one that is still waiting at the push service. */
const topicOf = ({ kind, tag }: PushMessage): string => createHash('sha256').update(`${kind} ${tag}`).digest('base64url').slice(0, 32)

/** Sends one request. Redirects are not followed. A name that leads to a private address is refused, except for services on the installation's own network. */
async function post(
  house: House,
  target: Target,
  payload: string,
  headers: Record<string, string>,
): Promise<{ status: number; retry_after: string | null; said: string }> {
  const service = serviceFor(target.endpoint, pushServices(house))
  const { hostname } = new URL(target.endpoint)
  // The push service may have been removed from the settings since the device subscribed. A literal address needs no lookup, so it is checked here.
  if (service === null) throw new PrivateAddress(hostname)
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (!service.own && /^[\d.]+$|:/.test(bare) && isPrivateAddress(bare)) throw new PrivateAddress(hostname)
  const { default: webpush } = await import('web-push') // slow to load, and no start should wait for it
  const { cipherText } = webpush.encrypt(target.p256dh, target.auth, payload, 'aes128gcm')
  return new Promise((done, failed) => {
    const asked = request(
      target.endpoint,
      {
        method: 'POST',
        agent: agentOf(house),
        headers: {
          ...headers,
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          'content-length': String(cipherText.length),
        },
        ...(service.own ? {} : { lookup: publicLookup }),
        signal: AbortSignal.timeout(SECONDS * 1000),
      },
      answer => {
        let said = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece: string) => {
          if (said.length < 300) said += piece
        })
        answer.on('error', failed)
        answer.on('end', () =>
          done({
            status: answer.statusCode ?? 0,
            retry_after: answer.headers['retry-after'] ?? null,
            said: said.replace(/\s+/g, ' ').slice(0, 300),
          }),
        )
      },
    )
    asked.on('error', failed)
    asked.end(cipherText)
  })
}
