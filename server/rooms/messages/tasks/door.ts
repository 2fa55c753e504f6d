import { kind } from '../../../kernel/records/door.ts'
import { placesOf, type TaskRow, taskKind } from '../../../kernel/tasks/door.ts'

/** A task as a parameter of a path. It exists for its addressees, and, if it is done by hand, for its site's coordinate band. */
export const task = kind<TaskRow>({
  name: 'task',
  label: row => taskKind(row.kind).title,
  revert: 'transition',
  sees: async (ctx, row) => {
    if (ctx.actor.id === null) return false
    const [stand] = await placesOf(ctx, ctx.actor.id, row.site_id)
    if (stand === undefined) return false
    const addressed =
      row.bands.some(band => stand.bands.includes(band)) ||
      row.user_ids.includes(ctx.actor.id) ||
      (row.contractor_id !== null && row.contractor_id === stand.contractor_id)
    return addressed || (taskKind(row.kind).manual_resolve && ctx.actor.can('task_view_all'))
  },
})
