import type { Clash } from '../../../../../shared/conflicts/clashes.ts'
import { indexOf, sweep } from '../../../../../shared/conflicts/sweep.ts'
import { boundsOf, middleOf } from '../../../../../shared/geometry/plane.ts'
import { HOUR, ms } from '../../../../../shared/time.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { countedPermits, entriesOf } from '../../kit/queries/permits.ts'
import { conflictsOf, type PermitConflicts } from '../domain.ts'
import { sidesOf } from './permits.ts'
import { comparesPermits, rulesInForce, siteFactsOf } from './rules.ts'

/** All conflicts between the permits of a site. */
export type SiteConflicts = {
  /** Whether a rule looks for conflicts between permits. */
  ruled: boolean
  /** Returns what is known of a permit; null if it doesn't count. */
  of(id: Id): PermitConflicts | null
  /** The permits that count. */
  ids: readonly Id[]
}

type Kept = { entries: number; made: number; conflicts: Promise<Found> }
type Found = { ruled: boolean; placed: ReadonlyMap<Id, boolean>; clashes: ReadonlyMap<Id, readonly Clash[]> }

const kept = new WeakMap<House, Map<Id, Kept>>()
/** Conditions can ask for the time, so nothing is kept for longer. */
const LONGEST = HOUR / 60

/**
 * Returns all conflicts between the permits of a site, for lists. They are found once for each state of the site: every change that matters is in the site's history, so that
 * they are the same until it has another entry. A write must not use this, because it doesn't see what it has changed itself: `freshConflicts`.
 */
export async function siteConflicts(ctx: Ctx, site_id: Id): Promise<SiteConflicts> {
  const { standing } = ctx.actor
  const entries = standing?.site_id === site_id && standing.entries !== undefined ? standing.entries : await entriesOf(ctx.db, site_id)
  const now = ms(ctx.now)
  const ofHouse = kept.get(ctx.house) ?? new Map<Id, Kept>()
  kept.set(ctx.house, ofHouse)
  let known = ofHouse.get(site_id)
  if (known === undefined || known.entries < entries || Math.abs(now - known.made) > LONGEST) {
    known = { entries, made: now, conflicts: found(ctx, site_id, now) }
    ofHouse.set(site_id, known)
    known.conflicts.catch(() => ofHouse.delete(site_id))
  }
  const { ruled, placed, clashes } = await known.conflicts
  return {
    ruled,
    ids: [...placed.keys()],
    of: id => (placed.has(id) ? { placed: placed.get(id) === true, conflicts: conflictsOf(id, clashes.get(id) ?? [], now) } : null),
  }
}

async function found(ctx: Ctx, site_id: Id, now: number): Promise<Found> {
  const in_force = await rulesInForce(ctx, site_id)
  const rows = await countedPermits(ctx.db, site_id, { from: ctx.now, to: null, box: null })
  const sides = await sidesOf(ctx, site_id, rows)
  const [ground] = sides.flatMap(side => side.footprint.map(stretch => stretch.ground))
  const somewhere =
    ground === undefined ? null : middleOf(boundsOf(ground.type === 'Disc' ? { type: 'Point', coordinates: ground.coordinates } : ground))
  const site = await siteFactsOf(ctx, site_id, somewhere)
  const clashes = new Map<Id, Clash[]>()
  if (comparesPermits(in_force))
    for (const clash of sweep(indexOf(sides, in_force.set, site), { from: now, to: Number.POSITIVE_INFINITY }, now))
      for (const { id } of [clash.a, clash.b]) {
        const list = clashes.get(id)
        if (list === undefined) clashes.set(id, [clash])
        else list.push(clash)
      }
  return { ruled: comparesPermits(in_force), placed: new Map(sides.map(side => [side.id, side.footprint.length > 0])), clashes }
}
