// Work that is due on many sites at once: every site gets one limited batch in turn, so that a site with a lot of work never delays another.
import { MINUTE, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { Refused } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { HandedBack, isStopping } from './stopping.ts'

/** The result of one batch: how many records were done, and whether the site may have more that this process can do now. */
export type Batch = { done: number; more: boolean }

/** Work by site. `due` lists the sites that have work now; `batch` does a limited part of it in one transaction. */
export type Rounds = {
  due(): Promise<Id[]>
  batch(site_id: Id): Promise<Batch>
  /** True if the work can continue past the minute in which it began. A schedule must not do so: its next run may belong to another process. */
  to_the_end?: boolean
}

/**
 * Does the work of all sites in rounds, until none is left, the minute is over or the process is asked to stop (then it throws `HandedBack`). An error
 * on one site doesn't stop the others and is thrown at the end. Returns how many records were done.
 */
export async function inRounds(house: House, { due, batch, to_the_end = false }: Rounds): Promise<number> {
  const minute = () => Math.floor(ms(house.clock.now()) / MINUTE)
  const began = minute()
  const idle = new Set<Id>()
  const faults: unknown[] = []
  let count = 0
  for (;;) {
    const sites = (await due()).filter(id => !idle.has(id))
    for (const site_id of sites) {
      if (isStopping(house)) throw new HandedBack()
      try {
        const { done, more } = await batch(site_id)
        count += done
        if (!more) idle.add(site_id)
      } catch (error) {
        idle.add(site_id)
        if (error instanceof Refused) continue // the site was deleted in the meantime
        house.log.error({ site_id, err: error }, 'a batch of background work failed')
        faults.push(error)
      }
    }
    if (sites.length > 0 && (to_the_end || minute() === began)) continue
    if (faults.length > 0) throw faults[0]
    return count
  }
}
