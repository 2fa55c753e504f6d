// The tiles of a picture that lies on the ground: which there are, and at which zooms (`map.md` §11). Pure.
import { apply, type Matrix, type Pair } from '../../../../../shared/calibration/algebra.ts'
import type { Size } from '../../../../../shared/calibration/calibrate.ts'
import { worldOf, zoomFor } from '../../../../../shared/geometry/mercator.ts'
import { type Box, type LonLat, middleOf, planeAt } from '../../../../../shared/geometry/plane.ts'
import { at } from '../../../../../shared/narrow.ts'

/** A picture on the ground: its size, and the matrix from its pixels to metres east and north of `origin`. */
export type Laid = Size & { matrix: Matrix; origin: LonLat }

/** Tiles of one zoom: columns and rows, both ends included. */
export type Span = { z: number; west: number; east: number; north: number; south: number }

/** Which tiles a picture has. */
export type TilePlan = { bounds: Box; min_zoom: number; max_zoom: number; spans: Span[] }

/** Most tiles of one picture. A picture in steep perspective covers a lot of ground with few pixels; its closest zooms are left out. */
const TILES_AT_MOST = 60_000
const PARTS_OF_AN_EDGE = 8

/** Returns the smallest box of degrees around a picture. */
export function boundsOnGround({ width, height, matrix, origin }: Laid): Box {
  const plane = planeAt(origin)
  const corners: Pair[] = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ]
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [k, [ax, ay]] of corners.entries()) {
    const [bx, by] = at(corners, (k + 1) % 4)
    for (let i = 0; i < PARTS_OF_AN_EDGE; i++) {
      const t = i / PARTS_OF_AN_EDGE
      const [lon, lat] = plane.degrees(apply(matrix, [ax + (bx - ax) * t, ay + (by - ay) * t]))
      box[0] = Math.min(box[0], lon)
      box[1] = Math.min(box[1], lat)
      box[2] = Math.max(box[2], lon)
      box[3] = Math.max(box[3], lat)
    }
  }
  return box
}

/** Plans the tiles of a picture: from the zoom at which it fits one tile to the one at which its pixels are shown. */
export function tilesOf(laid: Laid, ground_resolution_m: number): TilePlan {
  const bounds = boundsOnGround(laid)
  const [west, south, east, north] = bounds
  const [left, top] = worldOf({ lon: west, lat: north })
  const [right, bottom] = worldOf({ lon: east, lat: south })
  const min_zoom = Math.max(
    0,
    Math.min(zoomFor(ground_resolution_m, middleOf(bounds).lat), Math.floor(-Math.log2(Math.max(right - left, bottom - top)))),
  )
  const span = (z: number): Span => {
    const n = 2 ** z
    const within = (value: number) => Math.min(n - 1, Math.max(0, Math.floor(value * n)))
    return { z, west: within(left), east: within(right), north: within(top), south: within(bottom) }
  }
  let max_zoom = zoomFor(ground_resolution_m, middleOf(bounds).lat)
  const count = (from: number, to: number) => {
    let sum = 0
    for (let z = from; z <= to; z++) {
      const { west: w, east: e, north: n, south: s } = span(z)
      sum += (e - w + 1) * (s - n + 1)
    }
    return sum
  }
  while (max_zoom > min_zoom && count(min_zoom, max_zoom) > TILES_AT_MOST) max_zoom--
  return { bounds, min_zoom, max_zoom, spans: Array.from({ length: max_zoom - min_zoom + 1 }, (_, i) => span(min_zoom + i)) }
}
