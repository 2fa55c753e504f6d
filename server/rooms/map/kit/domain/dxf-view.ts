// How a drawing lies in the picture that is made of it. Pure.

import { type Extents, sizeOf } from './dxf-report.ts'
import type { SheetView } from './orders.ts'

const SIDE = { least: 800, most: 6000 }
/** Size of a pixel of the picture of a drawing, metres. */
const PIXEL_M = 0.01
const MARGIN = 8
/** Smallest size of what is shown: metres, and a share of its distance from the origin. */
const [LEAST_M, LEAST_SHARE] = [0.001, 1e-7]

/** Returns the picture that shows a drawing: a centimetre a pixel, as far as its size allows. `metres`: of a unit of the drawing. */
export function viewOf(extents: Extents, metres: number): SheetView {
  // What has no size, or next to none compared with how far from the origin it is, is in the middle of a small picture.
  const far = Math.max(...extents.map(Math.abs))
  const size = Math.max(sizeOf(extents), LEAST_M / metres, far * LEAST_SHARE)
  const side = Math.min(SIDE.most, Math.max(SIDE.least, (size * metres) / PIXEL_M))
  const scale = side / size
  const [left, bottom, right, top] = extents
  return {
    scale,
    left: left - MARGIN / scale,
    top: top + MARGIN / scale,
    width: Math.max(1, Math.ceil((right - left) * scale) + 2 * MARGIN),
    height: Math.max(1, Math.ceil((top - bottom) * scale) + 2 * MARGIN),
  }
}
