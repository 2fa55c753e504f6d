import { get } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { liveStats } from './actions.ts'
import { LiveQuery, LiveStats } from './schema.ts'

export const routes = [
  get('/ws/stats', {
    name: 'live.show_stats',
    summary: 'Show live connection statistics',
    says: 'Returns open connections, subscribers and delivered events of the installation, for superadmins only. With a site, returns its subscribers and people, also for its site managers and administrators.',
    access: { signed_in: true },
    query: LiveQuery,
    reply: ref(LiveStats),
    refuses: ['forbidden'],
    handle: ({ ctx, query }) => liveStats(ctx, query),
  }),
]
