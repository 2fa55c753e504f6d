// Server state is kept here and nowhere else. Queries with `meta.keep` are stored on the device, so that a screen opens immediately and without
// a connection, with the time of its data.
import { hashKey, hydrate, type Query, QueryClient, type QueryKey } from '@tanstack/react-query'
import { againAfter, isWorthAgain } from './again.ts'
import { subjectNow } from './auth.ts'
import { takeKept } from './early.ts'
import { asFault } from './fault.ts'
import { lineNow, onLine } from './line.ts'
import { storeAll, storePut, storeTidy } from './store.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What is stored on the device: everything, or the result of this function. */
      keep?: boolean | ((data: unknown) => unknown)
      /** The kinds of things of which it has to be read again when one starts, ends or changes as time passes, without any event. */
      kinds?: readonly string[]
      /** Updates single records instead of refetching; returns null when it can't at the moment. */
      patch?(query: Query, ids: readonly string[]): Promise<void> | null
    }
  }
}

const HOUR = 3_600_000
/** Long enough for three days without a connection (U6), and the night after. */
export const KEPT_HOURS = 84
const SAVE_AFTER_MS = 1000

/** The cache of what the service returned. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: KEPT_HOURS * HOUR,
      retry: (failures, error) => isWorthAgain(failures, asFault(error)),
      retryDelay: (failures, error) => againAfter(failures, asFault(error), Math.random()),
      networkMode: 'always',
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

// What is on the screen is read again once as soon as there is a connection; until then no read was sent (decision 1068).
onLine(() => {
  if (lineNow().up) void queries.refetchQueries({ type: 'active', stale: true }, { cancelRefetch: false })
})

type Kept = { who: string; key: QueryKey; data: unknown; at: number }
declare module './store.ts' {
  interface Drawers {
    cache: Kept
  }
}

/** Each query is stored under its own name, so that two windows of one device don't overwrite each other's data. */
const nameOf = (hash: string) => `query ${hash}`

/** Loads the stored data of this person into the cache, and stores changes from now on. */
export async function recallQueries(who: string): Promise<void> {
  const all = (await storeAll('cache', takeKept()).catch(() => [])).filter(([name]) => name.startsWith('query '))
  const oldest = Date.now() - KEPT_HOURS * HOUR
  const fresh = all.filter(([, kept]) => kept.who === who && kept.at > oldest)
  void storeTidy('cache', oldest).catch(() => undefined)
  hydrate(queries, {
    mutations: [],
    queries: fresh.map(([, { key, data, at }]) => ({
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
  const changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const keep = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    // After sign-out, also in another window, nothing more is stored.
    if (subjectNow() !== who) changed.clear()
    for (const hash of changed) {
      const query = queries.getQueryCache().get(hash)
      if (query === undefined) continue
      const { keep } = query.meta ?? {}
      const data = typeof keep === 'function' ? keep(query.state.data) : query.state.data
      const kept: Kept = { who, key: query.queryKey, data, at: query.state.dataUpdatedAt }
      void storePut('cache', nameOf(hash), kept).catch(() => undefined) // a full device stores less, and still works
    }
    changed.clear()
  }
  queries.getQueryCache().subscribe(event => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.query.meta?.keep) return
    changed.add(event.query.queryHash)
    // The first change starts the timer, so that data that keeps changing is stored too.
    timer ??= setTimeout(keep, SAVE_AFTER_MS)
  })
  // A phone that goes into a pocket may not come back, so the data is stored now.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep()
  })
}

/**
 * Refetches queries by the first words of their keys. If only these records changed, a query that can update single records does so. If `ids` is
 * null, anything may have changed.
 */
export async function refetch(names: ReadonlyMap<string, ReadonlySet<string> | null>): Promise<void> {
  const namedBy = (query: Query) => [String(query.queryKey[0]), query.queryKey.slice(0, 2).join(' ')].filter(name => names.has(name))
  const stale = queries.getQueryCache().findAll({ predicate: query => namedBy(query).length > 0 })
  const patching: Promise<void>[] = []
  const whole = stale.filter(query => {
    const changed = namedBy(query).map(name => names.get(name) ?? null)
    const ids = changed.includes(null) ? null : [...new Set(changed.flatMap(one => [...(one ?? [])]))]
    // What isn’t on the screen is read as a whole when it is next shown.
    const patched = ids === null || !query.isActive() || query.state.data === undefined ? null : (query.meta?.patch?.(query, ids) ?? null)
    if (patched !== null) patching.push(patched)
    return patched === null
  })
  await Promise.all([queries.invalidateQueries({ predicate: query => whole.includes(query) }), ...patching])
}

/** The last update of single records of each query: the next one reads after it, so that what is read later is also put there later. */
const patches = new WeakMap<Query, Promise<void>>()
const MINUTE = 60_000
const dueAgain = new Set<string>()

/**
 * Reads single records again, and puts them into what a query has. If that fails, the whole query is refetched. It is refetched within a minute in any case,
 * because a change can have side effects on other records: a gate that opened, or a gang that is in two places at once.
 */
export function patchQuery<Here, Fresh>(query: Query, read: () => Promise<Fresh>, put: (here: Here, fresh: Fresh) => Here): Promise<void> {
  const patch = async () => {
    const fresh = await read()
    // A response that is still loading would overwrite the update.
    while (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
    queries.setQueryData<Here>(query.queryKey, here => here && put(here, fresh), { updatedAt: query.state.dataUpdatedAt })
  }
  const again = () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
  if (!dueAgain.has(query.queryHash)) {
    dueAgain.add(query.queryHash)
    setTimeout(() => {
      dueAgain.delete(query.queryHash)
      void again()
    }, MINUTE)
  }
  const done = (patches.get(query) ?? Promise.resolve()).then(patch).catch(again)
  patches.set(query, done)
  return done
}
