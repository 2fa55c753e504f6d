// "Everything else in here is ours" (`map.md` §2): time slices × parts, so that at each instant the members, what is taken and the slivers make up the container. Pure.
import {
  type Areal,
  areaOf,
  boundsOf,
  type Metres,
  middleOf,
  type Polygon,
  planeAt,
  polygonsOf,
  positionsOf,
} from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { carved, covered, grown, isSliver, type LeastPart, within } from '../../../../kernel/geometry/domain/carving.ts'

/** Something that takes a part of the container for a time. */
export type Taken = { id: string; shape: Areal; from: Instant; to: Instant | null }
/** Pour bays on a turned grid: their size in metres, and the direction of their length, degrees clockwise from north. */
export type Bay = { width_m: number; length_m: number; bearing_deg: number }
/** What is filled, and how. */
export type Asked = { container: Areal; from: Instant; to: Instant; clearance_m: number; bay: Bay | null; least: LeastPart }
/** A part of the container for a time. */
export type Part = { geometry: Polygon; from: Instant; to: Instant }
/** A part that is too small or too narrow to be a member. */
export type Sliver = { reason: 'too_small'; area_m2: number; from: Instant; to: Instant }
export type Filled = { parts: Part[]; left_out: Sliver[]; slices: number }

/** A container during a time: its outline can change while it is filled. */
export type Outline = { shape: Areal; from: Instant; to: Instant }

/** The most members and slices of a fill. */
export const MOST_PARTS = 500
export const MOST_SLICES = 200

const later = (a: Instant, b: Instant) => (a > b ? a : b)
const RADIANS = Math.PI / 180

/** Returns the cells of a grid over a container, each a rectangle of the size of a bay. */
export function cellsOf(container: Areal, { width_m, length_m, bearing_deg }: Bay): Polygon[] {
  const plane = planeAt(middleOf(boundsOf(container)))
  const [sin, cos] = [Math.sin(bearing_deg * RADIANS), Math.cos(bearing_deg * RADIANS)]
  // Across and along the bays.
  const turned = positionsOf(container).map(position => {
    const [x, y] = plane.metres(position)
    return [x * cos - y * sin, x * sin + y * cos] as const
  })
  const low = (axis: 0 | 1) => Math.min(...turned.map(corner => corner[axis]))
  const high = (axis: 0 | 1) => Math.max(...turned.map(corner => corner[axis]))
  const [x0, y0] = [low(0), low(1)]
  const back = ([x, y]: Metres) => plane.degrees([x * cos + y * sin, y * cos - x * sin])
  const cells: Polygon[] = []
  // A last column or row that is thinner than a millimetre is only rounding.
  for (let y = y0; y < high(1) - 0.001; y += length_m)
    for (let x = x0; x < high(0) - 0.001; x += width_m) {
      const ring = [back([x, y]), back([x + width_m, y]), back([x + width_m, y + length_m]), back([x, y + length_m])]
      cells.push({ type: 'Polygon', coordinates: [[...ring, back([x, y])]] })
    }
  return cells
}

/** Returns the number of cells that a grid over a container would have. */
export function cellCount(container: Areal, { width_m, length_m }: Bay): number {
  const [west, south, east, north] = boundsOf(container)
  const plane = planeAt(middleOf(boundsOf(container)))
  const [x0, y0] = plane.metres([west, south])
  const [x1, y1] = plane.metres([east, north])
  const across = Math.hypot(x1 - x0, y1 - y0)
  return Math.ceil(across / width_m) * Math.ceil(across / length_m)
}

/**
 * Fills a container whose outline changes: each outline for its own time, so that at each instant the members make up the container as it is then. What has the same
 * shape before and after a change is one member.
 */
export function fillOver(asked: Omit<Asked, 'container' | 'from' | 'to'>, outlines: readonly Outline[], taken: readonly Taken[]): Filled {
  const all: Filled = { parts: [], left_out: [], slices: 0 }
  for (const { shape, from, to } of outlines) {
    const filled = fill({ ...asked, container: shape, from, to }, taken)
    const before = new Map(all.parts.flatMap(part => (part.to === from ? [[JSON.stringify(part.geometry), part]] : [])))
    for (const part of filled.parts) {
      const same = part.from === from ? before.get(JSON.stringify(part.geometry)) : undefined
      if (same === undefined) all.parts.push(part)
      else same.to = part.to
    }
    all.left_out.push(...filled.left_out)
    all.slices += filled.slices
  }
  return all
}

