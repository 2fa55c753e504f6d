// Places a sheet on the ground, in each of the ways in which a person can say where it lies (`map.md` §8, Placement). Pure.
import { apply, inverse, type Matrix, multiply, type Pair, turned } from '../../../../../shared/calibration/algebra.ts'
import {
  type ControlPoint,
  calibrate,
  type Lie,
  lieOf,
  type MeasuredPoint,
  type Quality,
  type Size,
} from '../../../../../shared/calibration/calibrate.ts'
import { fit, type Match, type Model } from '../../../../../shared/calibration/fit.ts'
import {
  type Areal,
  centreOf,
  type LonLat,
  lonLat,
  type Metres,
  planeAt,
  polygonsOf,
  position,
} from '../../../../../shared/geometry/plane.ts'
import { at } from '../../../../../shared/narrow.ts'
import type { FieldFault } from '../../../../base/errors.ts'
import { converter, gridOfCode } from '../../../../kernel/geofiles/domain/grids.ts'
import { PDFS, pixelsOf, type Sheet, type SOURCE_KINDS } from './plans.ts'

export const MODES = ['points', 'affine', 'corners', 'grid', 'fit'] as const

/** A placement as a person gives it. */
export type GivenPlacement = {
  mode: (typeof MODES)[number]
  points?: readonly (Omit<ControlPoint, 'used'> & { used?: boolean })[]
  model?: Model | 'auto'
  anchor?: LonLat
  anchor_sheet?: { x: number; y: number }
  rotation_deg?: number
  scale?: number
  corners?: readonly LonLat[]
  epsg?: number
}

/** Where a sheet lies. `matrix`: from the sheet's units to metres east and north of the origin. */
export type Placement = Lie & {
  mode: (typeof MODES)[number]
  matrix: Matrix
  origin: LonLat
  approximate: boolean
  model: Model | null
  points: MeasuredPoint[]
  rmse_m: number | null
  max_residual_m: number | null
  redundancy: number | null
  quality: Quality | null
  /** Code of the grid of the drawing, or of the coordinates that a person typed; missing or null if there was none. */
  epsg?: number | null
}

/** What is placed: the picture, the sheet of a drawing, and whether it was drawn from paper (a PDF has 300 dots per inch). */
export type Placeable = { size: Size; sheet: Sheet | null; paper_m: number | null }

const INCH = 0.0254
const DPI = 300

/** Returns what is placed. The pixels of a PDF have a size on paper, unless there were too many of them. */
export function placeableOf(row: {
  width_px: number | null
  height_px: number | null
  sheet: Sheet | null
  source_kind: (typeof SOURCE_KINDS)[number]
}): Placeable {
  const { view } = row.sheet ?? {}
  const size = { width: view?.width ?? row.width_px ?? 1, height: view?.height ?? row.height_px ?? 1 }
  const whole = row.source_kind === 'pdf' && size.width * size.height < PDFS.pixels * 0.99
  return { size, sheet: row.sheet, paper_m: whole ? INCH / DPI : null }
}

type Said = { placement: Placement } | { faults: FieldFault[] }

const fault = (path: string, message: string): Said => ({ faults: [{ path, message }] })
const LEAST = 0.0005
const MOST = 10

/** Places a sheet, or says what is wrong. `footprint` is the outline of what the plan shows. */
export function place(of: Placeable, given: GivenPlacement, footprint: Areal | null): Said {
  switch (given.mode) {
    case 'points':
      return byPoints(of, given, given.points ?? [], given.model ?? 'auto')
    case 'corners':
      return byCorners(of, given)
    case 'affine':
      return byAnchor(of, given)
    case 'grid':
      return byGrid(of, given)
    case 'fit':
      return byFootprint(of, footprint)
  }
}

const NONE = { model: null, points: [], rmse_m: null, max_residual_m: null, redundancy: null, quality: null, epsg: null }

