import { post, rehearsal } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { undoCopies } from './actions.ts'
import { CopyUndone, UndoCopy } from './schema.ts'

export const routes = [
  post('/copies/undo', {
    name: 'site.undo_copies',
    summary: 'Undo a copy of days',
    says: 'Removes copies of workers, plant and active areas that the caller made in the last 24 hours, also those that have begun: all, or none. If someone has changed one of them since, nothing is removed. Copies that have already been removed are left out, so repeating it changes nothing.',
    access: { needs: 'map_entity_edit' },
    body: UndoCopy,
    reply: ref(CopyUndone),
    status: 200,
    refuses: ['conflict'],
    handle: async ({ ctx, site_id, body }) => {
      const done = await undoCopies(ctx, site_id, body)
      return body.dry_run ? rehearsal(done) : done
    },
  }),
]
