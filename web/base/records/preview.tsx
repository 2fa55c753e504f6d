// What the service says about something that is being written, before it is saved: asked once the person pauses.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FaultNote, Skeleton } from '../kit/note.tsx'
import { useLine } from '../line.ts'
import { usePaused } from '../paused.ts'

/** How long someone has to pause before the service is asked. */
const PAUSE_MS = 700
const FRESH_MS = 60_000

/** The state of a preview. */
type Preview<T> = { found: UseQueryResult<T>; wanted: boolean; up: boolean; busy: boolean }

type Asked<T> = {
  /** The first words of the query’s key. */
  queryKey: readonly unknown[]
  /** All that the answer depends on, as text. */
  about: string
  wanted: boolean
  ask(): Promise<T>
}

/** Asks the service once `about` has been the same for a moment; only while `wanted`. */
export function usePreview<T>({ queryKey, about, wanted, ask }: Asked<T>): Preview<T> {
  const { up } = useLine()
  const paused = usePaused(about, PAUSE_MS)
  const found = useQuery({
    queryKey: [...queryKey, about],
    queryFn: ask,
    enabled: wanted && up && paused === about,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  })
  return { found, wanted, up, busy: wanted && up && (paused !== about || found.isFetching) }
}

type Given<T> = {
  preview: Preview<T>
  /** What is shown while nothing is asked. */
  unready: ReactNode
  /** What is said without a connection, and while what is shown is asked again. */
  offline: string
  again: string
  /** What is shown of a refusal; false: its own words. */
  refused?(error: unknown): ReactNode
  children(found: T): ReactNode
}

/** What the service found, or why that isn’t known yet. */
export function PreviewBody<T>({ preview: { found, wanted, up, busy }, unready, offline, again, refused, children }: Given<T>) {
  return (
    <div className="stack" aria-live="polite" aria-busy={busy}>
      {!wanted ? (
        unready
      ) : !up ? (
        <p className="soft">{offline}</p>
      ) : found.error !== null && !found.isFetching ? (
        refused?.(found.error) || <FaultNote error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Skeleton rows={2} height={40} />
      ) : (
        <>
          {children(found.data)}
          {busy && <p className="soft small">{again}</p>}
        </>
      )}
    </div>
  )
}
