import type { ReactNode } from 'react'
import { FaultNote, Skeleton } from './note.tsx'

/** What was asked of the service, as far as its state matters here. */
export type Asked = { data: unknown; error: unknown; refetch(): unknown }

type Given = {
  queries: readonly Asked[]
  /** Rows of the placeholder; 0: nothing is shown until everything has loaded. */
  rows?: number
  /** Drawn only once everything has loaded. */
  children(): ReactNode
}

/** Shows what is made of several lists once all of them have loaded, or why one of them is missing: a choice without its list would offer only a part. */
export function Loaded({ queries, rows = 4, children }: Given) {
  const missing = queries.filter(query => query.data === undefined)
  const failed = missing.find(query => query.error !== null)
  if (missing.length === 0) return children()
  if (failed === undefined) return rows === 0 ? null : <Skeleton rows={rows} />
  return (
    <FaultNote
      error={failed.error}
      onRetry={() => {
        for (const query of missing) void query.refetch()
      }}
    />
  )
}
