import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTheme } from './looks.ts'
import type { Theme } from './theme/themes.ts'

/**
 * Returns when this page was sent to the printer; null while it is on screen. A page can draw for paper what its screen shows only in part: the change is
 * drawn before the browser prints the page.
 */
export function usePrinting(): number | null {
  const [since, setSince] = useState(() => (matchMedia('print').matches ? Date.now() : null))
  useEffect(() => {
    const paper = matchMedia('print')
    const begin = () => flushSync(() => setSince(Date.now()))
    const end = () => setSince(null)
    const change = () => (paper.matches ? begin() : end())
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    paper.addEventListener('change', change)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
      paper.removeEventListener('change', change)
    }
  }, [])
  return since
}

/** Returns the theme of what a page draws itself, such as a map: the one that is shown; on paper, a light one in place of a dark one, as in the style sheet. */
export function useDrawnTheme(): Theme {
  const theme = useTheme()
  return usePrinting() !== null && theme === 'dark' ? 'light' : theme
}
