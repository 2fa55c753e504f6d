// The panel of what is selected on the map: next to it, or on a phone a sheet at the bottom of the screen.
import type { Map as MapLibre } from 'maplibre-gl'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { AWAY_PX, cornerOf, type Size } from '../fitting.ts'
import type { Spot } from '../model.ts'

/** The size of a map. */
export const sizeOf = (map: MapLibre): Size => {
  const { clientWidth: width, clientHeight: height } = map.getContainer()
  return { width, height }
}

/** The size of a panel. */
export const sizeOfBox = ({ offsetWidth: width, offsetHeight: height }: HTMLElement): Size => ({ width, height })

/** Returns whether the panel is a sheet at the bottom of the screen; the style sheet decides at which width it is. */
export const isSheet = (panel: HTMLElement): boolean => getComputedStyle(panel).position === 'fixed'

type Given = { map: MapLibre; box: RefObject<HTMLDivElement | null>; at: Spot; content: ReactNode; away?: number | undefined }

/** Content that stays at its position while the map moves. On a phone, the map scrolls to where the sheet leaves it visible. */
export function Floating({ map, box, at: [lon, lat], content, away = AWAY_PX }: Given) {
  useEffect(() => {
    const own = box.current
    if (own === null) return
    const put = () => {
      if (isSheet(own)) {
        own.style.transform = ''
        return
      }
      const { left, top } = cornerOf(sizeOf(map), sizeOfBox(own), map.project([lon, lat]), away)
      own.style.transform = `translate(${left}px, ${top}px)`
    }
    put()
    const host = map.getContainer()
    const { top, height } = host.getBoundingClientRect()
    if (isSheet(own) && (top < 0 || top + height / 2 > innerHeight / 2)) host.scrollIntoView({ block: 'start' })
    /** Moves the map when the sheet has grown over what it is about. */
    const uncover = () => {
      if (!isSheet(own)) return
      const covered = host.getBoundingClientRect().top + map.project([lon, lat]).y + away - own.getBoundingClientRect().top
      if (covered > 0) map.panBy([0, covered], { animate: false })
    }
    map.on('move', put)
    const resized = new ResizeObserver(() => {
      put()
      if (map.isMoving()) map.once('moveend', uncover)
      else uncover()
    })
    resized.observe(own)
    return () => {
      map.off('move', put)
      map.off('moveend', uncover)
      resized.disconnect()
    }
  }, [map, box, lon, lat, away])
  return (
    <div ref={box} className="map-floating">
      {content}
    </div>
  )
}
