// What was tapped on the map: the layers that can be selected, and what a double click is.
import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import type { Spot } from '../model.ts'

const NEAR_PX = 6
/** Layers of ground: a double click on it writes there. */
const GROUND = ['reach-fill', 'places-fill', 'alerts-fill', 'active-fill', 'zones-fill', 'buildings-fill', 'areas-fill'] as const
/** Layers that can be selected, the topmost first. */
const PICKED = [
  'alert-pins',
  'clash-signs',
  'markers',
  'tokens-colour',
  'tokens-dots',
  'points',
  'words',
  'words-dots',
  'clashes-casing',
  ...GROUND,
] as const
/** The second click of a double click comes within this time. */
const DOUBLE_MS = 250

/** What was selected: markers by their key, the rest by id; the topmost first. */
export type Pick = { layer: (typeof PICKED)[number]; id: string }

/** Layers of what is selected by its id, without a further look. */
export const BY_ID: ReadonlySet<Pick['layer']> = new Set([
  'points',
  'words',
  'words-dots',
  'clash-signs',
  'clashes-casing',
  'tokens-colour',
  'tokens-dots',
  'reach-fill',
  'alert-pins',
  'alerts-fill',
  'active-fill',
] as const)

const onGround = ([top]: readonly Pick[]): boolean => top === undefined || GROUND.some(layer => layer === top.layer)

function picksAt(map: MapLibre, { x, y }: MapMouseEvent['point']): Pick[] {
  const found = map.queryRenderedFeatures(
    [
      [x - NEAR_PX, y - NEAR_PX],
      [x + NEAR_PX, y + NEAR_PX],
    ],
    { layers: PICKED.filter(layer => map.getLayer(layer) !== undefined) },
  )
  return PICKED.flatMap(layer =>
    found
      .filter(one => one.layer.id === layer)
      .map(one => ({ layer, id: String(layer === 'markers' ? one.properties.key : one.properties.id) })),
  )
}

/** What the map reports. */
export type Heard = {
  onPick?: ((picked: readonly Pick[], at: Spot) => void) | undefined
  /** Called when ground is double-clicked; without it the map zooms in there. */
  onDouble?: ((at: Spot) => void) | null | undefined
}

/** Reports taps on a map. */
export function listen(map: MapLibre, heard: () => Heard): void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  map.on('click', ({ point, lngLat, originalEvent }) => {
    clearTimeout(waiting)
    const picked = picksAt(map, point)
    const say = () => heard().onPick?.(picked, [lngLat.lng, lngLat.lat])
    const byMouse = !(originalEvent instanceof PointerEvent && originalEvent.pointerType === 'touch')
    // The first click of a double click would select the ground and move the map, so that the second click would be somewhere else.
    if (heard().onDouble == null || !byMouse || picked.length === 0 || !onGround(picked)) say()
    else if (originalEvent.detail < 2) waiting = setTimeout(say, DOUBLE_MS)
  })
  map.on('dblclick', event => {
    const { onDouble } = heard()
    if (onDouble == null || !onGround(picksAt(map, event.point))) return
    clearTimeout(waiting)
    event.preventDefault()
    onDouble([event.lngLat.lng, event.lngLat.lat])
  })
  map.on('remove', () => clearTimeout(waiting))
}
