// Draws thin lines into a grid of coverages, for the picture of a drawing. Pure.

/** A grid of coverages, 0 to 255. */
export type Ink = { width: number; height: number; cover: Uint8Array }

/** Half the width of a line in pixels. */
const HALF = 0.8

/** Draws a line between two pixels. */
function segment({ width, height, cover }: Ink, ax: number, ay: number, bx: number, by: number): void {
  const [dx, dy] = [bx - ax, by - ay]
  const flat = Math.abs(dx) >= Math.abs(dy)
  const length = Math.hypot(dx, dy)
  const [u0, u1] = flat ? [Math.min(ax, bx), Math.max(ax, bx)] : [Math.min(ay, by), Math.max(ay, by)]
  const slope = length === 0 ? 0 : flat ? dy / dx : dx / dy
  const lean = length === 0 ? 1 : (flat ? Math.abs(dx) : Math.abs(dy)) / length
  const reach = HALF / lean + 1
  const [from, to] = [Math.max(0, Math.floor(u0 - HALF)), Math.min((flat ? width : height) - 1, Math.ceil(u1 + HALF))]
  for (let u = from; u <= to; u++) {
    const along = Math.min(u1, Math.max(u0, u + 0.5))
    const middle = flat ? ay + (along - ax) * slope : ax + (along - ay) * slope
    const past = Math.abs(u + 0.5 - along)
    const [low, high] = [Math.max(0, Math.floor(middle - reach)), Math.min((flat ? height : width) - 1, Math.ceil(middle + reach))]
    for (let v = low; v <= high; v++) {
      const away = Math.hypot((v + 0.5 - middle) * lean, past)
      const seen = Math.min(1, HALF + 0.5 - away)
      if (seen <= 0) continue
      const i = flat ? v * width + u : u * width + v
      const value = Math.round(seen * 255)
      if (value > (cover[i] ?? 0)) cover[i] = value
    }
  }
}

/** Draws a line through points, which are pairs of x and y. */
export function stroke(ink: Ink, points: readonly number[]): void {
  for (let i = 2; i + 1 < points.length; i += 2) segment(ink, points[i - 2] ?? 0, points[i - 1] ?? 0, points[i] ?? 0, points[i + 1] ?? 0)
}
