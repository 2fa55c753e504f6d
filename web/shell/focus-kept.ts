// Where the focus goes when a page removes what has it: a button that opens a form in its own place, a row that is deleted. The browser would put it at the start
// of the page, and a screen reader with it (WCAG 2.4.3). The same happens to what is disabled while it is being saved: a checkbox gets the focus again.

const HEADING = 'h1, h2, h3'

/** Returns an element and all that it is in, from the inside out. */
function around(element: Element): Element[] {
  const all: Element[] = []
  for (let one: Element | null = element; one !== null && one !== document.body; one = one.parentElement) all.push(one)
  return all
}

const isVisible = (element: Element): boolean => element instanceof HTMLElement && element.checkVisibility()
const firstOf = (place: Element, selector: string): Element | undefined => [...place.querySelectorAll(selector)].find(isVisible)

/** Returns what takes the place of something that was removed: the heading of the form or of the part of the page that is there now. Never a field: a phone would open its keyboard. */
function heirOf(places: readonly Element[]): HTMLElement | null {
  for (const place of places.filter(one => one.isConnected)) {
    const found = firstOf(place, 'form h2') ?? firstOf(place, HEADING)
    if (found instanceof HTMLElement) return found
  }
  return null
}

/** Watches the focus until `over` is aborted. `focused` had it when the page asked for this, which may have been removed or disabled since. */
export function keepFocus(focused: Element | null, over: AbortSignal): void {
  if (over.aborted) return
  let places: readonly Element[] = focused === null ? [] : around(focused)
  let timer: ReturnType<typeof setTimeout> | undefined
  const rescue = () => {
    if (document.activeElement !== document.body) return
    const heir = heirOf(places)
    places = []
    if (heir === null) return
    heir.tabIndex = -1
    heir.focus({ preventScroll: true })
  }
  // What a person has left, for example with Escape, doesn't get the focus again.
  let left: EventTarget | null = null
  const hear = ({ target }: FocusEvent) => {
    places = target instanceof Element ? around(target) : []
    left = null
  }
  const leave = () => {
    places = []
  }
  const out = ({ target }: FocusEvent) => {
    left = target instanceof Element && target.matches(':disabled') ? null : target
  }
  const resume = () => {
    const [last] = places
    if (last?.isConnected !== true) return rescue()
    if (document.activeElement === document.body && last !== left && last instanceof HTMLElement && !last.matches(':disabled'))
      last.focus({ preventScroll: true })
  }
  const look = () => {
    const [last] = places
    if (last === undefined) return
    clearTimeout(timer)
    // A window that closes returns the focus itself, just after it has closed; and between two fields nothing has the focus for an instant.
    timer = setTimeout(last.isConnected ? resume : rescue, 50)
  }
  const changed = new MutationObserver(look)
  document.addEventListener('focusin', hear, { signal: over })
  document.addEventListener('focusout', out, { signal: over })
  document.addEventListener('pointerdown', leave, { signal: over, capture: true })
  changed.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  look()
  over.addEventListener('abort', () => {
    clearTimeout(timer)
    changed.disconnect()
  })
}
