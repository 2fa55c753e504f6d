import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { initialsOf } from '../../../kernel/access/domain.ts'
import { knownUsers } from './queries.ts'

/** Returns the names of people by id, without duplicates, in the order of the request; people that the caller can't know are left out. */
export async function namesOf(ctx: Ctx, ids: readonly Id[], site_id: Id | null): Promise<unknown[]> {
  if (ctx.actor.id === null) return []
  const found = new Map(
    (await knownUsers(ctx.db, { id: ctx.actor.id, is_superadmin: ctx.actor.is_superadmin }, ids, site_id)).map(user => [user.id, user]),
  )
  // Names say who signed; roles and contractors are for those who see the people of the site.
  const sees_terms = site_id !== null && ctx.actor.can('member_view')
  return [...new Set(ids)].flatMap(id => {
    const user = found.get(id)
    if (user === undefined) return []
    const { role, contractor_id, ...rest } = user
    return [{ ...rest, initials: initialsOf(user.name), ...(sees_terms && role !== null ? { role, contractor_id } : {}) }]
  })
}
