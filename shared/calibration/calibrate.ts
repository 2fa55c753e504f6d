// The calibration of a picture from control points: the fit, what it is worth, and what is wrong with the points (`map.md` §7). Pure, so that the app shows
// while a person moves a point what the service will decide.
import { type LonLat, planeAt } from '../geometry/plane.ts'
import { at } from '../narrow.ts'
import { apply, determinant, divisorAt, type Matrix, type Pair, slopeAt } from './algebra.ts'
import { fit, LEAST_POINTS, type Match, MODELS, type Model } from './fit.ts'

/** A control point: a pixel of the upright picture, and where it is on the ground. A point that isn't used is only measured. */
export type ControlPoint = { x: number; y: number; lon: number; lat: number; label?: string | undefined; used: boolean }

/** A control point with the distance between where the fit puts it and where it is, in metres: in all, east and north, and by a fit without it. */
export type MeasuredPoint = ControlPoint & { residual_m: number; east_m: number; north_m: number; leave_one_out_m: number | null }

/** What a fit is worth. `unchecked`: the fit is exact, and proves nothing. */
export const QUALITIES = ['good', 'fair', 'poor', 'unchecked'] as const
export type Quality = (typeof QUALITIES)[number]

/** How a picture lies on the ground, and how well. */
export type Calibration = {
  model: Model
  points: MeasuredPoint[]
  /** From pixels to metres east and north of `origin`. */
  matrix: Matrix
  origin: LonLat
  rmse_m: number
  max_residual_m: number
  redundancy: number
  quality: Quality
  /** The point that fits worst with all others; null if it can't be known. */
  suspect: number | null
} & Lie

/** How large and how turned a picture lies on the ground, at its centre. */
export type Lie = { ground_resolution_m: number; rotation_deg: number; scale_ratio: number }

/** What is wrong with a set of points; `index` names one. */
export type Fault = {
  kind: 'too_few' | 'outside' | 'too_near' | 'in_line' | 'mirrored' | 'horizon' | 'resolution'
  index: number | null
  message: string
}

/** Size of a picture, upright. */
export type Size = { width: number; height: number }

const NEAR_PX = 2
const NEAR_M = 0.1
const LINE = 0.02
const RESOLUTION = { least: 0.0005, most: 10 }
/** A picture whose axes differ by more than this was probably calibrated with a wrong point. */
export const RATIO_AT_MOST = 1.2
const GOOD_M = 0.25
const FAIR_M = 1
/** Below this, one fit isn't better than another: both are exact, but for the rounding of coordinates. */
const EXACT_M = 0.005
const PROJECTIVE_FROM = 6
const SUSPECT_FROM = 5

/** Calibrates a picture, or returns everything that is wrong with the points. */
export function calibrate(
  size: Size,
  points: readonly ControlPoint[],
  wanted: Model | 'auto',
): { calibration: Calibration } | { faults: Fault[] } {
  const outside = points.flatMap((point, index) => (isInside(size, point) ? [] : [outsideFault(size, index)]))
  const used = points.flatMap((point, index) => (point.used ? [index] : []))
  const least = wanted === 'auto' ? LEAST_POINTS.similarity : LEAST_POINTS[wanted]
  if (used.length < least) return { faults: [...outside, tooFew(wanted, least, used.length)] }
  const origin = centreOf(used.map(index => at(points, index)))
  const plane = planeAt(origin)
  const all = points.map(({ x, y, lon, lat }): Match => ({ pixel: [x, y], ground: plane.metres([lon, lat]) }))
  const matches = used.map(index => at(all, index))
  const faults = [...outside, ...tooNear(points, all, used)]
  if (faults.length > 0) return { faults }
  const model = wanted === 'auto' ? (used.length === 2 ? 'similarity' : 'affine') : wanted
  const fitted = fittedOrFault(size, model, matches)
  if ('fault' in fitted) return { faults: [fitted.fault] }
  const better = wanted === 'auto' && used.length >= PROJECTIVE_FROM ? perspective(size, matches, fitted.matrix) : null
  const chosen = better === null ? { model, matrix: fitted.matrix } : { model: 'projective' as const, matrix: better }
  return { calibration: measured(size, points, { ...chosen, origin, all, used }) }
}

const isInside = ({ width, height }: Size, { x, y }: ControlPoint) => x >= 0 && y >= 0 && x <= width && y <= height

const outsideFault = ({ width, height }: Size, index: number): Fault => ({
  kind: 'outside',
  index,
  message: `is outside the picture, which has ${width} × ${height} pixels.`,
})

const tooFew = (wanted: Model | 'auto', least: number, used: number): Fault => ({
  kind: 'too_few',
  index: null,
  message: `must have at least ${least} points in use${wanted === 'auto' ? '' : ` for the model “${wanted}”`}; there ${used === 1 ? 'is' : 'are'} ${used}.`,
})

