// Active areas: who has which patch, from when to when, and how it was before (`map.md` §2). Pure.
import type { Instant } from '../../../../../shared/time.ts'
import { type FieldFault, forbidden, type Verdict } from '../../../../base/errors.ts'
import { type Life, MAP_ANY } from '../../../../kernel/placed/domain.ts'

export const AREA_KINDS = ['work', 'exclusion', 'lifting', 'laydown', 'route_closed', 'hot_work', 'delivery_bay', 'reserved'] as const

const EXCLUSIVE: readonly string[] = ['exclusion', 'lifting', 'hot_work']
/** Kinds that everyone has to respect, so that only coordinators draw them. */
const COORDINATED: readonly unknown[] = ['exclusion', 'lifting', 'route_closed']

/** Returns why someone can’t draw, change or remove an area of a kind; null if they can. */
export const cantDraw = (area_kind: unknown, can_edit_any: boolean): Verdict =>
  can_edit_any || !COORDINATED.includes(area_kind)
    ? null
    : forbidden(MAP_ANY, 'Only a coordinator can draw, change or remove exclusion zones, lifting zones and closed routes.')

/** Returns whether an area of a kind is exclusive, if nobody has said so. */
export const isExclusive = (area_kind: string): boolean => EXCLUSIVE.includes(area_kind)

/** Returns what is wrong with the heights of an area. */
export const heightFaults = ({ base_m, top_m }: { base_m: number | null; top_m: number | null }): FieldFault[] =>
  base_m !== null && top_m !== null && top_m <= base_m ? [{ path: 'top_m', message: `must be higher than base_m (${base_m} m).` }] : []

/** An area with the instant since which it is as it is; null: since its start. */
export type Versioned = Life & { version_from: Instant | null }

const latest = (a: Instant, b: Instant): Instant => (a > b ? a : b)
const earliest = (a: Instant, b: Instant | null): Instant => (b === null || a < b ? a : b)

/** Returns whether a change at an instant leaves how the area was before on the map of the past: only if it was there by then, and hasn't ended. */
const splits = ({ start_at, end_at }: Life, now: Instant): boolean => start_at < now && (end_at === null || end_at > now)

/** Returns since when a changed area is as it is. A change before it starts, and a correction after it has ended, apply to its whole last version. */
export const versionFrom = (before: Versioned, now: Instant): Instant | null => (splits(before, now) ? now : before.version_from)

/** Returns the time in which an area was as it was before a change, within its own life; without length if it was never so on the map. */
export function validity(before: Versioned, now: Instant): { valid_from: Instant; valid_to: Instant } {
  const valid_from = latest(before.version_from ?? before.start_at, before.start_at)
  if (!splits(before, now)) return { valid_from, valid_to: valid_from }
  return { valid_from, valid_to: latest(valid_from, earliest(now, before.end_at)) }
}

/** Lists the fields that differ between two versions. */
export const fieldsChanged = (before: Record<string, unknown>, after: Record<string, unknown>, fields: readonly string[]): string[] =>
  fields.filter(field => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null))
