import { type Box, boxOf } from '../../../shared/geometry/box.ts'
import { invalidField, refuse } from '../../base/errors.ts'

export { awayFault, type Ground, outsideFault, outsideJudge } from './domain/outside.ts'
export { laid, overlapArea, pointOn, sharedArea } from './domain/overlay.ts'
export { readAreal, readPoint } from './domain/reading.ts'
export { boxed, groundOf } from './queries.ts'

/** Reads the query parameter `bbox`, `minlon,minlat,maxlon,maxlat`. */
export const readBox = (text: string): Box => boxOf(text) ?? refuse(invalidField('bbox', 'must be minlon,minlat,maxlon,maxlat.'))
