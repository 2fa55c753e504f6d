import type { Box } from '../../../shared/geometry/plane.ts'
import { invalidField, refuse } from '../../base/errors.ts'

export { awayFault, type Ground, outsideFault, outsideJudge, REACH_M } from './domain/outside.ts'
export { type Laid, laid, overlapArea, pointOn, sharedArea } from './domain/overlay.ts'
export { LIMITS, readAreal, readLineString, readPoint } from './domain/reading.ts'
export { boxed, groundOf } from './queries.ts'

/** The query parameter `bbox`, `minlon,minlat,maxlon,maxlat`, as a box. */
export function readBox(text: string): Box {
  const numbers = text.split(',').map(part => (part.trim() === '' ? Number.NaN : Number(part)))
  const [west, south, east, north, ...more] = numbers
  if (
    more.length === 0 &&
    numbers.every(Number.isFinite) &&
    west !== undefined &&
    south !== undefined &&
    east !== undefined &&
    north !== undefined &&
    west <= east &&
    south <= north
  )
    return [west, south, east, north]
  return refuse(invalidField('bbox', 'must be minlon,minlat,maxlon,maxlat.'))
}
