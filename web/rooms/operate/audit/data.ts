// The requests of this room.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ask, askWhole, client, freshKey, nextOf, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import { type Chain, chainOf, type Filter } from './model.ts'

export type Row = Schemas['TimelineRow']
export type Entry = Schemas['AuditEntry']
export type Reverted = Schemas['Reverted']

const AT_ONCE = 100
const CHECKED_AT_ONCE = 1000

/** A site's timeline, newest first, a row for each request, job or import. */
export const useTimeline = (site_id: string, filter: Filter) =>
  useInfiniteQuery({
    queryKey: ['audit', 'timeline', site_id, filter],
    queryFn: async ({ pageParam }) => {
      const { actor_id, ...rest } = filter
      const actor = actor_id === undefined ? {} : { actor_id: [actor_id] }
      const query = { ...rest, ...actor, limit: AT_ONCE, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { data, headers } = await askWhole(client.GET('/audit/site/{site_id}/timeline', { params: { path: { site_id }, query } }))
      return { rows: data, next: nextOf(headers) }
    },
    initialPageParam: '',
    getNextPageParam: last => last.next ?? undefined,
    placeholderData: before => before,
  })

/** The last days, with the number of entries on each. */
export const useDays = (site_id: string) =>
  useQuery({
    queryKey: ['audit', 'days', site_id],
    queryFn: () => ask(client.GET('/audit/site/{site_id}/timeline', { params: { path: { site_id }, query: { group: 'day' } } })),
  })

/** Everything that one request, job or import wrote. */
export const useEntries = (site_id: string, batch_id: string) =>
  useQuery({
    queryKey: ['audit', 'entries', site_id, batch_id],
    queryFn: async () => {
      const entries = await ask(
        client.GET('/audit/site/{site_id}', { params: { path: { site_id }, query: { batch_id: [batch_id], limit: 200 } } }),
      )
      return typeof entries === 'string' ? [] : entries // the response is text only if CSV is requested
    },
  })

/** Reverts a change, or (`dry`) returns what that would change. */
export async function revert(entry_id: string, whole: boolean, reason: string, dry: boolean): Promise<Reverted> {
  const body = { reason, scope: whole ? ('batch' as const) : ('entry' as const), ...(dry ? { dry_run: true } : {}) }
  const said = await ask(client.POST('/audit/revert/{entry_id}', { params: { path: { entry_id } }, body, headers: freshKey() }))
  if (!dry) await queries.invalidateQueries() // the value may have been of any type
  return said
}

/** Verifies the whole chain, from the newest entry down, and returns the result; `noted` is a head that this device saw before. */
export async function checkChain(site_id: string, noted: string | null, tell: (checked: number) => void): Promise<Chain> {
  let chain: Chain = { checked: 0, broken: null, noted: null, head: null }
  for (let cursor: string | null = ''; cursor !== null && chain.broken === null; ) {
    const first: boolean = cursor === ''
    const query = {
      verify: true,
      limit: CHECKED_AT_ONCE,
      ...(cursor === '' ? {} : { cursor }),
      ...(first && noted !== null ? { head: noted } : {}),
    }
    const { data, headers } = await askWhole(client.GET('/audit/site/{site_id}', { params: { path: { site_id }, query } }))
    chain = chainOf(chain, headers.get('x-chain') ?? '', first ? headers.get('x-chain-head') : null, data.length)
    tell(chain.checked)
    cursor = nextOf(headers)
  }
  return chain
}
