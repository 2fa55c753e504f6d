import { answer, created, del, get, page, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { Blocker } from '../../flow/blockers/schema.ts'
import { upToDate } from '../kit/actions/caught-up.ts'
import { declareFromClash } from './actions/declare.ts'
import { listAtTime, listClashes, listEpisodes, listUnresolved, summarize } from './actions/list.ts'
import { shownStances } from './actions/show.ts'
import { setStances, withdrawStance } from './actions/stance.ts'
import {
  AtTimeFilter,
  Clash,
  ClashEpisode,
  ClashFilter,
  ClashStance,
  DeclareBlocker,
  EpisodesFilter,
  SetStance,
  SetStances,
  UnresolvedFilter,
  UnresolvedList,
  UnresolvedSummary,
  WithdrawQuery,
} from './schema.ts'

const view = { needs: 'clash_view' } as const
const decide = { needs: 'clash_stance' } as const
const sends = ['X-Clash-Pending'] as const
const WAITS =
  'It waits, at most two seconds, for what was changed before the request; the number of changes that aren’t computed by then is in X-Clash-Pending. Members and contractors’ H&S people only get clashes with a side of their own contractor or of one that it oversees.'

export const routes = [
  get('/clashes', {
    name: 'clash_episode.list_clashes',
    summary: 'List clashes',
    says: `Returns the clashes of a period by start, red first. ${WAITS}`,
    access: view,
    query: ClashFilter,
    reply: Type.Array(ref(Clash)),
    refuses: ['not_found'],
    sends,
    handle: async ({ ctx, query }) => {
      const { rows, next, headers } = await listClashes(ctx, query)
      return page(rows, { next, headers })
    },
  }),
  get('/clashes/at-time', {
    name: 'clash_episode.list_at_time',
    summary: 'List clashes at a point in time',
    says: `Returns the clashes that are there at a point in time: in the past as they were recorded, in the future as it is planned. A point beyond the horizon of 90 days is refused. ${WAITS}`,
    access: view,
    query: AtTimeFilter,
    reply: Type.Array(ref(Clash)),
    refuses: ['not_found'],
    sends,
    handle: async ({ ctx, query }) => {
      const { rows, headers } = await listAtTime(ctx, query)
      return answer(rows, { headers })
    },
  }),
  get('/clashes/episodes', {
    name: 'clash_episode.list',
    summary: 'List episodes of clashes',
    says: `Returns episodes, the one that was found last first. ${WAITS}`,
    access: view,
    query: EpisodesFilter,
    reply: Type.Array(ref(ClashEpisode)),
    refuses: ['not_found'],
    sends,
    handle: async ({ ctx, query }) => {
      const { rows, next, headers } = await listEpisodes(ctx, query)
      return page(rows, { next, headers })
    },
  }),
  get('/clashes/unresolved', {
    name: 'clash_episode.list_unresolved',
    summary: 'List clashes to settle',
    says: `Returns the open episodes that are there now or begin soon and that nobody has settled: red first, then those that stop or slow work, then the soonest. ${WAITS}`,
    access: view,
    query: UnresolvedList,
    reply: Type.Array(ref(ClashEpisode)),
    sends: ['X-Clash-Pending', 'X-Total-Count'],
    handle: async ({ ctx, query }) => {
      const { rows, next, total, headers } = await listUnresolved(ctx, query)
      return page(rows, { next, total, headers })
    },
  }),
  get('/clashes/unresolved/summary', {
    name: 'clash_episode.summarize_unresolved',
    summary: 'Count clashes to settle',
    says: `Returns how many episodes have to be settled, by rule, contractor and site day, and the permits that can’t be checked. The sums are those of the list. ${WAITS}`,
    access: view,
    query: UnresolvedFilter,
    reply: ref(UnresolvedSummary),
    sends,
    handle: async ({ ctx, query }) => {
      const headers = await upToDate(ctx, query.site_id)
      return answer(await summarize(ctx, query), { headers })
    },
  }),
  post('/clashes/stance', {
    name: 'clash_episode.decide',
    summary: 'Decide about a clash',
    says: 'Stores a decision about an episode, which replaces the one that is active. Coordinators can settle a clash; a red one needs clash_accept_red. Members can say who resolves a clash of their own contractor. What is settled is only opened again by coordinators. The decision lapses when its facts change: a worse severity, more than 1 m nearer, longer, or another contractor.',
    access: decide,
    body: SetStance,
    of: ClashStance,
    reply: ref(ClashStance),
    status: 201,
    refuses: ['not_found', 'forbidden', 'invalid_transition', 'version_conflict'],
    handle: async ({ ctx, body: { site_id, ...given }, wire }) => {
      const [stance] = await shownStances(ctx, site_id, await setStances(ctx, site_id, [given], () => '', wire.if_match))
      return created(stance, `/clashes/episodes?site_id=${site_id}&id=${given.episode_id}`)
    },
  }),
  del('/clashes/stance', {
    name: 'clash_episode.withdraw',
    summary: 'Withdraw a decision about a clash',
    says: 'Withdraws the active decision; it stays in the history. Only the person who decided, or a coordinator, can do this.',
    access: decide,
    query: WithdrawQuery,
    reply: null,
    refuses: ['not_found', 'forbidden', 'version_conflict'],
    handle: ({ ctx, query, wire }) => withdrawStance(ctx, query.site_id, query.episode_id, wire.if_match),
  }),
  post('/clashes/stance/bulk', {
    name: 'clash_episode.decide_many',
    summary: 'Decide about several clashes',
    says: 'Stores up to 500 decisions, all or nothing; faults and refusals name the index of their decision.',
    access: decide,
    body: SetStances,
    of: ClashStance,
    reply: Type.Array(ref(ClashStance)),
    status: 200,
    refuses: ['not_found', 'forbidden', 'invalid_transition', 'version_conflict'],
    handle: async ({ ctx, body: { site_id, items } }) =>
      shownStances(ctx, site_id, await setStances(ctx, site_id, items, at => `items[${at}].`)),
  }),
  post('/clashes/declare-blocker', {
    name: 'clash_episode.declare_blocker',
    summary: 'Say that work has stopped because of a clash',
    says: 'Declares a blocker for one side of a clash that has begun: its effect and category are those that the site has set for the rule, and the contractor of the other side can clear it. If there is an open or resolved one for the contractor already, it is returned; another contractor joins an open one, unless that contractor is the one to clear it.',
    access: { needs: 'clash_declare_blocker' },
    body: DeclareBlocker,
    of: Blocker,
    reply: ref(Blocker),
    status: 201,
    also: { 200: 'It was declared already, or the contractor has joined the blocker of another one' },
    refuses: ['forbidden', 'invalid_transition'],
    handle: async ({ ctx, body }) => {
      const { blocker, made } = await declareFromClash(ctx, body)
      const location = `/clashes/episodes?site_id=${body.site_id}&id=${body.episode_id}`
      return made ? created(blocker, location) : answer(blocker, { status: 200, location })
    },
  }),
]
