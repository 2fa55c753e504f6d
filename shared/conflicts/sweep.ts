// Finds the clashes of a site: all of them in one sweep over time, or those of one changed side (`conflict-and-planning.md` §4.3). Both give the same. Pure: the
// result depends on the sides, the rules, the site, the period and `now`, and on nothing else.
import { type Plane, planeAt } from '../geometry/plane.ts'
import { instant } from '../time.ts'
import { type Clash, inOrder } from './clashes.ts'
import { compileRules, type RuleSet } from './compile.ts'
import { type Court, copyOf, type Hit, judgePieces } from './judge.ts'
import { clashesOf, clashOfOne } from './merge.ts'
import { type Piece, type Prepared, prepared } from './pieces.ts'
import { placesOf, timeline } from './places.ts'
import type { Rule } from './rules.ts'
import type { Period, Side, SiteFacts } from './sides.ts'

/** The sides of a site, prepared and found by place. */
export type SideIndex = {
  readonly rules: RuleSet
  readonly site: SiteFacts
  readonly plane: Plane
  readonly sides: ReadonlyMap<string, Prepared>
  /** Adds a side, or replaces the one with its id. */
  put(side: Side): void
  remove(id: string): void
  /** Calls `visit` with every piece that a rule may compare with this one, never twice with the same. */
  around(piece: Piece, visit: (other: Piece) => void): void
}

/**
 * Makes an index of sides, with quick searches among as many stretches as they have, or as `room` says: more can be added, but are found more slowly. Room costs
 * memory, which a process that makes an index for each change of a site would have to collect again and again.
 */
export function indexOf(sides: readonly Side[], rules: readonly Rule[] | RuleSet, site: SiteFacts, room = 0): SideIndex {
  const compiled = 'applied' in rules ? rules : compileRules(rules)
  const plane = planeAt(site.centre)
  const all = new Map<string, Prepared>()
  const slots: (Piece | undefined)[] = []
  const free: number[] = []
  const stretches = sides.reduce((count, side) => count + side.footprint.length, 0)
  const places = placesOf(compiled, Math.max(room, stretches))
  const index: SideIndex = {
    rules: compiled,
    site,
    plane,
    sides: all,
    put(side) {
      index.remove(side.id)
      const made = prepared(side, compiled, plane)
      all.set(side.id, made)
      for (const piece of made.pieces) {
        piece.slot = free.pop() ?? slots.length
        slots[piece.slot] = piece
        places.add(piece, piece.slot)
      }
    },
    remove(id) {
      for (const piece of all.get(id)?.pieces ?? []) {
        places.remove(piece, piece.slot)
        slots[piece.slot] = undefined
        free.push(piece.slot)
      }
      all.delete(id)
    },
    around(piece, visit) {
      places.around(piece, slot => {
        const other = slots[slot]
        if (other !== undefined) visit(other)
      })
    },
  }
  for (const side of sides) index.put(side)
  return index
}

const courtOf = ({ rules, site }: SideIndex, now: number): Court => ({
  rules,
  site,
  moment: { now: instant(now), timezone: site.timezone },
  hit: null,
})

/** Returns whether a side is somewhere in a period, or so close to it that a buffer reaches it. */
const isThere = ({ pieces }: Prepared, { from, to }: Period, buffer: number): boolean =>
  pieces.some(piece => piece.from - buffer < to && piece.to + buffer > from)

/** Collects hits, those of sides with several stretches by rule and pair, and makes the clashes. */
function collector({ plane }: SideIndex, period: Period): { hit(one: Hit): void; clashes(): Clash[] } {
  const clashes: Clash[] = []
  const byPair = new Map<string, Hit[]>()
  return {
    hit(one) {
      const { compiled, first, second } = one
      if (first.of.pieces.length === 1 && second.of.pieces.length === 1) {
        const clash = clashOfOne(one, period, plane)
        if (clash !== null) clashes.push(clash)
        return
      }
      const key = `${compiled.rule.id} ${first.id} ${second.id}`
      const list = byPair.get(key)
      if (list === undefined) byPair.set(key, [copyOf(one)])
      else list.push(copyOf(one))
    },
    clashes() {
      for (const hits of byPair.values()) clashes.push(...clashesOf(hits, period, plane))
      return clashes.sort(inOrder)
    },
  }
}

/** Finds every clash of a period, in the order of `inOrder`. */
export function sweep(index: SideIndex, period: Period, now: number): Clash[] {
  const { rules, sides } = index
  const court = courtOf(index, now)
  const found = collector(index, period)
  const pieces = [...sides.values()].filter(side => isThere(side, period, rules.buffer)).flatMap(side => side.pieces)
  timeline(pieces, rules, (piece, other) => {
    if (other.of !== piece.of) judgePieces(court, piece, other, found.hit)
  })
  return found.clashes()
}

/** Finds the clashes of one side with all others in a period, in the same order. */
export function sweepOne(index: SideIndex, id: string, period: Period, now: number): Clash[] {
  const own = index.sides.get(id)
  const { buffer } = index.rules
  if (own === undefined || !isThere(own, period, buffer)) return []
  const court = courtOf(index, now)
  const found = collector(index, period)
  for (const piece of own.pieces)
    index.around(piece, other => {
      if (other.of !== own && isThere(other.of, period, buffer)) judgePieces(court, piece, other, found.hit)
    })
  return found.clashes()
}
