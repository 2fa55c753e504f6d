import type { Ctx } from '../../../../base/ctx.ts'
import { type Id, PLATFORM } from '../../../../base/ids.ts'
import { once, remembered } from '../../../../base/memo.ts'
import { asItWas } from '../../../../kernel/audit/door.ts'
import { type Kind, kindNamed } from '../../../../kernel/records/door.ts'
import { type EntryRow, strangersOn } from '../queries/entries.ts'

type Named = Pick<EntryRow, 'site_id' | 'entity_type' | 'entity_id'>

/** What the caller can see of a record's history: which fields have hidden values. The record itself is the current one, or the last one if it is deleted. */
export type Sight = { hidden: ReadonlySet<string> }

const NOTHING_HIDDEN: Sight = { hidden: new Set() }

async function sightOf(ctx: Ctx, kind: Kind, site_id: Id, id: Id): Promise<Sight | null> {
  const row = await asItWas(ctx, kind, site_id, id)
  if (row === null) return kind.open ? NOTHING_HIDDEN : null
  if (!(await kind.sees(ctx, row))) return null
  return { hidden: new Set(await kind.hides(ctx, row)) }
}

/**
 * Returns what the caller can see of the histories of these records, by the read rule of each record's own room (`site-and-people.md` §15, Who sees).
 * Records that the caller can't see are left out. Entries without a record (a read of a whole site) are for people who can see the site's audit log.
 */
export async function sights(ctx: Ctx, entries: readonly Named[]): Promise<Map<Id, Sight>> {
  const out = new Map<Id, Sight>()
  const byKind = Map.groupBy(entries, entry => entry.entity_type)
  for (const [name, group] of byKind) {
    const kind = kindNamed(name)
    const ids = [...new Set(group.map(entry => entry.entity_id))]
    const site_id = group[0]?.site_id ?? PLATFORM
    if (kind === undefined) {
      if (site_id === PLATFORM ? ctx.actor.is_superadmin : ctx.actor.can('audit_view')) for (const id of ids) out.set(id, NOTHING_HIDDEN)
      continue
    }
    const known = kind.sees_many === undefined ? new Map<Id, boolean>() : await kind.sees_many(ctx, site_id, ids)
    for (const id of ids) {
      if (known.has(id)) {
        if (known.get(id)) out.set(id, NOTHING_HIDDEN)
        continue
      }
      const sight = await sightOf(ctx, kind, site_id, id)
      if (sight !== null) out.set(id, sight)
    }
  }
  return out
}

/** Returns a function that does the same for a list that is read page by page, without checking a record twice. */
export function sightKeeper(ctx: Ctx): (entries: readonly Named[]) => Promise<Map<Id, Sight | null>> {
  const kept = new Map<Id, Sight | null>()
  return async entries => {
    const unknown = entries.filter(entry => !kept.has(entry.entity_id))
    const found = await sights(ctx, unknown)
    for (const { entity_id } of unknown) remembered(kept, entity_id, () => found.get(entity_id) ?? null)
    return kept
  }
}

/** What a person who has asked to join is called where requests to join are closed to the caller. */
const ASKED_TO_JOIN = 'Someone who asked to join'

/**
 * Returns a function that calls an actor by their name, if the caller can know it: who has asked to join a site, and never became a member, is known to the people who
 * decide about it. The use of an invitation is their doing, and more people see that.
 */
export async function actorNames(ctx: Ctx, site_id: Id): Promise<(actor: { id: Id | null; name: string }) => string> {
  if (site_id === PLATFORM || ctx.actor.can('member_manage')) return actor => actor.name
  const strangers = new Set(await once(ctx, `strangers ${site_id}`, () => strangersOn(ctx.db, site_id)))
  return ({ id, name }) => (id !== null && id !== ctx.actor.id && strangers.has(id) ? ASKED_TO_JOIN : name)
}
