import { FaultNote, Stale } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'

/** What is wrong with the map: nothing could be fetched, or what it shows is as old as it says. */
export function MapFault({ error, at, onRetry }: { error: unknown; at: number | null; onRetry(): void }) {
  const { zone } = useHere()
  if (error === null) return null
  return at === null ? <FaultNote error={error} onRetry={onRetry} /> : <Stale at={at} zone={zone} />
}
