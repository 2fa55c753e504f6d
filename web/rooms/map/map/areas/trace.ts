// Points that a person sets on the map one after the other: by tapping, or at the cross in the middle with a button or the Enter key. Loaded by the tools that need it.
import type { ExpressionSpecification, GeoJSONSource, Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { hexOf } from '../../../../base/theme/contrast.ts'
import type { Theme } from '../../../../base/theme/themes.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import type { Spot } from '../model.ts'
import { snapAt } from './snap.ts'

const SOURCE = 'td-trace'
const LAYERS = ['td-trace-fill', 'td-trace-line', 'td-trace-points', 'td-trace-snap']
/** How near the first point a tap closes a shape, in pixels. */
const CLOSE_PX = 24
const STEP_PX = 20
const LEAP_PX = 100
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/** Points that are being set. */
export type Trace = {
  /** Sets a point at the cross. */
  add(): void
  /** Removes the last point. */
  drop(): void
  clear(): void
  stop(): void
}

type Given = {
  theme: Theme
  start: readonly Spot[]
  /** The rings that attract points; empty if nothing does. */
  rings(): readonly (readonly Spot[])[]
  /** Called for each change of the points. */
  onSpots(spots: readonly Spot[]): void
  /** Called when a tap on the first point closes the shape; without it, points make a line. */
  onClose?(spots: readonly Spot[]): void
}

/** Starts to set points. Arrow keys move the map under the cross, Enter sets a point, Backspace removes the last one; Alt ignores corners and edges. */
export function beginTrace(map: MapLibre, { theme, start, rings, onSpots, onClose }: Given): Trace {
  const [line, card] = [hexOf(COLOURS[theme].focus), hexOf(COLOURS[theme].card)]
  let spots: readonly Spot[] = start
  let ahead: { spot: Spot; snapped: boolean } | null = null
  const feature = (type: 'Point' | 'LineString' | 'Polygon', coordinates: unknown, part: string) => ({
    type: 'Feature',
    geometry: { type, coordinates },
    properties: { part },
  })
  const shapes = () => {
    const all = ahead === null ? spots : [...spots, ahead.spot]
    const [first] = all
    return {
      type: 'FeatureCollection',
      features: [
        ...(all.length > 1 ? [feature('LineString', all, 'line')] : []),
        ...(all.length > 2 && first !== undefined ? [feature('Polygon', [[...all, first]], 'fill')] : []),
        ...spots.map(spot => feature('Point', spot, 'point')),
        ...(ahead?.snapped === true ? [feature('Point', ahead.spot, 'snap')] : []),
      ],
    }
  }
  const part = (name: string): ExpressionSpecification => ['==', ['get', 'part'], name]
  map.addSource(SOURCE, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  map.addLayer({
    id: 'td-trace-fill',
    type: 'fill',
    source: SOURCE,
    filter: part('fill'),
    paint: { 'fill-color': line, 'fill-opacity': 0.15 },
  })
  map.addLayer({ id: 'td-trace-line', type: 'line', source: SOURCE, filter: part('line'), paint: { 'line-color': line, 'line-width': 3 } })
  map.addLayer({
    id: 'td-trace-points',
    type: 'circle',
    source: SOURCE,
    filter: part('point'),
    paint: { 'circle-color': card, 'circle-radius': 7, 'circle-stroke-color': line, 'circle-stroke-width': 3 },
  })
  map.addLayer({
    id: 'td-trace-snap',
    type: 'circle',
    source: SOURCE,
    filter: part('snap'),
    paint: { 'circle-color': line, 'circle-opacity': 0.35, 'circle-radius': 12, 'circle-stroke-color': line, 'circle-stroke-width': 2 },
  })
  const show = () => map.getSource<GeoJSONSource>(SOURCE)?.setData(JSON.parse(JSON.stringify(shapes())))
  const tell = (next: readonly Spot[]) => {
    spots = next
    ahead = null
    show()
    onSpots(next)
  }
  const attracted = (at: Spot, free: boolean): { spot: Spot; snapped: boolean } => {
    const found = free
      ? null
      : snapAt([...rings(), ...(onClose === undefined ? [] : [spots.slice(0, -1)])], at, ([lon, lat]) => map.project([lon, lat]))
    return found === null ? { spot: at, snapped: false } : { spot: found.spot, snapped: true }
  }
  const closes = (at: Spot): boolean => {
    const [first] = spots
    if (onClose === undefined || first === undefined || spots.length < 3) return false
    const [a, b] = [map.project([first[0], first[1]]), map.project([at[0], at[1]])]
    return Math.hypot(a.x - b.x, a.y - b.y) <= CLOSE_PX
  }
  const set = (at: Spot, free: boolean) => {
    if (closes(at)) return onClose?.(spots)
    tell([...spots, attracted(at, free).spot])
  }
  const clicked = ({ lngLat, originalEvent }: MapMouseEvent) => set([lngLat.lng, lngLat.lat], originalEvent.altKey)
  const moved = ({ lngLat, originalEvent }: MapMouseEvent) => {
    ahead = attracted([lngLat.lng, lngLat.lat], originalEvent.altKey)
    show()
  }
  const left = () => {
    ahead = null
    show()
  }
  const middle = (): Spot => {
    const { lng, lat } = map.getCenter()
    return [lng, lat]
  }
  const drop = () => tell(spots.slice(0, -1))
  const pressed = (event: KeyboardEvent) => {
    const way = ARROWS[event.key]
    if (way !== undefined)
      map.panBy([way[0] * (event.shiftKey ? LEAP_PX : STEP_PX), way[1] * (event.shiftKey ? LEAP_PX : STEP_PX)], { duration: 0 })
    else if (event.key === 'Enter') set(middle(), event.altKey)
    else if (event.key === 'Backspace') drop()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const cross = document.createElement('span')
  cross.className = 'map-cross map-cross-draw'
  map.getContainer().append(cross)
  map.doubleClickZoom.disable()
  map.on('click', clicked)
  map.on('mousemove', moved)
  map.on('mouseout', left)
  // Before the map's own keys, which move it by a whole step.
  map.getCanvas().addEventListener('keydown', pressed, true)
  show()
  return {
    add: () => set(middle(), false),
    drop,
    clear: () => tell([]),
    stop() {
      cross.remove()
      map.off('click', clicked)
      map.off('mousemove', moved)
      map.off('mouseout', left)
      map.getCanvas().removeEventListener('keydown', pressed, true)
      map.doubleClickZoom.enable()
      for (const id of LAYERS) if (map.getLayer(id) !== undefined) map.removeLayer(id)
      if (map.getSource(SOURCE) !== undefined) map.removeSource(SOURCE)
    },
  }
}
