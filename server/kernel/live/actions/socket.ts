// One open app: it signs in, says what it follows, and receives events. If it breaks the protocol, it gets the reason and the socket closes with the
// codes of §12.
import type { Duplex } from 'node:stream'
import { isOneOf } from '../../../../shared/narrow.ts'
import { ms } from '../../../../shared/time.ts'
import { TOPICS, type Topic } from '../../../../shared/topics.ts'
import type { Actor } from '../../../base/actor.ts'
import type { House } from '../../../base/ctx.ts'
import type { Verified } from '../../../base/edge-options.ts'
import { Refused } from '../../../base/errors.ts'
import { type Id, ids, isId } from '../../../base/ids.ts'
import { personOf, type Verifier } from '../../identity/door.ts'
import { CLIENT_FRAMES_A_SECOND, type Frame, membershipFrame, SITES_A_SOCKET, SOCKETS_A_USER } from '../domain.ts'
import { type OpenAccess, sitesOfMember } from '../queries.ts'
import type { AccessWatch } from './access.ts'
import type { Counting } from './counting.ts'
import type { Hub, Listener } from './hub.ts'
import { openOutgoing, type Wire } from './outgoing.ts'

/** What all open apps of a process share. */
export type Floor = { house: House; hub: Hub; count: Counting; access: AccessWatch; verifier: Verifier; open: Map<Id, Set<Socket>> }

/** An open app. */
export type Socket = {
  id: Id
  take(text: string): Promise<void>
  alive(): void
  beat(): void
  left(): void
  bye(spread_ms: number): void
  waiting(): number
  access(): OpenAccess | null
  end(): void
  reread(): Promise<void>
  /** Sends something that concerns this person alone, and then how much is waiting for them, if that changed. `joined`: after it listens on a site that they are new on. */
  own(frame: Frame, joined?: boolean): void
}

export const HEARTBEAT_SECONDS = 25
const SILENT_MS = 60_000
/** When an app should connect again if its token couldn't be checked. */
const LATER_MS = 5_000
const AUTH_MS = 5000
const OWN_EVERY_MS = 500
const REAUTH_SECONDS = 60

/** Returns the site in a frame, in lower case like all ids. */
const siteOf = ({ site_id }: Record<string, unknown>): Id | null =>
  typeof site_id === 'string' && isId(site_id) ? site_id.toLowerCase() : null

