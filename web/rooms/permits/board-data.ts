// The one query behind the three views of the board.
import { infiniteQueryOptions, type Query, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { askWhole, client, nextOf, type Schemas } from '../../base/api.ts'
import { queries } from '../../base/query.ts'
import { type BoardPage, type BoardPages, keptPages, patchedPages, sharedPages } from './board-pages.ts'
import { boardQuery } from './board-query.ts'
import type { Filters } from './model.ts'

type Card = Schemas['PermitCard']
type Asked = ReturnType<typeof boardQuery>

const MINUTE = 60_000
const SOON_MS = 15_000
/** More than these at once are a new board. */
const MOST_PATCHED = 50

const lengthOf = (query: Pick<Query, 'state'>): number => (query.state.data as BoardPages | undefined)?.pages.length ?? 0

/** Permits page by page; those that did not change stay the same objects. */
const pagesOf = (name: 'board' | 'found', asked: Asked & { q?: string }) =>
  infiniteQueryOptions({
    queryKey: ['permits', name, asked],
    queryFn: async ({ pageParam, signal }): Promise<BoardPage> => {
      const query = { ...asked, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { data, headers } = await askWhole(client.GET('/permits', { params: { query }, signal }))
      return { rows: data, next: nextOf(headers) }
    },
    initialPageParam: '',
    getNextPageParam: last => last.next ?? undefined,
    structuralSharing: (old, now) => sharedPages(old as BoardPages | undefined, now as BoardPages), // as queryFn answers
  })

const NONE: Card[] = []

/** The permits of all pages that are here. */
const useRows = (all: Pick<BoardPages, 'pages'> | undefined): Card[] => useMemo(() => all?.pages.flatMap(page => page.rows) ?? NONE, [all])

const dueAgain = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Takes up single permits in a long board, at once; a short one is asked for whole. What a step did to others (a gate that opened for the same contractor)
 * shows when the whole is asked again, within the minute.
 */
function patchBoard(query: Query, ids: readonly string[]): boolean {
  if (lengthOf(query) <= 1 || ids.length > MOST_PATCHED || !query.isActive()) return false
  const [, , asked] = query.queryKey as ['permits', 'board', Asked] // as it is made below
  void (async () => {
    const fresh = await askWhole(client.GET('/permits', { params: { query: { ...asked, id: [...ids] } } }))
    // A page that is on its way would overwrite what is put in place now.
    while (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => undefined)
    queries.setQueryData<BoardPages>(query.queryKey, here => here && patchedPages(here, ids, fresh.data), {
      updatedAt: query.state.dataUpdatedAt,
    })
  })().catch(() => queries.invalidateQueries({ queryKey: query.queryKey }))
  if (!dueAgain.has(query.queryHash))
    dueAgain.set(
      query.queryHash,
      setTimeout(() => {
        dueAgain.delete(query.queryHash)
        void queries.invalidateQueries({ queryKey: query.queryKey })
      }, MINUTE),
    )
  return true
}

type Paged = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>

/**
 * Fetches page after page in the background; never during a full refetch, which it would cancel. Where a page fails it waits until then.
 */
function useAllPages({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Paged) {
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage({ cancelRefetch: false })
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
}

/** Permits of the board, but for what is typed: the first page at once, the rest behind it. */
export function useBoard(site_id: string, filters: Filters) {
  const board = useInfiniteQuery({
    ...pagesOf('board', boardQuery(site_id, filters)),
    placeholderData: before => before,
    // A long board is updated by the socket, permit by permit.
    staleTime: query => (lengthOf(query) > 1 ? MINUTE : SOON_MS),
    meta: { patch: patchBoard, ...(filters.over === '1' ? {} : { keep: keptPages }) },
  })
  useAllPages(board)
  return { ...board, rows: useRows(board.data), whole: !board.hasNextPage }
}

const FOUND_AT_ONCE = 100

/** What the service finds for a text: it knows the description of the work too, which no card carries. */
export function useFound(site_id: string, filters: Filters) {
  const { q } = filters
  const found = useInfiniteQuery({
    ...pagesOf('found', { ...boardQuery(site_id, filters), limit: FOUND_AT_ONCE, q: q ?? '' }),
    enabled: q !== undefined,
    gcTime: MINUTE,
  })
  useAllPages(found)
  return { rows: useRows(found.data), pending: q !== undefined && (found.isPending || found.hasNextPage), error: found.error }
}
