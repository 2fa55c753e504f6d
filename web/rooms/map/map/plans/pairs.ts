// Pairs of points: a place on a plan, and the same place on the ground. What a tap does, what the points are worth, and what is still missing. Pure; the
// arithmetic is the one by which the service decides (shared/calibration).
import { apply, inverse, type Matrix } from '../../../../../shared/calibration/algebra.ts'
import { type Calibration, calibrate, type Fault, type Size } from '../../../../../shared/calibration/calibrate.ts'
import { LEAST_POINTS, type Model } from '../../../../../shared/calibration/fit.ts'
import { planeAt, position } from '../../../../../shared/geometry/plane.ts'
import type { Spot } from '../model.ts'

/** A position in the picture of a plan, in its pixels. */
export type Pixel = readonly [number, number]
/** A pair that may lack a side. */
export type Pair = { key: number; pixel: Pixel | null; spot: Spot | null; used: boolean }
/** The pairs; `moving`: the next tap moves this one instead of adding a point. */
export type Pairs = { list: readonly Pair[]; moving: number | null }
/** A pair with both sides. */
export type Whole = Pair & { pixel: Pixel; spot: Spot }

/** Returns the number that a person typed; null while it isn’t one. */
export const numberIn = (text: string): number | null => (text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text))

export const NO_PAIRS: Pairs = { list: [], moving: null }
/** Two say where a plan lies, how it is turned and how large it is: a surveyor often has two corners on paper. It can’t be turned over or stretched by them. */
export const LEAST = LEAST_POINTS.similarity
/** As many fit exactly, whatever they are: the plan can be stretched by them. */
const EXACT = LEAST_POINTS.affine

type Side = { pixel: Pixel } | { spot: Spot }

const nextKey = ({ list }: Pairs): number => Math.max(0, ...list.map(one => one.key)) + 1

/** Puts a point on one side: of the pair that is being moved, of the first pair that lacks this side, or of a new pair. */
export function put(pairs: Pairs, side: Side): Pairs {
  const lacking = pairs.list.find(one => ('pixel' in side ? one.pixel === null : one.spot === null))
  const key = pairs.moving ?? lacking?.key
  if (key === undefined)
    return { list: [...pairs.list, { key: nextKey(pairs), pixel: null, spot: null, used: true, ...side }], moving: null }
  return { ...changed(pairs, key, side), moving: null }
}

/** Changes a pair. */
export const changed = (pairs: Pairs, key: number, change: Partial<Omit<Pair, 'key'>>): Pairs => ({
  ...pairs,
  list: pairs.list.map(one => (one.key === key ? { ...one, ...change } : one)),
})

/** Removes a pair. */
export const without = ({ list, moving }: Pairs, key: number): Pairs => ({
  list: list.filter(one => one.key !== key),
  moving: moving === key ? null : moving,
})

/** Adds a pair whose coordinates are typed. */
export const withEmpty = (pairs: Pairs): Pairs => ({
  list: [...pairs.list, { key: nextKey(pairs), pixel: null, spot: null, used: true }],
  moving: null,
})

/** The corners of a picture, in the order in which people go around it. */
export const CORNERS = ['top_left', 'top_right', 'bottom_right', 'bottom_left'] as const
export type Corner = (typeof CORNERS)[number]

const cornersOf = ({ width, height }: Size): readonly Pixel[] => [
  [0, 0],
  [width, 0],
  [width, height],
  [0, height],
]
const isSame = ([x, y]: Pixel, [u, v]: Pixel): boolean => Math.abs(x - u) < 0.5 && Math.abs(y - v) < 0.5

/** Returns which corner of the picture a point is; null if it isn't one. */
export function cornerAt(size: Size, pixel: Pixel | null): Corner | null {
  if (pixel === null) return null
  return CORNERS[cornersOf(size).findIndex(corner => isSame(corner, pixel))] ?? null
}

/** Adds a pair for each corner of the picture that has none; their places on the ground follow. Pairs without any side go. */
export function withCorners(pairs: Pairs, size: Size): Pairs {
  const list = pairs.list.filter(one => one.pixel !== null || one.spot !== null)
  const missing = cornersOf(size).filter(corner => !list.some(({ pixel }) => pixel !== null && isSame(corner, pixel)))
  const first = nextKey(pairs)
  return { list: [...list, ...missing.map((pixel, i) => ({ key: first + i, pixel, spot: null, used: true }))], moving: null }
}

