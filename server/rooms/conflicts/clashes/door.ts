import { kind } from '../../../kernel/records/door.ts'
import { scopeOfCaller, seesBoth, unseenPermits } from './actions/seeing.ts'
import { type ClashEpisodeRow, episodeOfSite } from './queries/episodes.ts'

/** An episode as a record; its history is what happened to it. */
export const clashEpisode = kind<ClashEpisodeRow>({
  name: 'clash_episode',
  label: row => row.rule_name,
  find: (ctx, site_id, id, lock) => episodeOfSite(ctx.db, site_id, id, lock),
  sees: async (ctx, row) => ctx.actor.can('clash_view') && seesBoth(await scopeOfCaller(ctx), row),
})

/** A decision about an episode as a record. */
export const clashStance = kind<{ id: string; site_id: string; episode_id: string }>({
  name: 'clash_stance',
  label: () => 'Decision about a clash',
  parent: row => ({ kind: 'clash_episode', id: row.episode_id }),
  sees: async (ctx, row) => {
    const episode = await episodeOfSite(ctx.db, row.site_id, row.episode_id, false)
    return episode !== null && ctx.actor.can('clash_view') && seesBoth(await scopeOfCaller(ctx), episode)
  },
  // Whose permit a hidden side is, and how far away exactly, isn't in the history either (CL-8).
  hides: async (ctx, row) => {
    const episode = await episodeOfSite(ctx.db, row.site_id, row.episode_id, false)
    const unseen = await unseenPermits(ctx, row.site_id, episode === null ? [] : [episode])
    return unseen.size > 0 ? ['accepted_distance_m', 'contractor_a', 'contractor_b'] : []
  },
  revert: 'ledger',
})

export { shownDistance, shownSide, titlesAmong, unseenPermits } from './actions/seeing.ts'
export { sidesDuring } from './actions/sides.ts'
