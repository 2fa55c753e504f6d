// Random layouts of a site for the conflict engine, and the same comparison written a second time, another way: on JSTS, in another projection, minute by minute.
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import type JtsGeometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js'
import DistanceOp from 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js'
import SnapIfNeededOverlayOp from 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js'
import proj4 from 'proj4'
import { resolved } from '../shared/conflicts/matrix.ts'
import { isMatrix, mostLevels, type Rule } from '../shared/conflicts/rules.ts'
import type { Ground, Side, SiteFacts, Stretch } from '../shared/conflicts/sides.ts'
import { STANDARD_TYPES } from '../shared/conflicts/standard.ts'
import type { Position } from '../shared/geometry/plane.ts'
import { MINUTE } from '../shared/time.ts'
import type { Chance } from './chance.ts'
import { hour, permit, rule, SITE, side, standard } from './sides.ts'

/** A transverse Mercator projection with its origin at a site: right to a billionth within some kilometres, and no tangent plane. */
export const projectionAt = ({ lon, lat }: SiteFacts['centre']) =>
  proj4(`+proj=tmerc +lat_0=${lat} +lon_0=${lon} +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m`)
type Projection = ReturnType<typeof projectionAt>

/** The rules of the layouts: the matrix, one with a buffer, a shortest time and levels, and one about shared ground. */
export const LAYOUT_RULES: readonly Rule[] = [
  standard('permit_proximity'),
  rule('near', {
    a: { kinds: ['worker'] },
    b: { kinds: ['permit', 'active_area'] },
    when: { within_m: 8 },
    levels: { mode: 'within', max_gap: 1 },
    time_buffer_minutes: 20,
    min_overlap_minutes: 90,
  }),
  rule('inside', {
    b: { kinds: ['active_area'] },
    when: { field: 'pair.containment', op: 'ne', value: 'none' },
    levels: { mode: 'any' },
    outcome: { severity: 'red' },
  }),
]

const MINUTES = 1200

function groundOf(at: Chance, degrees: (x: number, y: number) => Position): Ground {
  const [x, y] = [at.next() * 90 - 45, at.next() * 90 - 45]
  const star = (cx: number, cy: number, size: number, corners: number): Position[] => {
    const turn = at.next() * Math.PI
    const ring = Array.from({ length: corners }, (_, i) => {
      const [angle, r] = [turn + (2 * Math.PI * i) / corners, size * (0.35 + 0.65 * at.next())]
      return degrees(cx + r * Math.cos(angle), cy + r * Math.sin(angle))
    })
    return [...ring, ring[0] ?? degrees(cx, cy)]
  }
  const hole = (size: number): Position[] => {
    const ring = Array.from({ length: 4 }, (_, i) =>
      degrees(x + size * Math.cos((Math.PI * i) / -2), y + size * Math.sin((Math.PI * i) / -2)),
    )
    return [...ring, ring[0] ?? degrees(x, y)]
  }
  const size = 1 + at.next() * 18
  switch (at.below(6)) {
    case 0:
      return { type: 'Point', coordinates: degrees(x, y) }
    case 1:
      return { type: 'Disc', coordinates: degrees(x, y), radius_m: size / 2 }
    case 2:
      return { type: 'Polygon', coordinates: [star(x, y, size, 4 + at.below(8))] }
    case 3:
      // The hole is within the smallest radius that a corner can have.
      return { type: 'Polygon', coordinates: [star(x, y, size, 8), hole(size * 0.2)] }
    case 4:
      return { type: 'MultiPolygon', coordinates: [[star(x, y, size / 3, 5)], [star(x + size, y, size / 3, 6)]] }
    default:
      return { type: 'Polygon', coordinates: [star(x, y, size, 3)] }
  }
}

function stretchesOf(at: Chance, degrees: (x: number, y: number) => Position): Stretch[] {
  return Array.from({ length: at.odds(0.25) ? 2 + at.below(2) : 1 }, () => {
    const from = at.below(MINUTES - 120)
    const level = at.below(4)
    return {
      from: hour(0) + from * MINUTE,
      to: hour(0) + (from + 20 + at.below(400)) * MINUTE,
      ground: groundOf(at, degrees),
      levels: at.odds(0.15) ? null : { from: level, to: level + (at.odds(0.2) ? 1 : 0) },
      heights: null,
      building_id: null,
      zone_ids: [],
      basis: 'own',
    }
  })
}

