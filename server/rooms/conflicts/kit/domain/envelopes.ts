// The ground that things on the map take up (`conflict-and-planning.md` §4.2: the envelope of the map area). Pure.
import type { Ground } from '../../../../../shared/conflicts/sides.ts'
import type { Areal } from '../../../../../shared/geometry/plane.ts'
import { exclusionShapes, type Sizes } from '../../../map/plant/domain.ts'

/** What the envelope of a worker, machine or delivery depends on. */
export type EnvelopeRow = Omit<Sizes, 'bearing_deg'> & {
  kind: 'worker' | 'plant' | 'delivery'
  lon: number
  lat: number
  /** What was drawn, if it isn't a point. */
  polygon: Areal | null
  radius_m: number | null
  bearing_deg: number | null
}

/**
 * Returns what something takes up: the polygon that was drawn; of a machine, the shapes that nobody may enter, or its point; otherwise the disc around its
 * point. A machine can have two shapes, its reach and its footprint: together they are its envelope.
 */
export function envelopesOf(row: EnvelopeRow): Ground[] {
  const { kind, lon, lat, polygon, radius_m, bearing_deg } = row
  if (kind === 'plant') {
    const shapes = exclusionShapes({ lon, lat }, { ...row, bearing_deg: bearing_deg ?? 0 })
    return shapes.length > 0 ? shapes : [{ type: 'Point', coordinates: [lon, lat] }]
  }
  if (polygon !== null) return [polygon]
  return radius_m === null || radius_m <= 0
    ? [{ type: 'Point', coordinates: [lon, lat] }]
    : [{ type: 'Disc', coordinates: [lon, lat], radius_m }]
}
