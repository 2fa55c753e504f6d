// The content of the map's sources, which is made again only when what it is made of has changed.
import type { Ground } from './model.ts'

/** Something that a source draws. */
export type Shape = {
  type: 'Feature'
  id?: number
  geometry: Ground | { type: 'Point'; coordinates: number[] } | { type: 'LineString'; coordinates: number[][] }
  properties: Record<string, unknown>
}
/** The content of one source. */
export type Collection = { type: 'FeatureCollection'; features: Shape[] }

/** Returns the content of a source. */
export const collection = (features: Shape[]): Collection => ({ type: 'FeatureCollection', features })
/** Returns something that a source draws. */
export const shape = (geometry: Shape['geometry'], properties: Record<string, unknown>): Shape => ({
  type: 'Feature',
  geometry,
  properties,
})

/** Makes the shapes of a source, or returns the same content as last time if it is made of the same. */
export type Keep = (source: string, of: readonly unknown[], make: () => Shape[]) => Collection

/** Makes every source again each time: for maps that are made once. */
export const anew: Keep = (_source, _of, make) => collection(make())

/** Returns a function that keeps what it has made, so that the map reads only the sources that have changed. */
export function keeper(): Keep {
  const kept = new Map<string, { of: readonly unknown[]; made: Collection }>()
  return (source, of, make) => {
    const last = kept.get(source)
    if (last?.of.every((one, i) => Object.is(one, of[i])) === true) return last.made
    const made = collection(make())
    kept.set(source, { of, made })
    return made
  }
}
