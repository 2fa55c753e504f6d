import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'

/**
 * Brings the map back into sight when drawing begins or ends. On a phone the panel with its fields is below the map, so that people who have saved would be left
 * far below what they drew.
 */
export function useMapInSight(map: MapLibre | null, drafting: boolean): void {
  const before = useRef(drafting)
  useEffect(() => {
    if (before.current === drafting) return
    before.current = drafting
    map?.getContainer().scrollIntoView({ block: 'nearest' })
  }, [map, drafting])
}
