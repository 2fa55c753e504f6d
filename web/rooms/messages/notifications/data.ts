// The requests of this room.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ask, askWhole, client, freshKey, ifMatch, nextOf, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import type { Channel } from './model.ts'

const AT_ONCE = 50

/** Refetches everything about notifications. */
export const messagesMoved = (): void => void queries.invalidateQueries({ queryKey: ['notifications'] })

/** Messages of one site, or of all sites; newest first. */
export function useMessages(site_id: string | null, urgency: Schemas['Notification']['urgency'] | undefined, unread: boolean) {
  const query = {
    limit: AT_ONCE,
    ...(site_id === null ? {} : { site_id }),
    ...(urgency === undefined ? {} : { urgency: [urgency] }),
    ...(unread ? { unread: true } : {}),
  }
  return useInfiniteQuery({
    queryKey: ['notifications', 'list', query],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { ...query, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { data, headers } = await askWhole(client.GET('/notifications', { params: { query: asked }, signal }))
      return { rows: data, next: nextOf(headers) }
    },
    initialPageParam: '',
    getNextPageParam: last => last.next ?? undefined,
    placeholderData: before => before,
    meta: { keep: true },
  })
}

/** Marks a message as read or unread. */
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

/** Marks everything created up to an instant as read; messages that arrive in the meantime stay unread. */
export async function markAllRead(site_id: string | null, up_to: string): Promise<void> {
  await ask(client.POST('/notifications/mark-all-read', { body: { up_to, ...(site_id === null ? {} : { site_id }) }, headers: freshKey() }))
  messagesMoved()
}

/** The settings that apply to a person on a site, with their source. */
export const usePreferences = (site_id: string) =>
  useQuery({
    queryKey: ['notifications', 'preferences', site_id],
    queryFn: () => ask(client.GET('/notification-prefs/effective', { params: { query: { site_id } } })),
  })

type Change = Schemas['PreferenceChange']

/** Saves a person's notification settings. With the version that was shown, they don't replace what was saved on another device meanwhile. */
export async function prefer(kind: string, channel: Channel, body: Change, version?: number): Promise<void> {
  const headers = version === undefined ? {} : ifMatch(version)
  try {
    await ask(client.PATCH('/notification-prefs/{kind}/{channel}', { params: { path: { kind, channel } }, body, headers }))
  } finally {
    await queries.invalidateQueries({ queryKey: ['notifications'] })
  }
}

/** Resets a setting: the one above it applies again. */
export async function dropPreference(kind: string, channel: Channel, site_id: string | null): Promise<void> {
  await ask(
    client.DELETE('/notification-prefs/{kind}/{channel}', {
      params: { path: { kind, channel }, query: site_id === null ? {} : { site_id } },
    }),
  )
  messagesMoved()
}
