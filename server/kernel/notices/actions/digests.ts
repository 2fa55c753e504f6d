import { ms } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import { type House, writing } from '../../../base/ctx.ts'
import { ids } from '../../../base/ids.ts'
import { gatherHeld, happenedSince, heldDue, heldFor, skipHeld } from '../queries/outgoing.ts'
import { allNotices, noticeKind } from './registry.ts'

const PIECE = 500
const TTL_MS = 24 * 3600 * 1000

/**
 * Sends what was delayed for quiet hours or a digest and is now due. Each notification is checked again and left out if it is no longer needed; the
 * rest is sent as one message for each person, site and channel. If nothing is left, nothing is sent. What
 * was delayed on a site that is now locked waits until it is unlocked, except for work in the field (`site-and-people.md` §0.3).
 */
export async function sendHeld(house: House): Promise<{ messages: number; left_out: number }> {
  const on_locked = allNotices().flatMap(({ kind, on_locked_site }) => (on_locked_site ? [kind] : []))
  let messages = 0
  let left_out = 0
  for (;;) {
    const due = await heldDue(house.database.db, house.clock.now(), on_locked, PIECE)
    for (const who of due) {
      await writing(house, { actor: jobActor('digests'), cause: 'notification.digest' }, async ctx => {
        const rest: Awaited<ReturnType<typeof heldFor>> = []
        const gone = new Map<string, string[]>()
        for (const held of await heldFor(ctx.db, who, ctx.now, on_locked)) {
          const kind = noticeKind(held.kind)
          const ttl = (kind?.ttl_seconds ?? TTL_MS / 1000) * 1000
          const stale = who.channel === 'push' && ms(ctx.now) - ms(held.created_at) > ttl
          const moot =
            held.read ||
            (held.event_no !== null &&
              (kind?.moot_after ?? []).length > 0 &&
              (await happenedSince(ctx.db, who.site_id, held.subject_id, held.event_no, kind?.moot_after ?? [])))
          if (!stale && !moot) rest.push(held)
          else gone.set(moot ? 'dealt_with' : 'stale', [...(gone.get(moot ? 'dealt_with' : 'stale') ?? []), held.send_id])
        }
        for (const [why, send_ids] of gone) {
          await skipHeld(ctx.db, who.site_id, send_ids, why, ctx.now)
          left_out += send_ids.length
        }
        const [first] = rest
        if (first === undefined) return
        const urgency = rest.some(held => held.urgency === 'attention') ? 'attention' : 'info'
        const kind = rest.every(held => held.kind === first.kind) ? first.kind : 'digest'
        await gatherHeld(
          ctx.db,
          { ...who, id: ids.next(), kind, urgency },
          rest.map(held => held.send_id),
          ctx.now,
        )
        messages++
      })
    }
    if (due.length < PIECE) return { messages, left_out }
  }
}