/** Finishes a placement from the matrix of the picture's pixels. */
function placed({ size, sheet }: Placeable, mode: Placement['mode'], pixels: Matrix, origin: LonLat, more: Partial<Placement> = {}): Said {
  const lie = lieOf(size, pixels)
  if (!(lie.ground_resolution_m >= LEAST / 10 && lie.ground_resolution_m <= MOST))
    return fault('placement', 'makes the sheet much too large or too small. Check the scale.')
  return { placement: { mode, approximate: false, ...NONE, ...lie, matrix: multiply(pixels, pixelsOf(sheet)), origin, ...more } }
}

function byPoints(of: Placeable, given: GivenPlacement, points: NonNullable<GivenPlacement['points']>, model: Model | 'auto'): Said {
  const { epsg = null } = given
  if (epsg !== null && gridOfCode(epsg) === null) return fault('placement.epsg', 'isn’t a reference system that can be used here.')
  const toPixels = pixelsOf(of.sheet)
  const inPixels = points.map(({ used, ...point }): ControlPoint => {
    const [x, y] = apply(toPixels, [point.x, point.y])
    return { ...point, x, y, used: used ?? true }
  })
  const said = calibrate(of.size, inPixels, model)
  if ('faults' in said)
    return {
      faults: said.faults.map(({ index, message }) => ({
        path: `placement.${given.mode}${index === null ? '' : `[${index}]`}`,
        message,
      })),
    }
  const { calibration } = said
  return placed(of, given.mode, calibration.matrix, calibration.origin, {
    model: calibration.model,
    points: calibration.points.map((point, i) => ({ ...point, x: at(points, i).x, y: at(points, i).y })),
    rmse_m: calibration.rmse_m,
    max_residual_m: calibration.max_residual_m,
    redundancy: calibration.redundancy,
    quality: calibration.quality,
    epsg,
  })
}

function byCorners(of: Placeable, given: GivenPlacement): Said {
  const { corners = [] } = given
  if (corners.length !== 4) return fault('placement.corners', 'must be four: top left, top right, bottom right, bottom left.')
  const { width, height } = of.size
  const back = inverse(pixelsOf(of.sheet))
  const points = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ].map(([px = 0, py = 0], i) => {
    const [x, y] = apply(back, [px, py])
    return { x, y, ...at(corners, i) }
  })
  return byPoints(of, given, points, 'projective')
}

/** From this value on, a scale is that of a drawing (1:100); below, it is metres a pixel. */
const DRAWING_SCALE = 1

/** Returns how many metres a pixel is at the scale 1: in the units of a DXF drawing, on the paper of a PDF; a picture has its scale in metres a pixel. */
export const pixelAtScaleOne = ({ sheet, paper_m }: Pick<Placeable, 'sheet' | 'paper_m'>): number =>
  sheet === null ? (paper_m ?? 1) : sheet.metres / sheet.view.scale

function byAnchor(of: Placeable, { anchor, anchor_sheet, rotation_deg = 0, scale }: GivenPlacement): Said {
  const faults: FieldFault[] = []
  if (anchor === undefined) faults.push({ path: 'placement.anchor', message: 'is required.' })
  if (anchor_sheet === undefined) faults.push({ path: 'placement.anchor_sheet', message: 'is required.' })
  if (scale === undefined && of.sheet === null) faults.push({ path: 'placement.scale', message: 'is required.' })
  if (faults.length > 0 || anchor === undefined || anchor_sheet === undefined) return { faults }
  const { sheet } = of
  const metres = sheet === null && (scale ?? 0) < DRAWING_SCALE ? (scale ?? 1) : pixelAtScaleOne(of) * (scale ?? 1)
  return placed(of, 'affine', turned(metres, rotation_deg, apply(pixelsOf(sheet), [anchor_sheet.x, anchor_sheet.y])), anchor)
}

const STEPS = [0, 0.5, 1]

