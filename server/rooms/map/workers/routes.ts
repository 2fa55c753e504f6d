import { del } from '../../../base/http.ts'
import { id, list, shape } from '../../../base/schema.ts'
import { placedRoutes } from '../../../kernel/placed/kit.ts'
import { scheduleRoutes } from '../kit/routes/schedules.ts'
import { removeSeveral, workers } from './actions.ts'

const RemoveWorkers = shape('RemoveWorkers', 'Workers and gangs to remove', {
  site_id: id('Site'),
  ids: list(id('Worker or gang'), 'Workers and gangs', { min: 1, max: 500, unique: true }),
})

const headcount = (rows: readonly Record<string, unknown>[]): number =>
  rows.reduce((sum, row) => sum + (typeof row.headcount === 'number' ? row.headcount : 0), 0)

export const routes = [
  del('/workers/batch', {
    name: 'worker.delete_several',
    summary: 'Remove several workers or gangs',
    says: 'Removes workers and gangs as if each were removed alone, all or nothing. The refusal contains the id of the first one that can’t be removed.',
    access: { needs: 'map_entity_edit' },
    body: RemoveWorkers,
    reply: null,
    refuses: ['conflict', 'forbidden', 'not_found'],
    handle: ({ ctx, site_id, body }) => removeSeveral(ctx, site_id, body.ids),
  }),
  ...placedRoutes(workers.area, {
    order: 'by start and id',
    sums: { sends: ['X-Headcount'], of: rows => ({ 'x-headcount': String(headcount(rows)) }) },
  }),
  ...scheduleRoutes(workers, { verb: 'create-schedule' }),
]
