import type { Id } from '../../../base/ids.ts'
import { kind } from '../../../kernel/records/door.ts'

/** A run of a background job, as the subject of its events. People who can see the jobs of the site see it, and so does the person who asked for it. It has no history. */
export const job = kind<{ id: Id; kind: string; requested_by: Id | null }>({
  name: 'job',
  table: 'job_run',
  label: run => run.kind,
  sees: (ctx, run) => ctx.actor.can('job_view') || (run.requested_by !== null && run.requested_by === ctx.actor.id),
  revert: 'ledger',
})
