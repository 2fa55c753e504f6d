// The positions of states in the drawing: the life of a permit runs from left to right, with the final states above and below.

export type Side = 'top' | 'right' | 'bottom' | 'left'
/** Sides of a state where arrows leave and arrive. */
export const SIDES: readonly Side[] = ['top', 'right', 'bottom', 'left']

const COLUMN = 245
const ROW = 190
const AT: Record<string, [column: number, row: number]> = {
  draft: [0, 1],
  requested: [1, 1],
  endorsed: [2, 1],
  approved: [3, 1],
  issued: [4, 1],
  closed: [5, 1],
  withdrawn: [1.5, 0],
  corrections_requested: [1, 2],
  rejected: [2, 2.55],
  expired: [4, 2.75],
}

type Point = { x: number; y: number }

/** Returns the position of a state. */
export function placeOf(key: string): { x: number; y: number } {
  const [column, row] = AT[key] ?? [0, 3]
  return { x: column * COLUMN, y: row * ROW }
}

/** The routes of arrows that would cross others on the usual route. */
const OWN_WAY: Record<string, { from: Side; to: Side }> = {
  'corrections_requested withdrawn': { from: 'left', to: 'left' },
  'expired closed': { from: 'right', to: 'bottom' },
}

/** How far above the middle labels are, for arrows whose labels would overlap those of another. */
const LIFTED: Record<string, number> = {
  'corrections_requested withdrawn': -100,
  'requested corrections_requested': 26,
  'corrections_requested requested': -26,
  'endorsed rejected': -40,
}

/** Returns how far above the middle of an arrow its label is. */
export const liftOf = (from: string, to: string): number => LIFTED[`${from} ${to}`] ?? 0

const BULGE = 130
const BULGES: Record<Side, readonly [number, number]> = { top: [0, -BULGE], bottom: [0, BULGE], left: [-BULGE, 0], right: [BULGE, 0] }

/** Draws an arrow that leaves and arrives on the same side of its states, as an arc outside them; returns its middle too. */
export function arcOf(side: Side, from: Point, to: Point): [path: string, x: number, y: number] {
  const [bx, by] = BULGES[side]
  const path = `M${from.x} ${from.y} C${from.x + bx} ${from.y + by} ${to.x + bx} ${to.y + by} ${to.x} ${to.y}`
  // The middle of a cubic curve: an eighth of each end, three eighths of each control point.
  return [path, (from.x + to.x) / 2 + 0.75 * bx, (from.y + to.y) / 2 + 0.75 * by]
}

/** Returns the sides where an arrow leaves and arrives, so that it crosses few others. */
export function sidesOf(from: string, to: string): { from: Side; to: Side } {
  const own = OWN_WAY[`${from} ${to}`]
  if (own !== undefined) return own
  const [a, b] = [placeOf(from), placeOf(to)]
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const beside = dx > 0 ? 'left' : 'right'
  if (Math.abs(dy) < ROW / 2) {
    if (Math.abs(dx) > COLUMN * 1.5) return { from: 'top', to: 'top' }
    return { from: dx > 0 ? 'right' : 'left', to: beside }
  }
  const far = Math.abs(dx) > COLUMN * 0.9
  return dy > 0 ? { from: 'bottom', to: far ? beside : 'top' } : { from: 'top', to: far ? beside : 'bottom' }
}
