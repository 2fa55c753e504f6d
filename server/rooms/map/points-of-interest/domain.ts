// Points of interest: what a newcomer must find (`map.md` §5). Pure.
import { type LonLat, metresBetween } from '../../../../shared/geometry/plane.ts'
import { recordOf } from '../../../../shared/narrow.ts'
import { HOUR, type Instant, later } from '../../../../shared/time.ts'
import type { Life } from '../../../kernel/placed/domain.ts'

/** The kinds with a safety sign, and the sign's number in ISO 7010. */
export const SIGNS = {
  assembly_point: 'E007',
  first_aid: 'E003',
  aed: 'E010',
  eyewash: 'E011',
  safety_shower: 'E012',
  emergency_phone: 'E004',
  emergency_exit: 'E001',
  fire_extinguisher: 'F001',
  fire_hose: 'F002',
  fire_point: 'F004',
  fire_call_point: 'F005',
  drinking_water: 'E015',
} as const

/** The kinds that help in an emergency: all with a sign but drinking water, and hydrants (CDM 2015, regulations 30 to 32). */
const EMERGENCY: ReadonlySet<string> = new Set([...Object.keys(SIGNS).filter(kind => kind !== 'drinking_water'), 'hydrant'])

const UNSIGNED = [
  'hydrant',
  'spill_kit',
  'isolation_point',
  'vehicle_gate',
  'pedestrian_gate',
  'welfare',
  'toilets',
  'smoking_point',
  'skip',
  'fuel_store',
  'wheel_wash',
  'temporary_power',
  'weather_station',
  'camera',
  'other',
] as const

/** Every kind of point. */
export const POI_KINDS: readonly string[] = [...Object.keys(SIGNS), ...UNSIGNED]

const signs: Record<string, string | undefined> = { ...recordOf(UNSIGNED, () => undefined), ...SIGNS }

/** Returns the safety sign of a kind; null if it has none. */
export const signOf = (kind: string): string | null => signs[kind] ?? null

/** Returns whether a kind helps in an emergency. */
export const isEmergency = (kind: string): boolean => EMERGENCY.has(kind)

const SOON_HOURS = 24

/** Returns whether a point is there now, or soon: people have to hear of a change. */
export const concernsPeople = ({ start_at, end_at }: Life, now: Instant): boolean =>
  start_at <= later(now, SOON_HOURS * HOUR) && (end_at === null || end_at > now)

/** Orders points by their distance on the ground. */
export function byDistance<Row extends { id: string; lon: number; lat: number }>(
  rows: readonly Row[],
  from: LonLat,
): { row: Row; distance_m: number }[] {
  return rows
    .map(row => ({ row, distance_m: Math.round(metresBetween(from, row) * 100) / 100 }))
    .sort((a, b) => a.distance_m - b.distance_m || (a.row.id < b.row.id ? -1 : 1))
}
