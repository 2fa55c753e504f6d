// Draws plans with the map library, which the host of the map has loaded. Tiles are asked for with the person's token.
import {
  addProtocol,
  type ErrorEvent,
  type ExpressionSpecification,
  type Map as MapLibre,
  type MapSourceDataEvent,
  type RasterTileSource,
} from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { isBusy, isWorthAgain } from '../../../../base/again.ts'
import { beforeAgain, fetchFile } from '../../../../base/api.ts'
import { asFault } from '../../../../base/fault.ts'
import { useDrawnTheme } from '../../../../base/printing.ts'
import type { Sheet } from './plan-list.ts'
import { useTiles } from './plans-data.ts'

const OURS = 'plan-'
/** What lies above a site map, and above a floor plan. */
const ABOVE = { map: 'areas-fill', plan: 'buildings-line' } as const
/** Fills over a site map are so weak that it stays visible. */
const FILLS: Readonly<Record<string, number>> = { 'areas-fill': 0.08, 'buildings-fill': 0.12 }
const PROTOCOL = 'plan'
// The map library counts zooms for tiles of 512 pixels, one less than the service.

let ready = false
/** Teaches the map library to ask for tiles as the app does. */
function readyTiles(): void {
  if (ready) return
  ready = true
  addProtocol(PROTOCOL, async ({ url }, { signal }) => ({ data: await tileAt(url.slice(PROTOCOL.length + 2), signal) }))
}

/** Returns a tile; asks for it again if the service is too busy, because the map library doesn't. */
async function tileAt(path: string, signal: AbortSignal): Promise<ArrayBuffer> {
  for (let failures = 0; ; failures++)
    try {
      return await (await fetchFile(path, signal)).arrayBuffer()
    } catch (error) {
      const fault = asFault(error)
      // The picture has newer tiles by now, or none of its own here.
      if (fault.status === 404) return new ArrayBuffer(0)
      if (signal.aborted || !isBusy(fault) || !isWorthAgain(failures, fault)) throw error
      await beforeAgain(failures, fault, signal)
    }
}

/** Returns the URL by which the map library asks for a file of the service. */
const urlOf = (path: string): string => `${PROTOCOL}:/${path}`

/** Returns the layer below which a sheet is drawn. */
const aboveOf = ({ is_map }: Pick<Sheet, 'is_map'>) => (is_map ? ABOVE.map : ABOVE.plan)

/** Moves a layer to its place, unless it is there: a new theme gives the map its own layers again, above all others. */
export function settle(map: MapLibre, id: string, above: string): void {
  const order = map.getStyle().layers.map(one => one.id)
  const [own, other] = [order.indexOf(id), order.indexOf(above)]
  if (own < 0 || other < 0) return
  const between = order.slice(Math.min(own, other) + 1, Math.max(own, other))
  if (own < other && between.every(one => one.startsWith(OURS))) return
  map.moveLayer(id, above)
}

type Strength = number | ExpressionSpecification
const isStrength = (value: unknown): value is Strength => typeof value === 'number' || Array.isArray(value)

/** Weakens the fills while there is a site map under them, or gives them back their own strength. */
function dim(map: MapLibre, on: boolean, own: Map<string, Strength>): void {
  for (const [id, weak] of Object.entries(FILLS)) {
    if (map.getLayer(id) === undefined) continue
    const now = map.getPaintProperty(id, 'fill-opacity')
    const before = own.get(id)
    if (on && now !== weak && isStrength(now)) {
      own.set(id, now)
      map.setPaintProperty(id, 'fill-opacity', weak)
    } else if (!on && now === weak && before !== undefined) map.setPaintProperty(id, 'fill-opacity', before)
  }
}

/** A sheet changes at once: paper doesn’t wait. */
const AT_ONCE = {
  'raster-fade-duration': 0,
  'raster-brightness-min-transition': { duration: 0 },
  'raster-brightness-max-transition': { duration: 0 },
}

const NONE: ReadonlySet<string> = new Set()

