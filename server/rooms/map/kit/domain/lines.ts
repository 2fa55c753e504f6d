// The line work of a plan as it is stored: one line of JSON for each line or text, in the units of the sheet. Pure.
import { at } from '../../../../../shared/narrow.ts'

/** What a line shows. */
export const LINE_CLASSES = ['wall', 'door', 'column', 'grid', 'line', 'text'] as const
export type LineClass = (typeof LINE_CLASSES)[number]

/** A line of a plan: its layer, what it shows, pairs of x and y, and its text if it is one. */
export type PlanLine = readonly [layer: string, shows: LineClass, points: readonly number[], text?: string]

/** A box: the least x and y, and the greatest. */
export type Box = [number, number, number, number]

/** Returns a box with nothing in it. */
export const emptyBox = (): Box => [Infinity, Infinity, -Infinity, -Infinity]

/** Makes a box as large as it must be for more points; a value that isn't a number changes nothing. */
export function grow(box: Box, points: readonly number[]): void {
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x = 0, y = 0] = [points[i], points[i + 1]]
    if (x < box[0]) box[0] = x
    if (y < box[1]) box[1] = y
    if (x > box[2]) box[2] = x
    if (y > box[3]) box[3] = y
  }
}

/** Returns the box around some points. */
export function boxAround(points: readonly number[]): Box {
  const box = emptyBox()
  grow(box, points)
  return box
}

/** Removes points that are within a tolerance of the line through the others (Douglas and Peucker). */
export function simplified(points: readonly number[], tolerance: number): number[] {
  const count = points.length / 2
  if (count <= 2 || tolerance <= 0) return [...points]
  const keep = new Uint8Array(count)
  keep[0] = 1
  keep[count - 1] = 1
  const open: [number, number][] = [[0, count - 1]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next
    const [ax, ay, bx, by] = [at(points, from * 2), at(points, from * 2 + 1), at(points, to * 2), at(points, to * 2 + 1)]
    const [dx, dy] = [bx - ax, by - ay]
    const square = dx * dx + dy * dy
    let [most, where] = [tolerance, -1]
    for (let i = from + 1; i < to; i++) {
      const [px, py] = [at(points, i * 2) - ax, at(points, i * 2 + 1) - ay]
      const t = square === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / square))
      const away = Math.hypot(px - t * dx, py - t * dy)
      if (away > most) [most, where] = [away, i]
    }
    if (where < 0) continue
    keep[where] = 1
    open.push([from, where], [where, to])
  }
  return Array.from({ length: count }, (_, i) => i).flatMap(i => (keep[i] === 1 ? [at(points, i * 2), at(points, i * 2 + 1)] : []))
}

/** How far what is in a box can be outside of it, pixels: a frame can lie on the edge of a sheet. */
const EDGE = 1

/** Returns the parts of a line that are in a box: a page can be cropped, and a view on it clipped, and what was cut off is still in the file. */
export function partsWithin(points: readonly number[], [left, top, right, bottom]: Readonly<Box>): (readonly number[])[] {
  const parts: number[][] = []
  let part: number[] = []
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [ax, ay] = [at(points, i), at(points, i + 1)]
    const [dx, dy] = [at(points, i + 2) - ax, at(points, i + 3) - ay]
    // Of each axis: between which shares of this piece it is in the box.
    const [x0, x1] = between(ax, dx, left, right)
    const [y0, y1] = between(ay, dy, top, bottom)
    const [from, to] = [Math.max(0, x0, y0), Math.min(1, x1, y1)]
    if (from > to || (from === to && (dx !== 0 || dy !== 0))) {
      part = []
      continue
    }
    if (from > 0 || part.length === 0) {
      part = from > 0 ? [ax + dx * from, ay + dy * from] : [ax, ay]
      parts.push(part)
    }
    if (to < 1) part.push(ax + dx * to, ay + dy * to)
    else part.push(at(points, i + 2), at(points, i + 3))
    if (to < 1) part = []
  }
  return parts
}

function between(start: number, step: number, least: number, most: number): [number, number] {
  if (step === 0) return start >= least - EDGE && start <= most + EDGE ? [0, 1] : [1, 0]
  const [a, b] = [(least - EDGE - start) / step, (most + EDGE - start) / step]
  return a < b ? [a, b] : [b, a]
}
