import { useEffect, useState } from 'react'

/** The time of this device, renewed every so often; at once when the app comes back to the front. */
export function useNow(every_ms = 15_000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const tick = () => setNow(Date.now())
    const timer = setInterval(tick, every_ms)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [every_ms])
  return now
}
