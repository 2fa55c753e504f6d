// How a picture lies on the ground while a person drags, turns and scales it. Pure.
import { apply, inverse, type Matrix, multiply, type Pair, turned } from '../../../../../shared/calibration/algebra.ts'
import type { Size } from '../../../../../shared/calibration/calibrate.ts'
import { lonLat, type Metres, planeAt } from '../../../../../shared/geometry/plane.ts'
import type { Spot } from '../model.ts'
import type { Pixel } from './pairs.ts'

/** Where the middle of a picture is, how far it is turned clockwise from north in degrees, and how many metres one of its pixels is. */
export type Lying = { middle: Spot; turn: number; pixel_m: number }

/** How large a pixel can be, in metres: what the service accepts of points, too. */
const LEAST_M = 0.0005
const MOST_M = 10
/** How far the handle that turns is from the edge, as a part of the longer side. */
const BEYOND = 0.12

const middleOf = ({ width, height }: Size): Pixel => [width / 2, height / 2]
/** Returns an angle as degrees clockwise from north. */
const around = (degrees: number): number => ((degrees % 360) + 360) % 360
const spotFrom = (middle: Spot, metres: Metres): Spot => planeAt(lonLat(middle)).degrees(metres)
const metresFrom = (middle: Spot, [lon, lat]: Spot): Metres => planeAt(lonLat(middle)).metres([lon, lat])

/** Returns how the pixels of a picture become metres east and north of its middle. */
export const groundOfPixels = (size: Size, { middle, turn, pixel_m }: Lying): { matrix: Matrix; origin: ReturnType<typeof lonLat> } => ({
  matrix: turned(pixel_m, turn, middleOf(size)),
  origin: lonLat(middle),
})

/** Returns how a placement lies. `sheet`: from positions on the sheet to pixels. */
export function lyingOf(
  size: Size,
  placement: {
    matrix: Matrix
    origin: { lon: number; lat: number }
    rotation_deg: number
    ground_resolution_m: number
  },
  sheet: Matrix,
): Lying {
  const pixels = multiply(placement.matrix, inverse(sheet))
  const middle = planeAt(placement.origin).degrees(apply(pixels, middleOf(size)))
  return { middle, turn: placement.rotation_deg, pixel_m: placement.ground_resolution_m }
}

/** Returns the placement that the service takes. `pixel_m`: how many metres a pixel is at the scale 1. */
export function placementOf(size: Size, { middle, turn, pixel_m }: Lying, plan: { sheet: Matrix; pixel_m: number }) {
  const [x, y] = apply(inverse(plan.sheet), middleOf(size))
  return {
    mode: 'affine' as const,
    anchor: lonLat(middle),
    anchor_sheet: { x, y },
    rotation_deg: turn,
    scale: pixel_m / plan.pixel_m,
  }
}

/** Moves a picture as from one place to another. */
export function movedAs(lying: Lying, from: Spot, to: Spot): Lying {
  const [a, b] = [metresFrom(lying.middle, from), metresFrom(lying.middle, to)]
  return { ...lying, middle: spotFrom(lying.middle, [b[0] - a[0], b[1] - a[1]]) }
}

/** Turns a picture about its middle, clockwise. */
export const turnedBy = (lying: Lying, degrees: number): Lying => ({ ...lying, turn: around(lying.turn + degrees) })

/** Returns how far a picture is turned as people read it: to a hundredth of a degree, and 0 instead of 360. */
export const turnSaid = ({ turn }: Lying): number => (Math.round(turn * 100) / 100) % 360

/** Makes a picture larger or smaller, as far as the service accepts it. */
export const scaledBy = (lying: Lying, by: number): Lying => ({
  ...lying,
  pixel_m: Math.min(MOST_M, Math.max(LEAST_M, lying.pixel_m * by)),
})

/** Moves, turns and scales a picture so that what was below two fingers stays below them. */
export function pinched(lying: Lying, before: readonly [Spot, Spot], after: readonly [Spot, Spot]): Lying {
  const plane = planeAt(lonLat(lying.middle))
  const metres = ([lon, lat]: Spot): Metres => plane.metres([lon, lat])
  const [a, b, c, d] = [metres(before[0]), metres(before[1]), metres(after[0]), metres(after[1])]
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]]
  const square = ux * ux + uy * uy
  const length = Math.hypot(vx, vy)
  if (square === 0 || length === 0) return lying
  const next = scaledBy(lying, length / Math.sqrt(square))
  const by = next.pixel_m / lying.pixel_m
  const turn = Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)
  const [cos, sin] = [by * Math.cos(turn), by * Math.sin(turn)]
  const middle = plane.degrees([c[0] - cos * a[0] + sin * a[1], c[1] - sin * a[0] - cos * a[1]])
  return { ...next, middle, turn: around(lying.turn - (turn * 180) / Math.PI) }
}

/** Returns where a pixel lies. */
const spotOfPixel = (size: Size, lying: Lying, pixel: Pair): Spot =>
  spotFrom(lying.middle, apply(groundOfPixels(size, lying).matrix, pixel))

/** Returns where the handles are: the lower right corner scales the picture, and one beyond its upper edge turns it. */
export const handlesOf = (size: Size, lying: Lying): { corner: Spot; above: Spot } => ({
  corner: spotOfPixel(size, lying, [size.width, size.height]),
  above: spotOfPixel(size, lying, [size.width / 2, -Math.max(size.width, size.height) * BEYOND]),
})

/** Scales a picture so that its corner is as far from its middle as a place is. */
export function scaledTo(size: Size, lying: Lying, to: Spot): Lying {
  const half = Math.hypot(size.width, size.height) / 2
  return scaledBy(lying, Math.hypot(...metresFrom(lying.middle, to)) / half / lying.pixel_m)
}

/** Turns a picture so that its upper edge points to a place. */
export function turnedTo(lying: Lying, to: Spot): Lying {
  const [east, north] = metresFrom(lying.middle, to)
  return { ...lying, turn: around((Math.atan2(east, north) * 180) / Math.PI) }
}

/** Returns whether a place is on a picture. */
export function isOn(size: Size, lying: Lying, spot: Spot): boolean {
  const [x, y] = apply(inverse(groundOfPixels(size, lying).matrix), metresFrom(lying.middle, spot))
  return x >= 0 && y >= 0 && x <= size.width && y <= size.height
}
