// Draws the ground of the demo site, and what people have to find there.
import { planeAt } from '../../shared/geometry/plane.ts'
import type { Instant } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import { CORNER, type Corners, FRAME, GROUND, LABELS, POINTS } from './ground.ts'
import type { Row } from './reply.ts'

/** A call of the API as one of the demo's people. */
type Call = (by: string, method: 'POST', path: string, body: unknown) => Promise<Row>

const plane = planeAt(CORNER)
/** Returns a polygon of corners in metres. */
export const ring = (corners: Corners) => {
  const drawn = corners.map(([x, y]) => plane.degrees([x, y]))
  return { type: 'Polygon', coordinates: [[...drawn, drawn[0]]] }
}

/** The boundary of the site. */
export const SITE_BOUNDARY = ring(GROUND)

/** Draws the areas, buildings and zones, and what people have to find there. Returns the ids of the features by kind and code. */
export async function drawGround(call: Call, site_id: Id, contractors: Map<string, Id>, start_at: Instant): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  for (const { corners, levels, building, contractor, ...drawn } of FRAME) {
    const storeys = levels === undefined ? [] : Array.from({ length: levels.to - levels.from + 1 }, (_, i) => levels.from + i)
    const { id } = await call('max', 'POST', '/reference-features/zones', {
      site_id,
      ...drawn,
      outline: ring(corners),
      ...(contractor === undefined ? {} : { contractor_id: contractors.get(contractor) }),
      ...(levels === undefined
        ? {}
        : {
            levels: storeys.map(index => ({
              index,
              name: index < 0 ? `Basement ${-index}` : index === 0 ? 'Ground' : `Level ${index}`,
              aliases: [index < 0 ? `B${-index}` : index === 0 ? 'GF' : `L${String(index).padStart(2, '0')}`],
              floor_elevation_m: Math.round(index * levels.height_m * 100) / 100,
              height_m: levels.height_m,
            })),
          }),
      ...(building === undefined ? {} : { building_id: ids.get(`building ${building}`) }),
    })
    ids.set(`${drawn.kind} ${drawn.code}`, id)
  }
  await drawPoints(call, site_id, ids, start_at)
  return ids
}

/** Puts the points that people have to find on the map, and the words of the coordinator. */
async function drawPoints(call: Call, site_id: Id, ids: Map<string, Id>, start_at: Instant): Promise<void> {
  const pointAt = ([x, y]: readonly [number, number]) => {
    const [lon, lat] = plane.degrees([x, y])
    return { lon, lat }
  }
  for (const { at, building, level_index, ...point } of POINTS) {
    const named = building === undefined ? {} : { building_id: ids.get(`building ${building}`), level_index }
    await call('hal', 'POST', '/pois/', { site_id, ...point, start_at, place: { point: pointAt(at), ...named } })
  }
  for (const { at, ...label } of LABELS)
    await call('max', 'POST', '/text-labels/', { site_id, ...label, start_at, place: { point: pointAt(at) } })
}
