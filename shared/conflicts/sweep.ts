// Finds the clashes of a site: all of them in one sweep over time, or those of one changed side (`conflict-and-planning.md` §4.3). Both give the same. Pure: the
// result depends on the sides, the rules, the site, the period and `now`, and on nothing else.
import { type Plane, planeAt } from '../geometry/plane.ts'
import { instant } from '../time.ts'
import { type Clash, inOrder } from './clashes.ts'
import { compileRules, type RuleSet } from './compile.ts'
import { type Grid, gridOf } from './grid.ts'
import { type Court, type Hit, judgePieces } from './judge.ts'
import { clashesOf } from './merge.ts'
import { type Piece, type Prepared, prepared } from './pieces.ts'
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

/** Cells of this size have a few pieces each on a dense site, and the widest standard rule covers a few cells. */
const CELL_M = 25

/** Makes an index of sides. */
export function indexOf(sides: readonly Side[], rules: readonly Rule[] | RuleSet, site: SiteFacts): SideIndex {
  const compiled = 'applied' in rules ? rules : compileRules(rules)
  const plane = planeAt(site.centre)
  const all = new Map<string, Prepared>()
  const places = placesOf(compiled)
  const index: SideIndex = {
    rules: compiled,
    site,
    plane,
    sides: all,
    put(side) {
      index.remove(side.id)
      const made = prepared(side, compiled, plane)
      all.set(side.id, made)
      for (const piece of made.pieces) places.add(piece)
    },
    remove(id) {
      for (const piece of all.get(id)?.pieces ?? []) places.remove(piece)
      all.delete(id)
    },
    around: (piece, visit) => places.around(piece, visit),
  }
  for (const side of sides) index.put(side)
  return index
}

type Places = {
  add(piece: Piece): void
  remove(piece: Piece): void
  around(piece: Piece, visit: (other: Piece) => void, isOver?: (other: Piece) => boolean): void
}

/** Keeps pieces by place, and by zone for the rules that compare what shares a zone. */
function placesOf({ reaches, zones }: RuleSet): Places {
  const grid: Grid<Piece> = gridOf(CELL_M)
  const byZone = new Map<string, Set<Piece>>()
  const zonesOf = (piece: Piece): readonly string[] => (zones[piece.of.kind] ? piece.stretch.zone_ids : [])
  const reachOf = (piece: Piece): number => reaches[piece.of.kind] ?? -1
  return {
    add(piece) {
      if (reachOf(piece) >= 0) grid.add(piece)
      for (const zone of zonesOf(piece)) {
        const list = byZone.get(zone) ?? new Set()
        byZone.set(zone, list.add(piece))
      }
    },
    remove(piece) {
      if (reachOf(piece) >= 0) grid.remove(piece)
      for (const zone of zonesOf(piece)) byZone.get(zone)?.delete(piece)
    },
    around(piece, visit, isOver) {
      const reach = reachOf(piece)
      if (reach >= 0) grid.near(piece.shape, reach, visit, isOver)
      const own = zonesOf(piece)
      if (own.length === 0) return
      const met = new Set<Piece>()
      if (reach >= 0) grid.near(piece.shape, reach, other => met.add(other), isOver)
      for (const zone of own)
        for (const other of byZone.get(zone) ?? []) {
          if (isOver?.(other)) byZone.get(zone)?.delete(other)
          else if (!met.has(other)) {
            met.add(other)
            visit(other)
          }
        }
    },
  }
}

const courtOf = ({ rules, site }: SideIndex, now: number): Court => ({
  rules,
  site,
  moment: { now: instant(now), timezone: site.timezone },
})

/** Returns whether a side is somewhere in a period, or so close to it that a buffer reaches it. */
const isThere = ({ pieces }: Prepared, { from, to }: Period, buffer: number): boolean =>
  pieces.some(piece => piece.from - buffer < to && piece.to + buffer > from)

/** Collects hits by rule and pair, and makes the clashes. */
function collector(index: SideIndex, period: Period): { hit(one: Hit): void; clashes(): Clash[] } {
  const byPair = new Map<string, Hit[]>()
  return {
    hit(one) {
      const key = `${one.compiled.rule.id} ${one.first.of.side.id} ${one.second.of.side.id}`
      const list = byPair.get(key)
      if (list === undefined) byPair.set(key, [one])
      else list.push(one)
    },
    clashes: () => [...byPair.values()].flatMap(hits => clashesOf(hits, period, index.plane)).sort(inOrder),
  }
}

/** Finds every clash of a period, in the order of `inOrder`. */
export function sweep(index: SideIndex, period: Period, now: number): Clash[] {
  const { rules, sides } = index
  const court = courtOf(index, now)
  const found = collector(index, period)
  const pieces = [...sides.values()].filter(side => isThere(side, period, rules.buffer)).flatMap(side => side.pieces)
  const places = placesOf(rules)
  const { hit } = found
  // In the order of their starts, each piece is compared with those that are still there; the others are forgotten on the way.
  for (const piece of pieces.sort((a, b) => a.from - b.from)) {
    const since = piece.from - 2 * rules.buffer
    places.around(
      piece,
      other => {
        if (other.of !== piece.of) judgePieces(court, piece, other, hit)
      },
      other => other.to <= since,
    )
    places.add(piece)
  }
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
