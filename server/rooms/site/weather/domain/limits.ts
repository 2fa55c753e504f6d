// Weather limits: what they are compared with, and their state in an hour (`site-and-people.md` §13). They are planning aids. Pure.
import type { FieldFault } from '../../../../base/errors.ts'
import { MEASURES, type Values } from './hours.ts'

/** A weather limit of a site. */
export type Limit = {
  key: string
  label: string
  activity: string
  metric: string
  op: 'gte' | 'lte' | 'in'
  caution: number | null
  stop: number | null
  height_m?: number | null
  enabled: boolean
}
export const STATES = ['ok', 'caution', 'stop'] as const
export type LimitState = (typeof STATES)[number]

const limit = (
  key: string,
  label: string,
  activity: string,
  metric: string,
  caution: number | null,
  stop: number | null,
  more: Partial<Limit> = {},
): Limit => ({
  ...{ key, label, activity, metric, op: 'gte', caution, stop, height_m: null, enabled: true },
  ...more,
})

/** The limits that a site has until it sets its own. */
export const STANDARD: readonly Limit[] = [
  limit('tower_crane', 'Tower crane', 'lifting', 'gust_at_height_m_s', 13.3, 16.7),
  limit('mobile_crane', 'Mobile crane', 'lifting', 'gust_at_height_m_s', 7, 9.8, { height_m: 30 }),
  limit('mewp', 'Mobile platform', 'mewp', 'gust_at_height_m_s', 10, 12.5, { height_m: 20 }),
  limit('roof_work', 'Roof work', 'roof_work', 'wind_m_s', 8, 10.3),
  limit('sheet_handling', 'Handling of sheets', 'roof_work', 'wind_m_s', 6, 7.6),
  limit('lightning', 'Lightning', 'external', 'weather_code', null, 95, { op: 'in' }),
  limit('concrete', 'Concreting in the cold', 'concrete', 'temperature_c', 5, 0, { op: 'lte' }),
  limit('ice', 'Ice', 'access', 'ice', 1, null),
  limit('heat', 'Heat', 'external', 'feels_like_c', 30, null),
  limit('high_wind', 'Gale', 'external', 'wind_m_s', null, 17.2),
  limit('heavy_rain', 'Heavy rain in an hour', 'external', 'precipitation_mm', null, 10),
  limit('heavy_rain_day', 'Heavy rain in 24 hours', 'external', 'precipitation_24h_mm', null, 25),
]

/** What a limit can be compared with: what an hour has, and what follows from it. */
const METRICS: readonly string[] = [...Object.keys(MEASURES), 'gust_at_height_m_s', 'wind_at_height_m_s', 'precipitation_24h_mm', 'ice']

/** Returns why a limit could never be reached, or wouldn't warn before it stops; null if nothing is wrong. */
function faultOf({ metric, op, caution, stop }: Omit<Limit, 'height_m'>): FieldFault | null {
  if (!METRICS.includes(metric)) return { path: 'metric', message: `isn’t an hourly weather value. Use one of ${METRICS.join(', ')}.` }
  if (caution === null && stop === null)
    return { path: 'stop', message: 'or caution is required: without both, the limit is never reached.' }
  if (op === 'in' && metric !== 'weather_code') return { path: 'op', message: 'can be “in” only for weather_code. Use gte or lte.' }
  if (caution === null || stop === null || caution === stop) return null
  return caution < stop === (op === 'lte')
    ? { path: 'caution', message: `must be ${op === 'lte' ? 'above' : 'below'} stop, so that people are warned before work stops.` }
    : null
}

/** Returns the faults of the limits that a site would have, of each limit the first. */
export const limitFaults = (limits: readonly Omit<Limit, 'height_m'>[]): FieldFault[] =>
  limits.flatMap((limit, i) => {
    const twice = limits.findIndex(one => one.key === limit.key) < i
    const fault = twice ? { path: 'key', message: `“${limit.key}” appears twice. Each limit needs its own key.` } : faultOf(limit)
    return fault === null ? [] : { ...fault, path: `weather_limits[${i}].${fault.path}` }
  })

/** The exponent of the wind profile, by terrain. */
const ROUGHNESS: Readonly<Record<string, number>> = { open: 0.14, suburban: 0.22, urban: 0.33 }
/** Height of the jib of a tower crane whose height isn’t known, metres. */
export const JIB_M = 60
const TEN = 10

/** Returns the wind at a height from that at 10 m. Gusts get the same factor, which is on the safe side. */
export const windAt = (value: number, height_m: number, terrain: string): number =>
  value * (Math.max(TEN, height_m) / TEN) ** (ROUGHNESS[terrain] ?? 0.22)

/** Codes of thunderstorms: 95 to 99. */
const LAST_CODE = 99

/** What an hour has for limits besides its own values. */
export type Around = { terrain: string; height_m: number; precipitation_24h_mm: number | null }

/** Returns the value that a limit is compared with; null if the hour doesn’t have it. */
export function valueFor(
  { metric }: Pick<Limit, 'metric'>,
  hour: Values,
  { terrain, height_m, precipitation_24h_mm }: Around,
): number | null {
  const raised = (value: number | null) => (value === null ? null : windAt(value, height_m, terrain))
  if (metric === 'gust_at_height_m_s') return raised(hour.wind_gust_m_s)
  if (metric === 'wind_at_height_m_s') return raised(hour.wind_m_s)
  if (metric === 'precipitation_24h_mm') return precipitation_24h_mm
  if (metric === 'ice') {
    const { temperature_c: t, dew_point_c: dew, precipitation_mm: rain } = hour
    return t === null ? null : t <= 1 && ((rain ?? 0) > 0 || (dew !== null && t - dew <= 1)) ? 1 : 0
  }
  return Object.entries(hour).find(([name]) => name === metric)?.[1] ?? null
}

/** Returns the state of a limit at a value; null without a value. */
export function stateOf({ op, caution, stop }: Limit, value: number | null): LimitState | null {
  if (value === null) return null
  const beyond = (at: number | null) =>
    at !== null && (op === 'gte' ? value >= at : op === 'lte' ? value <= at : value >= at && value <= LAST_CODE)
  return beyond(stop) ? 'stop' : beyond(caution) ? 'caution' : 'ok'
}

/** Categories of plant that a limit is about. */
export const PLANT_OF: Readonly<Record<string, readonly string[]>> = {
  tower_crane: ['tower_crane'],
  mobile_crane: ['mobile_crane', 'crawler_crane'],
  mewp: ['mewp'],
}
/** Permit types that a limit is about. */
export const TYPES_OF: Readonly<Record<string, readonly string[]>> = {
  tower_crane: ['LIFT', 'CRO'],
  mobile_crane: ['LIFT', 'CRO'],
  mewp: ['LIFT', 'WAH'],
  roof_work: ['WAH'],
  sheet_handling: ['WAH'],
  lightning: ['LIFT', 'CRO', 'WAH'],
}
/** Limits after which scaffolds, excavations and cranes fall due for inspection. */
export const INSPECTED_AFTER = ['high_wind', 'heavy_rain', 'heavy_rain_day']
