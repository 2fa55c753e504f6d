// The map's background: the base map of the installation, or a grid in metres if there is none.
import type { GeoJSONSource, Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { hexOf } from '../../../../base/theme/contrast.ts'
import type { Theme } from '../../../../base/theme/themes.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import { gridOver, gridStep } from '../finding.ts'
import type { Box, Spot } from '../model.ts'

/** A change of colours is drawn at once: paper doesn’t wait. */
const AT_ONCE = { duration: 0 }

/** Returns a style with raster tiles, or an empty one. */
export const styleOf = (tiles_url: string | null, attribution: string | null): StyleSpecification =>
  tiles_url === null
    ? { version: 8, transition: AT_ONCE, sources: {}, layers: [] }
    : {
        version: 8,
        transition: AT_ONCE,
        sources: { base: { type: 'raster', tiles: [tiles_url], tileSize: 256, maxzoom: 19, attribution: attribution ?? '' } },
        layers: [{ id: 'base', type: 'raster', source: 'base' }],
      }

const GRID = 'grid'

/** Draws a grid in metres under everything else, and returns the spacing of its lines; null when there is a base map. */
export function useGrid(map: MapLibre | null, theme: Theme, around: Box | null): number | null {
  const [step, setStep] = useState<number | null>(null)
  const [west, south] = around ?? []
  useEffect(() => {
    if (map === null) return
    const ink = COLOURS[theme]
    if (map.getSource(GRID) === undefined) map.addSource(GRID, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
    if (map.getLayer(GRID) !== undefined) map.removeLayer(GRID)
    // Above the site's background, below everything that is drawn on it.
    const above = ['areas-fill', 'zones-fill'].find(id => map.getLayer(id) !== undefined)
    map.addLayer(
      {
        id: GRID,
        type: 'line',
        source: GRID,
        paint: { 'line-color': hexOf(ink.edge), 'line-opacity': 0.45, 'line-width': ['case', ['get', 'heavy'], 1.6, 0.7] },
      },
      above,
    )
    const draw = () => {
      const centre = map.getCenter()
      const origin: Spot =
        west === undefined || south === undefined ? [Math.round(centre.lng * 100) / 100, Math.round(centre.lat * 100) / 100] : [west, south]
      const apart = gridStep(centre.lat, map.getZoom())
      const box = map.getBounds()
      setStep(apart)
      const lines = gridOver([box.getWest(), box.getSouth(), box.getEast(), box.getNorth()], origin, apart)
      map.getSource<GeoJSONSource>(GRID)?.setData(lines)
    }
    draw()
    map.on('moveend', draw)
    map.on('resize', draw)
    return () => {
      map.off('moveend', draw)
      map.off('resize', draw)
    }
  }, [map, theme, west, south])
  return map === null ? null : step
}
