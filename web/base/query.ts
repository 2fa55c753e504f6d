// Server state lives here and nowhere else. What a query marks with `meta: { keep: true }` is kept on the device, so that a screen opens at once
// and without a line, with the time from when it is.
import { hashKey, hydrate, QueryClient, type QueryKey } from '@tanstack/react-query'
import { asFault } from './fault.ts'
import { storeDrop, storeGet, storePut } from './store.ts'

const HOUR = 3_600_000
const KEPT_HOURS = 72
const CACHE = 'queries'
const SAVE_AFTER_MS = 1000

/** What is known of the service. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: KEPT_HOURS * HOUR,
      retry: (count, error) => count < 2 && (asFault(error).unreached || asFault(error).status >= 502),
      retryDelay: count => 500 * 2 ** count,
      networkMode: 'always',
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

type KeptQuery = { key: QueryKey; data: unknown; at: number }
type Kept = { who: string; queries: KeptQuery[] }

let timer: ReturnType<typeof setTimeout> | undefined

/** Lays what was kept for this person into the cache, and keeps it up from now on. */
export async function recallQueries(who: string): Promise<void> {
  const kept = await storeGet<Kept>('cache', CACHE).catch(() => undefined)
  if (kept?.who === who) {
    const fresh = kept.queries.filter(({ at }) => at > Date.now() - KEPT_HOURS * HOUR)
    hydrate(queries, {
      mutations: [],
      queries: fresh.map(({ key, data, at }) => ({
        queryKey: key,
        queryHash: hashKey(key),
        dehydratedAt: at,
        meta: { keep: true },
        state: {
          data,
          dataUpdateCount: 1,
          dataUpdatedAt: at,
          error: null,
          errorUpdateCount: 0,
          errorUpdatedAt: 0,
          fetchFailureCount: 0,
          fetchFailureReason: null,
          fetchMeta: null,
          isInvalidated: true,
          status: 'success',
          fetchStatus: 'idle',
        },
      })),
    })
  } else if (kept !== undefined) await storeDrop('cache', CACHE)
  queries.getQueryCache().subscribe(event => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.meta?.keep !== true) return
    clearTimeout(timer)
    timer = setTimeout(() => void keepQueries(who), SAVE_AFTER_MS)
  })
}

async function keepQueries(who: string): Promise<void> {
  const found = queries.getQueryCache().findAll({ predicate: query => query.meta?.keep === true && query.state.status === 'success' })
  const kept: Kept = {
    who,
    queries: found.map(query => ({ key: query.queryKey, data: query.state.data, at: query.state.dataUpdatedAt })),
  }
  await storePut('cache', CACHE, kept).catch(() => undefined) // a full device keeps less, and still works
}
