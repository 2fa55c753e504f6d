// An hour of weather, and how a provider's answer becomes hours (`site-and-people.md` §13). Pure.
import { fieldsIn, itemsIn, keysOf, mapValues } from '../../../../../shared/narrow.ts'
import { HOUR, hourOf, type Instant, instant, ms } from '../../../../../shared/time.ts'

/** What an hour has: its field, the variable of Open-Meteo and its unit. `ends`: the variable is stamped at the end of its hour. */
export const MEASURES = {
  temperature_c: { variable: 'temperature_2m', unit: '°C' },
  feels_like_c: { variable: 'apparent_temperature', unit: '°C' },
  humidity_percent: { variable: 'relative_humidity_2m', unit: '%' },
  dew_point_c: { variable: 'dew_point_2m', unit: '°C' },
  precipitation_mm: { variable: 'precipitation', unit: 'mm', ends: true },
  precipitation_probability_percent: { variable: 'precipitation_probability', unit: '%', ends: true },
  snowfall_cm: { variable: 'snowfall', unit: 'cm', ends: true },
  snow_depth_m: { variable: 'snow_depth', unit: 'm' },
  wind_m_s: { variable: 'wind_speed_10m', unit: 'm/s' },
  wind_gust_m_s: { variable: 'wind_gusts_10m', unit: 'm/s', ends: true },
  wind_direction_deg: { variable: 'wind_direction_10m', unit: '°' },
  visibility_m: { variable: 'visibility', unit: 'm' },
  cloud_percent: { variable: 'cloud_cover', unit: '%' },
  weather_code: { variable: 'weather_code', unit: 'wmo code' },
} as const satisfies Record<string, { variable: string; unit: string; ends?: true }>

export type Measure = keyof typeof MEASURES
/** The values of an hour; null where the provider has none. */
export type Values = Record<Measure, number | null>
/** An hour: its start, and its values. */
export type Hour = Values & { at: Instant }

/** Returns an hour without values. */
export const noValues = (): Values => mapValues(MEASURES, () => null)

const NAMES = keysOf(MEASURES)

/** Reads a time of the provider (`2026-03-16T09:00`, UTC). */
const timeIn = (value: unknown): number =>
  typeof value === 'string' ? Date.parse(value.length === 16 ? `${value}:00Z` : value) : Number.NaN

const numberIn = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

/**
 * Reads the hours of an answer, by start. A variable in another unit, a value that is no number, and an hour that is left out are gaps, never zero. Sums and gusts
 * are stamped at the end of their hour and moved to its start.
 */
export function hoursIn(answer: unknown): Hour[] {
  const { hourly, hourly_units } = fieldsIn(answer)
  const [columns, units] = [fieldsIn(hourly), fieldsIn(hourly_units)]
  const found = new Map<number, Values>()
  const times = itemsIn(columns.time).map(timeIn)
  for (const name of NAMES) {
    const measure: { variable: string; unit: string; ends?: true } = MEASURES[name]
    if (units[measure.variable] !== measure.unit) continue
    const values = itemsIn(columns[measure.variable])
    for (const [i, time] of times.entries()) {
      if (!Number.isFinite(time)) continue
      const start = measure.ends ? time - HOUR : time
      const value = numberIn(values[i])
      if (value === null) continue
      const hour = found.get(start) ?? noValues()
      hour[name] = value
      found.set(start, hour)
    }
  }
  const starts = [...found.keys()].sort((a, b) => a - b)
  // The hour before the first stamp has only its sums.
  return starts.filter(start => start >= (times[0] ?? 0)).map(start => ({ at: instant(start), ...(found.get(start) ?? noValues()) }))
}

/** Reads the running quarter of an hour; null if the answer has none. */
export function currentIn(answer: unknown): (Values & { at: Instant }) | null {
  const { current, current_units } = fieldsIn(answer)
  const [values, units] = [fieldsIn(current), fieldsIn(current_units)]
  const at = timeIn(values.time)
  if (!Number.isFinite(at)) return null
  const read = mapValues(MEASURES, ({ variable, unit }) => (units[variable] === unit ? numberIn(values[variable]) : null))
  return { at: instant(at), ...read }
}

/** Returns an answer of fixed example data, in the provider's own form: a day's course of wind, cloud and temperature, with showers. */
export function exampleAnswer(now: Instant, past_days: number, days: number): unknown {
  const first = Math.floor(ms(now) / (24 * HOUR)) * 24 * HOUR - past_days * 24 * HOUR
  const times = Array.from({ length: (past_days + days) * 24 }, (_, i) => first + i * HOUR)
  const at = (time: number): Values => {
    const [hour, day] = [(time / HOUR) % 24, Math.floor(time / HOUR / 24)]
    const sway = Math.sin(((hour - 9) / 24) * 2 * Math.PI)
    const wind = Math.max(1, 5 + 2.5 * sway + 2 * Math.sin(day * 1.3))
    const shower = (day + Math.floor(hour / 3)) % 7 === 0
    return {
      ...{ temperature_c: 9 + 4 * sway, feels_like_c: 7 + 4 * sway, humidity_percent: 74 - 12 * sway, dew_point_c: 4.5 },
      ...{ precipitation_mm: shower ? 0.8 : 0, precipitation_probability_percent: shower ? 70 : 10, snowfall_cm: 0, snow_depth_m: 0 },
      ...{ wind_m_s: wind, wind_gust_m_s: wind * 1.6, wind_direction_deg: (200 + day * 17) % 360 },
      ...{ visibility_m: 20_000, cloud_percent: shower ? 90 : 50, weather_code: shower ? 61 : 2 },
    }
  }
  const rounded = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)
  const column = (name: Measure) => times.map(time => rounded(at('ends' in MEASURES[name] ? time - HOUR : time)[name]))
  const now_ = mapValues(at(ms(hourOf(now))), rounded)
  const byVariable = <T>(of: (name: Measure) => T) => Object.fromEntries(NAMES.map(name => [MEASURES[name].variable, of(name)]))
  return {
    hourly_units: byVariable(name => MEASURES[name].unit),
    hourly: { time: times.map(time => instant(time).slice(0, 16)), ...byVariable(column) },
    current_units: byVariable(name => MEASURES[name].unit),
    current: { time: instant(Math.floor(ms(now) / (15 * 60_000)) * 15 * 60_000).slice(0, 16), ...byVariable(name => now_[name]) },
  }
}
