// Where a permit is over time (`conflict-and-planning.md` §4.2). Pure.
import type { EffectiveTime } from './effective.ts'
import type { Basis, Stretch } from './sides.ts'

/** A place without a time. */
export type Place = Omit<Stretch, 'from' | 'to' | 'basis'>

/** Where a permit can be: its own point or polygon, the things that are linked to it, and places that are known only roughly. */
export type PermitPlaces = {
  own: Place | null
  /** Linked workers, plant and deliveries, each while it exists. */
  linked: readonly (Place & { from: number; to: number })[]
  /** The place of a linked work line, then its own zone, level and building: the first one counts. */
  coarse: readonly (Place & { basis: Extract<Basis, 'zone' | 'level' | 'building'> })[]
  /** When the window ends, and whether the permit has expired: it then keeps the last places of its links (§4.2). */
  end_at: number
  is_expired: boolean
}

/**
 * Returns the footprint of a permit: precise places for as long as they are known, and the best rough place for the rest of its time. Empty if nothing is known:
 * then the permit is unplaced.
 */
export function permitFootprint(time: EffectiveTime, places: PermitPlaces): Stretch[] {
  const { from, to } = time
  const precise: Stretch[] = [
    ...(places.own === null ? [] : [{ ...places.own, from, to, basis: 'own' as const }]),
    ...linkedStretches(time, places),
  ]
  const [rough] = places.coarse
  if (rough === undefined) return precise
  return [...precise, ...gapsOf(precise, from, to).map(gap => ({ ...rough, ...gap }))]
}

/** Returns the stretches of the linked things, within the time of the permit; after its end, an expired permit keeps the last of them. */
function linkedStretches({ from, to }: EffectiveTime, { linked, end_at, is_expired }: PermitPlaces): Stretch[] {
  const begun = linked.filter(one => one.from < end_at)
  const last = Math.max(...begun.map(one => Math.min(one.to, end_at)))
  const kept = is_expired ? begun.filter(one => Math.min(one.to, end_at) === last).map(one => ({ ...one, from: end_at, to })) : []
  return [...linked, ...kept].flatMap(one => {
    const stretch: Stretch = { ...one, from: Math.max(one.from, from), to: Math.min(one.to, to), basis: 'entity' }
    return stretch.from < stretch.to ? [stretch] : []
  })
}

/** Returns the parts of `[from, to)` that no stretch covers, in order. */
export function gapsOf(stretches: readonly { from: number; to: number }[], from: number, to: number): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = []
  let at = from
  for (const one of stretches.toSorted((a, b) => a.from - b.from)) {
    if (one.from > at) gaps.push({ from: at, to: Math.min(one.from, to) })
    at = Math.max(at, one.to)
    if (at >= to) break
  }
  if (at < to) gaps.push({ from: at, to })
  return gaps
}
