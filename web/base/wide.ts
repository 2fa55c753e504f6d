import { useEffect, useState } from 'react'

/** Returns whether the screen is wide enough for a table, or has another width at least, in pixels. */
export function useWide(px = 900): boolean {
  const query = `(min-width: ${px}px)`
  const [wide, setWide] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const asked = matchMedia(query)
    const hear = () => setWide(asked.matches)
    asked.addEventListener('change', hear)
    return () => asked.removeEventListener('change', hear)
  }, [query])
  return wide
}
