import type { Actor, Standing } from '../../base/actor.ts'
import type { Ctx } from '../../base/ctx.ts'
import type { Id } from '../../base/ids.ts'
import { once } from '../../base/memo.ts'
import type { Settings } from '../../base/settings.ts'
import { actorOf, type Holder, type Person, scopeOf, workingFor } from './domain.ts'
import { oversightOf } from './queries.ts'

export { type PersonRow, personAt } from './queries.ts'

const table = new Map<string, Holder>()

/** Registers the permissions of all rooms, once, at startup. */
export function plugPermissions(all: Iterable<readonly [string, Holder]>): void {
  table.clear()
  for (const [name, holder] of all) {
    if (table.has(name)) throw new Error(`Two rooms define the permission ${name}.`)
    table.set(name, holder)
  }
}

/** Returns every permission with the roles that have it. */
export const allPermissions = (): ReadonlyMap<string, Holder> => table

/** Returns what a permission is for, in words. */
export const permissionWords = (permission: string): string => table.get(permission)?.says ?? permission

/** Makes the actor for a person on a site. */
export const actorFor = (person: Person, standing: Standing | null, settings: Settings): Actor => actorOf(person, standing, table, settings)

/** Lists the names of an actor's permissions. */
export const permissionsOf = (actor: Actor): string[] => [...table.keys()].filter(name => actor.can(name)).sort()

/** Returns the direct oversight pairs of a site, and whether chains count there, as this request or job found them first. */
export const oversightOn = (ctx: Ctx, site_id: Id): ReturnType<typeof oversightOf> =>
  once(ctx, `oversight ${site_id}`, () => oversightOf(ctx.db, site_id))

/** Returns whether a person acts for one of these contractors; `between`: what `oversightOn` returns for the site. */
export function actsForAny(
  person: Parameters<typeof workingFor>[0],
  between: Awaited<ReturnType<typeof oversightOf>>,
  contractors: ReadonlySet<Id | null>,
): boolean {
  const own = workingFor(person, between.main_contractor_id)
  return own !== null && [...scopeOf(own, between.pairs, between.transitive).keys()].some(id => contractors.has(id))
}

/** Returns the ids of the contractors that a member of this contractor acts for on a site: their own and those it oversees. No other code computes this. */
export async function contractorScope(ctx: Ctx, site_id: Id, contractor_id: Id | null): Promise<Set<Id>> {
  if (contractor_id === null) return new Set()
  const { pairs, transitive } = await oversightOn(ctx, site_id)
  return new Set(scopeOf(contractor_id, pairs, transitive).keys())
}

/** Returns the contractor that someone with this standing works for; null if they work for none. */
export async function ownContractor(ctx: Ctx, standing: Standing | null): Promise<Id | null> {
  if (standing === null || standing.contractor_id !== null) return standing?.contractor_id ?? null
  return workingFor(standing, (await oversightOn(ctx, standing.site_id)).main_contractor_id)
}

/** Returns the contractors that the caller acts for on the current site. */
export async function myScope(ctx: Ctx): Promise<Set<Id>> {
  const { standing } = ctx.actor
  return standing === null ? new Set() : contractorScope(ctx, standing.site_id, await ownContractor(ctx, standing))
}

export { oversightOf } from './queries.ts'
