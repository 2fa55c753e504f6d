import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** `since`: when it opened, by the clock of events. */
type Panel = { place: HTMLElement | null; since: number; leave(): void }

/** The panels that are open, the last one on top. */
const open: RefObject<Panel>[] = []

/** Whether a key is for a panel: with the focus in it, on the map, or nowhere. A window or a menu that was opened from it closes alone. */
const isFor = ({ place }: Panel, target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('dialog, [popover]') === null &&
  (target === document.body || place?.contains(target) === true || target.closest('.map-host') !== null)

function hear(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  // What is opened by this very key doesn't hear it.
  const panel = open.findLast(({ current }) => current.since < event.timeStamp && isFor(current, event.target))
  if (panel === undefined) return
  event.preventDefault()
  panel.current.leave()
}

/** Calls back on Escape while a panel of the map is open. Only the panel that was opened last hears it. */
export function useEscape(place: RefObject<HTMLElement | null>, leave: () => void): void {
  const panel = useRef<Panel>({ place: null, since: 0, leave })
  useEffect(() => {
    panel.current.place = place.current
    panel.current.leave = leave
  })
  // Before the panel is painted: people may press the key as soon as they see it.
  useLayoutEffect(() => {
    panel.current.place = place.current
    panel.current.since = performance.now()
    if (open.length === 0) document.addEventListener('keydown', hear)
    open.push(panel)
    return () => {
      open.splice(open.indexOf(panel), 1)
      if (open.length === 0) document.removeEventListener('keydown', hear)
    }
  }, [place])
}
