// The one query behind the three views of the board.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { askWhole, client, nextOf, type Schemas } from '../../base/api.ts'
import { boardQuery } from './board-query.ts'
import type { Filters } from './model.ts'

type Card = Schemas['PermitCard']

/** Permits of the board: the first page at once, the rest behind it, without anybody asking. */
export function useBoard(site_id: string, filters: Filters) {
  const query = boardQuery(site_id, filters)
  const board = useInfiniteQuery({
    queryKey: ['permits', 'board', query],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { ...query, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { data, headers } = await askWhole(client.GET('/permits', { params: { query: asked }, signal }))
      return { rows: data, next: nextOf(headers) }
    },
    initialPageParam: '',
    getNextPageParam: last => last.next ?? undefined,
    placeholderData: before => before,
    meta: { keep: filters.over !== '1' && filters.q === undefined },
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = board
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const rows = useMemo<Card[]>(() => board.data?.pages.flatMap(page => page.rows) ?? [], [board.data])
  return { ...board, rows, whole: !hasNextPage }
}
