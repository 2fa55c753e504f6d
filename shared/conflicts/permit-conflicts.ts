// What conflicts with a permit, one entry for each other permit, and how it is shown (`conflict-and-planning.md` §4.6). The same on the server and in the browser. Pure.
import { type LonLat, lonLat, type Position } from '../geometry/plane.ts'
import { type Instant, instant } from '../time.ts'
import type { Clash, Reason } from './clashes.ts'
import type { Severity } from './rules.ts'

/** Another permit that conflicts with a permit. */
export type PermitConflict = {
  /** The other permit. */
  permit_id: string
  severity: Severity
  /** How close the two come while they conflict, in metres. */
  distance_m: number
  level_gap: number
  /** The time of the worst conflict, in milliseconds; Infinity while its end is open. */
  from: number
  to: number
  /** The two closest points: of the permit itself, then of the other one. */
  nearest: readonly [Position, Position]
  /** Why, worst first; the types of the permit itself are the first of each pair. */
  reasons: readonly Reason[]
  rule_id: string
  rule_version: number
}

/** What is known about the conflicts of a permit. */
export type PermitConflicts = {
  /** False if no place of the permit is known: then it is compared with nothing. */
  placed: boolean
  conflicts: readonly PermitConflict[]
}

/** Returns a clash as seen from one of its two permits. */
function seenFrom(id: string, clash: Clash): PermitConflict {
  const { a, b, severity, distance_m, level_gap, from, to, nearest, reasons, rule_id, rule_version } = clash
  const first = a.id === id
  return {
    permit_id: first ? b.id : a.id,
    ...{ severity, distance_m, level_gap, from, to, rule_id, rule_version },
    nearest: first ? nearest : [nearest[1], nearest[0]],
    reasons: first ? reasons : reasons.map(reason => ({ ...reason, types: reason.types && ([reason.types[1], reason.types[0]] as const) })),
  }
}

const weight = (severity: Severity): number => (severity === 'red' ? 0 : 1)

/** Orders conflicts: red first, then the nearest, then the soonest (§4.6). */
export const worstFirst = (a: PermitConflict, b: PermitConflict): number =>
  weight(a.severity) - weight(b.severity) || a.distance_m - b.distance_m || a.from - b.from || (a.permit_id < b.permit_id ? -1 : 1)

/** Returns the conflicts of a permit from its clashes that aren't over: one entry for each other permit, by its worst clash, with the reasons of all of them. */
export function conflictsOf(id: string, clashes: readonly Clash[], now: number): PermitConflict[] {
  const byOther = new Map<string, PermitConflict[]>()
  for (const clash of clashes) {
    if (clash.to <= now || (clash.a.id !== id && clash.b.id !== id)) continue
    const seen = seenFrom(id, clash)
    const list = byOther.get(seen.permit_id)
    if (list === undefined) byOther.set(seen.permit_id, [seen])
    else list.push(seen)
  }
  return [...byOther.values()].map(joined).sort(worstFirst)
}

function joined(conflicts: PermitConflict[]): PermitConflict {
  const [lead, ...more] = conflicts.sort(worstFirst)
  if (lead === undefined) throw new Error('A permit conflicts with nothing.')
  if (more.length === 0) return lead
  const reasons = new Map<string, Reason>()
  for (const reason of conflicts.flatMap(one => one.reasons)) {
    const key = `${reason.types?.join('|')} ${reason.cell}`
    const known = reasons.get(key)
    if (known === undefined || reason.distance_m < known.distance_m) reasons.set(key, reason)
  }
  return { ...lead, reasons: [...reasons.values()].sort((a, b) => weight(a.severity) - weight(b.severity) || a.distance_m - b.distance_m) }
}

/** Why two permits conflict, as people see it; without types if the rule doesn't compare them. */
export type ShownReason = {
  severity: Severity
  own_type: string | null
  other_type: string | null
  distance_m: number
  within_m: number | null
}

/** Returns the reasons of a conflict as people see them. */
export const shownReasons = ({ reasons }: PermitConflict): ShownReason[] =>
  reasons.map(({ severity, types, distance_m, within_m }) => ({
    severity,
    own_type: types?.[0] ?? null,
    other_type: types?.[1] ?? null,
    distance_m,
    within_m,
  }))

/** A centimetre: nobody can point more exactly. */
const DECIMALS = 1e7
const rounded = (degrees: number): number => Math.round(degrees * DECIMALS) / DECIMALS
const point = ([lon, lat]: Position): LonLat => lonLat([rounded(lon), rounded(lat)])

/** When and where two permits conflict, and why: for someone who can see both. */
export type Shown = {
  severity: Severity
  distance_m: number
  level_gap: number
  from_at: Instant
  /** Null while the end is open. */
  to_at: Instant | null
  nearest: { own: LonLat; other: LonLat }
  reasons: ShownReason[]
}

/** Returns a conflict as someone sees it who can see both permits. */
export function shownInFull(conflict: PermitConflict): Shown {
  const { severity, distance_m, level_gap, from, to, nearest } = conflict
  return {
    ...{ severity, distance_m, level_gap, reasons: shownReasons(conflict) },
    from_at: instant(from),
    to_at: Number.isFinite(to) ? instant(to) : null,
    nearest: { own: point(nearest[0]), other: point(nearest[1]) },
  }
}
