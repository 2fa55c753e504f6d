// Labels are never cut at the edge of the map: invisible boxes along the edge take up the room there, so that the library puts a label on another side of its
// place, or leaves it out. The library itself knows no edge: it draws a label as long as its place is in view.
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect } from 'react'

const EDGES = 'edges'
/** Length and thickness of a box, in pixels. The middle of its thickness is on the edge. */
const LONG = 64
const THICK = 8

const box = (width: number, height: number) => ({ width, height, data: new Uint8Array(width * height * 4) })

/** Returns the middles of the boxes along the edges of the map as it is now. */
function boxesOf(map: MapLibre) {
  const { clientWidth: width, clientHeight: height } = map.getContainer()
  const along = (length: number) => Array.from({ length: Math.ceil(length / LONG) }, (_, i) => Math.min(length - 1, i * LONG + LONG / 2))
  const at = (x: number, y: number, image: string) => {
    const { lng, lat } = map.unproject([x, y])
    return { type: 'Feature' as const, properties: { image }, geometry: { type: 'Point' as const, coordinates: [lng, lat] } }
  }
  return {
    type: 'FeatureCollection' as const,
    features: [
      ...along(width).flatMap(x => [at(x, 1, 'edge-flat'), at(x, height - 1, 'edge-flat')]),
      ...along(height).flatMap(y => [at(1, y, 'edge-tall'), at(width - 1, y, 'edge-tall')]),
    ],
  }
}

function hang(map: MapLibre): void {
  if (!map.hasImage('edge-flat')) map.addImage('edge-flat', box(LONG, THICK))
  if (!map.hasImage('edge-tall')) map.addImage('edge-tall', box(THICK, LONG))
  if (map.getSource(EDGES) === undefined) map.addSource(EDGES, { type: 'geojson', data: boxesOf(map) })
  if (map.getLayer(EDGES) === undefined)
    map.addLayer({
      id: EDGES,
      type: 'symbol',
      source: EDGES,
      layout: { 'icon-image': ['get', 'image'], 'icon-allow-overlap': true, 'icon-ignore-placement': false, 'icon-padding': 0 },
    })
  // Room is given from the top layer down.
  map.moveLayer(EDGES)
}

/** Keeps the labels of a map off its edge. `dressed` changes whenever the layers of the map have been made again. */
export function useEdges(map: MapLibre | null, dressed: readonly unknown[]): void {
  useEffect(() => {
    if (map !== null) hang(map)
  }, [map, ...dressed])
  useEffect(() => {
    if (map === null) return
    const put = () => map.getSource<GeoJSONSource>(EDGES)?.setData(boxesOf(map))
    map.on('moveend', put)
    map.on('resize', put)
    return () => {
      map.off('moveend', put)
      map.off('resize', put)
    }
  }, [map])
}

/** Returns how many labels touch the edge of the map, where they would be cut. */
export function cutAt(map: MapLibre, layers: readonly string[]): number {
  const { clientWidth: width, clientHeight: height } = map.getContainer()
  const strips: [[number, number], [number, number]][] = [
    [
      [0, 0],
      [width, 1],
    ],
    [
      [0, height - 1],
      [width, height],
    ],
    [
      [0, 0],
      [1, height],
    ],
    [
      [width - 1, 0],
      [width, height],
    ],
  ]
  const there = layers.filter(layer => map.getLayer(layer) !== undefined)
  return strips.reduce((n, strip) => n + map.queryRenderedFeatures(strip, { layers: there }).length, 0)
}
