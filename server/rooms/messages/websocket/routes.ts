import { get } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { liveStats } from './actions.ts'
import { LiveQuery, LiveStats } from './schema.ts'

export const routes = [
  get('/ws/stats', {
    name: 'live.show_stats',
    summary: 'Show live connection statistics',
    says: 'Returns the installation’s open connections, subscribers and delivered events; only superadmins can read these. With `site_id`, returns the site’s subscribers and people; its site managers and administrators can read these too.',
    access: { signed_in: true },
    query: LiveQuery,
    reply: ref(LiveStats),
    refuses: ['forbidden'],
    handle: ({ ctx, query }) => liveStats(ctx, query),
  }),
]
