import { myScope } from '../../../kernel/access/door.ts'
import { kind } from '../../../kernel/records/door.ts'
import { hidesContractor, seesBlocker, shownPointers } from './actions/seeing.ts'
import { type BlockerRow, blockerOfSite, type EntryRow, entriesOf } from './queries.ts'

/** A blocker as a record. */
export const blocker = kind<BlockerRow>({
  name: 'blocker',
  label: row => row.number,
  find: (ctx, site_id, id, lock) => blockerOfSite(ctx.db, site_id, id, lock),
  sees: async (ctx, row) => seesBlocker(ctx, await myScope(ctx), row, await entriesOf(ctx.db, row.site_id, [row.id])),
  hides: async (ctx, row) => {
    const pointers = await shownPointers(ctx, row)
    if (!pointers.some(one => one.hidden)) return []
    const place = ['pointers', 'title', 'building_id', 'level_index', 'zone_id']
    return hidesContractor(row.responsible_contractor_id, pointers, await myScope(ctx)) ? [...place, 'responsible_contractor_id'] : place
  },
  revert: 'transition',
})

/** One contractor’s work that a blocker stops, as a record. */
export const blockerEntry = kind<EntryRow>({
  name: 'blocker_entry',
  label: () => 'Work that a blocker stops',
  parent: row => ({ kind: 'blocker', id: row.blocker_id }),
  sees: async (ctx, row) => {
    const parent = await blockerOfSite(ctx.db, row.site_id, row.blocker_id, false)
    if (parent === null || !(await blocker.sees(ctx, parent))) return false
    return !hidesContractor(row.contractor_id, await shownPointers(ctx, parent), await myScope(ctx))
  },
  revert: 'ledger',
})

export { declareBlocker } from './actions/declare.ts'
export { openBlockers, openBlockersOf } from './actions/near.ts'
export { blockersOf } from './actions/show.ts'
export { hasBlockerFrom, type Token } from './queries.ts'
