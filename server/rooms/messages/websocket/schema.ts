import { id, integer, list, number, object, optional, type Static, shape } from '../../../base/schema.ts'

const count = (what: string) => integer(what)

export const LiveStats = shape('LiveStats', 'Open connections of the service, or the subscribers of one site', {
  processes: optional(
    list(
      object({
        id: id('Process'),
        connections: count('Sockets'),
        users: count('People'),
        subscriptions: count('Number of site subscriptions over all sockets'),
        queue_frames: count('Frames waiting to be sent'),
        lag_ms: number('Delay of the last delivered event, milliseconds', { min: 0, example: 40 }),
      }),
      'Processes that serve apps',
      { max: 1000 },
    ),
  ),
  sites: optional(list(object({ site_id: id('Site'), subscribers: count('Sockets') }), 'Sites with subscribers', { max: 10_000 })),
  last_minute: optional(
    object(
      {
        events: count('Events read'),
        frames: count('Frames delivered'),
        merged: count('Frames that were merged'),
        gaps: count('Jobs that can’t be retried'),
        closed_slow: count('Sockets closed for being too slow'),
        auth_failed: count('Sockets without a valid token'),
      },
      'Activity in the last minute',
    ),
  ),
  subscribers: optional(count('Sockets subscribed to the site')),
  users: optional(count('People connected to the site')),
})

export const LiveQuery = object({ site_id: optional(id('Site')) })
export type LiveQuery = Static<typeof LiveQuery>
