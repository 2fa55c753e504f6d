import { type Box, boxOf } from '../../../shared/geometry/box.ts'
import type { LonLat } from '../../../shared/geometry/plane.ts'
import { invalidField, refuse } from '../../base/errors.ts'

export {
  type Cuttable,
  type CutterKind,
  cutterAt,
  type GeometryPlugs,
  type GroundKind,
  groundKinds,
  openedAt,
  plugGeometry,
  type TargetKind,
  targetKindOf,
} from './actions.ts'
export { type Carved, carved, countsOf, covered, grown, joined } from './domain/carving.ts'
export { type LevelSpan, levelsMeet, type OnGround } from './domain/levels.ts'
export { awayFault, type Ground, outsideFault, outsideJudge } from './domain/outside.ts'
export { laid, overlapArea, pointOn, sharedArea } from './domain/overlay.ts'
export { readAreal, readPoint } from './domain/reading.ts'
export { boxed, groundOf } from './queries.ts'

/** Reads the query parameter `bbox`, `minlon,minlat,maxlon,maxlat`. */
export const readBox = (text: string): Box => boxOf(text) ?? refuse(invalidField('bbox', 'must be minlon,minlat,maxlon,maxlat.'))

/** Reads the query parameter `near`, `lon,lat`. */
export function readNear(text: string): LonLat {
  const [lon, lat] = text.split(',').map(Number)
  if (lon === undefined || lat === undefined || !(Math.abs(lon) <= 180) || !(Math.abs(lat) <= 85.05))
    return refuse(invalidField('near', 'must be lon,lat: longitude within ±180, then latitude within ±85.05.'))
  return { lon, lat }
}