/** Draws these sheets, the first at the bottom. Returns the ids of those of which something couldn't be loaded. */
export function usePlanGround(map: MapLibre | null, sheets: readonly Sheet[]): ReadonlySet<string> {
  const theme = useDrawnTheme()
  const found = useTiles(sheets)
  const key = sheets.map((sheet, i) => `${sheet.id} ${sheet.content_version} ${sheet.opacity} ${found[i]?.dataUpdatedAt}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with everything that is drawn.
  const drawn = useMemo(() => sheets.flatMap((sheet, i) => (found[i]?.data === undefined ? [] : [{ sheet, tiles: found[i].data }])), [key])
  const latest = useRef(drawn)
  latest.current = drawn
  const own = useRef(new Map<string, Strength>())
  const [failing, setFailing] = useState(NONE)
  useEffect(() => {
    if (map === null) return
    readyTiles()
    const again = () => {
      for (const { sheet } of latest.current) settle(map, OURS + sheet.id, aboveOf(sheet))
      dim(
        map,
        latest.current.some(({ sheet }) => sheet.is_map),
        own.current,
      )
    }
    // Without a connection there are no tiles.
    const failed = (event: ErrorEvent & { sourceId?: string }) => {
      const { sourceId } = event
      // The library doesn't draw again after a tile that failed, so without this the map might never be idle.
      map.triggerRepaint()
      if (sourceId?.startsWith(OURS) !== true) console.error(event.error)
      else setFailing(before => new Set([...before, sourceId.slice(OURS.length)]))
    }
    const loaded = ({ sourceId, tile }: MapSourceDataEvent) => {
      if (tile === undefined || !sourceId.startsWith(OURS)) return
      const id = sourceId.slice(OURS.length)
      setFailing(before => (before.has(id) ? new Set([...before].filter(one => one !== id)) : before))
    }
    map.on('idle', again)
    map.on('error', failed)
    map.on('sourcedata', loaded)
    return () => {
      map.off('idle', again)
      map.off('error', failed)
      map.off('sourcedata', loaded)
      own.current.clear()
    }
  }, [map])
  useEffect(() => {
    if (map === null) return
    const wanted = new Map(drawn.map(({ sheet, tiles }) => [OURS + sheet.id, tiles.tiles[0]]))
    for (const { id } of map.getStyle().layers) {
      if (!id.startsWith(OURS)) continue
      // What it was added with: it has no tiles of its own before the next frame, and plans can arrive before that.
      const asked = map.getSource<RasterTileSource>(id)?.serialize().tiles?.[0]
      if (wanted.has(id) && asked === tileUrl(wanted.get(id) ?? '')) continue
      map.removeLayer(id)
      map.removeSource(id)
    }
    for (const { sheet, tiles } of drawn) {
      const id = OURS + sheet.id
      if (map.getLayer(id) === undefined) {
        const [west = -180, south = -85, east = 180, north = 85] = tiles.bounds
        map.addSource(id, {
          type: 'raster',
          tiles: [tileUrl(tiles.tiles[0] ?? '')],
          tileSize: 256,
          bounds: [west, south, east, north],
          minzoom: tiles.minzoom,
          maxzoom: tiles.maxzoom,
        })
        const above = map.getLayer(aboveOf(sheet)) === undefined ? undefined : aboveOf(sheet)
        map.addLayer({ id, type: 'raster', source: id, minzoom: Math.max(0, sheet.min_zoom - 1), paint: AT_ONCE }, above)
      }
      map.setPaintProperty(id, 'raster-opacity', sheet.opacity)
      const turned = theme === 'dark' && sheet.ink
      map.setPaintProperty(id, 'raster-brightness-min', turned ? 1 : 0)
      map.setPaintProperty(id, 'raster-brightness-max', turned ? 0 : 1)
      settle(map, id, aboveOf(sheet))
    }
    dim(
      map,
      drawn.some(({ sheet }) => sheet.is_map),
      own.current,
    )
  }, [map, drawn, theme])
  const absent = sheets.filter((_, i) => found[i]?.isError === true && found[i]?.data === undefined).map(({ id }) => id)
  return new Set([...absent, ...sheets.flatMap(({ id }) => (failing.has(id) ? [id] : []))])
}

/** The service gives whole URLs; the app asks below its own. */
const tileUrl = (whole: string): string => urlOf(whole.slice(whole.indexOf('/api/') + '/api'.length))