/** Makes a site with some sides near a random place of it, up to 3 km from its middle. */
export function layoutOf(at: Chance, size: number): { site: SiteFacts; sides: Side[]; projection: Projection } {
  const site = { ...SITE, centre: { lon: at.next() * 340 - 170, lat: at.next() * 130 - 65 } }
  const projection = projectionAt(site.centre)
  const [east, north] = [at.next() * 4000 - 2000, at.next() * 4000 - 2000]
  const degrees = (x: number, y: number): Position => {
    const [lon = 0, lat = 0] = projection.inverse([east + x, north + y])
    return [lon, lat]
  }
  const sides = Array.from({ length: size }, (_, i): Side => {
    const id = `s${at.below(1000)}-${i}`
    const footprint = stretchesOf(at, degrees)
    if (at.odds(0.6)) {
      const types = [...new Set(Array.from({ length: 1 + at.below(2) }, () => (at.odds(0.1) ? 'NEW' : at.of(STANDARD_TYPES))))]
      return permit(id, types, footprint)
    }
    return side(at.odds(0.5) ? 'worker' : 'active_area', id, footprint)
  })
  return { site, sides, projection }
}

const factory = new GeometryFactory()

/** A ground in JSTS: its points and areas without the radius of a disc. */
export function jtsOf(ground: Ground, projection: Pick<Projection, 'forward'>): { shape: JtsGeometry; radius: number } {
  const corner = (position: Position) => {
    const [x = 0, y = 0] = projection.forward([...position])
    return new Coordinate(x, y)
  }
  const polygon = (rings: Position[][]) => {
    const [shell, ...holes] = rings.map(ring => factory.createLinearRing(ring.map(corner)))
    if (shell === undefined) throw new Error('A polygon has no ring.')
    return factory.createPolygon(shell, holes)
  }
  if (ground.type === 'Point' || ground.type === 'Disc')
    return { shape: factory.createPoint(corner(ground.coordinates)), radius: ground.type === 'Disc' ? ground.radius_m : 0 }
  const shape = ground.type === 'Polygon' ? polygon(ground.coordinates) : factory.createMultiPolygon(ground.coordinates.map(polygon))
  return { shape, radius: 0 }
}

/** A clash as the second comparison finds it: times in minutes. */
export type Expected = { key: string; severity: 'amber' | 'red'; from: number; to: number; distance_m: number }

const CLOSE_M = 0.002
const minutesOf = (stretch: Stretch) => [(stretch.from - hour(0)) / MINUTE, (stretch.to - hour(0)) / MINUTE] as const

/** Compares everything with everything, minute by minute. `unsure`: pairs with a distance so near a limit that either result is right. */
export function expectedOf(
  sides: readonly Side[],
  rules: readonly Rule[],
  projection: Projection,
): { found: Expected[]; unsure: Set<string> } {
  const shapes = new Map(sides.flatMap(one => one.footprint.map(part => [part, jtsOf(part.ground, projection)] as const)))
  const found: Expected[] = []
  const unsure = new Set<string>()
  for (const [i, one] of sides.entries())
    for (const two of sides.slice(i + 1)) {
      if (one.lineage_id === two.lineage_id) continue
      for (const each of rules) {
        const fits = [
          [one, two],
          [two, one],
        ].some(([a, b]) => a !== undefined && b !== undefined && each.a.kinds.includes(a.kind) && each.b.kinds.includes(b.kind))
        if (fits) found.push(...ofPair(one, two, each, shapes, unsure))
      }
    }
  return { found, unsure }
}

type Shapes = ReadonlyMap<Stretch, { shape: JtsGeometry; radius: number }>
type Verdict = { weight: number; distance: number; close: boolean }

