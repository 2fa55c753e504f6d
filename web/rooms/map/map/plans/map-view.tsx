// The map next to a plan, or below it: the points on the ground, how far each is off, and the plan as it would lie.
import { type GeoJSONSource, type Map as MapLibre, Marker } from 'maplibre-gl'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Calibration, Size } from '../../../../../shared/calibration/calibrate.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { useTheme } from '../../../../base/looks.ts'
import { useHere } from '../../../../base/site.tsx'
import { hexOf } from '../../../../base/theme/contrast.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import { useBoundary, useFrameAt, useNames } from '../data.ts'
import { type Box, boxOf, type Ground, groundOf, type Spot } from '../model.ts'
import { MapHost } from '../parts/host.tsx'
import { sceneOf } from '../scene.ts'
import { useStart } from '../start.ts'
import { arrowsOf } from './pairs.ts'
import { usePlanGround } from './plan-ground.ts'
import { mapKey, type Sheet, sheetsOf } from './plan-list.ts'
import { useActiveMap } from './plans-data.ts'
import { usePreview } from './preview.ts'
import { t } from './says.ts'

const ARROWS = 'pair-arrows'
const GUIDE = 'pair-guide'
/** How strong the plan is, unless the person chooses. */
const STRENGTH = 0.6
const NO_SHEETS: readonly Sheet[] = []
/** Names of places would cover the lines of a plan that is laid onto an outline. */
const UNNAMED = { styles: null, label: () => '' }

/** A numbered point on the ground. */
type GroundPin = { key: number; n: number; spot: Spot; moving: boolean; worst: boolean }

type Given = {
  /** The site map that is being calibrated; the map doesn't show it as it was. */
  site_map_id: string | null
  /** The building, zone or area of a floor plan. */
  feature_id: string | null
  /** Path of the picture, and its size. */
  picture: string
  size: Size
  /** How the plan lies. */
  lies: Pick<Calibration, 'matrix' | 'origin'> | null
  /** What the points are worth: how far each is off is drawn. */
  fit?: Calibration | null
  opacity?: number
  /** Whether the picture has dark lines and no paper. */
  ink?: boolean
  /** Draws the outline of the feature above the plan, and no names of places. */
  guide?: boolean
  /** Called when a place is tapped; without it, places aren't for tapping. */
  onPut?(spot: Spot): void
  /** What is on the map. */
  children(map: MapLibre): ReactNode
}

/** The map of a plan that is being placed. */
export function MapView({
  site_map_id,
  feature_id,
  picture,
  size,
  lies,
  fit = null,
  opacity = STRENGTH,
  ink = false,
  guide = false,
  onPut,
  children,
}: Given) {
  const { site_id } = useHere()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const boundary = useBoundary(site_id)
  const active = useActiveMap(site_id, null)
  const named = useNames(site_id)
  const names = guide ? UNNAMED : named
  const [map, setMap] = useState<MapLibre | null>(null)
  const label = t(onPut === undefined ? 'hand.map_label' : 'pair.map_label')
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
  usePreview(map, picture, size, lies, { opacity, ink })
  useArrows(map, fit)
  const outline = frame.get(feature_id ?? '')
  useGuide(
    map,
    useMemo(() => (guide && outline !== undefined ? groundOf(outline) : null), [guide, outline]),
  )
  const putNow = useRef(onPut)
  putNow.current = onPut
  const putAtCross = () => {
    const centre = map?.getCenter()
    if (centre !== undefined) putNow.current?.([centre.lng, centre.lat])
  }
  const cross = useRef(putAtCross)
  cross.current = putAtCross
  useEffect(() => {
    if (map === null) return
    const own = map.getCanvas()
    own.setAttribute('aria-label', label)
    const typed = (event: KeyboardEvent) => {
      if (event.key === 'Enter') cross.current()
    }
    own.addEventListener('keydown', typed)
    return () => own.removeEventListener('keydown', typed)
  }, [map, label])
  const loading = frameAsked.isPending || boundary.isPending
  const empty = !loading && around === null
  const start = useStart(empty)
  if (loading || (empty && start === null)) return <Skeleton rows={1} height={420} />
  return (
    <div className="stack tight">
      <MapHost
        label={label}
        scene={scene}
        styles={names.styles}
        around={around}
        start={start?.view ?? null}
        onMap={setMap}
        onPick={(_picked, at) => onPut?.(at)}
        cross={onPut !== undefined}
      />
      {onPut !== undefined && (
        <div className="row">
          <Button disabled={map === null} onClick={putAtCross}>
            {t('pair.at_cross_map')}
          </Button>
        </div>
      )}
      {map !== null && children(map)}
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
export function PinOnMap({
  map,
  pin: { key, n, spot, moving, worst },
  onPin,
}: {
  map: MapLibre
  pin: GroundPin
  onPin(key: number): void
}) {
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

/** Draws an outline above everything else, so that a plan can be laid onto it. */
function useGuide(map: MapLibre | null, outline: Ground | null): void {
  const theme = useTheme()
  useEffect(() => {
    if (map === null || outline === null) return
    map.addSource(GUIDE, { type: 'geojson', data: { type: 'Feature', properties: {}, geometry: outline } })
    // On a sheet, which is white in a dark theme, too, a light line needs a dark one around it.
    const line = (id: string, colour: string, width: number) =>
      map.addLayer({ id, type: 'line', source: GUIDE, paint: { 'line-color': colour, 'line-width': width } })
    line(`${GUIDE}-casing`, hexOf(COLOURS[theme].ground), 7)
    line(GUIDE, hexOf(COLOURS[theme].brand), 3)
    return () => {
      // The map is removed before this on the way to another page.
      if (map.style === undefined || map.getSource(GUIDE) === undefined) return
      for (const id of [GUIDE, `${GUIDE}-casing`]) if (map.getLayer(id) !== undefined) map.removeLayer(id)
      map.removeSource(GUIDE)
    }
  }, [map, outline, theme])
}
