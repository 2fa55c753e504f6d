// The picture of an emergency plan: the site in lines, and where the numbered points are drawn so that none covers another. Pure.
import { lonLat, type Metres, type Plane, planeAt } from '../../../../../shared/geometry/plane.ts'
import { isOneOf } from '../../../../../shared/narrow.ts'
import { type Box, boxOf, type Feature, type Frame, type Ground, groundOf, type Spot, spotIn, topOf } from '../model.ts'
import { HELP } from '../nearest.ts'
import type { Poi } from '../signs.ts'

/** The width of the picture in its own units, and the side of a sign. */
export const WIDTH = 1000
/** The width on a phone: what is drawn is larger compared with the site, so that people can read it. */
export const PHONE_WIDTH = 520
export const SIGN = 34
/** Room around what is drawn, as a part of it, and at least in metres. */
const MARGIN = 0.06
const LEAST_M = 20

/** A group of points of one kind, with the numbers that they have on the plan. */
export type Listed = { kind: Poi['poi_kind']; rows: { n: number; point: Poi }[] }

/** Numbers the points that help in an emergency, by kind: first aid, fire point and assembly point first. */
export function listedOf(points: readonly Poi[]): Listed[] {
  const rank = (kind: Poi['poi_kind']): number => (isOneOf(HELP, kind) ? HELP.indexOf(kind) : HELP.length)
  const ordered = points
    .filter(point => point.emergency)
    .toSorted(
      (a, b) =>
        rank(a.poi_kind) - rank(b.poi_kind) ||
        a.poi_kind.localeCompare(b.poi_kind) ||
        a.name.localeCompare(b.name) ||
        (a.id < b.id ? -1 : 1),
    )
    .map((point, i) => ({ n: i + 1, point }))
  return [...Map.groupBy(ordered, ({ point }) => point.poi_kind)].map(([kind, rows]) => ({ kind, rows }))
}

/** Returns which of first aid, fire point and assembly point the site doesn't have on its map. */
export const lackingOf = (points: readonly Poi[]): (typeof HELP)[number][] =>
  HELP.filter(kind => !points.some(one => one.poi_kind === kind))

/** A position in the picture. */
type Place = readonly [number, number]
/** A sign: where it is drawn, and where its point is. */
export type Sign = { n: number; point: Poi; at: Place; from: Place }
/** What is drawn. */
export type Drawing = {
  width: number
  height: number
  boundary: string
  areas: { id: string; path: string; kind: 'building' | 'zone'; danger: boolean }[]
  names: { id: string; text: string; at: Place }[]
  signs: Sign[]
  /** The length of the bar that shows the scale, in metres and in units. */
  bar: { metres: number; units: number }
}

const DANGER = ['exclusion', 'restricted', 'hazardous_area', 'lifting']

/** Draws the site and its numbered points; null if there is nothing to draw. */
export function drawingOf(
  boundary: Ground | null,
  frame: Frame,
  listed: readonly Listed[],
  label: (feature: Feature) => string,
  width = WIDTH,
): Drawing | null {
  const rows = listed.flatMap(one => one.rows)
  const spots = rows.map(({ point }) => spotIn(point.place.point)).filter(spot => spot !== null)
  const features = [...frame.values()]
  const box = boxOf(boundary === null ? features.map(groundOf) : [boundary], spots)
  if (box === null) return null
  const { put, scale, height } = fitted(box, width)
  const path = (ground: Ground): string =>
    ringsOf(ground)
      .map(ring => `M${ring.map(spot => put(spot).map(rounded).join(' ')).join('L')}Z`)
      .join('')
  const drawn = features.flatMap(one => (one.kind === 'area' ? [] : [{ ...one, kind: one.kind }]))
  return {
    width,
    height,
    boundary: boundary === null ? '' : path(boundary),
    areas: drawn
      .toSorted((a, b) => Number(a.kind === 'zone') - Number(b.kind === 'zone'))
      .map(one => ({ id: one.id, path: path(groundOf(one)), kind: one.kind, danger: DANGER.includes(one.zone_type ?? '') })),
    names: drawn
      .filter(one => one.kind === 'building')
      .map(one => ({ id: one.id, text: label(one), at: below(put(topOf(groundOf(one)))) })),
    signs: apart(
      rows.flatMap(({ n, point }) => {
        const spot = spotIn(point.place.point)
        return spot === null ? [] : [{ n, point, from: put(spot) }]
      }),
    ),
    bar: barOf(scale, width),
  }
}

/** A name is inside its building, below the upper edge, where few points are. */
const below = ([x, y]: Place): Place => [x, y + NAME]
const NAME = 10

const rounded = (value: number): number => Math.round(value * 10) / 10

const ringsOf = (ground: Ground): Spot[][] =>
  (ground.type === 'Polygon' ? ground.coordinates : ground.coordinates.flat()).map(ring =>
    ring.map(([lon = 0, lat = 0]): Spot => [lon, lat]),
  )

/** Returns how positions become those of the picture, north up: all of a box, with some room around it. */
function fitted([west, south, east, north]: Box, width: number): { put(spot: Spot): Place; scale: number; height: number } {
  const plane: Plane = planeAt(lonLat([(west + east) / 2, (south + north) / 2]))
  const corners = [plane.metres([west, south]), plane.metres([east, north]), plane.metres([west, north]), plane.metres([east, south])]
  const span = (axis: 0 | 1): number => {
    const along = corners.map((corner: Metres) => corner[axis])
    return Math.max(Math.max(...along) - Math.min(...along), LEAST_M)
  }
  const room = Math.max(span(0), span(1)) * MARGIN
  const [wide, tall] = [span(0) + 2 * room, span(1) + 2 * room]
  // The picture of a tall site leaves room for text on its page.
  const scale = Math.min(width / wide, (width * TALLEST) / tall)
  const height = Math.ceil(tall * scale)
  return {
    scale,
    height,
    put: spot => {
      const [x, y] = plane.metres([...spot])
      return [width / 2 + x * scale, height / 2 - y * scale]
    },
  }
}

/** How many times as tall as wide the picture is at most. */
const TALLEST = 1.1

/** How far signs are from each other at least, and where one is tried that would cover another: in rings around its point. */
const APART = SIGN * 1.5
const RINGS = 6
const WAYS = 12

/** Moves signs that would cover others away from their points. One for which there is no room stays. */
export function apart(given: readonly Omit<Sign, 'at'>[]): Sign[] {
  const placed: Sign[] = []
  const free = ([x, y]: Place): boolean => placed.every(({ at }) => Math.hypot(at[0] - x, at[1] - y) >= APART)
  for (const one of given) {
    const tries = Array.from({ length: RINGS * WAYS }, (_, i): Place => {
      const [far, turn] = [APART * (1 + Math.floor(i / WAYS) * 0.6), ((i % WAYS) / WAYS) * 2 * Math.PI]
      return [one.from[0] + far * Math.sin(turn), one.from[1] - far * Math.cos(turn)]
    })
    placed.push({ ...one, at: [one.from, ...tries].find(free) ?? one.from })
  }
  return placed
}

const STEPS = [5, 2, 1]

/** Returns a bar of a round length, at most a fifth of the picture. */
function barOf(scale: number, width: number): { metres: number; units: number } {
  const most = width / 5 / scale
  const ten = 10 ** Math.floor(Math.log10(most))
  const metres = ten * (STEPS.find(step => step * ten <= most) ?? 1)
  return { metres, units: metres * scale }
}
