// Turning words on the map, as plain data: angles are clockwise and in whole degrees, from −180 to 180, and 0 is level.

/** A position on the screen, in pixels. */
export type Pixel = { x: number; y: number }

/** The distance between words and the handle that turns them, in pixels. */
export const RING_PX = 64
/** The distance between words and their panel, which must not cover that handle, in pixels. */
export const BEYOND_PX = RING_PX + 30
/** A turn by hand that is this close to one of these angles is taken for it. */
const SNAP_DEG = 3
const EIGHTH_DEG = 45
const TURN_DEG = 360

/** Returns an angle as it is saved: the same direction, from −180 to 180. */
export function wholeTurn(degrees: number): number {
  const rest = Math.round(degrees) % TURN_DEG
  const turn = rest > 180 ? rest - TURN_DEG : rest < -180 ? rest + TURN_DEG : rest
  return turn === 0 ? 0 : turn
}

/** Returns the angle of words whose upper side points from their place to the handle. Level, upright and half of it are easy to hit. */
export function turnTo(place: Pixel, handle: Pixel): number {
  const degrees = (Math.atan2(handle.x - place.x, place.y - handle.y) * 180) / Math.PI
  const near = Math.round(degrees / EIGHTH_DEG) * EIGHTH_DEG
  return wholeTurn(Math.abs(degrees - near) <= SNAP_DEG ? near : degrees)
}

/** Returns where the handle is: above the upper side of the words. */
export function handleAt({ x, y }: Pixel, degrees: number): Pixel {
  const radians = (degrees * Math.PI) / 180
  return { x: x + RING_PX * Math.sin(radians), y: y - RING_PX * Math.cos(radians) }
}

const STEP_DEG = 1
const LEAP_DEG = 15
/** Direction of each arrow key: clockwise or not. */
const WAYS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }

/** Returns the angle after an arrow key; null if the key doesn't turn. */
export function turnedBy(degrees: number, key: string, leap: boolean): number | null {
  const way = WAYS[key]
  return way === undefined ? null : wholeTurn(degrees + way * (leap ? LEAP_DEG : STEP_DEG))
}
