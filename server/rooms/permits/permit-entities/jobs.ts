// Work on the map that is near or has begun, and that no live permit covers (`messages.md` §0.3).
import { jobActor } from '../../../base/actor.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { tokenKinds } from '../../../kernel/covers/door.ts'
import { type Batch, inRounds, type Schedule } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { sitesWithGaps, takeGaps } from './queries.ts'

/** Things of one kind that are reported in one transaction. */
const AT_ONCE = 200

/** Reports one batch of a site. On a locked site too: the people in the field need their permits. */
const reportOn = (house: House, site_id: Id): Promise<Batch> => {
  const work = { actor: jobActor('activation_gap_sweep'), cause: 'permit.activation_gap' }
  const report = async (ctx: Ctx): Promise<Batch> => {
    let done = 0
    for (const kind of tokenKinds()) {
      for (const gap of await takeGaps(ctx.db, site_id, kind, ctx.now, AT_ONCE)) {
        done++
        ctx.emit({
          kind: 'permit.activation_gap',
          site_id,
          subject: { kind: kind.kind, id: gap.id, label: gap.name },
          contractor_ids: gap.contractor_id === null ? [] : [gap.contractor_id],
          payload: {
            entity_kind: kind.kind,
            entity_id: gap.id,
            entity_label: gap.name,
            entity_contractor_id: gap.contractor_id,
            entity_start_at: gap.start_at,
            state: gap.state,
            linked_permits: gap.permits,
          },
        })
      }
    }
    return { done, more: done > 0 }
  }
  return writingOn(house, work, site_id, report, { passes_lock: true })
}

/** Reports work that no live permit covers: each thing once when it is near, and once while it is there. */
export const sweepGaps = (house: House): Promise<number> =>
  inRounds(house, { due: () => sitesWithGaps(house.database.db, house.clock.now()), batch: site_id => reportOn(house, site_id) })

export const schedules: Schedule[] = [
  {
    kind: 'activation_gap_sweep',
    says: 'Reports work on the map that is near or has begun and that no live permit covers.',
    every_minutes: 1,
    run: async house => ({ reported: await sweepGaps(house) }),
  },
]
