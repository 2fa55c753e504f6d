// The only place that uses the map library: it gets data, and reports what was selected. Loaded only by pages with a map.

import { type GeoJSONSource, LngLatBounds, Map as MapLibre, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isOneOf } from '../../../../../shared/narrow.ts'
import { config } from '../../../../base/config.ts'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useDrawnTheme } from '../../../../base/printing.ts'
import type { Theme } from '../../../../base/theme/themes.ts'
import { diffOf } from '../collections.ts'
import { lengthOf } from '../finding.ts'
import { paddingAbove, paddingFor } from '../fitting.ts'
import { layersOf } from '../layers.ts'
import type { LabelStyles } from '../looks.ts'
import type { Box, Spot, View } from '../model.ts'
import { t } from '../says.ts'
import { emptySource, type Scene, SOURCES } from '../scene.ts'
import { cutAt, useEdges } from './edges.ts'
import { Floating, isSheet, sizeOf, sizeOfBox } from './floated.tsx'
import { styleOf, useGrid } from './ground.ts'
import { hangIcons } from './icons.ts'
import { usePaper } from './paper.ts'
import { type Heard, listen } from './picked.ts'
import { hangPlates } from './plates.ts'

const corners = ([west, south, east, north]: Box): [[number, number], [number, number]] => [
  [west, south],
  [east, north],
]

setWorkerUrl(workerUrl)

const EASE_MS = 200
const COUNTED = SOURCES.filter(source => source !== 'tokens' && source !== 'reach')

/** Layers with labels. */
const NAMED = ['areas-label', 'zones-label', 'buildings-label']

/** Layers with the lines of clashes. */
const LINES = ['clashes-red', 'clashes-amber', 'clashes-settled']

type Given = Heard & {
  label: string
  scene: Scene
  /** What is shown first if the URL contains no view. */
  around: Box | null
  view?: View | null
  /** Where the map starts if there is nothing to show. */
  start?: View | null
  /** Called when the person has moved the map; and, once there is a view in the URL, also when the map has moved by itself, because a reload shows that view. */
  onView?(view: View, by_person: boolean): void
  /** When this changes, the map moves there and zooms in at least this far. */
  goTo?: View | null
  /** When this changes, the map shows all of it, with room above for the panel. */
  fit?: Box | null
  /** A static picture that does not move. */
  still?: boolean
  /** Called with the map once it can be drawn on. */
  onMap?(map: MapLibre | null): void
  /** How the labels of places look. */
  styles: LabelStyles
  /** Shows a cross in the middle. */
  cross?: boolean
  /** Called when a place is pressed for long, or with the right button. */
  onPress?(at: Spot): void
  /** Content that floats at a position, this many pixels away from it. */
  floating?: { at: Spot; content: ReactNode; away?: number } | null
}

/** Adds our sources and layers above the style's own. */
function dress(map: MapLibre, theme: Theme, base: boolean, styles: LabelStyles): void {
  for (const source of SOURCES) if (map.getSource(source) === undefined) map.addSource(source, emptySource(source))
  hangIcons(map, theme)
  hangPlates(map, styles)
  // The shape being drawn is above everything, even after the theme changes.
  const above = map.getStyle().layers.find(layer => layer.id.startsWith('td-'))?.id
  for (const layer of layersOf(theme, base, styles)) {
    if (map.getLayer(layer.id) !== undefined) map.removeLayer(layer.id)
    map.addLayer(layer, above)
  }
}

