// Markers that would overlap on screen: one marker for all of them until there is room, so that none hides another.
import { FIRST, type Marker, type Spot } from './markers.ts'

/** The markers of one position, side by side; `width` in pixels. */
export type Row = { key: string; spot: Spot; width: number; markers: Marker[] }

/** The height of a marker with the number below it, in pixels. */
const MARK_HIGH_PX = 46
/** Markers for several positions keep this distance, in pixels. */
const APART_PX = 46
const LOWEST = 10

/** Higher than any zoom. */
export const FURTHEST = 30
/** With more positions than this, comparing them all is too slow: rows are then compared only with their neighbours. */
const COMPARED_AT_MOST = 400
const NEAR = 18
const WORLD_PX = 512

/** Returns the zoom from which a row doesn't overlap any other; a whole number, as the map's filters require. 0 means always. */
export function roomyFrom(row: Row, rows: readonly Row[]): number {
  if (rows.length > COMPARED_AT_MOST) return NEAR
  const flat = Math.cos((row.spot[1] * Math.PI) / 180)
  const zooms = rows.map(other => {
    if (other === row) return 0
    const across = (Math.abs(other.spot[0] - row.spot[0]) / 360) * WORLD_PX
    const along = (Math.abs(other.spot[1] - row.spot[1]) / 360 / flat) * WORLD_PX
    return Math.min(Math.log2((row.width + other.width) / 2 / across), Math.log2(MARK_HIGH_PX / along))
  })
  return Math.min(NEAR + 2, Math.max(0, Math.ceil(Math.max(...zooms))))
}

/** Returns every row from the zoom at which it has room, and below that zoom one marker for rows that would overlap. */
export function spread(rows: readonly Row[], from: (row: Row) => number): Marker[] {
  const roomy = new Map(rows.map(row => [row, from(row)]))
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
  const size = WORLD_PX * 2 ** zoom
  for (const row of rows) {
    const flat = Math.cos((row.spot[1] * Math.PI) / 180)
    const near = groups.find(([first]) => {
      if (first === undefined) return false
      const across = (Math.abs(first.spot[0] - row.spot[0]) / 360) * size
      const along = (Math.abs(first.spot[1] - row.spot[1]) / 360 / flat) * size
      return Math.hypot(across, along) < APART_PX
    })
    if (near === undefined) groups.push([row])
    else near.push(row)
  }
  return groups
}
