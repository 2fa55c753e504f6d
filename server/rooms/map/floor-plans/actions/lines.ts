import { Readable } from 'node:stream'
import { apply, type Pair } from '../../../../../shared/calibration/algebra.ts'
import { type Box, planeAt, position } from '../../../../../shared/geometry/plane.ts'
import { itemsIn } from '../../../../../shared/narrow.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, refuse } from '../../../../base/errors.ts'
import type { FileAnswer } from '../../../../base/files.ts'
import { linesIn } from '../../../../base/text-lines.ts'
import { readBox } from '../../../../kernel/geometry/door.ts'
import { simplified } from '../../kit/domain/lines.ts'
import type { Placement } from '../domain/placing.ts'
import type { FloorPlanRow } from '../queries.ts'

const CHUNK = 60_000

/** Returns the lines of a plan as GeoJSON, turned as it is placed, and written while they are read. */
export function linesOf(ctx: Ctx, row: FloorPlanRow, query: { bbox?: string; simplify_m?: number }): FileAnswer {
  const { placement, vector } = row
  const { sha256 } = vector
  if (placement === null || sha256 === null)
    return refuse(
      conflict('not_ready', 'The lines of this floor plan aren’t there yet: it must be placed, and its lines found.', {
        status: placement === null ? row.status : vector.status,
      }),
    )
  const box = query.bbox === undefined ? null : readBox(query.bbox)
  return {
    name: 'vector.geojson',
    type: 'application/geo+json',
    size: null,
    etag: `${sha256.slice(0, 32)}-${row.placed_times}-${query.bbox ?? ''}-${query.simplify_m ?? 0}`.replaceAll(/[^\w.,-]/g, ''),
    inline: true,
    open: async () => {
      const stored = await ctx.house.storage.open(sha256)
      return Readable.from(written(stored, row, placement, box, query.simplify_m ?? 0))
    },
  }
}

const roundedTo = (degrees: number) => Math.round(degrees * 1e8) / 1e8

async function* written(
  stored: Readable,
  row: FloorPlanRow,
  placement: Placement,
  box: Box | null,
  simplify_m: number,
): AsyncGenerator<string> {
  const plane = planeAt(placement.origin)
  // A unit of the sheet on the ground: of a drawing its own unit, else a pixel.
  const unit = row.sheet === null ? placement.ground_resolution_m : placement.ground_resolution_m * row.sheet.view.scale
  let text = '{"type":"FeatureCollection","features":['
  let first = true
  for await (const line of linesIn(stored)) {
    if (line === '') continue
    const stored_line: unknown = JSON.parse(line)
    const [layer, shows, coordinates, label] = itemsIn(stored_line)
    const points = itemsIn(coordinates).map(Number)
    const kept = simplify_m > 0 ? simplified(points, simplify_m / unit) : points
    const places: [number, number][] = []
    for (let i = 0; i + 1 < kept.length; i += 2) {
      const at: Pair = [kept[i] ?? 0, kept[i + 1] ?? 0]
      const [lon, lat] = plane.degrees(apply(placement.matrix, at))
      places.push([roundedTo(lon), roundedTo(lat)])
    }
    if (box !== null && !meets(places, box)) continue
    const geometry =
      label === undefined
        ? { type: 'LineString', coordinates: places }
        : { type: 'Point', coordinates: places[0] ?? position(placement.origin) }
    const properties = { layer, class: shows, ...(label === undefined ? {} : { text: label }) }
    text += `${first ? '' : ','}${JSON.stringify({ type: 'Feature', properties, geometry })}`
    first = false
    if (text.length > CHUNK) {
      yield text
      text = ''
    }
  }
  yield `${text}]}`
}

function meets(places: readonly (readonly [number, number])[], [west, south, east, north]: Box): boolean {
  let [w, s, e, n] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [lon, lat] of places) {
    w = Math.min(w, lon)
    e = Math.max(e, lon)
    s = Math.min(s, lat)
    n = Math.max(n, lat)
  }
  return w <= east && e >= west && s <= north && n >= south
}
