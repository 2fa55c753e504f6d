// The picture of a site for its card: its size, and what of the world it shows. Pure.
import { worldOf } from '../../../../../shared/geometry/mercator.ts'
import type { Box } from '../../../../../shared/geometry/plane.ts'

/** A window of the world map that is drawn: its corner and the size of a pixel, both as parts of the world, and its size in pixels. */
export type Window = { left: number; top: number; pixel: number; width: number; height: number }

/** Size of the picture on the card of a site. */
export const CARD = { width: 640, height: 400 }

/** Returns the window of the card that shows a box. */
export function windowOf([west, south, east, north]: Box): Window {
  const [left, top] = worldOf({ lon: west, lat: north })
  const [right, bottom] = worldOf({ lon: east, lat: south })
  const pixel = Math.max((right - left) / CARD.width, (bottom - top) / CARD.height)
  return {
    ...CARD,
    pixel,
    left: (left + right) / 2 - (pixel * CARD.width) / 2,
    top: (top + bottom) / 2 - (pixel * CARD.height) / 2,
  }
}
