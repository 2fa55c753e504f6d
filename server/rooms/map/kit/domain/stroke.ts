// Draws thin lines into a grid of coverages, for the picture of a drawing. Pure.

import type { LineClass } from './lines.ts'

/** A grid of coverages, 0 to 255. */
export type Ink = { width: number; height: number; cover: Uint8Array }

/** Half the width of the thinnest line in pixels. */
const THIN = 0.8
/** The longer side of a picture in half widths of its lines: thinner ones would vanish when the whole picture is shown on a screen. */
const SIDE = 2000
/** Lines that carry a drawing are wider than what is drawn between them. */
const WEIGHT: Readonly<Partial<Record<LineClass, number>>> = { wall: 1.5, column: 1.5, grid: 0.5 }

/** Returns half the width of a line in pixels, by what it shows. */
export const halfOf = ({ width, height }: Pick<Ink, 'width' | 'height'>, shows: LineClass): number =>
  Math.max(THIN, (Math.max(width, height) / SIDE) * (WEIGHT[shows] ?? 1))

/** Draws a line between two pixels. */
function segment({ width, height, cover }: Ink, half: number, ax: number, ay: number, bx: number, by: number): void {
  const [dx, dy] = [bx - ax, by - ay]
  const flat = Math.abs(dx) >= Math.abs(dy)
  const length = Math.hypot(dx, dy)
  const [u0, u1] = flat ? [Math.min(ax, bx), Math.max(ax, bx)] : [Math.min(ay, by), Math.max(ay, by)]
  const slope = length === 0 ? 0 : flat ? dy / dx : dx / dy
  const lean = length === 0 ? 1 : (flat ? Math.abs(dx) : Math.abs(dy)) / length
  const reach = half / lean + 1
  const [from, to] = [Math.max(0, Math.floor(u0 - half)), Math.min((flat ? width : height) - 1, Math.ceil(u1 + half))]
  for (let u = from; u <= to; u++) {
    const along = Math.min(u1, Math.max(u0, u + 0.5))
    const middle = flat ? ay + (along - ax) * slope : ax + (along - ay) * slope
    const past = Math.abs(u + 0.5 - along)
    const [low, high] = [Math.max(0, Math.floor(middle - reach)), Math.min((flat ? height : width) - 1, Math.ceil(middle + reach))]
    for (let v = low; v <= high; v++) {
      const away = Math.hypot((v + 0.5 - middle) * lean, past)
      const seen = Math.min(1, half + 0.5 - away)
      if (seen <= 0) continue
      const i = flat ? v * width + u : u * width + v
      const value = Math.round(seen * 255)
      if (value > (cover[i] ?? 0)) cover[i] = value
    }
  }
}

/** Draws a line through points, which are pairs of x and y. `half`: half its width in pixels. */
export function stroke(ink: Ink, points: readonly number[], half: number): void {
  for (let i = 2; i + 1 < points.length; i += 2)
    segment(ink, half, points[i - 2] ?? 0, points[i - 1] ?? 0, points[i] ?? 0, points[i + 1] ?? 0)
}
