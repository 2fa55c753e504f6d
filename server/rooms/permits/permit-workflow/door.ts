import { kind, tableRow } from '../../../kernel/records/door.ts'
import { shippedRows } from './actions.ts'
import type { WorkflowRow } from './queries.ts'

/** An authored workflow as a record; the standard ones exist on every site. One that was removed doesn't exist. */
export const workflow = kind<WorkflowRow>({
  name: 'permit_workflow',
  param: 'definition_id',
  label: row => row.name,
  shared: id => id in shippedRows,
  find: async (ctx, site_id, id, lock) => {
    const shipped = shippedRows[id]
    if (shipped !== undefined) return shipped(site_id)
    const row = await tableRow(ctx.db, 'permit_workflow', site_id, id, lock)
    return row?.removed_at === null ? row : null
  },
  revert: 'ledger',
})

/** A published version as a record. */
export const workflowVersion = kind<{ id: string; workflow_id: string; number: number }>({
  name: 'permit_workflow_version',
  label: row => `Version ${row.number}`,
  parent: row => ({ kind: 'permit_workflow', id: row.workflow_id }),
  revert: 'ledger',
})
