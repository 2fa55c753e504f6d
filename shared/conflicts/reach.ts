// How far a rule reaches (`conflict-and-planning.md` §1, "Bounded reach"): a rule whose condition doesn’t limit the distance on every branch would compare
// everything with everything. Pure.
import { itemsIn } from '../narrow.ts'
import { type Leaf, nodeOf, type Predicate } from '../predicates/language.ts'
import { matrixReach } from './matrix.ts'
import { pairSubject } from './pair.ts'
import { FARTHEST_M, isMatrix, type RuleContent } from './rules.ts'

/** The farthest two sides can be from each other and still clash: a distance, the zones that both are in, or either of the two. */
export type Reach = { metres: number | null; zone: boolean }
/** Where a condition limits nothing. */
export type ReachFault = { path: string; code: 'unbounded_reach'; message: string }

type Found = { reach: Reach | null; faults: ReachFault[] }

const UNBOUNDED =
  'doesn’t limit the distance, so it would compare everything on the site. Add a distance, a zone, or that one is inside the other.'
const metres = (m: number): Reach => ({ metres: Math.max(0, m), zone: false })
const isFar = (reach: Reach): boolean => (reach.metres ?? 0) > FARTHEST_M

/** Returns how far a rule reaches, or why it isn’t limited. Its condition must have no other faults. */
export function reachOf(
  content: Pick<RuleContent, 'when' | 'outcome' | 'levels'>,
  at = 'when',
): { reach: Reach | null; faults: ReachFault[] } {
  const { when, outcome, levels } = content
  const own = boundOf(when, at)
  const limit = isMatrix(outcome)
    ? nearest(own.reach, metres(matrixReach(outcome.cells, { default_distance_m: outcome.default_distance_m, levels })))
    : own.reach
  if (limit === null) return { reach: null, faults: own.faults }
  if (isFar(limit))
    return { reach: null, faults: [{ path: at, code: 'unbounded_reach', message: `reaches further than ${FARTHEST_M} m.` }] }
  return { reach: limit, faults: [] }
}

/** Of two limits that both apply, the one that leaves less to compare: a distance before a zone. */
function nearest(a: Reach | null, b: Reach | null): Reach | null {
  if (a === null || b === null) return a ?? b
  if (a.zone !== b.zone) return a.zone ? b : a
  return (a.metres ?? 0) <= (b.metres ?? 0) ? a : b
}

/** Of two limits of which either applies, both together. */
const farthest = (a: Reach, b: Reach): Reach => ({
  metres: a.metres === null ? b.metres : b.metres === null ? a.metres : Math.max(a.metres, b.metres),
  zone: a.zone || b.zone,
})

function boundOf(predicate: Predicate, path: string): Found {
  const node = nodeOf(pairSubject, predicate)
  const bounded = (reach: Reach | null): Found =>
    reach === null ? { reach, faults: [{ path, code: 'unbounded_reach', message: UNBOUNDED }] } : { reach, faults: [] }
  switch (node.is) {
    case 'constant':
      return bounded(node.value ? null : metres(0))
    case 'leaf':
      return bounded(leafBound(node.leaf))
    case 'not':
      return bounded(null)
    case 'all':
      return bounded(node.parts.reduce<Reach | null>((least, part) => nearest(least, boundOf(part, path).reach), null))
    case 'any': {
      const parts = node.parts.map((part, i) => boundOf(part, `${path}.any[${i}]`))
      const faults = parts.flatMap(part => part.faults)
      if (faults.length > 0) return { reach: null, faults }
      const reaches = parts.flatMap(part => part.reach ?? [])
      return bounded(reaches.length === 0 ? metres(0) : reaches.reduce(farthest))
    }
  }
}

function leafBound({ field, op, value, ref }: Leaf): Reach | null {
  if (ref !== undefined) return null
  if (field === 'pair.same_zone') return op === 'eq' && value === true ? { metres: null, zone: true } : null
  if (field === 'pair.containment') return meansMeeting(op, value) ? metres(0) : null
  if (field !== 'pair.distance_m') return null
  if (op === 'lte' || op === 'lt' || op === 'eq') return typeof value === 'number' ? metres(value) : null
  const [, high] = op === 'between' ? itemsIn(value) : []
  return typeof high === 'number' ? metres(high) : null
}

/** Returns whether a comparison of `containment` is only true for sides that share ground. */
function meansMeeting(op: Leaf['op'], value: unknown): boolean {
  if (op === 'eq') return value !== 'none'
  if (op === 'ne') return value === 'none'
  if (op === 'in') return !itemsIn(value).includes('none')
  return op === 'not_in' && itemsIn(value).includes('none')
}
