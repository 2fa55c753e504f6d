// How layers of surveys look on the map: their own colours, above the ground and below everything that people do.
import type { LayerSpecification } from 'maplibre-gl'
import type { SurveyLayer } from './layers-data.ts'

/** Services from records or a site visit only are dashed: nobody has seen them. */
const UNPROVEN = ['QL-C', 'QL-D']

/** Returns the name of the source of a layer. */
export const sourceOf = (layer: Pick<SurveyLayer, 'id'>): string => `survey-${layer.id}`

/** Returns the layers of the map that show a survey, from the bottom up. */
export function surveyLooks(layer: SurveyLayer): LayerSpecification[] {
  const { stroke, fill, width, label_property } = layer.style
  const source = sourceOf(layer)
  const unproven = layer.role === 'utilities' && UNPROVEN.includes(layer.quality_level ?? '')
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': fill, 'fill-opacity': 0.2 },
    },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': stroke, 'line-width': width, ...(unproven ? { 'line-dasharray': [3, 1.5] } : {}) },
    },
    {
      id: `${source}-point`,
      type: 'circle',
      source,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-color': stroke, 'circle-radius': width + 2, 'circle-stroke-color': '#ffffff', 'circle-stroke-width': 1 },
    },
    ...(label_property == null ? [] : [labelled(source, label_property, stroke)]),
  ]
}

const labelled = (source: string, property: string, colour: string): LayerSpecification => ({
  id: `${source}-label`,
  type: 'symbol',
  source,
  minzoom: 16,
  layout: { 'text-field': ['to-string', ['get', property]], 'text-size': 11, 'text-optional': true },
  paint: { 'text-color': colour, 'text-halo-color': '#ffffff', 'text-halo-width': 1.5 },
})

/** The most that the service accepts, metres. */
const MOST_M = 1000

/** Returns how far a simplified line can be from the surveyed one at a zoom: about a pixel. */
export const toleranceAt = (zoom: number): number => (zoom >= 18 ? 0 : Math.min(MOST_M, Math.round(2 ** (17 - zoom) * 100) / 100))

/** Returns a box that stays the same while the map moves a little: its corners on a grid of a fifth of its size. */
export function steady([west, south, east, north]: readonly [number, number, number, number]): [number, number, number, number] {
  const step = (size: number) => 2 ** Math.ceil(Math.log2(Math.max(size, 1e-6) / 4))
  const [x, y] = [step(east - west), step(north - south)]
  const [low, high] = [
    (value: number, by: number) => Math.floor(value / by) * by,
    (value: number, by: number) => Math.ceil(value / by) * by,
  ]
  return [Math.max(-180, low(west, x)), Math.max(-85, low(south, y)), Math.min(180, high(east, x)), Math.min(85, high(north, y))]
}
