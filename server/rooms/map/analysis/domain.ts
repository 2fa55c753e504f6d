// Where along a day, a week or a month the picture of a site changes, and how full it was (`site-and-people.md` §17): one sweep over the changes of all kinds.
import { keysOf } from '../../../../shared/narrow.ts'
import { DAY, dateOn, HOUR, type Instant, instant, MINUTE, ms, plusDays, startOfDay } from '../../../../shared/time.ts'
import type { ChangeKind, Changes } from '../../../kernel/changes/domain.ts'

/** How much is there. */
export type Alive = Partial<Record<ChangeKind, number>> & { headcount: number }

type Counts = Partial<Record<ChangeKind, number>>

/** An instant at which something changes, or several that were joined; `alive` is what is there from then on. */
export type Point = { at: Instant; merged: number; started: Counts; ended: Counts; changed: Counts; alive: Alive; uncovered: number }

const addTo = (counts: Counts, kind: ChangeKind, n: number): void => {
  if (n !== 0) counts[kind] = (counts[kind] ?? 0) + n
}

/** Joins the changes of all kinds to points, in order; the start of the period is the first. */
export function pointsOf(found: ReadonlyMap<ChangeKind, Changes>, from: Instant): Point[] {
  const at = new Map<Instant, { kind: ChangeKind; change: Changes['changes'][number] }[]>([[from, []]])
  for (const [kind, { changes }] of found)
    for (const change of changes) {
      const here = at.get(change.at)
      if (here === undefined) at.set(change.at, [{ kind, change }])
      else here.push({ kind, change })
    }
  const alive: Alive = { headcount: 0 }
  let uncovered = 0
  for (const [kind, changes] of found) {
    alive[kind] = changes.alive
    alive.headcount += changes.people
    uncovered += changes.uncovered
  }
  return [...at.keys()].sort().map(instant => {
    const [started, ended, changed]: [Counts, Counts, Counts] = [{}, {}, {}]
    for (const { kind, change } of at.get(instant) ?? []) {
      addTo(started, kind, change.started)
      addTo(ended, kind, change.ended)
      addTo(changed, kind, change.changed)
      alive[kind] = (alive[kind] ?? 0) + change.started - change.ended
      alive.headcount += change.people
      uncovered += change.uncovered
    }
    return { at: instant, merged: 1, started, ended, changed, alive: { ...alive }, uncovered }
  })
}

const summed = (counts: readonly Counts[]): Counts => {
  const all: Counts = {}
  for (const one of counts) for (const kind of keysOf(one)) addTo(all, kind, one[kind] ?? 0)
  return all
}

/** Joins neighbours into one point: its time is that of the first, what is there is that after the last. */
function joined(points: readonly Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return []
  return [
    {
      at: first.at,
      merged: points.length,
      started: summed(points.map(one => one.started)),
      ended: summed(points.map(one => one.ended)),
      changed: summed(points.map(one => one.changed)),
      alive: last.alive,
      uncovered: last.uncovered,
    },
  ]
}

/** How important it is that a point isn't joined with the one before: the first of the period, the first of each site day, and the greatest jumps in the number of people. */
const RANK = { first: 3, day: 2, jump: 1, other: 0 }

/**
 * Joins points that are nearest in time until at most `most` remain. The ends of days and the greatest jumps in headcount, a quarter of the points, stay for as long as there is room for
 * them.
 */
