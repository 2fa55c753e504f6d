// Where requests meet admission: they wait here for a place, and are refused here when the queue says so.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Place, Rank } from './admission.ts'
import type { House } from './ctx.ts'
import { bodyOf } from './envelope.ts'
import { unavailable } from './errors.ts'

/** How often those who wait are looked at. */
const LOOK_MS = 5
const AGAIN_SECONDS = 2

declare module 'fastify' {
  interface FastifyRequest {
    /** Its place among those at work. */
    place?: Place
  }
}

const REFUSAL = unavailable('Too many people are using the service at this moment. Nothing was changed. Try again in a moment.', {
  retry_after_seconds: AGAIN_SECONDS,
})

const looking = new WeakSet<House>()

/** While anyone waits, looks at them every few milliseconds: a place may have become slow, a wait too long. */
function keepLooking(house: House): void {
  if (looking.has(house)) return
  looking.add(house)
  const timer = house.timers.every(LOOK_MS, () => {
    house.admission.look()
    if (house.admission.state().waiting > 0) return
    looking.delete(house)
    timer.stop()
  })
}

/**
 * Waits for a place. False: it was refused, and the reply is on its way. The place is left when the response ends, or sooner by `leavePlace`. A refusal costs
 * next to nothing, so that a flood of them leaves the machine to those who were admitted: it passes the framework by.
 */
export function takeTurn(house: House, rank: Rank, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  return new Promise(done => {
    let settled = false
    const settle = (admitted: boolean) => {
      settled = true
      done(admitted)
    }
    const place = house.admission.ask(
      rank,
      () => settle(true),
      () => {
        const body = bodyOf(REFUSAL, request.id)
        reply.hijack()
        reply.raw.writeHead(503, {
          ...(reply.getHeaders() as Record<string, string>), // those of every answer, set before
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'retry-after': String(AGAIN_SECONDS),
        })
        reply.raw.end(body)
        settle(false)
      },
    )
    request.place = place
    reply.raw.once('close', () => request.place?.leave())
    if (!settled) keepLooking(house)
  })
}

/** Leaves the place for as long as the rest of the request is on its way: slow phones keep nobody out. */
export const leavePlace = (request: FastifyRequest): void => request.place?.leave()

/** Takes it again. It was admitted before, so it waits no longer. */
export function retakePlace(house: House, rank: Rank, request: FastifyRequest): void {
  request.place?.leave()
  request.place = house.admission.again(rank)
}
