import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../base/api.ts'
import { untilReread } from '../base/live.ts'

/** Returns how many tasks are waiting for the person, by site, as the list of tasks shows them; of one site, or of all. */
export const useUnread = (site_id: string | null) =>
  useQuery({
    queryKey: ['unread', site_id],
    queryFn: () => ask(client.GET('/tasks/unread-count', { params: { query: site_id === null ? {} : { site_id } } })),
    select: count => new Map(count.by_site.map(one => [one.site_id, one.waiting])),
    refetchInterval: untilReread,
    meta: { keep: true },
  })

/** Returns the number of a site's notifications that the person has not read. */
export const useUnreadMessages = (site_id: string) =>
  useQuery({
    queryKey: ['notifications', 'unread', site_id],
    queryFn: () => ask(client.GET('/notifications/unread-count', { params: { query: { site_id } } })),
    select: count => count.unread,
    refetchInterval: untilReread,
    meta: { keep: true },
  })