function ofPair(one: Side, two: Side, each: Rule, shapes: Shapes, unsure: Set<string>): Expected[] {
  const verdicts = new Map<string, Verdict>()
  for (const [i, p] of one.footprint.entries())
    for (const [j, q] of two.footprint.entries()) verdicts.set(`${i} ${j}`, verdictOf(one, two, p, q, each, shapes))
  const key = [each.id, ...[one.id, two.id].sort()].join(' ')
  if ([...verdicts.values()].some(verdict => verdict.close)) unsure.add(key)
  if ([...verdicts.values()].every(verdict => verdict.weight === 0)) return []
  const widen = each.time_buffer_minutes
  const there = (list: readonly Stretch[], minute: number) =>
    list.flatMap((part, i) => {
      const [from, to] = minutesOf(part)
      return minute >= from - widen && minute < to + widen ? [i] : []
    })
  const out: Expected[] = []
  // Each run of minutes in which both are somewhere, and within it each run in which a pair of stretches clashes.
  let run: Expected[] = []
  let open: Expected | null = null
  let together = 0
  for (let minute = -60; minute <= 2 * 1440; minute++) {
    const [a, b] = [there(one.footprint, minute), there(two.footprint, minute)]
    const firing = a.flatMap(i => b.flatMap(j => verdicts.get(`${i} ${j}`) ?? [])).filter(hit => hit.weight > 0)
    if (a.length > 0 && b.length > 0) together++
    else {
      if (together >= each.min_overlap_minutes) out.push(...run)
      run = []
      together = 0
    }
    if (firing.length === 0) open = null
    else {
      if (open === null) {
        open = { key, severity: 'amber', from: minute, to: minute, distance_m: Infinity }
        run.push(open)
      }
      open.to = minute + 1
      open.distance_m = Math.min(open.distance_m, ...firing.map(hit => hit.distance))
      if (firing.some(hit => hit.weight === 2)) open.severity = 'red'
    }
  }
  return out
}

function verdictOf(one: Side, two: Side, p: Stretch, q: Stretch, each: Rule, shapes: Shapes): Verdict {
  const [a, b] = [shapes.get(p), shapes.get(q)]
  if (a === undefined || b === undefined) throw new Error('A stretch has no shape.')
  const distance = Math.max(0, DistanceOp.distance(a.shape, b.shape) - a.radius - b.radius)
  const gap = p.levels === null || q.levels === null ? 0 : Math.max(p.levels.from - q.levels.to, q.levels.from - p.levels.to, 0)
  const near = (limit: number) => Math.abs(distance - limit) < CLOSE_M
  if (isMatrix(each.outcome)) {
    const { cells, default_distance_m } = each.outcome
    let [weight, close] = [0, false]
    for (const x of one.facts.permit_types)
      for (const y of two.facts.permit_types) {
        const cell = resolved(cells, x, y, { default_distance_m, levels: each.levels })
        if (cell.outcome === 'off' || gap > mostLevels(cell.levels)) continue
        if (near(cell.distance_m)) close = true
        if (distance <= cell.distance_m) weight = Math.max(weight, cell.outcome === 'red' ? 2 : 1)
      }
    return { weight, distance, close }
  }
  if (gap > mostLevels(each.levels)) return { weight: 0, distance, close: false }
  if (each.id === 'near') return { weight: distance <= 8 ? 1 : 0, distance, close: near(8) }
  if (isAreal(p) && isAreal(q)) {
    const shared = SnapIfNeededOverlayOp.intersection(a.shape, b.shape).getArea()
    // Less than a square decimetre is the tip of a corner, which may be nearer than the half millimetre that counts as touching.
    return { weight: shared > 0 ? 2 : 0, distance, close: (shared > 0 && shared < 0.01) || (shared === 0 && distance < CLOSE_M) }
  }
  const flat = DistanceOp.distance(a.shape, b.shape) - a.radius - b.radius
  return { weight: distance === 0 ? 2 : 0, distance, close: Math.abs(flat) < CLOSE_M && !(flat === 0 && a.radius + b.radius === 0) }
}

const isAreal = ({ ground }: Stretch): boolean => ground.type === 'Polygon' || ground.type === 'MultiPolygon'
