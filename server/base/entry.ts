// The admission of requests: they wait here for a place, or are refused here.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Place, Rank } from './admission.ts'
import type { House } from './ctx.ts'
import { busyPage, PAGE_HEADERS } from './docs.ts'
import { bodyOf } from './envelope.ts'
import { unavailable } from './errors.ts'

/** How often waiting requests are checked. */
const LOOK_MS = 5
const AGAIN_SECONDS = 2

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's place among those that are being served. */
    place?: Place
  }
}

const REFUSAL = unavailable('Too many people are using the service at the moment. Nothing was changed. Try again in a moment.', {
  retry_after_seconds: AGAIN_SECONDS,
})

const looking = new WeakSet<House>()

/** While requests are waiting, checks them every few milliseconds: a place may have become slow, or a wait too long. */
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
 * Waits for a place. False: the request was refused, and the response is being sent. The place is released when the response ends, or sooner by
 * `leavePlace`. A refusal bypasses the framework, so it costs next to nothing, and a flood of refusals doesn't slow admitted requests.
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
        // A person who opens a page reads a sentence, and the page loads itself again.
        const page = (request.headers.accept ?? '').includes('text/html')
        const body = page ? busyPage(request.method === 'GET') : bodyOf(REFUSAL, request.id)
        reply.hijack()
        reply.raw.writeHead(503, {
          ...(reply.getHeaders() as Record<string, string>), // the headers of every response, set before
          ...(page ? PAGE_HEADERS : { 'content-type': 'application/json; charset=utf-8' }),
          'cache-control': 'no-store',
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

/** Releases the place while the rest of the request arrives, so that slow phones block nobody. */
export const leavePlace = (request: FastifyRequest): void => request.place?.leave()

/** Takes the place again. The request was admitted before, so it doesn't wait again. */
export function retakePlace(house: House, rank: Rank, request: FastifyRequest): void {
  request.place?.leave()
  request.place = house.admission.again(rank)
}
