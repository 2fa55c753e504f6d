// What this room asks of the service.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ask, askWhole, client, freshKey, nextOf, type Schemas } from '../../base/api.ts'
import { queries } from '../../base/query.ts'
import type { Channel } from './model.ts'

const AT_ONCE = 50

/** Everything about messages is asked anew. */
export const messagesMoved = (): void => void queries.invalidateQueries({ queryKey: ['notifications'] })

/** Messages of a site, or of all; newest first. */
export function useMessages(site_id: string | null, urgency: string | undefined, unread: boolean) {
  const query = {
    limit: AT_ONCE,
    ...(site_id === null ? {} : { site_id }),
    ...(urgency === undefined ? {} : { urgency: [urgency as 'info'] }), // one of the three, as the filter offers them
    ...(unread ? { unread: true } : {}),
  }
  return useInfiniteQuery({
    queryKey: ['notifications', 'list', query],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { ...query, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { data, headers } = await askWhole(client.GET('/notifications/', { params: { query: asked }, signal }))
      return { rows: data, next: nextOf(headers) }
    },
    initialPageParam: '',
    getNextPageParam: last => last.next ?? undefined,
    placeholderData: before => before,
    meta: { keep: true },
  })
}

/** Reads a message, or lays it back as unread. */
export async function markRead(notification_id: string, read: boolean): Promise<void> {
  await ask(
    client.POST('/notifications/{notification_id}/mark-read', {
      params: { path: { notification_id } },
      body: { read },
      headers: freshKey(),
    }),
  )
  messagesMoved()
}

/** Reads all that was made up to an instant: what came meanwhile stays unread. */
export async function markAllRead(site_id: string | null, up_to: string): Promise<void> {
  await ask(client.POST('/notifications/mark-all-read', { body: { up_to, ...(site_id === null ? {} : { site_id }) }, headers: freshKey() }))
  messagesMoved()
}

/** What holds for one on a site, with where it comes from. */
export const usePreferences = (site_id: string) =>
  useQuery({
    queryKey: ['notifications', 'preferences', site_id],
    queryFn: () => ask(client.GET('/notification-prefs/effective', { params: { query: { site_id } } })),
  })

type Change = Schemas['PreferenceChange']

/** Says how one wants to be told. */
export async function prefer(kind: string, channel: Channel, body: Change): Promise<void> {
  await ask(client.PATCH('/notification-prefs/{kind}/{channel}', { params: { path: { kind, channel } }, body }))
  messagesMoved()
}

/** Takes back what one said: what stands above it holds again. */
export async function dropPreference(kind: string, channel: Channel, site_id: string | null): Promise<void> {
  await ask(
    client.DELETE('/notification-prefs/{kind}/{channel}', {
      params: { path: { kind, channel }, query: site_id === null ? {} : { site_id } },
    }),
  )
  messagesMoved()
}
