import { type RefObject, useEffect, useRef } from 'react'

type Panel = { place: HTMLElement | null; leave(): void }

/** The panels that are open, the last one on top. */
const open: RefObject<Panel>[] = []

/** Whether a key is for a panel: with the focus in it, on the map, or nowhere. A window or a menu that was opened from it closes alone. */
const isFor = ({ place }: Panel, target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('dialog, [popover]') === null &&
  (target === document.body || place?.contains(target) === true || target.closest('.map-host') !== null)

function hear(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  const panel = open.findLast(({ current }) => isFor(current, event.target))
  if (panel === undefined) return
  event.preventDefault()
  panel.current.leave()
}

/** Calls back on Escape while a panel of the map is open. Only the panel that was opened last hears it. */
export function useEscape(place: RefObject<HTMLElement | null>, leave: () => void): void {
  const panel = useRef<Panel>({ place: null, leave })
  useEffect(() => {
    panel.current = { place: place.current, leave }
  })
  useEffect(() => {
    // What is opened by this very key doesn't hear it.
    const timer = setTimeout(() => {
      if (open.length === 0) document.addEventListener('keydown', hear)
      open.push(panel)
    })
    return () => {
      clearTimeout(timer)
      const at = open.indexOf(panel)
      if (at >= 0) open.splice(at, 1)
      if (open.length === 0) document.removeEventListener('keydown', hear)
    }
  }, [])
}
