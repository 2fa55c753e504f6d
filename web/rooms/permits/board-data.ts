// The one query behind the three views of the board.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { askWhole, client, nextOf, type Schemas } from '../../base/api.ts'
import type { Filters } from './model.ts'

type Card = Schemas['PermitCard']
const AT_ONCE = 500

/** Statuses that are over: on the board only when somebody asks for them. */
export const OVER = ['closed', 'rejected', 'withdrawn'] as const
const UNDER_WAY = ['draft', 'corrections_requested', 'requested', 'endorsed', 'approved', 'issued', 'expired'] as const

const yes = (value: string | undefined): true | undefined => (value === '1' ? true : undefined)
const listOf = (value: string | undefined): string[] | undefined => (value === undefined ? undefined : value.split(','))

/** What the address says, as the service takes it. */
function queryOf(site_id: string, filters: Filters) {
  const { q, type, contractor, receiver, from, to } = filters
  const status = filters.over === '1' ? undefined : [...UNDER_WAY]
  const given = {
    q,
    category: listOf(type),
    contractor_id: listOf(contractor),
    receiver_id: listOf(receiver),
    from,
    to,
    status,
    soon: yes(filters.soon),
    awaiting_countersign: yes(filters.countersign),
    handed_back: yes(filters.handed_back),
    source: yes(filters.imported) && ('imported' as const),
  }
  return { site_id, limit: AT_ONCE, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

/** Permits of the board: the first page at once, the rest behind it, without anybody asking. */
export function useBoard(site_id: string, filters: Filters) {
  const query = queryOf(site_id, filters)
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
