// Text labels as what the map draws.
import { type Shape, shape } from './collections.ts'
import { wordsFrom } from './crowding.ts'
import { plateSize } from './labels.ts'
import { ownLook } from './looks.ts'
import { spotIn } from './model.ts'
import type { TextLabel } from './signs.ts'

/** Returns the words on the map: from `dot` each is a dot, from `from` it is words, and from `to` it isn't shown. The selected one is never a dot. */
export function wordShapes(labels: readonly TextLabel[], chosen: string | null): Shape[] {
  const apart = wordsFrom(labels)
  return labels.flatMap(({ id, place, text, style_key, size_px, rotation_deg, anchor, min_zoom, max_zoom, colour }) => {
    const spot = spotIn(place.point)
    const range = { dot: min_zoom, from: id === chosen ? min_zoom : Math.max(min_zoom, apart), to: max_zoom + 1 }
    const fit = rotation_deg === 0 ? '' : plateSize({ text, size_px })
    const looks = { id, text, style: style_key, size: size_px, turn: rotation_deg, anchor, fit, ...range, chosen: id === chosen }
    return spot === null ? [] : [shape({ type: 'Point', coordinates: [...spot] }, { ...looks, ...ownLook(colour) })]
  })
}