/** Returns whether a point has its place on the plan and on the ground. */
export const isWhole = (pair: Pair): pair is Whole => pair.pixel !== null && pair.spot !== null
/** Returns the pairs with both sides, in their order. */
export const wholeOf = ({ list }: Pairs): Whole[] => list.filter(isWhole)

/** Returns pairs from the control points that are stored. `sheet`: from positions on the sheet to pixels. */
export const pairsOf = (
  points: readonly { x: number; y: number; lon: number; lat: number; used: boolean }[],
  sheet: Matrix | null,
): Pairs => ({
  list: points.map(({ x, y, lon, lat, used }, i) => ({
    key: i + 1,
    pixel: sheet === null ? [x, y] : apply(sheet, [x, y]),
    spot: [lon, lat],
    used,
  })),
  moving: null,
})

/** Returns the control points as the service takes them. */
export function pointsOf(pairs: Pairs, sheet: Matrix | null): { x: number; y: number; lon: number; lat: number; used: boolean }[] {
  const back = sheet === null ? null : inverse(sheet)
  return wholeOf(pairs).map(({ pixel, spot: [lon, lat], used }) => {
    const [x, y] = back === null ? pixel : apply(back, pixel)
    return { x, y, lon, lat, used }
  })
}

/** What the points are worth: a calibration, what is wrong with them, or nothing as long as there are too few. */
export type Worth = { calibration: Calibration } | { faults: Fault[] } | null

/** Calibrates a picture from the pairs that are whole. */
export function worthOf(size: Size, pairs: Pairs, model: Model | 'auto'): Worth {
  const whole = wholeOf(pairs)
  if (whole.filter(one => one.used).length < LEAST) return null
  return calibrate(
    size,
    whole.map(({ pixel: [x, y], spot: [lon, lat], used }) => ({ x, y, lon, lat, used })),
    model,
  )
}

/** Returns the position of the point that fits worst among the whole pairs, and whether it is probably wrong; null if none is worse than the others, or nobody can know. */
export function worstOf({ points, suspect, redundancy }: Calibration): { index: number; wrong: boolean; metres: number } | null {
  if (suspect !== null) return { index: suspect, wrong: true, metres: points[suspect]?.residual_m ?? 0 }
  if (redundancy <= 0) return null
  const used = points.flatMap((point, index) => (point.used ? [{ index, metres: point.residual_m }] : []))
  const [first] = used.toSorted((a, b) => b.metres - a.metres)
  return first === undefined || first.metres < 0.01 ? null : { ...first, wrong: false }
}

/** What the person does next. */
export type Next = 'first' | 'then_map' | 'then_map_of' | 'then_plan' | 'next' | 'third' | 'fourth' | 'enough' | 'moving'

/** Returns what is missing, and how many points. */
export function nextOf(pairs: Pairs): { next: Next; n: number } {
  const { list, moving } = pairs
  if (moving !== null) return { next: 'moving', n: list.findIndex(one => one.key === moving) + 1 }
  const lacking = list.filter(one => one.pixel !== null && one.spot === null)
  const [first] = lacking
  if (first !== undefined) return lacking.length === 1 ? { next: 'then_map', n: 0 } : { next: 'then_map_of', n: list.indexOf(first) + 1 }
  if (list.some(one => one.pixel === null && one.spot !== null)) return { next: 'then_plan', n: 0 }
  const whole = wholeOf(pairs).filter(one => one.used).length
  if (whole === 0) return { next: 'first', n: LEAST }
  if (whole < LEAST) return { next: 'next', n: LEAST - whole }
  if (whole < EXACT) return { next: 'third', n: 1 }
  return whole === EXACT ? { next: 'fourth', n: 1 } : { next: 'enough', n: 0 }
}

/** Returns where the corners of the picture lie: top left, top right, bottom right, bottom left. */
export function cornersOn({ width, height }: Size, { matrix, origin }: Pick<Calibration, 'matrix' | 'origin'>): [Spot, Spot, Spot, Spot] {
  const { degrees } = planeAt(origin)
  const at = (x: number, y: number): Spot => degrees(apply(matrix, [x, y]))
  return [at(0, 0), at(width, 0), at(width, height), at(0, height)]
}

/** How much longer than the errors their arrows are. */
const LONGER = 10

/** Returns a line for each point from where it is to where the fit puts it, ten times as long. */
export const arrowsOf = ({ points }: Pick<Calibration, 'points'>): [Spot, Spot][] =>
  points.map(({ lon, lat, east_m, north_m }) => {
    const from = { lon, lat }
    return [position(from), planeAt(from).degrees([east_m * LONGER, north_m * LONGER])]
  })
