// What is declared when work has stopped because of a clash (`conflict-and-planning.md` §4.7).

import { lossOf, USUAL_CATEGORY } from '../../../../../shared/conflicts/consequences.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, invalidField, notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { declareBlocker, type Token } from '../../../flow/blockers/door.ts'
import type { StoredSide } from '../../kit/domain/stored.ts'
import { cantDeclareFor, cantHaveBegun, type Declaring } from '../domain/blockers.ts'
import { begunAt, type ClashEpisodeRow, episodeOfSite, linkedTokens } from '../queries/episodes.ts'
import { isOnSite } from '../queries/list.ts'
import type { DeclareBlocker } from '../schema.ts'
import { scopeOfCaller, seesBoth } from './seeing.ts'

/** Returns whose work the caller can declare as stopped by a clash. */
export const declaringOf = async (ctx: Ctx): Promise<Declaring> => ({
  any: ctx.actor.can('clash_declare_blocker_any'),
  own: ctx.actor.can('clash_declare_blocker'),
  scope: await myScope(ctx),
})

/** Returns the gangs and machines of a side: itself, or those of its contractor that are linked to the permit. */
async function tokensOf(ctx: Ctx, site_id: Id, { kind, id, lineage_id }: StoredSide, contractor_id: Id): Promise<Token[]> {
  if (kind === 'worker' || kind === 'plant') return [{ kind, lineage_id }]
  return kind === 'permit' ? linkedTokens(ctx.db, site_id, id, contractor_id) : []
}

/** Returns what a clash means for the work that someone says has stopped. What the site expects of the rule is used, unless it expects nothing: this clash did stop work. */
const meansFor = ({ effect, loss_share_percent }: Pick<ClashEpisodeRow, 'effect' | 'loss_share_percent'>) =>
  effect === 'none'
    ? { effect: 'stops' as const, loss_share_percent: lossOf('stops') }
    : { effect, loss_share_percent: loss_share_percent ?? lossOf(effect) }

/** Declares that the work of a side has stopped. `made`: whether the blocker is new. */
export async function declareFromClash(ctx: Ctx, { site_id, episode_id, ...given }: DeclareBlocker) {
  const { affected, description = '', responsible_contractor_id } = given
  const episode = await episodeOfSite(ctx.db, site_id, episode_id, true)
  if (episode === null || !seesBoth(await scopeOfCaller(ctx), episode))
    return refuse(invalidField('episode_id', 'isn’t a clash on this site.'))
  if (responsible_contractor_id !== undefined && !(await isOnSite(ctx.db, site_id, { contractor_id: responsible_contractor_id })))
    refuse(invalidField('responsible_contractor_id', 'isn’t a contractor on this site.'))
  const side = episode[affected]
  const other = episode[affected === 'a' ? 'b' : 'a']
  const begun = await begunAt(ctx.db, site_id, episode.id, ctx.now)
  enforce([cantDeclareFor(side.contractor_id, await declaringOf(ctx)), cantHaveBegun(begun !== null)])
  const contractor_id = side.contractor_id ?? refuse(notFound())
  return declareBlocker(ctx, site_id, {
    source: { kind: 'clash_episode', id: episode.id },
    pointers: [episode.a, episode.b].map(({ kind, id }) => ({ kind, id })),
    affected: {
      contractor_id,
      tokens: await tokensOf(ctx, site_id, side, contractor_id),
      ...meansFor(episode),
    },
    responsible_contractor_id: responsible_contractor_id ?? other.contractor_id,
    category: given.category ?? episode.blocker_category ?? USUAL_CATEGORY,
    started_at: given.started_at ?? begun ?? ctx.now,
    description,
    place: episode.place,
  })
}
