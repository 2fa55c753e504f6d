// Undoing copies of days (decision 997): everything that one tap put on the map, in one transaction.
import type { Ctx } from '../../../base/ctx.ts'
import { conflict, invalid, invalidField, refuse } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { undoingAreas } from '../active-areas/door.ts'
import { undoingPlant } from '../plant/door.ts'
import { undoingWorkers } from '../workers/door.ts'
import type { CopyUndone, UndoCopy } from './schema.ts'

/** Removes copies of all kinds, unless someone has changed one of them since: everything, or nothing. They are locked kind by kind, in the order of their ids. */
export async function undoCopies(
  ctx: Ctx,
  site_id: Id,
  { worker_ids = [], plant_ids = [], active_area_ids = [] }: UndoCopy,
): Promise<CopyUndone> {
  if (worker_ids.length + plant_ids.length + active_area_ids.length === 0)
    refuse(invalidField('worker_ids', 'must have at least one copy, or plant_ids or active_area_ids must.'))
  const workers = await undoingWorkers(ctx, site_id, worker_ids)
  const plant = await undoingPlant(ctx, site_id, plant_ids)
  const areas = await undoingAreas(ctx, site_id, active_area_ids)
  const all = [workers, plant, areas]
  const faults = all.flatMap(kind => kind.faults)
  if (faults.length > 0) refuse(invalid(faults))
  const changed = all.flatMap(kind => kind.changed)
  const [first, ...more] = changed
  if (first !== undefined) {
    const others = more.length === 0 ? '' : more.length === 1 ? ', and so has one other copy' : `, and so have ${more.length} other copies`
    const detail = `${first.name} has been changed since it was copied${others}. Nothing was undone: remove what you don’t need one by one.`
    refuse(conflict('changed_since', detail, { ids: changed.map(({ id }) => id) }))
  }
  return { worker_ids: await workers.remove(), plant_ids: await plant.remove(), active_area_ids: await areas.remove() }
}
