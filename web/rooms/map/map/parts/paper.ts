import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect } from 'react'
import { usePrinting } from '../../../../base/printing.ts'

/**
 * Puts what the map draws for paper over it while the page is printed. The browser prints what a map showed last, which has the colours of the screen; it prints
 * a copy as it is.
 */
export function usePaper(map: MapLibre | null): void {
  const printing = usePrinting() !== null
  useEffect(() => {
    if (map === null || !printing) return
    const shown = map.getCanvas()
    const paper = document.createElement('canvas')
    paper.className = 'map-paper'
    paper.width = shown.width
    paper.height = shown.height
    paper.style.width = shown.style.width
    paper.style.height = shown.style.height
    shown.after(paper)
    const copy = () => {
      const to = paper.getContext('2d')
      to?.clearRect(0, 0, paper.width, paper.height)
      to?.drawImage(shown, 0, 0)
    }
    map.on('render', copy)
    let left = false
    // After the plans, too, have the colours of paper: their effects come after this one.
    queueMicrotask(() => {
      if (!left) map.redraw()
    })
    return () => {
      left = true
      map.off('render', copy)
      paper.remove()
    }
  }, [map, printing])
}
