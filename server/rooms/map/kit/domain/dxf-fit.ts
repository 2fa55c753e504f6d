// The curve of a spline that a drawing gives only by points on it. Pure.
import { at } from '../../../../../shared/narrow.ts'

/** The directions in which a curve begins and ends; null if the drawing doesn't say. */
export type Ends = { start: readonly [number, number] | null; end: readonly [number, number] | null }

/**
 * Returns the knots and control points of a cubic spline through points (pairs of x and y), by the lengths of their chords, as programs for drawings make it: with
 * the directions at its ends if they are known, and straight there otherwise. Null for fewer than two different points.
 */
export function throughPoints(given: readonly number[], ends: Ends): { knots: number[]; points: number[] } | null {
  const [xs, ys, chords] = differing(given)
  if (chords.length === 0) return null
  const [start, end] = [unit(ends.start), unit(ends.end)]
  const dx = slopes(xs, chords, start?.[0], end?.[0])
  const dy = slopes(ys, chords, start?.[1], end?.[1])
  const knots = [0, 0, 0, 0]
  const points = [at(xs, 0), at(ys, 0)]
  let along = 0
  for (const [i, chord] of chords.entries()) {
    const third = chord / 3
    const [x, y] = [at(xs, i + 1), at(ys, i + 1)]
    points.push(at(xs, i) + third * at(dx, i), at(ys, i) + third * at(dy, i), x - third * at(dx, i + 1), y - third * at(dy, i + 1), x, y)
    along += chord
    knots.push(along, along, along)
  }
  knots.push(along)
  return { knots, points }
}

/** Returns the coordinates of points without those that repeat the one before, and the lengths of the chords between them. */
function differing(given: readonly number[]): [number[], number[], number[]] {
  const [xs, ys, chords]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i + 1 < given.length; i += 2) {
    const [x, y] = [at(given, i), at(given, i + 1)]
    const last = xs.length - 1
    const chord = last < 0 ? null : Math.hypot(x - at(xs, last), y - at(ys, last))
    if (chord === 0) continue
    if (chord !== null) chords.push(chord)
    xs.push(x)
    ys.push(y)
  }
  return [xs, ys, chords]
}

function unit(direction: readonly [number, number] | null): [number, number] | null {
  const length = direction === null ? 0 : Math.hypot(...direction)
  return direction === null || length === 0 ? null : [direction[0] / length, direction[1] / length]
}

/** Returns the slope of a coordinate at each point, so that the curve bends without a jump; solved from the first point to the last and back. */
function slopes(values: readonly number[], chords: readonly number[], start: number | undefined, end: number | undefined): number[] {
  const last = chords.length
  const rise = (i: number) => (at(values, i + 1) - at(values, i)) / at(chords, i)
  // Of each row: what is left on its diagonal, what is right of it, and its value.
  const [upper, right]: [number[], number[]] = [[], []]
  const row = (lower: number, diagonal: number, above: number, value: number) => {
    const i = upper.length
    const left = diagonal - (i === 0 ? 0 : lower * at(upper, i - 1))
    upper.push(above / left)
    right.push((value - (i === 0 ? 0 : lower * at(right, i - 1))) / left)
  }
  if (start === undefined) row(0, 2, 1, 3 * rise(0))
  else row(0, 1, 0, start)
  for (let i = 1; i < last; i++) {
    const [before, after] = [1 / at(chords, i - 1), 1 / at(chords, i)]
    row(before, 2 * (before + after), after, 3 * (before * rise(i - 1) + after * rise(i)))
  }
  if (end === undefined) row(1, 2, 0, 3 * rise(last - 1))
  else row(0, 1, 0, end)
  const out = new Array<number>(last + 1).fill(0)
  for (let i = last; i >= 0; i--) out[i] = at(right, i) - (i === last ? 0 : at(upper, i) * at(out, i + 1))
  return out
}
