// What an erasure (`site-and-people.md` §4, Rules) does to the memberships of a person.
import type { Actor } from '../../../../base/actor.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { writingOn } from '../../../../kernel/site/door.ts'
import { placesToErase } from '../queries.ts'
import { findMembership, leave } from './manage.ts'

/**
 * Ends every membership and request of a person who is erased, so that others take over what they were responsible for. Unlike people who leave, the last administrator of a site
 * can be erased: the law doesn't wait for another one. Returns how many there were.
 */
export async function eraseMemberships(house: House, actor: Actor, user_id: Id, reason: string): Promise<number> {
  let ended = 0
  for (const { site_id, id } of await placesToErase(house.database.db, user_id)) {
    const end = async (ctx: Ctx) => {
      const row = await findMembership(ctx, site_id, id, true)
      if (row === null || row.status === 'ended') return
      await leave(ctx, row)
      ctx.note(row.id, { reason })
      ended++
    }
    await writingOn(house, { actor, cause: 'user.erase' }, site_id, end, { passes_lock: true })
  }
  return ended
}
