// The map next to a plan: the points on the ground, how far each is off, and the plan as it would lie.
import { type GeoJSONSource, type ImageSource, type Map as MapLibre, Marker } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Calibration, Size } from '../../../../../shared/calibration/calibrate.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { useTheme } from '../../../../base/looks.ts'
import { useHere } from '../../../../base/site.tsx'
import { hexOf } from '../../../../base/theme/contrast.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import { useBoundary, useFrameAt, useNames } from '../data.ts'
import { type Box, boxOf, groundOf, type Spot } from '../model.ts'
import { MapHost } from '../parts/host.tsx'
import { sceneOf } from '../scene.ts'
import { useStart } from '../start.ts'
import { arrowsOf, cornersOn } from './pairs.ts'
import { settle, urlOf, usePlanGround } from './plan-ground.ts'
import { mapKey, type Sheet, sheetsOf } from './plan-list.ts'
import { useActiveMap } from './plans-data.ts'
import { t } from './says.ts'

const PREVIEW = 'pair-preview'
const ARROWS = 'pair-arrows'
const NO_SHEETS: readonly Sheet[] = []

/** A numbered point on the ground. */
export type GroundPin = { key: number; n: number; spot: Spot; moving: boolean; worst: boolean }

type Given = {
  /** The site map that is being calibrated; the map doesn't show it as it was. */
  site_map_id: string | null
  /** The building, zone or area of a floor plan. */
  feature_id: string | null
  /** Path of the picture, and its size. */
  picture: string
  size: Size
  /** How the plan lies by the points so far. */
  lies: Calibration | null
  pins: readonly GroundPin[]
  onPut(spot: Spot): void
  onPin(key: number): void
}

/** The map, and the points on it. */
export function MapView({ site_map_id, feature_id, picture, size, lies, pins, onPut, onPin }: Given) {
  const { site_id } = useHere()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const boundary = useBoundary(site_id)
  const active = useActiveMap(site_id, null)
  const names = useNames(site_id)
  const [map, setMap] = useState<MapLibre | null>(null)
  const scene = useMemo(
    () => sceneOf({ boundary: boundary.ground, frame, permits: [], markers: [], floor: null, chosen: feature_id, label: names.label }),
    [boundary.ground, frame, feature_id, names.label],
  )
  const around = useMemo(() => {
    const feature = frame.get(feature_id ?? '')
    const own = feature === undefined ? null : boxOf([groundOf(feature)])
    if (own !== null) return withRoom(own)
    return boxOf(boundary.ground === null ? [...frame.values()].map(groundOf) : [boundary.ground])
  }, [boundary.ground, frame, feature_id])
  const under = active.data?.site_map ?? null
  const sheets = useMemo(
    () =>
      under === null || under.id === site_map_id
        ? NO_SHEETS
        : sheetsOf({ site_id, map: under, plans: [], frame, floor: null, seen: { [mapKey(site_id)]: {} } }),
    [site_id, under, site_map_id, frame],
  )
  usePlanGround(map, sheets)
  usePreview(map, picture, size, lies)
  useArrows(map, lies)
  const putNow = useRef(onPut)
  putNow.current = onPut
  const putAtCross = () => {
    const centre = map?.getCenter()
    if (centre !== undefined) putNow.current([centre.lng, centre.lat])
  }
  const cross = useRef(putAtCross)
  cross.current = putAtCross
  useEffect(() => {
    if (map === null) return
    const own = map.getCanvas()
    own.setAttribute('aria-label', t('pair.map_label'))
    const typed = (event: KeyboardEvent) => {
      if (event.key === 'Enter') cross.current()
    }
    own.addEventListener('keydown', typed)
    return () => own.removeEventListener('keydown', typed)
  }, [map])
  const loading = frameAsked.isPending || boundary.isPending
  const empty = !loading && around === null
  const start = useStart(empty)
  if (loading || (empty && start === null)) return <Skeleton rows={1} height={420} />
  return (
    <div className="stack tight">
      <MapHost
        label={t('pair.map_label')}
        scene={scene}
        styles={names.styles}
        around={around}
        start={start?.view ?? null}
        onMap={setMap}
        onPick={(_picked, at) => onPut(at)}
        cross
      />
      <div className="row">
        <Button disabled={map === null} onClick={putAtCross}>
          {t('pair.at_cross_map')}
        </Button>
      </div>
      {map !== null && pins.map(pin => <PinOnMap key={pin.key} map={map} pin={pin} onPin={onPin} />)}
    </div>
  )
}

