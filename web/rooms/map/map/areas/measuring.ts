import { areaOf, lonLat, metresBetween, type Position } from '../../../../../shared/geometry/plane.ts'
import type { Spot } from '../model.ts'

const at = ([lon, lat]: Spot) => lonLat([lon, lat])

/** Returns a length as a person reads it: to the centimetre below 10 m, to the decimetre below 1 km. */
const rounded = (metres: number): string =>
  metres < 10 ? metres.toFixed(2) : metres < 1000 ? metres.toFixed(1) : String(Math.round(metres))

/** Returns the length of the line through points, that of its last part, and the area inside it, as they are read. */
export function measured(spots: readonly Spot[]): { length_m: string; last_m: string; area_m2: string } {
  const parts = spots.slice(1).map((spot, i) => metresBetween(at(spots[i] ?? spot), at(spot)))
  const [first] = spots
  const ring = first === undefined || spots.length < 3 ? [] : [...spots, first].map(([lon, lat]): Position => [lon, lat])
  return {
    length_m: rounded(parts.reduce((sum, part) => sum + part, 0)),
    last_m: rounded(parts.at(-1) ?? 0),
    area_m2: ring.length === 0 ? '0' : rounded(areaOf({ type: 'Polygon', coordinates: [ring] })),
  }
}
