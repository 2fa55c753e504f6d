import { useEffect, useState } from 'react'

/** Returns a text once it has been the same for a moment, so that the service isn’t asked about every letter. */
export function usePaused(text: string, milliseconds: number): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return paused
}
