// What people see of the conflicts of a permit (`conflict-and-planning.md` §4.6). Pure.
import { type Instant, instant } from '../../../../../shared/time.ts'
import { sha256 } from '../../../../base/ids.ts'
import type { PermitConflict, PermitConflicts } from '../../../conflicts/comparisons/domain.ts'
import type { Counterpart } from '../queries/counterparts.ts'

/**
 * How far the conflicts of a permit are known: `checked`; `no_place`: nobody knows where the work is, so it can’t be checked; `no_rule`: no rule that is switched on compares
 * permits; `over`: the permit no longer counts, or has no window yet.
 */
export const CHECKED = ['checked', 'no_place', 'no_rule', 'over'] as const
export type Checked = (typeof CHECKED)[number]

/** Why two permits conflict, as people see it. */
export type ShownReason = {
  severity: 'red' | 'amber'
  own_type: string | null
  other_type: string | null
  distance_m: number
  within_m: number | null
}

/** A conflict as people see it. Of a permit that they may not see: severity, types and a rounded distance, and nothing else (CL-8). */
export type ShownConflict = {
  hidden: boolean
  permit_id: string | null
  permit: Omit<Counterpart, 'seen'> | null
  severity: 'red' | 'amber'
  categories: string[]
  distance_m: number
  level_gap: number | null
  from_at: Instant | null
  to_at: Instant | null
  nearest: { own: { lon: number; lat: number }; other: { lon: number; lat: number } } | null
  reasons: ShownReason[]
}

/** Conflicts of a permit with what follows from them. */
export type ShownConflicts = { conflicts: ShownConflict[]; conflicts_checked: Checked; conflicts_hash: string }

/** A centimetre: nobody can point more exactly. */
const DECIMALS = 1e7
const rounded = (degrees: number): number => Math.round(degrees * DECIMALS) / DECIMALS
const point = ([lon, lat]: readonly [number, number]) => ({ lon: rounded(lon), lat: rounded(lat) })

/** How coarse the distance to a permit is that someone may not see, in metres (§4.6). */
const COARSE_M = 5
const coarse = (metres: number): number => Math.ceil(metres / COARSE_M) * COARSE_M

const reasonsOf = ({ reasons }: PermitConflict): ShownReason[] =>
  reasons.map(({ severity, types, distance_m, within_m }) => ({
    severity,
    own_type: types?.[0] ?? null,
    other_type: types?.[1] ?? null,
    distance_m,
    within_m,
  }))

/** Returns a conflict as someone sees it who sees this of the other permit. */
function shownConflict(conflict: PermitConflict, other: Counterpart | undefined): ShownConflict {
  const { severity, distance_m, level_gap, from, to, nearest } = conflict
  const reasons = reasonsOf(conflict)
  if (other?.seen !== true)
    return {
      hidden: true,
      ...{ permit_id: null, permit: null, severity, distance_m: coarse(distance_m) },
      categories: other?.categories ?? [...new Set(reasons.flatMap(reason => reason.other_type ?? []))],
      ...{ level_gap: null, from_at: null, to_at: null, nearest: null },
      reasons: reasons.map(reason => ({ ...reason, distance_m: coarse(reason.distance_m) })),
    }
  const { seen: _, ...permit } = other
  return {
    hidden: false,
    ...{ permit_id: other.id, permit, severity, categories: other.categories, distance_m, level_gap, reasons },
    from_at: instant(from),
    to_at: Number.isFinite(to) ? instant(to) : null,
    nearest: { own: point(nearest[0]), other: point(nearest[1]) },
  }
}

/**
 * Returns a fingerprint of the red conflicts of a permit: it changes when another permit joins them or leaves them. An approval contains the one that the approver was shown, so that
 * nobody approves despite a red conflict that came up in the meantime.
 */
export const fingerprint = (conflicts: readonly PermitConflict[]): string =>
  sha256(
    JSON.stringify(
      conflicts
        .filter(one => one.severity === 'red')
        .map(one => one.permit_id)
        .sort(),
    ),
  )

/** Returns how far the conflicts of a permit are known. */
export const checkedOf = (found: PermitConflicts | null | undefined, ruled: boolean): Checked =>
  found == null ? 'over' : !ruled ? 'no_rule' : found.placed ? 'checked' : 'no_place'

/** Returns the conflicts of a permit as someone sees them. */
export function shownConflicts(
  found: PermitConflicts | null | undefined,
  ruled: boolean,
  others: ReadonlyMap<string, Counterpart>,
): ShownConflicts {
  const conflicts = found?.conflicts ?? []
  return {
    conflicts: conflicts.map(one => shownConflict(one, others.get(one.permit_id))),
    conflicts_checked: checkedOf(found, ruled),
    conflicts_hash: fingerprint(conflicts),
  }
}

/** Returns the conflicts that a change adds: with a permit that there was none with, or that was only amber. */
export function addedTo(before: readonly PermitConflict[], after: readonly PermitConflict[]): PermitConflict[] {
  const known = new Map(before.map(one => [one.permit_id, one.severity]))
  return after.filter(one => {
    const had = known.get(one.permit_id)
    return had === undefined || (had === 'amber' && one.severity === 'red')
  })
}
