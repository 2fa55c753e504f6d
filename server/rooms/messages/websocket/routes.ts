import { get } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { liveStats } from './actions.ts'
import { LiveQuery, LiveStats } from './schema.ts'

export const routes = [
  get('/ws/stats', {
    name: 'live.show_stats',
    summary: 'Show live connection statistics',
    says: 'Returns open connections, subscribers and delivered events. Administrators of a site can read those of their site.',
    access: { signed_in: true },
    query: LiveQuery,
    reply: ref(LiveStats),
    refuses: ['forbidden'],
    handle: ({ ctx, query }) => liveStats(ctx, query),
  }),
]