/** A map. `data-map` is `idle` once everything is drawn; then `data-drawn` is the number of our features that are visible (without tokens, of which there can be thousands), `data-named` that of the labels, `data-clashes` that of the lines of clashes, and `data-cut` that of the labels which its edge cuts. */
export function MapHost(given: Given) {
  const { label, scene, around, floating, goTo, styles, still = false } = given
  const place = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibre | null>(null)
  const [failed, setFailed] = useState(false)
  /** What the map has read. */
  const filled = useRef<Scene | null>(null)
  const theme = useDrawnTheme()
  const now = useRef(given)
  now.current = given
  const { style_url, tiles_url, attribution } = config().map
  const based = style_url !== null || tiles_url != null // a configuration stored by an older version of the app has no tiles

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is made once; changes are applied to it below.
  useEffect(() => {
    const box = place.current
    if (box === null) return
    const first = given.view ?? (around === null ? (given.start ?? null) : null)
    let made: MapLibre
    try {
      made = new MapLibre({
        container: box,
        style: style_url ?? styleOf(tiles_url ?? null, attribution),
        interactive: !still,
        attributionControl: based
          ? { compact: false, ...(style_url === null || attribution === null ? {} : { customAttribution: attribution }) }
          : false,
        dragRotate: false,
        pitchWithRotate: false,
        touchPitch: false,
        maxZoom: 22,
        fadeDuration: 0,
        locale: {
          'Map.Title': label,
          'NavigationControl.ZoomIn': t('map.nearer'),
          'NavigationControl.ZoomOut': t('map.further'),
          'AttributionControl.ToggleAttribution': t('map.attribution'),
        },
        // The library lets bounds override a centre, so it gets one of them.
        ...(first !== null
          ? { center: [first.spot[0], first.spot[1]], zoom: first.zoom }
          : around !== null && {
              bounds: new LngLatBounds([around[0], around[1], around[2], around[3]]),
              fitBoundsOptions: { padding: 32, maxZoom: 19 },
            }),
      })
    } catch {
      // There is no WebGL here: the list next to the map has the same content.
      setFailed(true)
      return
    }
    made.touchZoomRotate.disableRotation()
    made.keyboard.disableRotation()
    if (!still) made.addControl(new NavigationControl({ showCompass: false }), 'top-right')
    made.addControl(new ScaleControl({ maxWidth: 120 }), 'bottom-left')
    const busy = () => {
      box.dataset.map = 'busy'
    }
    made.on('dataloading', busy)
    made.on('movestart', busy)
    made.on('idle', () => {
      if (filled.current === null) return
      box.dataset.map = 'idle'
      const own = made.getStyle().layers.filter(layer => 'source' in layer && isOneOf(COUNTED, layer.source))
      box.dataset.drawn = String(made.queryRenderedFeatures({ layers: own.map(layer => layer.id) }).length)
      box.dataset.named = String(made.queryRenderedFeatures({ layers: NAMED.filter(one => made.getLayer(one) !== undefined) }).length)
      box.dataset.cut = String(cutAt(made, NAMED))
      box.dataset.clashes = String(made.queryRenderedFeatures({ layers: LINES.filter(one => made.getLayer(one) !== undefined) }).length)
    })
    made.on('moveend', event => {
      const { lng, lat } = made.getCenter()
      const by_person = 'originalEvent' in event && event.originalEvent !== undefined
      if (by_person || now.current.view != null) now.current.onView?.({ spot: [lng, lat], zoom: made.getZoom() }, by_person)
    })
    listen(made, () => now.current)
    made.on('contextmenu', ({ lngLat }) => now.current.onPress?.([lngLat.lng, lngLat.lat]))
    made.on('load', () => setMap(made))
    const resized = new ResizeObserver(() => made.resize())
    resized.observe(box)
    return () => {
      resized.disconnect()
      now.current.onMap?.(null)
      made.remove()
      filled.current = null
      setMap(null)
    }
  }, [])

  useEffect(() => {
    if (map !== null) dress(map, theme, based, styles)
  }, [map, theme, based, styles])
  useEdges(map, [theme, based, styles])
  const grid = useGrid(based ? null : map, theme, around)
  usePaper(map)
  useEffect(() => {
    if (map === null) return
    const before = filled.current
    filled.current = scene
    const changed = SOURCES.filter(source => before?.[source] !== scene[source])
    if (place.current !== null && changed.length > 0) place.current.dataset.map = 'busy'
    for (const source of changed) {
      const own = map.getSource<GeoJSONSource>(source)
      const diff = diffOf(source, before?.[source], scene[source])
      void (diff === null ? own?.setData(scene[source]) : own?.updateData(diff))
    }
  }, [map, scene])
  useEffect(() => {
    if (map !== null) now.current.onMap?.(map)
  }, [map])
  const [lon, lat] = goTo?.spot ?? []
  const zoom = goTo?.zoom ?? 0
  useEffect(() => {
    if (map === null || lon === undefined || lat === undefined) return
    map.easeTo({ center: [lon, lat], zoom: Math.max(map.getZoom(), zoom), duration: EASE_MS })
  }, [map, lon, lat, zoom])
  const panel = useRef<HTMLDivElement>(null)
  const fitted = given.fit?.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object with the same corners is the same box.
  useEffect(() => {
    if (map === null || given.fit == null) return
    const own = panel.current
    const padding = own !== null && isSheet(own) ? paddingAbove(sizeOf(map)) : paddingFor(sizeOf(map), own && sizeOfBox(own))
    map.fitBounds(corners(given.fit), { padding, maxZoom: 20, duration: EASE_MS })
  }, [map, fitted])
  // A site whose shape arrives after the map was made.
  const fresh = useRef(around === null && given.view == null)
  useEffect(() => {
    if (map === null || !fresh.current || around === null) return
    fresh.current = false
    map.fitBounds(corners(around), { padding: 32, maxZoom: 19, animate: false })
  }, [map, around])

  return (
    <div className="map-host">
      <div ref={place} className="map-place" data-map="busy" />
      {map !== null && (
        <p className="map-north" title={t('map.north')}>
          <Glyph name="north" size={20} />
          <span className="unseen">{t('map.north')}</span>
          {grid !== null && <span className="mono">{t('map.grid', { step: lengthOf(grid) })}</span>}
        </p>
      )}
      {map !== null && given.cross === true && <span className="map-cross" aria-hidden />}
      {failed && <p className="map-failed">{t('map.failed')}</p>}
      {map !== null && floating != null && <Floating map={map} box={panel} {...floating} />}
    </div>
  )
}
