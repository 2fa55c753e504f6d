import { id, integer, list, number, object, optional, type Static, shape } from '../../base/schema.ts'

const count = (what: string) => integer(what)

export const LiveStats = shape('LiveStats', 'What is open in the processes of the service; of one site only its subscribers', {
  processes: optional(
    list(
      object({
        id: id('Process'),
        connections: count('Sockets'),
        users: count('People'),
        subscriptions: count('Sites that are listened to, by each socket'),
        queue_frames: count('Frames that wait for sockets'),
        lag_ms: number('Milliseconds between the last commit that was told and its telling', { min: 0, example: 40 }),
      }),
      'Processes that serve apps',
      { max: 1000 },
    ),
  ),
  sites: optional(list(object({ site_id: id('Site'), subscribers: count('Sockets') }), 'Sites that somebody listens to', { max: 10_000 })),
  last_minute: optional(
    object(
      {
        events: count('Events read'),
        frames: count('Frames handed out'),
        merged: count('Frames that were merged'),
        gaps: count('Returns that could not be played again'),
        closed_slow: count('Sockets closed for being too slow'),
        auth_failed: count('Sockets without a valid token'),
      },
      'What happened in the last minute',
    ),
  ),
  subscribers: optional(count('Sockets that listen to the site')),
  users: optional(count('People that listen to the site')),
})

export const LiveQuery = object({ site_id: optional(id('Site')) })
export type LiveQuery = Static<typeof LiveQuery>
