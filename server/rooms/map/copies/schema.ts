import { flag, id, list, optional, type Static, shape } from '../../../base/schema.ts'

const copies = (kind: string) =>
  optional(list(id('Copy'), `Copies of ${kind} that the caller made in the last 24 hours`, { max: 2000, unique: true }))
const removed = (kind: string) => list(id('Copy'), `Copies of ${kind} that were removed, by id`, { max: 2000 })

/** The body of an undone copy. */
export const UndoCopy = shape('UndoCopy', 'Copies to remove again; of one kind or of several', {
  site_id: id('Site'),
  worker_ids: copies('workers and gangs'),
  plant_ids: copies('plant'),
  active_area_ids: copies('active areas'),
  dry_run: optional(flag('Whether to return what would happen, and change nothing')),
})

/** The response of an undone copy. */
export const CopyUndone = shape('CopyUndone', 'Copies that were removed again', {
  worker_ids: removed('workers and gangs'),
  plant_ids: removed('plant'),
  active_area_ids: removed('active areas'),
})

export type UndoCopy = Static<typeof UndoCopy>
export type CopyUndone = Static<typeof CopyUndone>
