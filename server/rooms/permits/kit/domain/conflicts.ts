// What people see of the conflicts of a permit (`conflict-and-planning.md` §4.6). Pure.
import {
  type PermitConflict,
  type PermitConflicts,
  type Shown,
  type ShownReason,
  shownInFull,
  shownReasons,
} from '../../../../../shared/conflicts/permit-conflicts.ts'
import { sha256 } from '../../../../base/ids.ts'
import type { Counterpart } from '../queries/counterparts.ts'

/**
 * How far the conflicts of a permit are known: `checked`; `no_place`: nobody knows where the work is, so it can’t be checked; `no_rule`: no rule that is switched on compares
 * permits; `over`: the permit no longer counts, or has no window yet.
 */
export const CHECKED = ['checked', 'no_place', 'no_rule', 'over'] as const
export type Checked = (typeof CHECKED)[number]

/** A conflict as people see it. Of a permit that they may not see: severity, types and a rounded distance, and nothing else (CL-8). */
export type ShownConflict = { [K in keyof Shown]: Shown[K] | null } & {
  hidden: boolean
  permit_id: string | null
  permit: Omit<Counterpart, 'seen'> | null
  severity: Shown['severity']
  categories: string[]
  distance_m: number
  reasons: ShownReason[]
}

/** Conflicts of a permit with what follows from them. */
export type ShownConflicts = { conflicts: ShownConflict[]; conflicts_checked: Checked; conflicts_hash: string }

/** How coarse the distance to a permit is that someone may not see, in metres (§4.6). */
const COARSE_M = 5
const coarse = (metres: number): number => Math.ceil(metres / COARSE_M) * COARSE_M

/** Returns a conflict as someone sees it who sees this of the other permit. */
function shownConflict(conflict: PermitConflict, other: Counterpart | undefined): ShownConflict {
  if (other?.seen === true) {
    const { seen: _, ...permit } = other
    return { hidden: false, permit_id: other.id, permit, categories: other.categories, ...shownInFull(conflict) }
  }
  const reasons = shownReasons(conflict)
  return {
    hidden: true,
    ...{ permit_id: null, permit: null, severity: conflict.severity, distance_m: coarse(conflict.distance_m) },
    categories: other?.categories ?? [...new Set(reasons.flatMap(reason => reason.other_type ?? []))],
    ...{ level_gap: null, from_at: null, to_at: null, nearest: null },
    reasons: reasons.map(reason => ({ ...reason, distance_m: coarse(reason.distance_m) })),
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
