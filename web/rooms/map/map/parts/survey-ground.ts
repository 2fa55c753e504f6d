// Draws layers of surveys with the map library, which the host of the map has loaded.
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { isRecord } from '../../../../../shared/narrow.ts'
import type { Features, SurveyLayer } from '../layers-data.ts'
import type { Box } from '../model.ts'
import { sourceOf, steady, surveyLooks, toleranceAt } from '../survey.ts'

/** Everything that surveys must not cover is from this layer up. */
const ABOVE = 'boundary-line'

type Drawable = Extract<Parameters<GeoJSONSource['setData']>[0], { type: 'FeatureCollection' }>
/** Returns whether a value is what the map library draws; the service sends nothing else. */
const isCollection = (value: unknown): value is Drawable => isRecord(value) && value.type === 'FeatureCollection'

/** What the map shows: a box that doesn't change with every pixel, and how far lines can be simplified. */
export function useShown(map: MapLibre | null): { box: Box | null; simplify_m: number } {
  const [shown, setShown] = useState<{ box: Box | null; simplify_m: number }>({ box: null, simplify_m: 0 })
  useEffect(() => {
    if (map === null) return
    const look = () => {
      const bounds = map.getBounds()
      const box = steady([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()])
      const simplify_m = toleranceAt(Math.floor(map.getZoom()))
      setShown(before => (before.box?.join() === box.join() && before.simplify_m === simplify_m ? before : { box, simplify_m }))
    }
    look()
    map.on('moveend', look)
    return () => void map.off('moveend', look)
  }, [map])
  return shown
}

/** Removes a layer that is drawn. */
function erase(map: MapLibre, layer: SurveyLayer): void {
  for (const { id } of surveyLooks(layer)) if (map.getLayer(id) !== undefined) map.removeLayer(id)
  if (map.getSource(sourceOf(layer)) !== undefined) map.removeSource(sourceOf(layer))
}

/** Puts what is drawn above the ground, and below what people do: a new theme gives the map its own layers again. */
function raise(map: MapLibre, layers: Iterable<SurveyLayer>): void {
  const order = map.getStyle().layers.map(one => one.id)
  const ground = order.indexOf('boundary-fill')
  for (const layer of layers)
    for (const { id } of surveyLooks(layer)) {
      const at = order.indexOf(id)
      if (at >= 0 && at < ground && order.includes(ABOVE)) map.moveLayer(id, ABOVE)
    }
}

/** Draws these layers. While the features of one are still loading, it stays as it is. */
export function useSurveys(map: MapLibre | null, layers: readonly { layer: SurveyLayer; features: Features | undefined }[]): void {
  const drawn = useRef(new Map<string, SurveyLayer>())
  useEffect(() => {
    if (map === null) return
    const kept = drawn.current
    const again = () => raise(map, kept.values())
    map.on('idle', again)
    return () => {
      map.off('idle', again)
      kept.clear() // the map goes with everything on it
    }
  }, [map])
  useEffect(() => {
    if (map === null) return
    const kept = drawn.current
    for (const [id, before] of [...kept]) {
      // A layer that looks different now is drawn again.
      if (layers.some(({ layer }) => layer.id === id && layer.version === before.version)) continue
      erase(map, before)
      kept.delete(id)
    }
    for (const { layer, features } of layers) {
      if (!isCollection(features)) continue
      kept.set(layer.id, layer)
      const source = map.getSource<GeoJSONSource>(sourceOf(layer))
      if (source === undefined) map.addSource(sourceOf(layer), { type: 'geojson', data: features })
      else source.setData(features)
      for (const look of surveyLooks(layer))
        if (map.getLayer(look.id) === undefined) map.addLayer(look, map.getLayer(ABOVE) === undefined ? undefined : ABOVE)
    }
  }, [map, layers])
}
