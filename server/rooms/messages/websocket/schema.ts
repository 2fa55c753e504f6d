import { id, integer, list, number, object, optional, type Static, shape } from '../../../base/schema.ts'

const count = (what: string) => integer(what)

export const LiveStats = shape('LiveStats', 'Open connections of the service, or the subscribers of one site', {
  processes: optional(
    list(
      object({
        id: id('Process'),
        connections: count('Number of open sockets'),
        users: count('Number of people'),
        subscriptions: count('Number of site subscriptions of all sockets'),
        queue_frames: count('Number of frames waiting to be sent'),
        lag_ms: number('Delay of the last delivered event, milliseconds', { min: 0, example: 40 }),
      }),
      'Service processes; left out if a site is given',
      { max: 1000 },
    ),
  ),
  sites: optional(
    list(
      object({ site_id: id('Site'), subscribers: count('Number of subscribed sockets') }),
      'Sites with subscribers; left out if a site is given',
      { max: 10_000 },
    ),
  ),
  last_minute: optional(
    object(
      {
        events: count('Number of events read'),
        frames: count('Number of frames for apps, including merged ones'),
        merged: count('Number of frames that were merged'),
        gaps: count('Number of apps that missed events that could no longer be replayed'),
        closed_slow: count('Number of sockets closed for being too slow'),
        auth_failed: count('Number of sockets refused because their token wasn’t accepted'),
      },
      'Activity in the last minute; left out if a site is given',
    ),
  ),
  subscribers: optional(count('Number of sockets subscribed to the site; returned only if a site is given')),
  users: optional(count('Number of people connected to the site; returned only if a site is given')),
})

export const LiveQuery = object({ site_id: optional(id('Site; default: the whole installation')) })
export type LiveQuery = Static<typeof LiveQuery>