/** Room around a building, so that a point at its corner is not under the buttons of the map. */
const ROOM = 0.4
const withRoom = ([west, south, east, north]: Box): Box => {
  const [x, y] = [(east - west) * ROOM, (north - south) * ROOM]
  return [west - x, south - y, east + x, north + y]
}

/** A point on the map. */
function PinOnMap({ map, pin: { key, n, spot, moving, worst }, onPin }: { map: MapLibre; pin: GroundPin; onPin(key: number): void }) {
  const [host] = useState(() => document.createElement('div'))
  const [marker] = useState(() => new Marker({ element: host }))
  const [lon, lat] = spot
  useEffect(() => {
    marker.setLngLat([lon, lat]).addTo(map)
  }, [map, marker, lon, lat])
  useEffect(() => () => void marker.remove(), [marker])
  return createPortal(
    <button
      type="button"
      className="pair-pin"
      data-worst={worst || undefined}
      aria-pressed={moving}
      aria-label={t('pair.move_point', { n })}
      onClick={event => {
        event.stopPropagation()
        onPin(key)
      }}
    >
      {n}
    </button>,
    host,
  )
}

/** Shows the plan as it would lie. */
function usePreview(map: MapLibre | null, picture: string, size: Size, lies: Calibration | null): void {
  useEffect(() => {
    if (map === null || lies === null) return
    const [a, b, c, d] = cornersOn(size, lies)
    const coordinates: [[number, number], [number, number], [number, number], [number, number]] = [[...a], [...b], [...c], [...d]]
    const source = map.getSource<ImageSource>(PREVIEW)
    if (source === undefined) {
      map.addSource(PREVIEW, { type: 'image', url: urlOf(`${picture}?variant=preview`), coordinates })
      map.addLayer(
        { id: PREVIEW, type: 'raster', source: PREVIEW, paint: { 'raster-opacity': 0.6, 'raster-fade-duration': 0 } },
        'buildings-line',
      )
    } else source.setCoordinates(coordinates)
  }, [map, picture, size, lies])
  useEffect(() => {
    if (map === null) return
    const again = () => settle(map, PREVIEW, 'buildings-line')
    map.on('idle', again)
    return () => void map.off('idle', again)
  }, [map])
  const lying = lies !== null
  useEffect(() => {
    if (map === null || lying || map.getLayer(PREVIEW) === undefined) return
    map.removeLayer(PREVIEW)
    map.removeSource(PREVIEW)
  }, [map, lying])
}

/** Shows how far each point is off. */
function useArrows(map: MapLibre | null, lies: Calibration | null): void {
  const theme = useTheme()
  useEffect(() => {
    if (map === null) return
    const lines = lies === null || lies.redundancy <= 0 ? [] : arrowsOf(lies)
    const data = { type: 'LineString' as const }
    const features = lines.map(line => ({
      type: 'Feature' as const,
      properties: {},
      geometry: { ...data, coordinates: line.map(spot => [...spot]) },
    }))
    const collection = { type: 'FeatureCollection' as const, features }
    const source = map.getSource<GeoJSONSource>(ARROWS)
    if (source !== undefined) source.setData(collection)
    else map.addSource(ARROWS, { type: 'geojson', data: collection })
    if (map.getLayer(ARROWS) !== undefined) map.removeLayer(ARROWS)
    map.addLayer({
      id: ARROWS,
      type: 'line',
      source: ARROWS,
      layout: { 'line-cap': 'round' },
      paint: { 'line-color': hexOf(COLOURS[theme].stop), 'line-width': 3 },
    })
  }, [map, lies, theme])
}
