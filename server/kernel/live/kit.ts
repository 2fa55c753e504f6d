// The upgrade at /api/ws (`site-and-people.md` §12): not in the endpoint list, because it isn’t a request.
import type { IncomingHttpHeaders } from 'node:http'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { House } from '../../base/ctx.ts'
import { outside } from '../../base/db.ts'
import { forbidden, malformed, type Refusal, refuse } from '../../base/errors.ts'
import { type Id, ids } from '../../base/ids.ts'
import { type Ears, JOINED } from '../events/door.ts'
import type { Verifier } from '../identity/door.ts'
import { watchAccess } from './actions/access.ts'
import { openCounting } from './actions/counting.ts'
import { openHub } from './actions/hub.ts'
import { type Floor, HEARTBEAT_SECONDS, openSocket, type Socket } from './actions/socket.ts'
import { meFrame, membershipFrame } from './domain.ts'
import { dropProcess, saveProcess } from './queries.ts'

const MOST_FRAME_BYTES = 16 * 1024
const LOOK_MS = 1000
const SPREAD_MS = 10_000
/** How often a process reports its open sockets. */
const STATS_MS = 5000

const NO_HANDSHAKE = 'This URL accepts only WebSocket connections (RFC 6455, version 13). Open it with a WebSocket client.'
const OTHER_ORIGIN = 'A page of another website can’t open this connection. Open the app at its own address.'

/** Returns why this request can't become a WebSocket. A page of another origin can't act for the person who is signed in here. */
function handshakeFault(headers: IncomingHttpHeaders, origin: string): Refusal | null {
  if (headers.origin !== undefined && headers.origin !== origin)
    return forbidden('site_view', OTHER_ORIGIN, [{ code: 'other_origin', detail: OTHER_ORIGIN }])
  const { upgrade, 'sec-websocket-key': key = '', 'sec-websocket-version': version = '' } = headers
  const whole = upgrade?.toLowerCase() === 'websocket' && /^[\w+/]{22}==$/.test(key) && /^(13|8)$/.test(version)
  return whole ? null : malformed(NO_HANDSHAKE)
}

/** Adds the WebSocket to the server. */
export async function mountLive(app: FastifyInstance, house: House, verifier: Verifier): Promise<void> {
  const origin = new URL(house.settings.public_url).origin
  const sockets = new Set<Socket>()
  const open: Floor['open'] = new Map()
  const access = watchAccess(house, open)
  const forPerson: Ears['forPerson'] = ({ user_id, thing, site_id, ids, more }) => {
    for (const socket of open.get(user_id) ?? []) {
      if (thing === JOINED) socket.own(membershipFrame(site_id, false), true)
      else socket.own(meFrame(thing, site_id, ids, more))
    }
  }
  const floor: Floor = {
    house,
    verifier,
    hub: await openHub(house, { accessChanged: access.look, forPerson }),
    count: openCounting(house),
    access,
    open,
  }
  const id = ids.next()
  const write = () => {
    const sites = floor.hub.sites()
    const state = {
      connections: sockets.size,
      users: [...floor.open.values()].filter(own => own.size > 0).length,
      subscriptions: [...sites.values()].reduce((sum, site) => sum + site.subscribers, 0),
      queue_frames: [...sockets].reduce((sum, socket) => sum + socket.waiting(), 0),
      lag_ms: floor.hub.lag_ms(),
      sites: Object.fromEntries(sites),
      last_minute: floor.hub.lastMinute(),
    }
    return outside(() => saveProcess(house.database.db, { id, at: house.clock.now(), state })).catch(error =>
      house.log.warn({ err: error }, 'live: state'),
    )
  }
  const stats = house.timers.every(STATS_MS, () => void write())
  let ending = false
  const sayBye = (socket: Socket) => socket.bye(Math.floor((SPREAD_MS * (hashOf(socket.id) % 1000)) / 1000))
  await app.register(fastifyWebsocket, {
    // Instead of the package's own hook, which closes every socket before we can say why.
    preClose: done => {
      ending = true
      // Spreads the disconnections, so that five thousand phones don't return at the same time.
      for (const socket of sockets) sayBye(socket)
      done()
    },
    options: {
      maxPayload: MOST_FRAME_BYTES,
      handleProtocols: (offered: Set<string>) => (offered.has('site.v1') ? 'site.v1' : false),
    },
  })
  app.route({
    method: 'GET',
    url: '/api/ws',
    preValidation: async (request, reply) => {
      const fault = handshakeFault(request.headers, origin)
      if (fault === null) return
      reply.headers({ upgrade: 'websocket', connection: 'upgrade, close', 'sec-websocket-version': '13' }) // RFC 6455 §4.2.2: what would have been accepted
      refuse(fault)
    },
    handler: () => refuse(malformed(NO_HANDSHAKE)),
    wsHandler: (wire, request) => {
      const socket = openSocket(floor, wire, request.raw.socket, request.headers.authorization)
      sockets.add(socket)
      if (ending) sayBye(socket)
      if (sockets.size === 1) void write()
      wire.on('message', (data, binary) => {
        if (binary) wire.close(1003, 'text only')
        else void socket.take(String(data))
      })
      wire.on('pong', () => socket.alive())
      wire.on('error', () => wire.terminate())
      wire.on('close', () => {
        sockets.delete(socket)
        socket.left()
      })
      const beat = house.timers.every(LOOK_MS, () => socket.beat())
      const ping = house.timers.every(HEARTBEAT_SECONDS * 1000, () => wire.ping())
      wire.on('close', () => {
        beat.stop()
        ping.stop()
      })
    },
  })
  app.addHook('preClose', async () => {
    stats.stop()
    access.stop()
    await floor.hub.stop()
    await outside(() => dropProcess(house.database.db, id)).catch(() => undefined)
  })
}

const hashOf = (id: Id): number => Number.parseInt(id.slice(-6), 16)
