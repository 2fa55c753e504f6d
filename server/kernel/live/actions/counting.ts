import type { Actor } from '../../../base/actor.ts'
import { type House, reading } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { waitingFor } from './waits.ts'

/** What is waiting for people, counted one person after another. */
export type Counting = (user_id: Id, actor: Actor) => Promise<Record<string, number>>

/**
 * Opens the queue in which a process counts. A change that reaches two thousand apps would otherwise make as many counts at once, and every request would wait
 * behind them. Several apps of one person share a count that hasn’t begun.
 */
export function openCounting(house: House): Counting {
  const queue = new Map<Id, { count: () => Promise<void>; counted: Promise<Record<string, number>> }>()
  let busy = false
  const next = () => {
    const [first] = queue
    if (busy || first === undefined) return
    const [user_id, { count }] = first
    queue.delete(user_id)
    busy = true
    void count().finally(() => {
      busy = false
      next()
    })
  }
  return (user_id, actor) => {
    const known = queue.get(user_id)
    if (known !== undefined) return known.counted
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, number>>()
    const count = () => waitingFor(reading(house, { actor, cause: 'live' })).then(resolve, reject)
    queue.set(user_id, { count, counted: promise })
    next()
    return promise
  }
}
