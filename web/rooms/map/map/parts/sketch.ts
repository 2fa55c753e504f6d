// Drawing on a map: corners are tapped, then dragged. Loaded only by people who draw.
import type { Map as MapLibre } from 'maplibre-gl'
import { type GeoJSONStoreFeatures, TerraDraw, TerraDrawPolygonMode, TerraDrawSelectMode } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import { hexOf } from '../../../../base/theme/contrast.ts'
import type { Theme } from '../../../../base/theme/themes.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import type { Ground, Spot } from '../model.ts'
import { joined, parted } from '../sketching.ts'

/** A sketch that is being drawn. */
export type Sketch = {
  /** Replaces the outline on the map, or removes it, ready to draw again. */
  put(ground: Ground | null): void
  stop(): void
}

/** Starts a sketch; `onChange` is called for every corner. */
export function beginSketch(
  map: MapLibre,
  theme: Theme,
  given: Ground | null,
  onChange: (ground: Ground | null) => void,
  snap: (at: Spot) => Spot | null = () => null,
): Sketch {
  const ink = COLOURS[theme]
  const [line, fill] = [hexOf(ink.focus), hexOf(ink.card)]
  const look = { fillColor: line, fillOpacity: 0.2, outlineColor: line, outlineWidth: 3, closingPointColor: line, closingPointWidth: 8 }
  const point = { selectionPointColor: fill, selectionPointOutlineColor: line, selectionPointWidth: 7, selectionPointOutlineWidth: 3 }
  // Only while Alt is held, a corner is placed freely.
  const toCustom = ({ lng, lat, heldKeys }: { lng: number; lat: number; heldKeys: string[] }): [number, number] | undefined => {
    const found = heldKeys.includes('Alt') ? null : snap([lng, lat])
    return found === null ? undefined : [found[0], found[1]]
  }
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 9 }),
    modes: [
      new TerraDrawPolygonMode({ styles: look, pointerDistance: 24 }),
      new TerraDrawSelectMode({
        pointerDistance: 24,
        flags: {
          polygon: {
            feature: { draggable: true, coordinates: { midpoints: true, draggable: true, deletable: true, snappable: { toCustom } } },
          },
        },
        styles: {
          selectedPolygonColor: line,
          selectedPolygonFillOpacity: 0.2,
          selectedPolygonOutlineColor: line,
          selectedPolygonOutlineWidth: 3,
          ...point,
          midPointColor: line,
          midPointOutlineColor: fill,
          midPointWidth: 5,
          midPointOutlineWidth: 2,
        },
      }),
    ],
  })
  draw.start()
  const tell = () => {
    const drawn = draw
      .getSnapshot()
      .flatMap(({ geometry, properties }) =>
        geometry.type === 'Polygon' && properties.mode === 'polygon' && properties.currentlyDrawing !== true ? [geometry.coordinates] : [],
      )
    onChange(joined(drawn))
  }
  draw.on('finish', id => {
    // Once a shape is closed, its points can be dragged.
    if (draw.getMode() === 'polygon') {
      draw.setMode('select')
      draw.selectFeature(id)
    }
    tell()
  })
  const put = (ground: Ground | null) => {
    draw.clear()
    if (ground === null) {
      draw.setMode('polygon')
      return
    }
    const features = parted(ground).map(
      (coordinates): GeoJSONStoreFeatures => ({
        type: 'Feature',
        properties: { mode: 'polygon' },
        geometry: { type: 'Polygon', coordinates },
      }),
    )
    const [first] = draw.addFeatures(features)
    draw.setMode('select')
    if (first?.id !== undefined && first.valid) draw.selectFeature(first.id)
  }
  put(given)
  return {
    put,
    stop() {
      draw.stop()
    },
  }
}
