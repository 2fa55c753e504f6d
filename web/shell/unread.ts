import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../base/api.ts'

/** How much waits for me, by site, as the list of tasks shows it; of one site, or of all. */
export const useUnread = (site_id: string | null) =>
  useQuery({
    queryKey: ['unread', site_id],
    queryFn: () => ask(client.GET('/tasks/unread-count', { params: { query: site_id === null ? {} : { site_id } } })),
    select: count => new Map(count.by_site.map(one => [one.site_id, one.waiting])),
    refetchInterval: 60_000,
    meta: { keep: true },
  })

/** Messages of a site that I have not read yet. */
export const useUnreadMessages = (site_id: string) =>
  useQuery({
    queryKey: ['notifications', 'unread', site_id],
    queryFn: () => ask(client.GET('/notifications/unread-count', { params: { query: { site_id } } })),
    select: count => count.unread,
    refetchInterval: 60_000,
    meta: { keep: true },
  })
