// What a process remembers about the layers of maps, so that a kept tile takes one statement: the one that finds its caller, which runs for each request.
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { type State, stateAt, type Watched } from '../queries.ts'

/** A state, the instant for which it was asked, and when. */
type Known = State & { at: Instant; now: Instant }

/** How many sets of tiles are remembered, and for how many instants each. */
const [SETS_KEPT, INSTANTS_KEPT] = [1000, 4]

const known = new WeakMap<House, Map<string, Known[]>>()

/** Returns whether nothing starts or ends between the instant for which a state was asked and this one, and no vehicle was expected to leave meanwhile. */
const holds = (known: Known, then: Instant, now: Instant): boolean =>
  now >= known.now &&
  (known.leaves === null || now < known.leaves) &&
  (known.at === then || ((known.last === null || then > known.last) && (known.next === null || then < known.next)))

/**
 * Returns the state of the layers of a set at an instant. Requests share it for as long as the revision of the site's map, which each request reads together with
 * its person, stays the same, nothing starts or ends, and no vehicle should have left.
 */
export async function stateOf(ctx: Ctx, site_id: Id, which: string, watched: Watched, at: Instant): Promise<State> {
  const { standing } = ctx.actor
  const current = standing?.site_id === site_id ? standing.map_revision : undefined
  // What is expected to leave ahead of now depends on now, too.
  const depends = watched.deliveries === true && at > ctx.now
  if (current === undefined || depends) return stateAt(ctx.db, site_id, watched, at, ctx.now)
  const here = known.get(ctx.house) ?? new Map<string, Known[]>()
  known.set(ctx.house, here)
  const name = `${site_id} ${which}`
  const found = here.get(name)?.find(one => one.map_revision >= current && holds(one, at, ctx.now))
  if (found !== undefined) return found
  const state = await stateAt(ctx.db, site_id, watched, at, ctx.now)
  const others = (here.get(name) ?? []).filter(one => one.map_revision >= state.map_revision)
  here.delete(name)
  here.set(name, [{ ...state, at, now: ctx.now }, ...others].slice(0, INSTANTS_KEPT))
  const [oldest] = here.keys()
  if (here.size > SETS_KEPT && oldest !== undefined) here.delete(oldest)
  return state
}
