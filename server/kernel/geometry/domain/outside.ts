// The 2 km rule (`map.md` §0.2, rule 2): the one check that catches most faulty imports.
import {
  type Areal,
  boundsOf,
  type Geometry,
  type LonLat,
  lonLat,
  type Metres,
  metresBetween,
  metresTo,
  metresToLine,
  middleOf,
  type Position,
  planeAt,
  polygonsOf,
  positionsOf,
  ringHolds,
} from '../../../../shared/geometry/plane.ts'
import { spoken } from './overlay.ts'
import { LIMITS } from './reading.ts'

/** Where a site is: its boundary, otherwise its location. Without both, nothing can be checked against it. */
export type Ground = { boundary: Areal | null; location: LonLat | null }

/** How far outside the site a place can be, in metres. */
export const REACH_M = 2000

const swapped = ([lon, lat]: Position): Position => [lat, lon]

/** Returns how far a position is outside the site, in metres; 0 on the site, null if its place isn't known. */
export function metresOutside(ground: Ground, at: Position): number | null {
  if (ground.boundary !== null) return metresTo(ground.boundary, lonLat(at))
  return ground.location === null ? null : metresBetween(ground.location, lonLat(at))
}

/** Returns a quick check of many positions: whether each is further outside the site than `reach`. */
function judge(ground: Ground, reach: number): (at: Position) => boolean {
  const { boundary } = ground
  if (boundary === null) return at => (metresOutside(ground, at) ?? 0) > reach
  const middle = middleOf(boundsOf(boundary))
  const plane = planeAt(middle)
  const polygons = polygonsOf(boundary).map(rings => rings.map(ring => ring.map(plane.metres)))
  let near = polygons[0]?.[0]?.[0] ?? [0, 0]
  return at => {
    // No boundary is this large, and at this distance the flat plane is too inaccurate.
    if (metresBetween(middle, lonLat(at)) > 2 * LIMITS.span_m) return true
    const here = plane.metres(at)
    // The corners of a shape are near each other, so the corner of the boundary that was near the last one is tried first.
    const close = ([x, y]: Metres) => Math.hypot(x - here[0], y - here[1]) <= reach
    if (close(near)) return false
    const found = polygons.flat(2).find(close)
    if (found !== undefined) {
      near = found
      return false
    }
    return polygons.every(rings => {
      const inside = rings.filter(ring => ringHolds(ring, here)).length % 2 === 1
      return !inside && rings.every(ring => metresToLine(ring, here) > reach)
    })
  }
}

/**
 * Returns a check for many geometries. It returns the first position of a geometry that is too far outside; null if there is none or the site's place
 * isn't known.
 */
export function outsideJudge(ground: Ground, reach: number = REACH_M): (geometry: Geometry) => Position | null {
  if (ground.boundary === null && ground.location === null) return () => null
  const far = judge(ground, reach)
  return geometry => positionsOf(geometry).find(far) ?? null
}

/** Returns a geometry with lon and lat of every position swapped; null if the result isn't a place on Earth. */
function turned(geometry: Geometry): Geometry | null {
  if (positionsOf(geometry).some(([lon]) => Math.abs(lon) > 85.05)) return null
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: swapped(geometry.coordinates) }
    case 'LineString':
      return { type: 'LineString', coordinates: geometry.coordinates.map(swapped) }
    case 'Polygon':
    case 'MultiPolygon':
      return { type: 'MultiPolygon', coordinates: polygonsOf(geometry).map(rings => rings.map(ring => ring.map(swapped))) }
  }
}

const kilometres = (metres: number) => (metres < 100_000 ? `${(metres / 1000).toFixed(1)} km` : `${Math.round(metres / 1000)} km`)

/**
 * Returns why a geometry is too far from the site; null if it isn't. Says so if swapping lon and lat would bring it onto the site.
 */
export function outsideFault(ground: Ground, geometry: Geometry, reach: number = REACH_M): string | null {
  const first = outsideJudge(ground, reach)
  const at = first(geometry)
  if (at === null) return null
  const far = metresOutside(ground, at) ?? 0
  const other = turned(geometry)
  const hint =
    other !== null && first(other) === null
      ? ` With lon and lat swapped (${spoken(lonLat(swapped(at)))}), the place would be close enough: longitude comes first.`
      : ''
  const what = geometry.type === 'Point' ? 'lies' : `has ${spoken(lonLat(at))}, which lies`
  const from = ground.boundary === null ? 'from the site' : 'outside the site boundary'
  return `${what} ${kilometres(far)} ${from}; at most ${reach / 1000} km are allowed.${hint}`
}

/** How far a boundary can be from its site's location, in metres (`site-and-people.md` §1). */
const AWAY_M = 5000

/** Returns why a boundary is too far from the location of its site; null if it isn't. */
export function awayFault(boundary: Areal, location: LonLat): string | null {
  const far = metresTo(boundary, location)
  if (far <= AWAY_M) return null
  const other = turned(boundary)
  const hint =
    other !== null && metresTo(other, location) <= AWAY_M
      ? ' With lon and lat swapped, the boundary would be close enough: longitude comes first.'
      : ''
  return `lies ${kilometres(far)} from the location of the site (${spoken(location)}); at most ${AWAY_M / 1000} km are allowed.${hint}`
}
