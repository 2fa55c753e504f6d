import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { acceptableName, contractorIndex } from '../domain.ts'
import { contractorsOf, insertContractors, writeNames } from '../queries.ts'
import { namesOf, newRow, tell } from './contractors.ts'

/** The result of looking names up: the contractor for each, those that were created, and names that match two contractors. */
export type Resolved = { ids: Map<string, Id>; created: { id: Id; name: string; colour: string }[]; ambiguous: Map<string, string[]> }
/** Contractors are created in statements of this size, and this many names are looked up in one turn of the event loop. */
export const AT_ONCE = 50

/**
 * Finds the contractors with these names on a site by name, alias and key, and creates the missing ones with their derived colour. For imports and
 * invitations; with `dry` nothing is written and the missing ones are only listed.
 */
export async function resolveContractors(
  ctx: Ctx,
  site_id: Id,
  names: readonly string[],
  source: 'import' | 'invite',
  dry = false,
): Promise<Resolved> {
  const contractors = contractorIndex(await contractorsOf(ctx.db, site_id))
  const resolved: Resolved = { ids: new Map(), created: [], ambiguous: new Map() }
  const made: ReturnType<typeof newRow>[] = []
  for (const [i, name] of names.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await nextTurn()
    if (resolved.ids.has(name) || resolved.ambiguous.has(name)) continue
    const found = contractors.find(name)
    const [one] = found
    if (found.length > 1)
      resolved.ambiguous.set(
        name,
        found.map(contractor => contractor.name),
      )
    else if (one !== undefined) resolved.ids.set(name, one.id)
    else {
      enforce([acceptableName(name, source === 'invite' ? 'contractor_name' : 'contractor')])
      const row = newRow(site_id, name, { source })
      made.push(row)
      contractors.add({ id: row.id, name: row.name, names: [] })
      resolved.ids.set(name, row.id)
      resolved.created.push({ id: row.id, name: row.name, colour: row.colour })
    }
  }
  for (let from = 0; !dry && from < made.length; from += AT_ONCE) {
    const piece = made.slice(from, from + AT_ONCE)
    await insertContractors(ctx.db, piece)
    await writeNames(ctx.db, site_id, piece.flatMap(namesOf))
    for (const row of piece) tell(ctx, 'contractor.created', row)
    await nextTurn()
  }
  return resolved
}
