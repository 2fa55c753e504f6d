// Web Mercator tiles: which tile a place is in, and where a pixel of a tile lies. Pure.
import type { LonLat } from './plane.ts'

/** Side of a tile in pixels. */
export const TILE = 256
/** The closest zoom that any tile has. */
export const CLOSEST_ZOOM = 24
/** Width of a pixel on the equator at zoom 0, in metres. */
const WIDEST_M = 156_543.03392804097
const RADIANS = Math.PI / 180

/** Returns where a place is on the square world map, 0 to 1, from the north-west. */
export function worldOf({ lon, lat }: LonLat): [number, number] {
  const sin = Math.sin(lat * RADIANS)
  return [lon / 360 + 0.5, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)]
}

/** Returns the place at a position of the square world map. */
export const placeAt = ([x, y]: readonly [number, number]): LonLat => ({
  lon: (x - 0.5) * 360,
  lat: Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / RADIANS,
})

/** Returns the zoom at which the pixels of tiles are at least as fine as a resolution on the ground, in metres a pixel. */
export const zoomFor = (resolution_m: number, lat: number): number =>
  Math.min(CLOSEST_ZOOM, Math.max(0, Math.ceil(Math.log2((WIDEST_M * Math.cos(lat * RADIANS)) / resolution_m))))

/** Returns the row counted from the south (TMS) for one counted from the north, and the other way round. */
export const flippedRow = (z: number, y: number): number => 2 ** z - 1 - y
