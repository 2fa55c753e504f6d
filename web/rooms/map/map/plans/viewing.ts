// How a plan lies in its window: pixels of the picture to those of the screen. Pure.
import type { Size } from '../../../../../shared/calibration/calibrate.ts'
import type { Pixel } from './pairs.ts'

/** `scale`: pixels of the screen for one of the picture; x and y: where its upper left corner is. */
export type Window = { scale: number; x: number; y: number }

/** How much larger than its own pixels a picture is shown at most, and how much smaller than the whole window at least. */
const MOST = 8
const LEAST = 0.5
const MARGIN = 12

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Returns the scale by which a picture fits its window. */
const fitting = (picture: Size, box: Size): number =>
  Math.min((box.width - 2 * MARGIN) / picture.width, (box.height - 2 * MARGIN) / picture.height)

/** Shows all of a picture, in the middle. */
export function whole(picture: Size, box: Size): Window {
  const scale = Math.max(fitting(picture, box), 1e-4)
  return { scale, x: (box.width - picture.width * scale) / 2, y: (box.height - picture.height * scale) / 2 }
}

/** Returns where a pixel is on the screen. */
export const onScreen = ({ scale, x, y }: Window, [px, py]: Pixel): Pixel => [px * scale + x, py * scale + y]

/** Returns the pixel at a place of the screen. */
export const pixelAt = ({ scale, x, y }: Window, [sx, sy]: Pixel): Pixel => [(sx - x) / scale, (sy - y) / scale]

/** Makes a picture larger or smaller around a place of the screen. */
export function zoomed(view: Window, by: number, [sx, sy]: Pixel, picture: Size, box: Size): Window {
  const scale = clamp(view.scale * by, fitting(picture, box) * LEAST, Math.max(MOST, fitting(picture, box)))
  const [px, py] = pixelAt(view, [sx, sy])
  return kept({ scale, x: sx - px * scale, y: sy - py * scale }, picture, box)
}

/** Moves a picture by pixels of the screen. */
export const moved = (view: Window, [dx, dy]: Pixel, picture: Size, box: Size): Window =>
  kept({ ...view, x: view.x + dx, y: view.y + dy }, picture, box)

/** Keeps the middle of the window on the picture, so that nobody loses it. */
function kept(view: Window, { width, height }: Size, box: Size): Window {
  const [cx, cy] = [box.width / 2, box.height / 2]
  return {
    ...view,
    x: clamp(view.x, cx - width * view.scale, cx),
    y: clamp(view.y, cy - height * view.scale, cy),
  }
}
