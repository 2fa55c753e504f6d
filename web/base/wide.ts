import { useEffect, useState } from 'react'

const WIDE = '(min-width: 900px)'

/** Returns whether the screen is wide enough for a table. */
export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const asked = matchMedia(WIDE)
    const hear = () => setWide(asked.matches)
    asked.addEventListener('change', hear)
    return () => asked.removeEventListener('change', hear)
  }, [])
  return wide
}
