// The content of the map's sources, which is made again only when what it is made of has changed.
import { isOneOf } from '../../../../shared/narrow.ts'
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

/** The property that is different for each feature of a source, for sources of which a few change among thousands. */
export const APART = { tokens: 'id', reach: 'key' } as const
/** What has changed in a source, as the map library takes it. */
export type Diff = { remove: string[]; add: Shape[] }

/** More changes than this are read as a whole. */
const FEW = 100

/** Returns what has changed between two contents of a source; null if too much has, or if its features look alike. */
export function diffOf(source: string, before: Collection | undefined, after: Collection): Diff | null {
  if (before === undefined || !isOneOf(Object.keys(APART), source)) return null
  const name = source === 'tokens' ? APART.tokens : APART.reach
  const key = ({ properties }: Shape) => String(properties[name])
  const left = new Map(before.features.map(one => [key(one), one]))
  const add: Shape[] = []
  for (const one of after.features) {
    if (left.get(key(one)) !== one) add.push(one)
    left.delete(key(one))
    if (add.length > FEW) return null
  }
  return left.size > FEW ? null : { remove: [...left.keys()], add }
}

/** Makes the shapes of a thing, or returns the same as last time if they are made of the same. */
export function shapesAgain<T extends object>(): (thing: T, of: readonly unknown[], make: () => Shape[]) => Shape[] {
  const kept = new WeakMap<T, { of: readonly unknown[]; made: Shape[] }>()
  return (thing, of, make) => {
    const last = kept.get(thing)
    if (last?.of.every((one, i) => Object.is(one, of[i])) === true) return last.made
    const made = make()
    kept.set(thing, { of, made })
    return made
  }
}

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
