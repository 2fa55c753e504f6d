// The open blockers that concern permits: of work that they cover, and at their places (`permits-decisions.md` §2, `blockers_open`).
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { coverage } from '../../../../kernel/covers/door.ts'
import { whileUnchanged } from '../../../../kernel/site/door.ts'
import { isAtPlace, type Place, titleOf } from '../domain.ts'
import { type BlockerRow, type EntryRow, entriesOf, openOn } from '../queries.ts'
import { seesBlocker, shownPointers } from './seeing.ts'

/** An open blocker that concerns a permit. `title`: only its category, if the caller can’t see everything that was pointed at. */
export type BlockerNear = { id: Id; number: string; title: string; started_at: Instant }

/** An open blocker with the permits that were pointed at or that cover what was. */
type OpenBlocker = { row: BlockerRow; entries: readonly EntryRow[]; permits: ReadonlySet<Id> }

/** Returns the open blockers of a site, seen or not. Reads share them until something on the site changes. */
export const openBlockers = (ctx: Ctx, site_id: Id): Promise<readonly OpenBlocker[]> =>
  whileUnchanged(ctx, site_id, 'open blockers', () => openWithPermits(ctx, site_id))

async function openWithPermits(ctx: Ctx, site_id: Id): Promise<OpenBlocker[]> {
  const rows = await openOn(ctx.db, site_id)
  if (rows.length === 0) return []
  const entries = await entriesOf(
    ctx.db,
    site_id,
    rows.map(row => row.id),
  )
  const permits = await permitsOfBlockers(ctx, site_id, rows)
  return rows.map(row => ({
    row,
    entries: entries.filter(entry => entry.blocker_id === row.id),
    permits: permits.get(row.id) ?? new Set(),
  }))
}

/** Returns the permits that each blocker concerns: those that were pointed at, and those that cover what was. */
export async function permitsOfBlockers(ctx: Ctx, site_id: Id, rows: readonly BlockerRow[]): Promise<Map<Id, ReadonlySet<Id>>> {
  const links = await coverage().permitsOf(ctx, site_id, [...new Set(rows.flatMap(row => row.pointers.map(({ id }) => id)))])
  return new Map(
    rows.map(row => {
      const pointed = new Set(row.pointers.map(({ id }) => id))
      const own = row.pointers.filter(({ kind }) => kind === 'permit').map(({ id }) => id)
      return [row.id, new Set([...own, ...links.filter(({ entity_id }) => pointed.has(entity_id)).map(({ id }) => id)])]
    }),
  )
}

/** Returns for each permit those of the open blockers that the caller sees: of the permit, of work that it covers, and at its place. The oldest come first. */
export async function openBlockersOf(
  ctx: Ctx,
  open: readonly OpenBlocker[],
  permits: readonly ({ id: Id } & Place)[],
): Promise<Map<Id, readonly BlockerNear[]>> {
  const found = new Map<Id, BlockerNear[]>()
  if (open.length === 0) return found
  const scope = await myScope(ctx)
  for (const { row, entries, permits: own } of open) {
    const near = permits.filter(permit => own.has(permit.id) || isAtPlace(row, permit))
    if (near.length === 0 || !seesBlocker(ctx, scope, row, entries)) continue
    // The place could be that of a record that the caller can’t see, so it isn’t given away by the permits that are there.
    const hidden = (await shownPointers(ctx, row)).some(one => one.hidden)
    const { id, number, started_at } = row
    const shown = { id, number, started_at, title: hidden ? titleOf(row.category, '') : row.title }
    for (const permit of near) if (!hidden || own.has(permit.id)) found.set(permit.id, [...(found.get(permit.id) ?? []), shown])
  }
  return found
}
