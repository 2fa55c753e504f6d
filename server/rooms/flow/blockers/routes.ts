import { del, post } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { deleteBlocker, resolveBlocker } from './actions/steps.ts'
import { blocker } from './door.ts'
import { Blocker, ResolveBlocker } from './schema.ts'

const declare = { needs: 'blocker_declare' } as const

export const routes = [
  post('/sites/:site_id/blockers/:blocker_id/resolve', {
    name: 'blocker.resolve',
    summary: 'Say that work goes on again',
    says: 'Resolves a blocker: the work that it still stops goes on from the time when its cause was cleared, or at most 24 hours later with a reason. People of the contractors whose work is stopped, of the one who can clear it, the person who declared it, and coordinators can do this.',
    access: declare,
    on: blocker,
    body: ResolveBlocker,
    of: Blocker,
    reply: ref(Blocker),
    refuses: ['forbidden', 'invalid_transition'],
    handle: ({ ctx, thing, body }) => resolveBlocker(ctx, thing, body),
  }),
  del('/sites/:site_id/blockers/:blocker_id', {
    name: 'blocker.delete',
    summary: 'Delete a blocker',
    says: 'Deletes a blocker that should not have been declared. The person who declared it can do this within 60 minutes, as long as nobody else has acted on it; H&S people, site managers and administrators can do it later. It stays in the audit log.',
    access: declare,
    on: blocker,
    reply: null,
    refuses: ['forbidden'],
    handle: ({ ctx, thing }) => deleteBlocker(ctx, thing),
  }),
]