/** Returns the middle of points; across the meridian of 180°, too. */
function centreOf(points: readonly LonLat[]): LonLat {
  const first = at(points, 0).lon
  const east = points.reduce((sum, { lon }) => sum + lon - first - 360 * Math.round((lon - first) / 360), 0) / points.length
  const lat = points.reduce((sum, point) => sum + point.lat, 0) / points.length
  const lon = first + east
  return { lon: lon - 360 * Math.round(lon / 360), lat }
}

const nameOf = (points: readonly ControlPoint[], index: number) => {
  const { label } = at(points, index)
  return label === undefined || label === '' ? `point ${index + 1}` : `point ${index + 1} (“${label}”)`
}

function tooNear(points: readonly ControlPoint[], all: readonly Match[], used: readonly number[]): Fault[] {
  const faults: Fault[] = []
  for (const [k, index] of used.entries()) {
    for (const other of used.slice(0, k)) {
      const [a, b] = [at(all, index), at(all, other)]
      const px = Math.hypot(a.pixel[0] - b.pixel[0], a.pixel[1] - b.pixel[1])
      const m = Math.hypot(a.ground[0] - b.ground[0], a.ground[1] - b.ground[1])
      if (px >= NEAR_PX && m >= NEAR_M) continue
      const [what, least] = px < NEAR_PX ? ['in the picture', `${NEAR_PX} pixels`] : ['on the ground', `${NEAR_M} m`]
      faults.push({ kind: 'too_near', index, message: `is less than ${least} from ${nameOf(points, other)} ${what}. Move or remove one.` })
      break
    }
  }
  return faults
}

/** Returns whether points are in a line: they spread across it by less than 2% of its length. */
function inLine(points: readonly Pair[]): boolean {
  const n = points.length
  const [mx, my] = [points.reduce((s, p) => s + p[0], 0) / n, points.reduce((s, p) => s + p[1], 0) / n]
  let [xx, xy, yy] = [0, 0, 0]
  for (const [x, y] of points) {
    xx += (x - mx) ** 2
    xy += (x - mx) * (y - my)
    yy += (y - my) ** 2
  }
  const turn = Math.atan2(2 * xy, xx - yy) / 2
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  const spread = (values: number[]) => Math.max(...values) - Math.min(...values)
  const length = spread(points.map(([x, y]) => c * (x - mx) + s * (y - my)))
  const across = spread(points.map(([x, y]) => c * (y - my) - s * (x - mx)))
  return across < LINE * length
}

/** Returns whether points can't determine a model: all are in a line, or for a perspective, all but one. Two points always are. */
function areInLine(model: Model, matches: readonly Match[]): boolean {
  if (model === 'similarity') return false
  const sides = [matches.map(match => match.pixel), matches.map(match => match.ground)]
  if (sides.some(inLine)) return true
  return model === 'projective' && sides.some(side => side.some((_, i) => inLine(side.filter((__, k) => k !== i))))
}

const cornersOf = ({ width, height }: Size): Pair[] => [
  [0, 0],
  [width, 0],
  [width, height],
  [0, height],
]

const LINE_FAULT: Fault = {
  kind: 'in_line',
  index: null,
  message: 'are in a line, so the picture could be turned about it. Add a point to the side of it.',
}
const MIRROR_FAULT: Fault = {
  kind: 'mirrored',
  index: null,
  message: 'would show the picture mirrored. Probably two points are swapped: check which one is which.',
}

/** Fits a model and checks the result against everything that no picture of the ground can be. */
function fittedOrFault(size: Size, model: Model, matches: readonly Match[]): { matrix: Matrix } | { fault: Fault } {
  if (areInLine(model, matches)) return { fault: LINE_FAULT }
  const matrix = fit(model, matches)
  if (matrix === null) return { fault: LINE_FAULT }
  // A similarity is never mirrored, but it fits mirrored points badly: the affine fit shows it.
  const judged = model === 'similarity' && matches.length > 2 && !areInLine('affine', matches) ? (fit('affine', matches) ?? matrix) : matrix
  const corners = cornersOf(size).map(corner => divisorAt(judged, corner))
  if (Math.min(...corners) <= 0 && Math.max(...corners) >= 0)
    return {
      fault: {
        kind: 'horizon',
        index: null,
        message: 'put the horizon inside the picture. Check the points, or add more of them near the corners.',
      },
    }
  if (determinant(judged) / at(corners, 0) ** 3 > 0) return { fault: MIRROR_FAULT }
  const { ground_resolution_m } = lieOf(size, matrix)
  if (!(ground_resolution_m >= RESOLUTION.least && ground_resolution_m <= RESOLUTION.most))
    return {
      fault: {
        kind: 'resolution',
        index: null,
        message: `would make a pixel ${shownLength(ground_resolution_m)} wide on the ground; it must be between 0.5 mm and 10 m. Check the positions.`,
      },
    }
  return { matrix }
}

const shownLength = (metres: number) =>
  metres < 0.1 ? `${Number((metres * 1000).toPrecision(2))} mm` : `${Number(metres.toPrecision(3))} m`

