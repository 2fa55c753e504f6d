import { kind } from '../../../kernel/records/door.ts'
import { changeGroup } from './actions/keep.ts'
import { type GroupRow, groupRow } from './queries/groups.ts'
import type { SmartGroupChange } from './schema.ts'

/** A smart group as a record: everyone can see shared ones, only the owner a private one. */
export const smartGroup = kind<GroupRow>({
  name: 'smart_group',
  param: 'group_id',
  label: row => row.name,
  find: (ctx, site_id, id, lock) => groupRow(ctx.db, site_id, id, lock),
  sees: (ctx, row) => row.visibility === 'shared' || row.owner_id === ctx.actor.id,
  sight: ['visibility', 'owner_id'],
  revert: 'fields',
  undo: {
    fields: { needs: 'smart_group_edit', put: (ctx, row, fields) => changeGroup(ctx, row, fields as SmartGroupChange) }, // fields of its own audit log
  },
})

export { expandGroups } from './actions/keep.ts'
export { selectionOf } from './actions/select.ts'
