import type { Graph } from '../../../../shared/lifecycle/graph.ts'
import { newColumns, setColumns } from '../../../base/columns.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'permit_workflow.draft': Graph
    /** Only what the validator accepted. */
    'permit_workflow_version.graph': Graph
  }
}

/** A site's workflow as the database has it. */
export type WorkflowRow = {
  site_id: Id
  id: Id
  version: number
  updated_at: string | null
  permit_type_code: string | null
  name: string
  published: number
  draft: Graph
  removed_at: string | null
}

/** Lists the workflows of a site that were not removed: the site's first, then by type. */
export async function workflowsOn(db: Db, site_id: Id): Promise<WorkflowRow[]> {
  const { rows } =
    await sql<WorkflowRow>`select * from permit_workflow where site_id = ${site_id} and removed_at is null order by permit_type_code nulls first`.execute(
      db,
    )
  return rows
}

/** Adds a workflow that isn't active yet. */
export async function insertWorkflow(
  db: Db,
  row: Pick<WorkflowRow, 'site_id' | 'id' | 'permit_type_code' | 'name' | 'draft'>,
): Promise<void> {
  await db.insertInto('permit_workflow').values(newColumns('permit_workflow', row)).execute()
}

/** Publishes a version, which never changes again. */
export async function publish(db: Db, row: WorkflowRow, version_id: Id, number: number, name: string, graph: Graph): Promise<void> {
  await db
    .insertInto('permit_workflow_version')
    .values(newColumns('permit_workflow_version', { site_id: row.site_id, id: version_id, workflow_id: row.id, number, name, graph }))
    .execute()
  await db
    .updateTable('permit_workflow')
    .set(setColumns('permit_workflow', { published: number, name, draft: graph }))
    .where('site_id', '=', row.site_id)
    .where('id', '=', row.id)
    .execute()
}

/** Deactivates a workflow; its versions stay for the permits that are pinned to them. */
export async function removeWorkflow(db: Db, site_id: Id, id: Id, at: string): Promise<void> {
  await db.updateTable('permit_workflow').set({ removed_at: at }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns whether the site has a type with this code. */
export async function hasTypeCode(db: Db, site_id: Id, code: string): Promise<boolean> {
  return (
    (await db.selectFrom('permit_type').select('id').where('site_id', '=', site_id).where('code', '=', code).executeTakeFirst()) !==
    undefined
  )
}

/** Returns permits that people applied for and that were ever submitted, with what a back-test needs, in pieces by id. */
export async function pastPermits(db: Db, site_id: Id, after: Id | null, limit: number) {
  const { rows } = await sql<{
    id: Id
    permit_number: string | null
    single_stage: boolean
    requestor_id: Id | null
    receiver_id: Id | null
    unconfirmed: number
  }>`
    select p.id, p.permit_number, coalesce(p.pinned_single_stage, false) as single_stage, p.requestor_id, p.receiver_id,
      (select count(*) from jsonb_array_elements(p.pre_checks) c where (c ->> 'required')::boolean and (c ->> 'answer' is null or c ->> 'answer' = 'no' or (c ->> 'answer' = 'not_applicable' and coalesce(trim(c ->> 'comment'), '') = '') or (c ->> 'carried_forward')::boolean))::int as unconfirmed
    from permit p where p.site_id = ${site_id} and p.source = 'requested' and p.submitted_at is not null ${after === null ? sql`` : sql`and p.id > ${after}`} order by p.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Returns the events of permits, in order. */
export async function pastEvents(db: Db, site_id: Id, ids: readonly Id[]) {
  const { rows } = await sql<{
    subject_id: Id
    kind: string
    actor_role: string | null
    actor_id: Id | null
    actor_kind: string
    payload: { from_status: string; status: string; by_gate?: string; by?: string }
  }>`
    select subject_id, kind, actor_role, actor_id, actor_kind, payload from event where site_id = ${site_id} and subject_id = any(${ids}::uuid[]) and kind like 'permit.%' order by subject_id, event_no`.execute(
    db,
  )
  return rows
}
