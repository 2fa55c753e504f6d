// The one function under every way to say that work has stopped (`flow-of-work.md` §1.6).

import type { BlockerCategory, Effect } from '../../../../../shared/blockers.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalid, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { nextReference } from '../../../../kernel/site/door.ts'
import { levelName } from '../../../map/reference-features/domain/levels.ts'
import { type Place, type Pointer, startFaults, titleOf, wordFaults } from '../domain.ts'
import {
  type BlockerRow,
  blockerOfSite,
  entriesOf,
  insertBlocker,
  insertEntry,
  lockLive,
  placeNames,
  type Token,
  touchBlocker,
} from '../queries.ts'
import { shownBlocker } from './show.ts'
import { tell } from './tell.ts'

/** What is declared. The caller of `declareBlocker` has checked that the person can declare it for this contractor, and that they see what is pointed at. */
export type Declared = {
  /** What it is declared from: one contractor has one open or resolved blocker of it. */
  source: Pointer
  pointers: readonly Pointer[]
  affected: { contractor_id: Id; tokens: readonly Token[]; effect: Effect; loss_share_percent: number }
  /** Who can clear it, as far as it is known. */
  responsible_contractor_id: Id | null
  category: BlockerCategory
  started_at: Instant
  description: string
  place: Place
}

/** Returns the blocker of these that a contractor joins: one that is open, and that this contractor isn’t the one to clear. */
const joinable = (rows: readonly BlockerRow[], contractor_id: Id): BlockerRow | null =>
  rows.find(row => row.status === 'open' && row.responsible_contractor_id !== contractor_id) ?? null

async function placeWords(ctx: Ctx, site_id: Id, place: Place): Promise<string> {
  const { building, zone } = await placeNames(ctx.db, site_id, place)
  const level = place.level_index === null ? null : levelName(place.level_index)
  return [building, level, zone].filter(part => part !== null && part !== '').join(', ')
}

/**
 * Declares that a contractor’s work is stopped or slowed. While the source has an open or resolved blocker with work of this contractor, nothing is written
 * and that one is returned; another contractor joins the open one. `made`: whether the blocker is new.
 */
export async function declareBlocker(ctx: Ctx, site_id: Id, given: Declared) {
  const { source, affected, category, started_at, description, place } = given
  const { contractor_id, effect, loss_share_percent } = affected
  const manages = ctx.actor.can('blocker_manage')
  // Two people who say the same at once wait for each other, so that the second one finds the blocker of the first.
  await hold(ctx, 'blocker', site_id, source.kind, source.id)
  const live = await lockLive(ctx.db, site_id, source)
  const entries = await entriesOf(
    ctx.db,
    site_id,
    live.map(row => row.id),
  )
  const same = live.find(row => entries.some(entry => entry.blocker_id === row.id && entry.contractor_id === contractor_id))
  if (same !== undefined) return { blocker: await shownBlocker(ctx, same), made: false }
  const faults = [...startFaults(started_at, ctx.now, manages), ...wordFaults(category, description)]
  if (faults.length > 0) refuse(invalid(faults))
  const work = { site_id, contractor_id, tokens: [...affected.tokens], effect, loss_share_percent, from_at: started_at }
  const joined = joinable(live, contractor_id)
  if (joined !== null) {
    await insertEntry(ctx.db, { ...work, blocker_id: joined.id, origin: manages ? 'added' : 'claimed' })
    await touchBlocker(ctx.db, joined)
    const row = (await blockerOfSite(ctx.db, site_id, joined.id, false)) ?? refuse(notFound())
    await tell(ctx, 'affected_changed', row)
    return { blocker: await shownBlocker(ctx, row), made: false }
  }
  const id = ids.next()
  const responsible =
    given.responsible_contractor_id !== null
      ? { responsible_kind: 'contractor' as const, responsible_contractor_id: given.responsible_contractor_id }
      : { responsible_kind: category === 'weather' ? ('nobody' as const) : null, responsible_contractor_id: null }
  await insertBlocker(ctx.db, {
    ...{ site_id, id, description, category, ...place, ...responsible, started_at },
    number: await nextReference(ctx.db, site_id, 'blocker', 'BLK'),
    title: titleOf(category, await placeWords(ctx, site_id, place)),
    ...{ source_kind: source.kind, source_id: source.id, pointers: [...given.pointers] },
  })
  await insertEntry(ctx.db, { ...work, blocker_id: id, origin: 'declared' })
  const row = (await blockerOfSite(ctx.db, site_id, id, false)) ?? refuse(notFound())
  await tell(ctx, 'declared', row)
  return { blocker: await shownBlocker(ctx, row), made: true }
}
