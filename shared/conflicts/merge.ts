// Joins what was found between the pieces of two sides into clashes: one for each rule, pair and unbroken time (`conflict-and-planning.md` §0.1). Pure.
import type { Plane } from '../geometry/plane.ts'
import type { Clash, ClashSide, Reason } from './clashes.ts'
import { type Hit, worstFirst } from './judge.ts'
import type { Piece } from './pieces.ts'
import type { Period } from './sides.ts'

/** Returns the clash of two sides that each have a single stretch, so that there is nothing to join; null if it is outside of the period. */
export const clashOfOne = (hit: Hit, period: Period, plane: Plane): Clash | null =>
  hit.from < period.to && hit.to > period.from ? made(hit, hit.from, hit.to, hit.distance_m, hit.reasons, plane) : null

/** Joins the hits of one rule and one pair of sides. Clashes outside of the period are left out. */
export function clashesOf(hits: readonly Hit[], period: Period, plane: Plane): Clash[] {
  const clashes: Clash[] = []
  let run: Hit[] = []
  let [from, to] = [0, 0]
  const close = () => {
    if (run.length > 0 && from < period.to && to > period.from) clashes.push(clashOf(run, from, to, plane))
    run = []
  }
  for (const hit of hits.length === 1 ? hits : hits.toSorted((a, b) => a.from - b.from)) {
    if (run.length > 0 && hit.from <= to) to = Math.max(to, hit.to)
    else {
      close()
      ;[from, to] = [hit.from, hit.to]
    }
    run.push(hit)
  }
  close()
  return clashes
}

/** The worst, then the closest; then the order of the sides, time and place decide, so that the result never depends on the order of the work. */
const leading = (a: Hit, b: Hit): number =>
  b.weight - a.weight ||
  a.distance_m - b.distance_m ||
  Number(a.turned) - Number(b.turned) ||
  a.from - b.from ||
  a.first.at - b.first.at ||
  a.second.at - b.second.at

function clashOf(hits: Hit[], from: number, to: number, plane: Plane): Clash {
  const [lead, ...more] = hits.sort(leading)
  if (lead === undefined) throw new Error('A clash was made from nothing.')
  if (more.length === 0) return made(lead, from, to, lead.distance_m, lead.reasons, plane)
  const distance_m = more.reduce((least, hit) => Math.min(least, hit.distance_m), lead.distance_m)
  return made(lead, from, to, distance_m, joined(hits, lead.turned), plane)
}

function made(lead: Hit, from: number, to: number, distance_m: number, reasons: readonly Reason[], plane: Plane): Clash {
  const { compiled, first, second, turned, contact } = lead
  const { rule } = compiled
  const one = plane.degrees([contact.ax, contact.ay])
  const two = contact.d === 0 ? one : plane.degrees([contact.bx, contact.by])
  return {
    rule_id: rule.id,
    rule_version: rule.version,
    origin_id: rule.origin_id,
    severity: lead.weight === 2 ? 'red' : 'amber',
    from,
    to,
    a: sideOf(turned ? second : first),
    b: sideOf(turned ? first : second),
    distance_m,
    level_gap: lead.level_gap,
    nearest: turned ? [two, one] : [one, two],
    reasons,
  }
}

/** Returns a side as clashes show it, made once for each piece. */
function sideOf(piece: Piece): ClashSide {
  if (piece.shown === null) {
    const { id, kind, lineage_id, facts } = piece.of.side
    piece.shown = { id, kind, label: facts.label, lineage_id, contractor_id: facts.contractor_id, basis: piece.stretch.basis }
  }
  return piece.shown
}

/** Returns each reason once, with the least distance, and with its types in the order of the clash. */
function joined(hits: readonly Hit[], turned: boolean): Reason[] {
  const byCell = new Map<string, Reason>()
  for (const hit of hits)
    for (const reason of hit.reasons) {
      const types = reason.types === null || hit.turned === turned ? reason.types : ([reason.types[1], reason.types[0]] as const)
      const key = types?.join('|') ?? ''
      const known = byCell.get(key)
      if (known === undefined || reason.distance_m < known.distance_m) byCell.set(key, { ...reason, types })
    }
  return [...byCell.values()].sort(worstFirst)
}
