import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'

/** Where the panel is below the map, as in the style sheet. */
const BELOW = '(max-width: 900px)'

/**
 * Brings the map back into sight when drawing begins or ends. On a phone the panel with its fields is below the map, so that people who have saved would be left
 * far below what they drew; and when they begin, the map goes to the top, because what is above it, such as an alert, would leave no room for the panel.
 */
export function useMapInSight(map: MapLibre | null, drafting: boolean): void {
  const before = useRef(drafting)
  useEffect(() => {
    if (before.current === drafting) return
    before.current = drafting
    map?.getContainer().scrollIntoView({ block: drafting && matchMedia(BELOW).matches ? 'start' : 'nearest' })
  }, [map, drafting])
}