/** Returns the parts of a container that nothing takes, and the slivers that are left out. */
export function fill({ container, from, to, clearance_m, bay, least }: Asked, taken: readonly Taken[]): Filled {
  const inside = taken
    .filter(one => one.from < to && (one.to === null || one.to > from))
    .map(one => ({ ...one, shape: grown(one.shape, clearance_m) ?? one.shape }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.from < b.from ? -1 : 1))
  const ends = inside.flatMap(one => [later(one.from, from), ...(one.to !== null && one.to < to ? [one.to] : [])])
  const breaks = [...new Set([from, ...ends])].filter(at => at < to).sort()
  const cells = bay === null ? null : cellsOf(container, bay)
  const known = new Map<string, { parts: Polygon[]; slivers: number[] }>()
  const open = new Map<string, Part>()
  const parts: Part[] = []
  const left_out: Sliver[] = []
  breaks.forEach((begin, i) => {
    const end = breaks[i + 1] ?? to
    const active = inside.filter(one => one.from < end && (one.to === null || one.to > begin))
    const key = active.map(one => `${one.id} ${one.from}`).join()
    const cut = known.get(key) ?? slice(container, active, cells, least)
    known.set(key, cut)
    for (const area_m2 of cut.slivers) left_out.push({ reason: 'too_small', area_m2, from: begin, to: end })
    const next = new Map<string, Part>()
    for (const geometry of cut.parts) {
      const shape = JSON.stringify(geometry)
      // A neighbour with the same shape goes on.
      const before = open.get(shape)
      const part = before ?? { geometry, from: begin, to: end }
      part.to = end
      if (before === undefined) parts.push(part)
      next.set(shape, part)
    }
    open.clear()
    for (const [shape, part] of next) open.set(shape, part)
  })
  return { parts, left_out, slices: breaks.length }
}

function slice(
  container: Areal,
  active: readonly Taken[],
  cells: readonly Polygon[] | null,
  least: LeastPart,
): { parts: Polygon[]; slivers: number[] } {
  const { geometry, dropped } = carved(
    container,
    active.map(one => one.shape),
    least,
  )
  const slivers = dropped.map(one => one.area_m2)
  const whole = geometry === null ? [] : polygonsOf(geometry).map((coordinates): Polygon => ({ type: 'Polygon', coordinates }))
  if (cells === null) return { parts: whole, slivers }
  const parts: Polygon[] = []
  for (const part of whole)
    for (const cell of cells) {
      const common = within(part, cell)
      for (const coordinates of common === null ? [] : polygonsOf(common)) {
        const piece: Polygon = { type: 'Polygon', coordinates }
        if (isSliver(piece, least)) slivers.push(Math.round(areaOf(piece) * 1000) / 1000)
        else parts.push(piece)
      }
    }
  return { parts, slivers }
}

/** A member of a fill as it is stored. */
export type Member = { id: string; geometry: Areal; start_at: Instant; end_at: Instant }
/** What a new computation does to the members that aren't over. */
export type Regeneration = {
  create: Part[]
  change: { id: string; geometry: Polygon; start_at: Instant; end_at: Instant }[]
  end: string[]
  remove: string[]
  unchanged: string[]
}

/** Two shapes that differ by less than this, in square metres, are the same. */
const SAME_M2 = 0.02
/** The area in the plane in which shapes are compared. */
const flat = (shape: Areal): number => covered(shape, shape)
const sameShape = (a: Areal, b: Areal): boolean => Math.abs(flat(a) + flat(b) - 2 * covered(a, b)) < SAME_M2

/** Compares the members that are there now or ahead with a new computation that starts now: one that overlaps its old self by half keeps its id. */
export function regenerate(members: readonly Member[], parts: readonly Part[], now: Instant): Regeneration {
  const done: Regeneration = { create: [], change: [], end: [], remove: [], unchanged: [] }
  const left = new Map(members.filter(one => one.end_at > now).map(one => [one.id, one]))
  for (const part of parts) {
    const rivals = [...left.values()]
      .filter(one => one.start_at < part.to && one.end_at > part.from)
      .map(one => ({ one, shared: covered(one.geometry, part.geometry) }))
      .filter(({ one, shared }) => shared * 2 >= flat(one.geometry))
      .sort((a, b) => b.shared - a.shared || (a.one.start_at < b.one.start_at ? -1 : 1))
    const kept = rivals[0]?.one
    if (kept === undefined) {
      done.create.push(part)
      continue
    }
    left.delete(kept.id)
    // One that is there already began when it began.
    const start_at = kept.start_at < now && part.from <= now ? kept.start_at : part.from
    const same = start_at === kept.start_at && part.to === kept.end_at && sameShape(kept.geometry, part.geometry)
    if (same) done.unchanged.push(kept.id)
    else done.change.push({ id: kept.id, geometry: part.geometry, start_at, end_at: part.to })
  }
  for (const one of left.values()) (one.start_at < now ? done.end : done.remove).push(one.id)
  return done
}
