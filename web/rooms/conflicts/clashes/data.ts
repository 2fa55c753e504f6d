import { queryOptions, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { ask, askWhole, client, freshKey, nextOf } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import { type Decision, isToSettle, itemOf, type Kind } from './decisions.ts'
import type { Episode } from './types.ts'

/** How many days ahead clashes are listed. */
export const DAYS = 14
const AGAIN_MS = 60_000

/** Clashes that are read at first, and with each page after that. */
const AT_ONCE = 50
/** Clashes of a page when all of them are needed, because someone looks for a text. */
const ALL_AT_ONCE = 1000

/** Which clashes are listed: only red ones, only those of a rule, and `whole`: all of them, whether someone asks for more or not. */
type Listed = { red: boolean; rule: string | undefined; whole: boolean; enabled: boolean }

/** The clashes that someone has to settle, page by page: red first, then what stops work, then the soonest. */
export function useUnresolved(site_id: string, { red, rule, whole, enabled }: Listed) {
  const found = useInfiniteQuery({
    queryKey: ['clashes', site_id, 'to settle', red, rule ?? ''],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...{ site_id, horizon_days: DAYS, limit: whole ? ALL_AT_ONCE : AT_ONCE },
        ...(red ? { severity: ['red' as const] } : {}),
        ...(rule === undefined ? {} : { rule_id: [rule] }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      }
      const { data, headers } = await askWhole(client.GET('/clashes/unresolved', { params: { query }, signal }))
      return { rows: data, next: nextOf(headers) }
    },
    initialPageParam: '',
    getNextPageParam: last => last.next ?? undefined,
    refetchInterval: AGAIN_MS,
    enabled,
    meta: { keep: true },
  })
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = found
  useEffect(() => {
    if (whole && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage({ cancelRefetch: false })
  }, [whole, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  // A clash that moved in the list between two pages is in both.
  const rows = useMemo(() => [...new Map(data?.pages.flatMap(page => page.rows).map(one => [one.id, one])).values()], [data])
  return { ...found, rows }
}

const episode = (site_id: string, episode_id: string) =>
  queryOptions({
    queryKey: ['clashes', site_id, 'episode', episode_id],
    queryFn: async () => (await ask(client.GET('/clashes/episodes', { params: { query: { site_id, id: [episode_id] } } })))[0] ?? null,
    staleTime: AGAIN_MS,
  })

/** One episode in full: what it means for the work, and what was decided; null if there is none that the caller can see. */
export const useEpisode = (site_id: string, episode_id: string) => useQuery(episode(site_id, episode_id))

/** Single clashes as they are now, which the pages that were read don’t contain. One that isn’t read yet is left out of both; one that no longer has to be settled is only in `read`. */
export const useStill = (site_id: string, ids: readonly string[]) =>
  useQueries({
    queries: ids.map(id => episode(site_id, id)),
    combine: found => ({
      read: new Set(ids.filter((_, at) => found[at]?.data !== undefined)),
      rows: found.flatMap(({ data }) => (data != null && isToSettle(data) ? [data] : [])),
    }),
  })

const MOST_BLOCKED = 200

/** The clash from which a blocker was declared; its id, or null if there is none that is still there. */
export const useClashOfBlocker = (site_id: string, blocker_id: string | undefined) =>
  useQuery({
    queryKey: ['clashes', site_id, 'blocker', blocker_id],
    queryFn: async () => {
      const query = { site_id, status: ['open' as const], has_blocker: true, limit: MOST_BLOCKED }
      const found = await ask(client.GET('/clashes/episodes', { params: { query } }))
      return found.find(one => one.blocker_ids.some(id => id === blocker_id))?.id ?? null
    },
    enabled: blocker_id !== undefined,
  }).data

const SETTLING = ['accepted', 'not_a_clash'] as const
const MOST_SETTLED = 200

/** The open clashes that someone has settled, last decision first. */
export const useSettled = (site_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['clashes', site_id, 'settled'],
    queryFn: async () => {
      const lists = await Promise.all(
        SETTLING.map(stance =>
          ask(client.GET('/clashes/episodes', { params: { query: { site_id, status: ['open'], stance: [stance], limit: MOST_SETTLED } } })),
        ),
      )
      return lists.flat().toSorted((a, b) => (b.stance?.set_at ?? '').localeCompare(a.stance?.set_at ?? ''))
    },
    refetchInterval: AGAIN_MS,
    enabled,
  })

/** How much has to be settled: counts by rule, and permits that can’t be checked because they have no place. */
export const useSummary = (site_id: string, enabled = true) =>
  useQuery({
    queryKey: ['clashes', site_id, 'summary'],
    queryFn: () => ask(client.GET('/clashes/unresolved/summary', { params: { query: { site_id, horizon_days: DAYS } } })),
    refetchInterval: AGAIN_MS,
    enabled,
  }).data

const moved = (): Promise<void> => queries.invalidateQueries({ queryKey: ['clashes'] })

/** Reads the clashes again when the service has refused, because then they may not be as they were shown. */
async function orReread<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await moved()
  }
}

/** Decides about clashes as they were shown, all or nothing: the service refuses if the facts of one have changed since. */
export async function decide(site_id: string, episodes: readonly Episode[], kind: Kind, given: Decision): Promise<void> {
  const items = episodes.map(one => itemOf(one, kind, given))
  const [first] = items
  if (first === undefined) return
  const headers = freshKey()
  await orReread<unknown>(
    items.length === 1
      ? ask(client.POST('/clashes/stance', { body: { site_id, ...first }, headers }))
      : ask(client.POST('/clashes/stance/bulk', { body: { site_id, items }, headers })),
  )
}

/** Withdraws the decisions about clashes, which are then to settle again. */
export const withdraw = (site_id: string, ids: readonly string[]): Promise<void> =>
  orReread(
    (async () => {
      for (const episode_id of ids) await ask(client.DELETE('/clashes/stance', { params: { query: { site_id, episode_id } } }))
    })(),
  )
