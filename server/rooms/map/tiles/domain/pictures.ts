// Tiles as pictures: which are asked for, and what is said about them (`map.md` §11). Pure.
import { type Box, middleOf } from '../../../../../shared/geometry/plane.ts'
import { type FieldFault, invalid, notFound, type Refusal } from '../../../../base/errors.ts'

/** A tile that is asked for. */
export type Wanted = { z: number; x: number; y: number }

const WHOLE = /^-?\d{1,9}$/

/** Reads the numbers of a tile from a path. A zoom that the map doesn't have is absent; a row or column that no map has is a fault. */
export function wantedTile(
  params: Readonly<Record<string, string>>,
  zooms: { min_zoom: number; max_zoom: number },
): { tile: Wanted } | { refusal: Refusal } {
  const faults: FieldFault[] = []
  const number = (name: string) => {
    const text = params[name] ?? ''
    if (!WHOLE.test(text)) faults.push({ path: name, message: 'must be a whole number.' })
    return Number(text)
  }
  const [z, x, y] = [number('z'), number('x'), number('y')]
  if (faults.length > 0) return { refusal: invalid(faults) }
  if (z < zooms.min_zoom || z > zooms.max_zoom) return { refusal: notFound() }
  const most = 2 ** z - 1
  for (const [path, value] of [
    ['x', x],
    ['y', y],
  ] as const)
    if (value < 0 || value > most) faults.push({ path, message: `must be between 0 and ${most} at zoom ${z}.` })
  return faults.length > 0 ? { refusal: invalid(faults) } : { tile: { z, x, y } }
}

/** The formats of tiles, by their extension. */
export const FORMATS: Readonly<Record<string, { type: string; as: 'webp' | 'png' | 'jpeg' }>> = {
  webp: { type: 'image/webp', as: 'webp' },
  png: { type: 'image/png', as: 'png' },
  jpg: { type: 'image/jpeg', as: 'jpeg' },
}

/** Returns the formats in which a tile set is served: JPEG only if the picture has no gaps. */
export const formatsOf = (set: { opaque: boolean }): string[] => (set.opaque ? ['webp', 'png', 'jpg'] : ['webp', 'png'])

/** Returns the position and zoom with which a map of the tiles begins. */
export function centreOf({ bounds, min_zoom, max_zoom }: { bounds: Box; min_zoom: number; max_zoom: number }): [number, number, number] {
  const { lon, lat } = middleOf(bounds)
  return [lon, lat, Math.min(max_zoom, min_zoom + 1)]
}

/** Returns how long a response can be stored: a year if its URL has the current version of the content. */
export const cachingOf = (version: number, asked: string | undefined): string =>
  asked === String(version) ? 'private, max-age=31536000, immutable' : 'private, no-cache'

/** Returns an area as the path of an SVG drawing. */
export const svgPath = (rings: readonly (readonly (readonly [number, number])[])[]): string =>
  rings.map(ring => `M${ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`).join('')
