// The outline that is drawn on the map, for panels next to it.
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useTheme } from '../../../../base/looks.ts'
import type { Ground } from '../model.ts'
import type { Sketch } from '../parts/sketch.ts'

/** Draws an outline while a panel is open; returns how it is replaced from the panel. */
export function useOutline(map: MapLibre | null, ground: Ground | null, onGround: (ground: Ground | null) => void) {
  const theme = useTheme()
  const sketch = useRef<Sketch | null>(null)
  const heard = useRef(onGround)
  heard.current = onGround
  // biome-ignore lint/correctness/useExhaustiveDependencies: one sketch for each panel; it contains what was drawn so far.
  useEffect(() => {
    if (map === null) return
    let over = false
    void import('../parts/sketch.ts').then(({ beginSketch }) => {
      if (!over) sketch.current = beginSketch(map, theme, ground, next => heard.current(next))
    })
    return () => {
      over = true
      // A map that was removed has already removed its layers.
      if (map.getCanvas().isConnected) sketch.current?.stop()
      sketch.current = null
    }
  }, [map, theme])
  return { put: (next: Ground | null) => sketch.current?.put(next) }
}