function byGrid(of: Placeable, { epsg }: GivenPlacement): Said {
  const { sheet, size } = of
  if (sheet === null) return fault('placement.mode', 'can be grid only for a DXF drawing. Use points or corners.')
  if (epsg === undefined) return fault('placement.epsg', 'is required.')
  const grid = gridOfCode(epsg)
  const { project } = converter(grid)
  if (grid === null || project === null) return fault('placement.epsg', 'isn’t a reference system that can be used here.')
  const back = inverse(pixelsOf(sheet))
  const places = STEPS.flatMap(v =>
    STEPS.map(u => {
      const pixel: Pair = [u * size.width, v * size.height]
      const [x, y] = apply(back, pixel)
      return { pixel, position: project(x * sheet.metres, y * sheet.metres) }
    }),
  )
  if (!places.every(({ position: [lon, lat] }) => Math.abs(lon) <= 180 && Math.abs(lat) <= 85.05))
    return fault('placement.epsg', 'doesn’t fit: the coordinates of the drawing are nowhere in this reference system.')
  const origin = lonLat([...at(places, 4).position])
  const plane = planeAt(origin)
  const matrix = fit(
    'affine',
    places.map(({ pixel, position: [lon, lat] }): Match => ({ pixel, ground: plane.metres([lon, lat]) })),
  )
  return matrix === null ? fault('placement', 'can’t be calculated.') : placed(of, 'grid', matrix, origin, { epsg })
}

/** Returns the smallest rectangle around points: its centre, its sides, and the angle of the longer one. */
function smallestRectangle(points: readonly Metres[]): { centre: Metres; long: number; short: number; angle: number } {
  let best = { centre: [0, 0] satisfies Metres as Metres, long: 0, short: 0, angle: 0 }
  let least = Infinity
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = at(points, i - 1)
    const [bx, by] = at(points, i)
    const angle = Math.atan2(by - ay, bx - ax)
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const us = points.map(([x, y]) => c * x + s * y)
    const vs = points.map(([x, y]) => c * y - s * x)
    const [u0, u1, v0, v1] = [Math.min(...us), Math.max(...us), Math.min(...vs), Math.max(...vs)]
    const area = (u1 - u0) * (v1 - v0)
    if (area >= least) continue
    least = area
    const [u, v] = [(u0 + u1) / 2, (v0 + v1) / 2]
    const wide = u1 - u0 >= v1 - v0
    best = {
      centre: [c * u - s * v, s * u + c * v],
      long: Math.max(u1 - u0, v1 - v0),
      short: Math.min(u1 - u0, v1 - v0),
      angle: wide ? angle : angle + Math.PI / 2,
    }
  }
  return best
}

function byFootprint(of: Placeable, footprint: Areal | null): Said {
  if (footprint === null) return fault('placement.mode', 'can’t be fit, because the feature has no outline.')
  const plane = planeAt(centreOf(footprint))
  const ring = polygonsOf(footprint).flatMap(rings => rings[0] ?? [])
  const { centre, long, short, angle } = smallestRectangle(ring.map(plane.metres))
  const { width, height } = of.size
  const wide = width >= height
  const metres = Math.min(long / Math.max(width, height), short / Math.min(width, height))
  // The long side of the sheet lies along that of the footprint, turned as little as possible.
  const bearing = 90 - (angle * 180) / Math.PI - (wide ? 90 : 0)
  const upright = bearing - 180 * Math.round(bearing / 180)
  return placed(of, 'fit', turned(metres, upright, [width / 2, height / 2]), lonLat(plane.degrees(centre)), { approximate: true })
}

/** Returns the middle of a placed sheet. */
export function middleOn(of: Placeable, { matrix, origin }: Pick<Placement, 'matrix' | 'origin'>): LonLat {
  const middle = apply(inverse(pixelsOf(of.sheet)), [of.size.width / 2, of.size.height / 2])
  return lonLat(planeAt(origin).degrees(apply(matrix, middle)))
}

/** Returns control points as positions, for the rule about places outside the site. */
export const positionsIn = ({ points = [], corners = [], anchor }: GivenPlacement): { path: string; at: ReturnType<typeof position> }[] => [
  ...points.map((point, i) => ({ path: `placement.points[${i}]`, at: position(point) })),
  ...corners.map((corner, i) => ({ path: `placement.corners[${i}]`, at: position(corner) })),
  ...(anchor === undefined ? [] : [{ path: 'placement.anchor', at: position(anchor) }]),
]
