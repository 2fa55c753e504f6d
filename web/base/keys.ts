import { useEffect, useRef } from 'react'

/** Returns whether a key is for what has the focus: a field that is typed in, or an open window. Letters mean nothing to a checkbox. */
export const isTyping = (event: KeyboardEvent): boolean =>
  event.target instanceof Element &&
  event.target.closest('input:not([type="checkbox"]), textarea, select, dialog, [contenteditable]') !== null

/** Calls back for single keys, wherever the focus is, except while typing or in a window. */
export function useKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const act = latest.current[event.key]
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      event.preventDefault()
      act(event)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}
