// Strays of drawings: the few lines that lie kilometres from all others, such as a block that was inserted at the origin of a drawing in a national grid. Pure.
import { type Box, boxAround } from './lines.ts'

/** Most of a drawing, with what is around it in drawing units, and how many lines and texts lie outside. */
export type Strays = { near: Box; count: number }

/** Only a drawing that is larger than this can have strays, metres. */
const LARGE_M = 10_000
/** How large most of a drawing can then be, and from where on what isn’t part of it is a stray, metres. */
const NEAR_M = 2000
/** Strays are at most this share of the lines and texts. */
const FEW = 0.05

/** Returns whether a line or a text has a part in a box. */
export function touches(points: readonly number[], [left, bottom, right, top]: Readonly<Box>): boolean {
  const [x0, y0, x1, y1] = boxAround(points)
  return x1 >= left && x0 <= right && y1 >= bottom && y0 <= top
}

/** Finds the strays of a drawing; null if it has none. `each` goes through the points of its lines and texts, `size` is its longer side, and `metres` are those of its unit. */
export function straysOf(each: (take: (points: readonly number[]) => void) => void, size: number, metres: number): Strays | null {
  if (!(size * metres > LARGE_M)) return null
  const [xs, ys]: [number[], number[]] = [[], []]
  each(([x = 0, y = 0]) => {
    xs.push(x)
    ys.push(y)
  })
  const [left, right] = mostOf(xs)
  const [bottom, top] = mostOf(ys)
  if (Math.max(right - left, top - bottom) * metres > NEAR_M) return null
  const around = NEAR_M / metres
  const near: Box = [left - around, bottom - around, right + around, top + around]
  let count = 0
  each(points => {
    if (!touches(points, near)) count++
  })
  return count > 0 && count <= xs.length * FEW ? { near, count } : null
}

/** Returns between which numbers all but the highest and the lowest ones are. */
function mostOf(values: readonly number[]): [number, number] {
  const sorted = Float64Array.from(values).sort()
  const aside = Math.floor(sorted.length * FEW)
  return [sorted[aside] ?? 0, sorted[sorted.length - 1 - aside] ?? 0]
}
