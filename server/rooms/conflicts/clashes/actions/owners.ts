// Who can be named as the one who resolves a clash (`conflict-and-planning.md` §4.5): someone who sees it, because they are reminded of it when it is overdue.
import { isSettling } from '../../../../../shared/conflicts/stances.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { FieldFault } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { once } from '../../../../base/memo.ts'
import { actorFor, ownContractor, personAt } from '../../../../kernel/access/door.ts'
import type { ClashEpisodeRow } from '../queries/episodes.ts'
import { isOnSite } from '../queries/list.ts'
import type { OneStance } from '../schema.ts'
import { type Scope, scopeFor, seesBoth } from './seeing.ts'

/** Whose clashes someone sees: those of these contractors, or with null those of all; no value if the site doesn't have them. */
type Sight = { scope: Scope } | undefined

const sightOfPerson = (ctx: Ctx, site_id: Id, user_id: Id): Promise<Sight> =>
  once(ctx, `clashes of ${user_id}`, async () => {
    if (!(await isOnSite(ctx.db, site_id, { user_id }))) return undefined
    const person = await personAt(ctx.db, { id: user_id }, site_id)
    const actor = person === null ? null : actorFor(person, person.standing, ctx.house.settings)
    if (actor?.can('clash_view_any') === true) return { scope: null }
    if (actor?.can('clash_view') !== true) return { scope: [] }
    return { scope: await scopeFor(ctx, site_id, await ownContractor(ctx, actor.standing)) }
  })

const sightOfContractor = (ctx: Ctx, site_id: Id, contractor_id: Id): Promise<Sight> =>
  once(ctx, `clashes of ${contractor_id}`, async () =>
    (await isOnSite(ctx.db, site_id, { contractor_id })) ? { scope: await scopeFor(ctx, site_id, contractor_id) } : undefined,
  )

/** Returns what is wrong with the one who is to resolve an episode. */
export async function ownerFaults(ctx: Ctx, site_id: Id, given: OneStance, episode: ClashEpisodeRow): Promise<FieldFault[]> {
  const { kind, owner_user_id = null, owner_contractor_id = null } = given
  if (isSettling(kind)) return [] // what is settled has no owner, which is a fault of its own
  const faults: FieldFault[] = []
  const fault = (path: string, sight: Sight, absent: string, blind: string) => {
    if (sight === undefined || !seesBoth(sight.scope, episode)) faults.push({ path, message: sight === undefined ? absent : blind })
  }
  if (owner_user_id !== null)
    fault(
      'owner_user_id',
      await sightOfPerson(ctx, site_id, owner_user_id),
      'isn’t an active member of this site.',
      'can’t see this clash. Choose a coordinator, or a person of one of its contractors.',
    )
  if (owner_contractor_id !== null)
    fault(
      'owner_contractor_id',
      await sightOfContractor(ctx, site_id, owner_contractor_id),
      'isn’t a contractor on this site.',
      'isn’t part of this clash. Choose one of its contractors, or a coordinator.',
    )
  return faults
}
