// Markers that would overlap on screen: one marker for all of them until there is room, so that none hides another.
import { FIRST, type Marker, type Spot } from './markers.ts'

/** The markers of one position, side by side; `width` in pixels. */
export type Row = { key: string; spot: Spot; width: number; markers: Marker[] }

/** The height of a marker with the number below it, in pixels. */
const MARK_HIGH_PX = 46
/** Markers for several positions keep this distance, across or along, in pixels. */
const APART_PX = 46
const LOWEST = 10
/** From this zoom on, every row is shown by itself. */
const HIGHEST = 20

/** Higher than any zoom. */
export const FURTHEST = 30
const WORLD_PX = 512

type Pixel = readonly [x: number, y: number]

/** Returns a position in pixels of the whole world at a zoom, from its north-west corner. */
function pixelAt([lon, lat]: Spot, zoom: number): Pixel {
  const size = WORLD_PX * 2 ** zoom
  const north = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI
  return [(lon / 360 + 0.5) * size, (0.5 - north / 2) * size]
}

/** More squares than any grid has in one direction. */
const SQUARES = 2 ** 25

/** Returns an empty grid of squares of this many pixels, so that each thing is compared with its neighbours: comparing thousands with all others is too slow. */
function gridOf<T>(size: number) {
  const squares = new Map<number, T[]>()
  const keyOf = (x: number, y: number) => Math.floor(x / size) * SQUARES + Math.floor(y / size)
  const around = [0, -size, size]
  return {
    add([x, y]: Pixel, thing: T) {
      const key = keyOf(x, y)
      const there = squares.get(key)
      if (there === undefined) squares.set(key, [thing])
      else there.push(thing)
    },
    /** Returns the contents of a position's square and of the eight around it: everything less than `size` away, and some things that are further. */
    near: ([x, y]: Pixel): (readonly T[])[] => around.flatMap(dx => around.map(dy => squares.get(keyOf(x + dx, y + dy)) ?? [])),
  }
}

/** Returns for each row the zoom from which it doesn't overlap any other; a whole number, as the map's filters require. 0 means always. */
function roomyFrom(rows: readonly Row[]): Map<Row, number> {
  const roomy = new Map(rows.map(row => [row, 0]))
  const widest = rows.reduce((most, row) => Math.max(most, row.width), MARK_HIGH_PX)
  // Rows that overlap at a zoom also do at the lower ones.
  let free = rows
  for (let zoom = HIGHEST - 1; zoom >= 0 && free.length > 0; zoom--) {
    const grid = gridOf<{ row: Row; at: Pixel }>(widest)
    const pixels = new Map(rows.map(row => [row, pixelAt(row.spot, zoom)]))
    for (const [row, at] of pixels) grid.add(at, { row, at })
    free = free.filter(row => {
      const [x, y] = pixels.get(row) ?? [0, 0]
      const overlaps = grid
        .near([x, y])
        .some(square =>
          square.some(
            ({ row: other, at }) =>
              other !== row && Math.abs(at[0] - x) < (row.width + other.width) / 2 && Math.abs(at[1] - y) < MARK_HIGH_PX,
          ),
        )
      if (overlaps) roomy.set(row, zoom + 1)
      return !overlaps
    })
  }
  return roomy
}

/** Returns every row from the zoom at which it has room, and below that zoom one marker for rows that would overlap. */
export function spread(rows: readonly Row[]): Marker[] {
  const roomy = roomyFrom(rows)
  const alone = rows.flatMap(row => row.markers.map(marker => ({ ...marker, from: roomy.get(row) ?? 0 })))
  const together: Marker[] = []
  const open = new Map<string, Marker>()
  const highest = Math.max(0, ...roomy.values())
  for (let zoom = LOWEST; zoom < Math.max(highest, LOWEST + 1); zoom++) {
    for (const group of groupsAt(
      rows.filter(row => (roomy.get(row) ?? 0) > zoom),
      zoom,
    )) {
      const key = `${group.map(row => row.key).join(' ')} together`
      const known = open.get(key)
      if (known?.to === zoom) known.to = zoom + 1
      else {
        const made = markerOf(group, key, zoom === LOWEST ? 0 : zoom, zoom + 1)
        open.set(key, made)
        together.push(made)
      }
    }
  }
  return [...alone, ...together]
}

function markerOf(group: readonly Row[], key: string, from: number, to: number): Marker {
  const markers = group.flatMap(row => row.markers)
  const ids = markers.flatMap(marker => marker.ids)
  const standing = FIRST.find(one => markers.some(marker => marker.standing === one)) ?? 'draft'
  const [spot] = group.map(row => row.spot)
  return {
    key: `${key} ${from}`,
    spot: spot ?? [0, 0],
    standing,
    ids,
    slot: 0,
    mine: markers.some(marker => marker.mine),
    from,
    to,
    says: ids.length > 1 ? String(ids.length) : '',
    together: true,
  }
}

/** Groups rows that overlap at a zoom; the first of each group has the position of its marker. */
function groupsAt(rows: readonly Row[], zoom: number): Row[][] {
  const groups: Row[][] = []
  const grid = gridOf<{ at: Pixel; i: number }>(APART_PX)
  for (const row of rows) {
    const [x, y] = pixelAt(row.spot, zoom)
    const near = grid
      .near([x, y])
      .flat()
      .filter(({ at }) => Math.abs(at[0] - x) < APART_PX && Math.abs(at[1] - y) < APART_PX)
    const first = groups[near.reduce((least, { i }) => Math.min(least, i), groups.length)]
    if (first !== undefined) first.push(row)
    else {
      grid.add([x, y], { at: [x, y], i: groups.length })
      groups.push([row])
    }
  }
  return groups
}
