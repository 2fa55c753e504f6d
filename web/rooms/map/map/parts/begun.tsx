import { type ReactNode, useEffect, useRef } from 'react'

/**
 * The panel of what was begun on the map. Its heading gets the focus, or all of it if it has none: the button that opened it is removed, and in the order of
 * the page the panel comes after the map. A window has a focus of its own.
 */
export function Begun({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const head = place.current?.querySelector('h2') ?? place.current?.firstElementChild
    if (!(head instanceof HTMLElement) || head.closest('dialog') !== null) return
    head.tabIndex = -1
    head.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={place} className="map-begun">
      {children}
    </div>
  )
}
