// The weather of a day under the time slider: gusts with their limit, rain, night, and hours in which the site doesn't work.
import type { Schemas } from '../../../base/api.ts'

type Timeline = Pick<Schemas['WeatherTimeline'], 'hours' | 'stops' | 'gust_limit'>
type Interval = { start_at: string; end_at: string }
/** A stretch of the day, as fractions of it. */
export type Stretch = { from: number; to: number }
/** A limit that hours in a row are in caution or stop of. */
export type Reached = { key: string; label: string; state: 'caution' | 'stop'; from: string; to: string; on_map: boolean | null }

/** What is drawn. Heights are fractions of the strip, from its lower edge. */
export type Sky = {
  rests: readonly Stretch[]
  nights: readonly Stretch[]
  stops: readonly Stretch[]
  rain: readonly (Stretch & { height: number })[]
  /** The gusts, as lines without gaps: an hour without a value ends one. */
  gusts: readonly (readonly { part: number; height: number }[])[]
  /** Height of the limit of the gusts; null if there is none or it is out of sight. */
  limit: number | null
  most_gust: number | null
  rain_mm: number | null
  reached: readonly Reached[]
}

const HOUR = 3_600_000
/** The strip shows at least this gust, so that a breeze isn't drawn as a gale, m/s. */
const LEAST_TOP = 15
/** Rain of an hour that fills the strip, mm. */
const FULL_RAIN = 5

/** Returns the parts of a period that no interval covers. */
export function gapsBetween(intervals: readonly Interval[], from: number, to: number): Stretch[] {
  const part = (time: number) => (time - from) / (to - from)
  const gaps: Stretch[] = []
  let end = from
  for (const { start_at, end_at } of intervals.toSorted((a, b) => Date.parse(a.start_at) - Date.parse(b.start_at))) {
    const [start, stop] = [Math.max(from, Date.parse(start_at)), Math.min(to, Date.parse(end_at))]
    if (stop <= start) continue
    if (start > end) gaps.push({ from: part(end), to: part(start) })
    end = Math.max(end, stop)
  }
  if (end < to) gaps.push({ from: part(end), to: 1 })
  return gaps
}

const greatest = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((most, value) => (value !== null && (most === null || value > most) ? value : most), null)

/** Returns the limits that are reached, hours in a row as one, by their start; a stop before a caution. */
function reachedIn(hours: Timeline['hours']): Reached[] {
  const all: Reached[] = []
  const running = new Map<string, Reached>()
  for (const { at, limits } of hours) {
    const end = new Date(Date.parse(at) + HOUR).toISOString()
    for (const { key, label, state, on_map } of limits) {
      if (state === 'ok') continue
      const last = running.get(key)
      if (last !== undefined && last.to === at && last.state === state && last.on_map === on_map) {
        last.to = end
        continue
      }
      const next = { key, label, state, on_map, from: at, to: end }
      running.set(key, next)
      all.push(next)
    }
  }
  // With a crane on the map, limits of machines that aren't there only distract; with none, any of them may come.
  const some = all.some(one => one.on_map === true)
  const concerned = all.filter(one => one.on_map !== false || !some)
  return concerned.sort((a, b) => Number(a.state === 'caution') - Number(b.state === 'caution') || a.from.localeCompare(b.from))
}

/** Returns a day as it is drawn. `working`: the working time on it. Without weather, only the working time is known. */
export function skyOf(timeline: Timeline | null, working: readonly Interval[] | null, from: number, to: number): Sky {
  const part = (time: number) => Math.min(1, Math.max(0, (time - from) / (to - from)))
  const hours = timeline?.hours ?? []
  // The hour that is running at midnight is drawn as far as it is in this day, but what it brought belongs to the day on which it began.
  const own = hours.filter(hour => Date.parse(hour.at) >= from)
  const span = (at: string) => ({ from: part(Date.parse(at)), to: part(Date.parse(at) + HOUR) })
  const most_gust = greatest(own.map(hour => hour.wind_gust_m_s))
  const limit = timeline?.gust_limit?.gust_m_s ?? null
  const top = Math.max(LEAST_TOP, (most_gust ?? 0) * 1.1)
  const gusts: { part: number; height: number }[][] = [[]]
  for (const { at, wind_gust_m_s } of hours) {
    if (wind_gust_m_s === null) gusts.push([])
    else gusts.at(-1)?.push({ part: part(Date.parse(at) + HOUR / 2), height: wind_gust_m_s / top })
  }
  const fell = own.map(hour => hour.precipitation_mm).filter(mm => mm !== null)
  return {
    rests: working === null ? [] : gapsBetween(working, from, to),
    nights: hours.filter(hour => hour.daylight === false).map(hour => span(hour.at)),
    stops: (timeline?.stops ?? []).map(stop => ({
      from: part(Date.parse(stop.from)),
      to: stop.to === null ? 1 : part(Date.parse(stop.to)),
    })),
    rain: hours.flatMap(({ at, precipitation_mm: mm }) =>
      mm === null || mm <= 0 ? [] : [{ ...span(at), height: Math.min(1, mm / FULL_RAIN) }],
    ),
    gusts: gusts.filter(line => line.length > 0),
    limit: limit === null || limit > top ? null : limit / top,
    most_gust,
    rain_mm: fell.length === 0 ? null : Math.round(fell.reduce((sum, mm) => sum + mm, 0) * 10) / 10,
    reached: reachedIn(own),
  }
}