/**
 * Returns the perspective that fits at least twice as well as the affine fit; null if none does. It must also predict each point twice as well from the
 * others: a perspective has room to follow one wrong point, and would hide it.
 */
function perspective(size: Size, matches: readonly Match[], affine: Matrix): Matrix | null {
  const before = rmseOf(affine, matches)
  if (before < EXACT_M) return null
  const fitted = fittedOrFault(size, 'projective', matches)
  if (!('matrix' in fitted) || rmseOf(fitted.matrix, matches) > before / 2) return null
  return predictionError('projective', matches) <= predictionError('affine', matches) / 2 ? fitted.matrix : null
}

/** Returns how far points are from where the fit of all others puts them; infinite if the others don't determine it. */
function predictionError(model: Model, matches: readonly Match[]): number {
  const all = matches.map((_, index) => index)
  const squares = matches.map((match, index) => {
    const matrix = fitWithout(model, matches, all, index)
    return matrix === null ? Number.POSITIVE_INFINITY : Math.hypot(...offset(matrix, match)) ** 2
  })
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / matches.length)
}

const offset = (matrix: Matrix, { pixel, ground }: Match): Pair => {
  const [east, north] = apply(matrix, pixel)
  return [east - ground[0], north - ground[1]]
}

const rmseOf = (matrix: Matrix, matches: readonly Match[]): number =>
  Math.sqrt(matches.reduce((sum, match) => sum + Math.hypot(...offset(matrix, match)) ** 2, 0) / matches.length)

/** Returns how a picture lies on the ground at its centre. `rotation_deg` is the bearing of its upper edge's direction, clockwise from north. */
export function lieOf({ width, height }: Size, matrix: Matrix): Lie {
  const [[a, b], [c, d]] = slopeAt(matrix, [width / 2, height / 2])
  const size = Math.sqrt(Math.abs(a * d - b * c))
  // The singular values of the slope are the scales of the two main directions.
  const [sum, difference] = [Math.hypot(a + d, b - c), Math.hypot(a - d, b + c)]
  const [larger, smaller] = [(sum + difference) / 2, Math.abs(sum - difference) / 2]
  const bearing = (Math.atan2(-b, -d) * 180) / Math.PI
  return { ground_resolution_m: size, rotation_deg: (bearing + 360) % 360, scale_ratio: larger / smaller }
}

const qualityOf = (redundancy: number, rmse: number): Quality =>
  redundancy === 0 ? 'unchecked' : rmse <= GOOD_M ? 'good' : rmse <= FAIR_M ? 'fair' : 'poor'

type Fitted = { model: Model; matrix: Matrix; origin: LonLat; all: readonly Match[]; used: readonly number[] }

function measured(size: Size, points: readonly ControlPoint[], { model, matrix, origin, all, used }: Fitted): Calibration {
  const matches = used.map(index => at(all, index))
  const without = used.map(index => fitWithout(model, all, used, index))
  const shown = points.map((point, index): MeasuredPoint => {
    const [east_m, north_m] = offset(matrix, at(all, index))
    const other = point.used ? (without[used.indexOf(index)] ?? null) : null
    return {
      ...point,
      east_m,
      north_m,
      residual_m: Math.hypot(east_m, north_m),
      leave_one_out_m: other === null ? null : Math.hypot(...offset(other, at(all, index))),
    }
  })
  const rmse_m = rmseOf(matrix, matches)
  const redundancy = 2 * used.length - 2 * LEAST_POINTS[model]
  const quality = qualityOf(redundancy, rmse_m)
  return {
    ...{ model, points: shown, matrix, origin, rmse_m, redundancy, quality },
    max_residual_m: Math.max(...used.map(index => at(shown, index).residual_m)),
    suspect: quality === 'good' ? null : suspectOf(all, used, without),
    ...lieOf(size, matrix),
  }
}

/** Fits the model without one point; null if too few are left, or if they don't determine it. */
function fitWithout(model: Model, all: readonly Match[], used: readonly number[], index: number): Matrix | null {
  const rest = used.filter(other => other !== index).map(other => at(all, other))
  if (rest.length < LEAST_POINTS[model] || areInLine(model, rest)) return null
  return fit(model, rest)
}

/** Returns the point without which all others fit best; null with fewer than five, because then any of them could be wrong. */
function suspectOf(all: readonly Match[], used: readonly number[], without: readonly (Matrix | null)[]): number | null {
  if (used.length < SUSPECT_FROM) return null
  let found: { index: number; rmse: number } | null = null
  for (const [k, index] of used.entries()) {
    const matrix = without[k]
    if (matrix === null || matrix === undefined) continue
    const rmse = rmseOf(
      matrix,
      used.filter(other => other !== index).map(other => at(all, other)),
    )
    if (found === null || rmse < found.rmse) found = { index, rmse }
  }
  return found?.index ?? null
}

/** Every model that a person can choose. */
export const CHOICES = ['auto', ...MODELS] as const
