import { post } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { showChanges, waitForChanges } from './actions.ts'
import { ChangePoints, ChangesAsked } from './schema.ts'

export const routes = [
  post('/analysis/change-points', {
    name: 'site.show_changes',
    summary: 'Show when a site changes',
    says: 'Returns the times in a period at which something starts, ends or is changed, with what is there from then on; between two of them every response about a point in time is the same. With `series`, also how full the site was. It changes nothing. Permits count as far as the caller can see them, and clashes too.',
    access: { needs: 'site_view' },
    body: ChangesAsked,
    reply: ref(ChangePoints),
    status: 200,
    reads: true,
    snapshot: true,
    before: ({ ctx, body }) => waitForChanges(ctx, body),
    handle: ({ ctx, body }) => showChanges(ctx, body),
  }),
]