/** Accepts a connection. `line`: what the wire writes to; `authorization`: the header of the upgrade request. */
export function openSocket(floor: Floor, wire: Wire, line: Pick<Duplex, 'write'>, authorization: string | undefined): Socket {
  const { house, hub, verifier } = floor
  const id = ids.next()
  const opened = performance.now()
  let who: { token: Verified; user_id: Id; actor: Actor; expires: number | null } | null = null
  let warned = false
  let closed = false
  let heard = performance.now()
  let window = 0
  let inWindow = 0
  let ownAt = 0
  let said = ''
  let alone = true
  const sites = new Map<Id, Listener>()

  const close = (code: number, reason: string) => {
    if (closed) return
    closed = true
    for (const listener of sites.values()) hub.leave(listener)
    sites.clear()
    if (who !== null) floor.open.get(who.user_id)?.delete(socket)
    wire.close(code, reason)
  }

  const out = openOutgoing(wire, line, hub.counts)
  const handAll = (frames: readonly Frame[]) => {
    if (!closed) out.hand(frames)
  }
  const hand = (...frames: readonly Frame[]) => handAll(frames)
  const complain = (code: string, detail: string, of: string) => hand({ type: 'error', code, detail, of })

  async function sign(token: string): Promise<void> {
    try {
      const verified = await verifier.verify(`Bearer ${token}`)
      const person = await personNow(verified)
      if (closed) return
      if (person.id === null || (who !== null && who.user_id !== person.id)) return deny()
      const fresh = who === null
      const { exp } = verified.claims
      who = { token: verified, user_id: person.id, actor: person, expires: typeof exp === 'number' ? exp * 1000 : null }
      warned = false
      if (!fresh) return
      const own = floor.open.get(person.id) ?? new Set()
      floor.open.set(person.id, own)
      if (own.size >= SOCKETS_A_USER) return close(4429, 'too many sockets')
      own.add(socket)
      hand({ type: 'ready', connection_id: id, user_id: person.id, heartbeat_seconds: HEARTBEAT_SECONDS, server_time: house.clock.now() })
      sendOwn()
    } catch (error) {
      if (error instanceof Refused && error.refusal.status < 500) return deny()
      // The token couldn't be checked, for example because the database or the identity provider can't be reached. Nobody is signed out for that.
      hand({ type: 'bye', code: 1013, retry_after_ms: LATER_MS })
      close(1013, 'the token can’t be checked at the moment')
    }
  }
  /** Returns the person of a token. A session that ended while they were read would otherwise be missed, because nobody is known by it yet. */
  async function personNow(verified: Verified): Promise<Actor> {
    const { access } = floor
    for (;;) {
      const notified = access.notified()
      const person = await personOf(house, verifier, verified, null)
      if (notified === access.notified()) return person
    }
  }
  function deny(): void {
    hub.counts.auth_failed++
    close(4401, 'the token wasn’t accepted')
  }

  /** Returns the person on a site; null if they are no longer a member. */
  async function personOn(site_id: Id): Promise<Actor | null> {
    if (who === null) return null
    const actor = await personOf(house, verifier, who.token, site_id)
    return actor.standing === null && !actor.is_superadmin ? null : actor
  }
  const leave = (site_id: Id) => {
    const listener = sites.get(site_id)
    if (listener !== undefined) hub.leave(listener)
    sites.delete(site_id)
  }
  function listenerOn(site_id: Id, user_id: Id, actor: Actor, topics: readonly Topic[]): Listener {
    const gone = () => {
      leave(site_id)
      hand(membershipFrame(site_id, true))
    }
    const again = () => personOn(site_id)
    const listener = { site_id, user_id, actor, topics: new Set(topics), cursor: 0, hand: handAll, again, own: sendOwn, gone }
    sites.set(site_id, listener)
    return listener
  }
  const followed = () => [...sites.values()].filter(one => one.topics.size > 0).map(one => one.site_id)

  /** Listens on the person’s other sites, too, to what concerns them alone: `me` is always on. */
  async function followOthers(): Promise<void> {
    if (who === null) return
    const { user_id, actor } = who
    for (const site_id of await sitesOfMember(house.database.db, user_id)) {
      if (closed || sites.has(site_id)) continue
      const listener = listenerOn(site_id, user_id, actor, [])
      await hub.listen(listener, null)
      if (closed) hub.leave(listener)
    }
  }

  async function subscribe(frame: Record<string, unknown>): Promise<void> {
    if (who === null) return
    const { topics, cursor } = frame
    const site_id = siteOf(frame)
    const refused = (said: string) => complain('validation_failed', said, 'subscribe')
    if (site_id === null) return refused('site_id must be an id (UUID).')
    const strange = Array.isArray(topics) ? topics.find(topic => !isOneOf(TOPICS, topic)) : undefined
    if (strange !== undefined) return refused(`Unknown topic ${String(strange)}. The topics are ${TOPICS.join(', ')}.`)
    if (typeof cursor === 'number' && !(Number.isSafeInteger(cursor) && cursor >= 0))
      return refused('cursor must be the number of an event.')
    if (!followed().includes(site_id) && followed().length >= SITES_A_SOCKET)
      return refused('A connection can subscribe to at most 20 sites. Unsubscribe from another site first.')
    const actor = await personOn(site_id)
    if (actor === null) return complain('not_found', 'This site doesn’t exist, or you don’t have access to it.', 'subscribe')
    leave(site_id)
    const granted = Array.isArray(topics) ? TOPICS.filter(topic => topics.includes(topic)) : TOPICS
    const listener = listenerOn(site_id, who.user_id, actor, granted)
    // Missed events are sent after the response that says where they begin.
    const early: Frame[] = []
    const later = listener.hand
    listener.hand = frames => void early.push(...frames)
    const at = await hub.listen(listener, typeof cursor === 'number' ? cursor : null)
    if (closed) return hub.leave(listener)
    hand({ type: 'subscribed', site_id, topics: granted, cursor: at.cursor, revision: at.revision })
    later(early)
    listener.hand = later
  }

  /** Sends this person's counts of waiting tasks and notifications when they change, at most twice a second. */
  function sendOwn(): void {
    if (who === null || performance.now() - ownAt < OWN_EVERY_MS) return
    ownAt = performance.now()
    const { actor, user_id } = who
    const timer = house.timers.every(OWN_EVERY_MS, () => {
      timer.stop()
      if (closed) return
      // Once the app has said which sites it follows.
      if (alone) inTurn(followOthers)
      alone = false
      floor
        .count(user_id, actor)
        .then(unread => {
          const text = JSON.stringify(unread)
          if (text === said) return
          said = text
          hand({ type: 'me', kind: 'unread', ...unread })
        })
        .catch(error => house.log.warn({ err: error }, 'live: unread'))
    })
  }

  let taking: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    taking = taking.then(work).catch(error => house.log.error({ err: error }, 'live: frame'))
    return taking
  }
  async function takeOne(text: string): Promise<void> {
    heard = performance.now()
    if (heard - window > 1000) [window, inWindow] = [heard, 0]
    if (++inWindow > CLIENT_FRAMES_A_SECOND) return close(4429, 'too many frames')
    let frame: Record<string, unknown>
    try {
      frame = JSON.parse(text)
      if (typeof frame !== 'object' || frame === null || typeof frame.type !== 'string') throw new Error('no frame')
    } catch {
      return close(1002, 'not a frame')
    }
    if (frame.type === 'auth') return typeof frame.token === 'string' ? sign(frame.token) : close(4401, 'no token')
    if (who === null) return close(1002, 'the first frame must be auth')
    if (frame.type === 'ping') return hand({ type: 'pong', t: frame.t })
    if (frame.type === 'unsubscribe') {
      const site_id = siteOf(frame)
      if (site_id === null) return complain('validation_failed', 'site_id must be an id (UUID).', 'unsubscribe')
      leave(site_id)
      return followOthers()
    }
    if (frame.type === 'subscribe')
      return subscribe(frame).catch(error => {
        if (error instanceof Refused) complain(error.refusal.code, error.refusal.detail, 'subscribe')
        else {
          house.log.error({ err: error }, 'live: subscribe')
          complain('internal_error', 'Something went wrong on our side. Try again.', 'subscribe')
        }
      })
    complain(
      'validation_failed',
      `Unknown frame type ${frame.type.slice(0, 40)}. Send auth, subscribe, unsubscribe or ping.`,
      frame.type.slice(0, 40),
    )
  }

  const socket: Socket = {
    id,
    // Frames of an app are handled one after another.
    take: text => inTurn(() => takeOne(text)),
    alive() {
      heard = performance.now()
    },
    beat() {
      const now = performance.now()
      if (who === null && now - opened > AUTH_MS) return close(4401, 'no token received')
      if (now - heard > SILENT_MS) {
        close(1001, 'silent')
        return wire.terminate()
      }
      if (out.isStuck()) {
        hub.counts.closed_slow++
        return close(4408, 'too slow')
      }
      if (who?.expires != null) {
        const left = Math.floor((who.expires - ms(house.clock.now())) / 1000)
        if (left <= 0) return close(4401, 'the token has expired')
        if (left <= REAUTH_SECONDS && !warned) {
          warned = true
          hand({ type: 'reauth', expires_in_seconds: left })
        }
      }
    },
    left: () => close(1000, 'left'),
    waiting: out.waiting,
    access: () =>
      who === null ? null : { user_id: who.user_id, family: who.actor.session_family ?? null, is_superadmin: who.actor.is_superadmin },
    end: () => close(4401, 'the session has ended'),
    own(frame, joined = false) {
      if (joined) return void inTurn(() => followOthers().then(() => socket.own(frame)))
      hand(frame)
      sendOwn()
    },
    async reread() {
      if (who === null) return
      who.actor = await personOf(house, verifier, who.token, null)
      await hub.reread([...sites.values()])
    },
    bye(spread_ms) {
      hand({ type: 'bye', code: 1012, retry_after_ms: spread_ms })
      close(1012, 'restart')
    },
  }
  if (authorization !== undefined) void sign(authorization.replace(/^Bearer\s+/i, ''))
  return socket
}
