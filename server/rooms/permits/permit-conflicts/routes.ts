import { answer, get, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { upToDate } from '../../conflicts/comparisons/door.ts'
import { MatchQuery } from '../kit/schema.ts'
import { answerQuestion, clashBadges } from './actions.ts'
import { BadgeQuery, ClashBadge, ConflictAnswer, ConflictQuestion } from './schema.ts'

export const routes = [
  get('/permits/applications/clash-badges', {
    name: 'permit.list_clash_badges',
    summary: 'List conflict counts of permits',
    says: 'Returns for each permit in review or live that the caller can see with how many other permits it conflicts now or later. Permits without conflicts are left out. Decisions about conflicts don’t lower the counts. It waits, at most two seconds, for what was changed before the request; the number of changes that aren’t computed by then is in X-Clash-Pending.',
    access: { needs: 'site_view' },
    query: BadgeQuery,
    reply: Type.Array(ref(ClashBadge)),
    sends: ['X-Clash-Pending'],
    handle: async ({ ctx, query }) => {
      const headers = await upToDate(ctx, query.site_id)
      return answer(await clashBadges(ctx, query.site_id), { headers })
    },
  }),
  post('/permits/applications/conflicts/preview', {
    name: 'permit.preview_conflicts',
    summary: 'Preview conflicts of a permit',
    says: 'Says what would conflict with a permit in a window, at a place and with types that aren’t saved, what that would change, and which windows nearby have no red conflict. Stores nothing.',
    access: { needs: 'permit_request' },
    reads: true,
    query: MatchQuery,
    body: ConflictQuestion,
    reply: ref(ConflictAnswer),
    handle: ({ ctx, body }) => answerQuestion(ctx, body),
  }),
]
