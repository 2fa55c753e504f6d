// The one query behind the board's three views.
import { infiniteQueryOptions, type Query, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { ask, askWhole, client, nextOf, type Schemas } from '../../../base/api.ts'
import { patchQuery } from '../../../base/query.ts'
import { type BoardPage, type BoardPages, isPages, keptPages, patchedPages, sharedPages } from './board-pages.ts'
import { boardQuery } from './board-query.ts'
import type { Filters } from './model.ts'

type Card = Schemas['PermitCard']
type Asked = ReturnType<typeof boardQuery>

const MINUTE = 60_000
const SOON_MS = 15_000
/** With more changes than this at once, the whole board is refetched. */
const MOST_PATCHED = 50

const lengthOf = ({ state: { data } }: { state: { data: unknown } }): number => (isPages(data) ? data.pages.length : 0)

/** Permits page by page; unchanged ones stay the same objects. */
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
    structuralSharing: (old, now) => (isPages(now) ? sharedPages(isPages(old) ? old : undefined, now) : now),
  })

const NONE: Card[] = []

/** The permits of all loaded pages. */
const useRows = (all: Pick<BoardPages, 'pages'> | undefined): Card[] => useMemo(() => all?.pages.flatMap(page => page.rows) ?? NONE, [all])

/** Updates single permits in a long board immediately; a short board is refetched. */
function patchBoard(asked: Asked, query: Query, ids: readonly string[]): Promise<void> | null {
  if (lengthOf(query) <= 1 || ids.length > MOST_PATCHED) return null
  return patchQuery(
    query,
    () => ask(client.GET('/permits', { params: { query: { ...asked, id: [...ids] } } })),
    (here: BoardPages, fresh) => patchedPages(here, ids, fresh),
  )
}

type Paged = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>

/**
 * Fetches page after page in the background, but never during a full refetch, which it would cancel. After a failed page it waits for the next full refetch.
 */
function useAllPages({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Paged) {
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage({ cancelRefetch: false })
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
}

/** Permits of the board, apart from the typed search: the first page immediately, the others after it. */
export function useBoard(site_id: string, filters: Filters) {
  const asked = boardQuery(site_id, filters)
  const board = useInfiniteQuery({
    ...pagesOf('board', asked),
    placeholderData: before => before,
    // A long board is updated by the socket, permit by permit.
    staleTime: query => (lengthOf(query) > 1 ? MINUTE : SOON_MS),
    meta: {
      patch: (query, ids) => patchBoard(asked, query, ids),
      ...(filters.over === '1' || filters.since !== undefined ? {} : { keep: data => (isPages(data) ? keptPages(data) : data) }),
    },
  })
  useAllPages(board)
  return { ...board, rows: useRows(board.data), whole: !board.hasNextPage }
}

const FOUND_AT_ONCE = 100

/** The service's search results for a text: it also searches the description of the work, which cards don't have. */
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
