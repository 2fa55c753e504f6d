// The ground under a GeoTIFF, from its own tags (OGC 19-008r4): our own small reader, because it needs a dozen tags of one directory.
import { open } from 'node:fs/promises'
import { apply, type Matrix, type Pair } from '../../../../../shared/calibration/algebra.ts'
import { type Lie, lieOf } from '../../../../../shared/calibration/calibrate.ts'
import { fit, type Match } from '../../../../../shared/calibration/fit.ts'
import { type LonLat, planeAt } from '../../../../../shared/geometry/plane.ts'
import { converter, gridOfCode, type KnownGrid } from '../../../../kernel/geofiles/domain/grids.ts'
import type { Tagged } from '../domain/orders.ts'
import { readTags, type Tags } from './tiff-tags.ts'

const TAGS = { pixel_scale: 33550, tie_points: 33922, transformation: 34264, keys: 34735 }
const KEYS = { model: 1024, raster: 1025, geographic: 2048, angles: 2054, projected: 3072, lengths: 3076 }
/** Units of the grids that are known here, as these files say them: metres, and degrees. */
const [METRES, DEGREES] = [9001, 9102]
const PIXEL_IS_POINT = 2
const MOST_VALUES = 4096

/** Returns how a TIFF file lies on the ground; null if it doesn't say, or not in a reference system that is known here. */
export async function readGround(path: string, size: { width: number; height: number }): Promise<Tagged | null> {
  const file = await open(path)
  try {
    const tags = (await readTags(file, Object.values(TAGS), MOST_VALUES))?.tags
    const grid = tags === undefined ? null : gridOf(tags)
    const keys = tags?.get(TAGS.keys)
    if (grid === null || keys === undefined) return null
    const key = (id: number) => {
      for (let i = 4; i + 3 < keys.length; i += 4) if (keys[i] === id && keys[i + 1] === 0) return keys[i + 3] ?? null
      return null
    }
    const epsg = key(KEYS.projected) ?? key(KEYS.geographic)
    // A file that says its positions are in feet means it, also with the code of a grid in metres.
    const usual = key(KEYS.projected) === null ? DEGREES : METRES
    const unit = key(usual === METRES ? KEYS.lengths : KEYS.angles) ?? usual
    const known = epsg === null || unit !== usual ? null : gridOfCode(epsg)
    const { project } = converter(known)
    if (known === null || project === null) return null
    return laidOn(known.name, project, grid, size, key(KEYS.raster) === PIXEL_IS_POINT ? 0.5 : 0)
  } finally {
    await file.close()
  }
}

/** Returns how a picture lies on the ground by its world file, whose positions are those of the centres of pixels; null if it can't be there. */
export function groundOfWorld(world: Matrix, grid: KnownGrid, size: { width: number; height: number }): Tagged | null {
  const { project } = converter(grid)
  return laidOn(grid.name, project ?? ((x, y) => [x, y]), world, size, 0.5)
}

/** Returns the matrix from raster positions to coordinates of the reference system. */
function gridOf(tags: Tags): Matrix | null {
  const whole = tags.get(TAGS.transformation)
  if (whole !== undefined && whole.length === 16) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0, , f = 0] = whole
    return finite([
      [a, b, c],
      [d, e, f],
      [0, 0, 1],
    ])
  }
  const [sx, sy] = tags.get(TAGS.pixel_scale) ?? []
  const [i, j, , x, y] = tags.get(TAGS.tie_points) ?? []
  if (sx === undefined || sy === undefined || i === undefined || j === undefined || x === undefined || y === undefined) return null
  return finite([
    [sx, 0, x - i * sx],
    [0, -sy, y + j * sy],
    [0, 0, 1],
  ])
}

const finite = (matrix: Matrix): Matrix | null => (matrix.flat().every(Number.isFinite) ? matrix : null)

/** Size of a pixel that a picture of the ground can have, metres, and how many degrees it can be wide or high: more can’t be flat. */
const [LEAST_M, MOST_M, WIDEST_DEG] = [1e-5, 1000, 5]

/** Returns whether a picture can be on a map as its tags say: with a size, and not as large as a continent. */
function isUsable(places: readonly { place: readonly [number, number] }[], { ground_resolution_m, scale_ratio }: Lie): boolean {
  const reach = (axis: 0 | 1) => Math.max(...places.map(({ place }) => place[axis])) - Math.min(...places.map(({ place }) => place[axis]))
  const sized = ground_resolution_m >= LEAST_M && ground_resolution_m <= MOST_M && Number.isFinite(scale_ratio)
  return sized && reach(0) <= WIDEST_DEG && reach(1) <= WIDEST_DEG
}

const STEPS = [0, 0.25, 0.5, 0.75, 1]

/** Fits the picture to the ground through a grid of positions; the error that is left is the curvature of the reference system. */
function laidOn(
  system: string,
  project: (x: number, y: number) => readonly [number, number],
  grid: Matrix,
  { width, height }: { width: number; height: number },
  shift: number,
): Tagged | null {
  const places = STEPS.flatMap(v =>
    STEPS.map((u): { pixel: Pair; place: [number, number] } => {
      const pixel: Pair = [u * width, v * height]
      const [lon, lat] = project(...apply(grid, [pixel[0] - shift, pixel[1] - shift]))
      return { pixel, place: [lon, lat] }
    }),
  )
  if (!places.every(({ place: [lon, lat] }) => Math.abs(lon) <= 180 && Math.abs(lat) <= 85.05)) return null
  const middle = places[12]?.place ?? [0, 0]
  const origin: LonLat = { lon: middle[0], lat: middle[1] }
  const plane = planeAt(origin)
  const matches = places.map(({ pixel, place }): Match => ({ pixel, ground: plane.metres(place) }))
  const matrix = fit('affine', matches)
  if (matrix === null || !isUsable(places, lieOf({ width, height }, matrix))) return null
  const squares = matches.map(({ pixel, ground }) => {
    const [east, north] = apply(matrix, pixel)
    return (east - ground[0]) ** 2 + (north - ground[1]) ** 2
  })
  return { system, matrix, origin, rmse_m: Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length) }
}
