// A day of the site as the time slider draws it: marks where something changes, wider where more does, and the number of people as a line.
import { instantOf, ms, type WorkDate, wallOf } from '../../../../shared/time.ts'
import type { Schemas } from '../../../base/api.ts'

/** A mark on the slider: its place as a fraction of the day, and how much changes there, from 1 to 3. */
export type Mark = { part: number; size: 1 | 2 | 3 }
/** A day: its marks in order; from which part of it how many people are there; and their greatest number. */
export type DayLine = { changes: readonly Mark[]; people: readonly { part: number; n: number }[]; most: number }

type Point = Pick<Schemas['ChangePoints']['points'][number], 'at' | 'started' | 'ended' | 'changed' | 'alive'>

/** What isn’t marked: drawings of the site change seldom, and a clash starts and ends with the things that are in it. */
const UNMARKED = new Set(['reference_feature', 'floor_plan', 'site_map', 'clash'])

const sum = (counts: Readonly<Record<string, number | undefined>>): number =>
  Object.entries(counts).reduce<number>((all, [kind, n]) => all + (UNMARKED.has(kind) ? 0 : (n ?? 0)), 0)

/** Returns a day as it is drawn; the first point is its start, and is a mark only if something begins there. */
export function lineOf({ points }: { points: readonly Point[] }, from: number, to: number): DayLine {
  const at = (point: Point) => (Date.parse(point.at) - from) / (to - from)
  const changes = points.flatMap(point => {
    const n = sum(point.started) + sum(point.ended) + sum(point.changed)
    return n === 0 ? [] : [{ part: at(point), size: n >= 10 ? (3 as const) : n >= 3 ? (2 as const) : (1 as const) }]
  })
  const people = points.map(point => ({ part: at(point), n: point.alive.headcount }))
  return { changes, people, most: people.reduce((most, { n }) => Math.max(most, n), 0) }
}

/** Returns the number of people as an SVG path in a box of 1000 by `height`, in steps above its lower edge; empty without people. */
export function pathOf({ people, most }: DayLine, height: number): string {
  if (most === 0) return ''
  const y = (n: number) => Math.round((1 - n / most) * height * 10) / 10
  const steps = people.map(({ part, n }, i) => `${i === 0 ? '' : `H${Math.round(part * 1000)}`}V${y(n)}`)
  return `M0 ${height}${steps.join('')}H1000V${height}`
}

/** Returns the same time of day on another site day; where the clocks skip that time, it is as much later. */
export function sameTimeOn(zone: string, date: WorkDate, at: string): number {
  const { time, seconds } = wallOf(zone, at)
  return ms(instantOf(zone, date, time, seconds))
}