export function thinned(points: readonly Point[], most: number, zone: string): Point[] {
  if (points.length <= most) return [...points]
  const jump = (i: number) => Math.abs((points[i]?.alive.headcount ?? 0) - (points[i - 1]?.alive.headcount ?? 0))
  const jumps = new Set(
    points
      .map((_, i) => i)
      .slice(1)
      .filter(i => jump(i) > 0)
      .sort((a, b) => jump(b) - jump(a) || a - b)
      .slice(0, Math.floor(most / 4)),
  )
  const days = points.map(({ at }) => dateOn(zone, at))
  const heads = points
    .map(({ at }, i) => ({
      i,
      rank: i === 0 ? RANK.first : days[i] !== days[i - 1] ? RANK.day : jumps.has(i) ? RANK.jump : RANK.other,
      gap: ms(at) - ms(points[i - 1]?.at ?? at),
    }))
    .sort((a, b) => b.rank - a.rank || b.gap - a.gap || a.i - b.i)
    .slice(0, most)
    .map(({ i }) => i)
    .sort((a, b) => a - b)
  return heads.flatMap((head, n) => joined(points.slice(head, heads[n + 1] ?? points.length)))
}

/** Returns the bounds of buckets on site wall time: each site day begins a new one, so a day of 1,440 minutes has 23, 24 or 25 hours. */
export function bucketsOf(from: Instant, to: Instant, minutes: number, zone: string): [Instant, Instant][] {
  const buckets: [Instant, Instant][] = []
  for (let date = dateOn(zone, from); startOfDay(zone, date) < to; date = plusDays(date, 1)) {
    const [start, end] = [ms(startOfDay(zone, date)), ms(startOfDay(zone, plusDays(date, 1)))]
    const step = minutes * MINUTE === DAY ? end - start : minutes * MINUTE
    for (let at = start; at < end; at += step) {
      const [begins, ends] = [Math.max(at, ms(from)), Math.min(at + step, end, ms(to))]
      if (begins < ends) buckets.push([instant(begins), instant(ends)])
    }
  }
  return buckets
}

/** How full the site was in a bucket. */
export type Bucket = {
  from: Instant
  to: Instant
  headcount_peak: number
  headcount_mean: number
  labour_hours: number
  plant_peak: number
  /** Deliveries that come in it, so that the buckets add up to those of the period. */
  deliveries: number
  permits_live_peak: number
  no_permit_peak: number
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Returns how full the site was in each bucket. `points` are all points, in order; the first is at or before the first bucket. */
export function seriesOf(points: readonly Point[], buckets: readonly [Instant, Instant][]): Bucket[] {
  let next = 0
  let now: Point | undefined
  let counted = 0
  /** Counts the deliveries that come before an instant, and weren't counted before. */
  const come = (before: Instant): number => {
    let sum = 0
    for (let point = points[counted]; point !== undefined && point.at < before; point = points[++counted])
      sum += point.started.delivery ?? 0
    return sum
  }
  return buckets.map(([from, to]) => {
    while (next < points.length && (points[next]?.at ?? to) <= from) now = points[next++]
    const inside = now === undefined ? [] : [{ ...now, at: from }]
    while (next < points.length && (points[next]?.at ?? to) < to) {
      const point = points[next++]
      if (point !== undefined) {
        inside.push(point)
        now = point
      }
    }
    const hours = inside.reduce((sum, point, i) => sum + point.alive.headcount * ((ms(inside[i + 1]?.at ?? to) - ms(point.at)) / HOUR), 0)
    const peak = (of: (point: Point) => number) => inside.reduce((most, point) => Math.max(most, of(point)), 0)
    return {
      from,
      to,
      headcount_peak: peak(({ alive }) => alive.headcount),
      headcount_mean: rounded(hours / ((ms(to) - ms(from)) / HOUR)),
      labour_hours: rounded(hours),
      plant_peak: peak(({ alive }) => alive.plant ?? 0),
      deliveries: come(to),
      permits_live_peak: peak(({ alive }) => alive.permit ?? 0),
      no_permit_peak: peak(({ uncovered }) => uncovered),
    }
  })
}

/** Returns the first instant with the greatest value; null if it is never more than zero. */
export function peakOf(points: readonly Point[], of: (alive: Alive) => number): { at: Instant; value: number } | null {
  const value = points.reduce((most, point) => Math.max(most, of(point.alive)), 0)
  const first = points.find(point => of(point.alive) === value)
  return value === 0 || first === undefined ? null : { at: first.at, value }
}
