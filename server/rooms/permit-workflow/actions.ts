import { flaws } from '../../../shared/lifecycle/flaws.ts'
import type { Graph } from '../../../shared/lifecycle/graph.ts'
import { effective } from '../../../shared/lifecycle/permit-sorts.ts'
import { jobActor } from '../../base/actor.ts'
import { type Ctx, reading } from '../../base/ctx.ts'
import { conflict, explain, invalidField, refuse, workflowInvalid } from '../../base/errors.ts'
import { type Id, ids } from '../../base/ids.ts'
import { shownFlags } from '../../kernel/access/domain.ts'
import type { Running } from '../../kernel/jobs/door.ts'
import { derived } from '../permit-types/domain/sets.ts'
import type { Status } from '../permits/domain/facts.ts'
import { nextGate } from '../permits/domain/gates.ts'
import { SEEDED, SEEDED_ID, SEEDED_VERSION } from '../permits/domain/seed.ts'
import { graphOf, pinFor, siteFacts } from '../permits/door.ts'
import { type Difference, differs, type PastPermit, stepOfEvent } from './domain/backtest.ts'
import { graphWarnings, KNOWN } from './domain/registry.ts'
import { hasTypeCode, insertWorkflow, pastEvents, pastPermits, publish, removeWorkflow, type WorkflowRow, workflowsOn } from './queries.ts'
import type { SaveWorkflow } from './schema.ts'

/** The seeded definition, as every site has it. */
export const seededRow = (site_id: Id): WorkflowRow => ({
  site_id,
  id: SEEDED_ID,
  version: 1,
  updated_at: null,
  permit_type_code: null,
  name: 'Shipped workflow',
  published: SEEDED_VERSION,
  draft: SEEDED,
  removed_at: null,
})

/** Whether a set of one or two reviews can go live on a graph. */
function goesLive(graph: Graph, single_stage: boolean): boolean {
  const live = effective(graph)
  let status: Status = 'requested'
  let issue_signed = false
  for (let steps = 0; steps < 20; steps++) {
    if (issue_signed) {
      const countersign = live.transitions.find(t => t.from === status && t.action === 'countersign')
      if (countersign?.to === 'issued') return true
    }
    const next = nextGate(live, { status, single_stage, issue_signed })
    if (next === null || next.gate === 'close_out') return false
    if (next.gate === 'issue') issue_signed = true
    status = next.transition.to as Status // states are those of the registry, or the validator says so
    if (status === 'issued') return true
  }
  return false
}

const shippedRefusal = conflict('shipped', 'The shipped workflow is not changed: clone it, and change the copy.')

function shown(ctx: Ctx, row: WorkflowRow, in_force: boolean): Record<string, unknown> {
  const seeded = row.id === SEEDED_ID
  const lacks = [ctx.actor.lacks('permit_workflow_author'), seeded ? shippedRefusal : null]
  return {
    id: row.id,
    site_id: seeded ? null : row.site_id,
    permit_type_code: row.permit_type_code,
    version: row.published,
    revision: row.version,
    name: row.name,
    seeded,
    in_force,
    states: row.draft.states,
    transitions: row.draft.transitions,
    warnings: graphWarnings(row.draft, goesLive),
    permissions: shownFlags({ edit: explain(lacks), remove: explain(lacks) }),
    updated_at: row.updated_at,
  }
}

/** The workflow that a new permit of this set would be born under. */
export async function showInForce(ctx: Ctx, site_id: Id, code: string | undefined): Promise<Record<string, unknown>> {
  const { types } = await siteFacts(ctx, site_id)
  const set = types.filter(type => type.code === code)
  if (code !== undefined && set.length === 0) refuse(invalidField('permit_type_code', `"${code}" is no permit type of this site.`))
  const pin = await pinFor(ctx, site_id, code === undefined ? [] : [code], derived(set).single_stage)
  const own = (await workflowsOn(ctx.db, site_id)).find(row => row.id === pin.workflow_definition_id)
  if (own === undefined) return shown(ctx, seededRow(site_id), true)
  // What is in force is the published version, also while a later draft is written.
  const graph = await graphOf(ctx, { site_id, ...pin })
  return shown(ctx, { ...own, draft: { states: graph.states, transitions: graph.transitions } }, true)
}

/** The seeded definition and what the site has authored. */
export async function listDefinitions(ctx: Ctx, site_id: Id): Promise<unknown[]> {
  const own = await workflowsOn(ctx.db, site_id)
  const siteWide = own.some(row => row.permit_type_code === null && row.published > 0)
  return [shown(ctx, seededRow(site_id), !siteWide), ...own.map(row => shown(ctx, row, row.published > 0))]
}

/** Copies the seeded definition for the site, or one type on it, as a draft. */
export async function cloneSeeded(
  ctx: Ctx,
  body: { site_id: Id; permit_type_code?: string | null; name?: string },
): Promise<Record<string, unknown>> {
  const { site_id } = body
  const permit_type_code = body.permit_type_code ?? null
  if (permit_type_code !== null && !(await hasTypeCode(ctx.db, site_id, permit_type_code)))
    refuse(invalidField('permit_type_code', `"${permit_type_code}" is no permit type of this site.`))
  const there = (await workflowsOn(ctx.db, site_id)).find(row => row.permit_type_code === permit_type_code)
  if (there !== undefined)
    refuse(
      conflict(
        'key_taken',
        `${permit_type_code === null ? 'The site' : permit_type_code} has a workflow of its own already: ${there.name}.`,
        { existing_id: there.id },
      ),
    )
  const row = {
    site_id,
    id: ids.next(),
    permit_type_code,
    name: body.name ?? (permit_type_code === null ? 'Our workflow' : `Our workflow for ${permit_type_code}`),
    draft: SEEDED,
  }
  await insertWorkflow(ctx.db, row)
  return shown(ctx, { ...row, version: 1, updated_at: ctx.now, published: 0, removed_at: null }, false)
}

/** Validates a graph and publishes it as a new version. Permits in flight stay on theirs. */
export async function saveWorkflow(ctx: Ctx, row: WorkflowRow, body: SaveWorkflow): Promise<Record<string, unknown>> {
  if (row.id === SEEDED_ID) refuse(shippedRefusal)
  const graph: Graph = { states: body.states, transitions: body.transitions }
  const problems = flaws(effective(graph), KNOWN)
  if (problems.length > 0) refuse(workflowInvalid(problems))
  const number = row.published + 1
  const name = body.name ?? row.name
  await publish(ctx.db, row, ids.next(), number, name, graph)
  tell(ctx, 'permit_workflow.published', row, name, { version: number })
  return shown(ctx, { ...row, version: row.version + 1, name, published: number, draft: graph, updated_at: ctx.now }, true)
}

/** Returns the site, or the type, to the workflow above it. */
export async function returnToSeeded(ctx: Ctx, row: WorkflowRow): Promise<void> {
  if (row.id === SEEDED_ID) refuse(shippedRefusal)
  await removeWorkflow(ctx.db, row.site_id, row.id, ctx.now)
  tell(ctx, 'permit_workflow.removed', row, row.name, {})
}

function tell(ctx: Ctx, kind: string, row: WorkflowRow, label: string, payload: Record<string, unknown>): void {
  ctx.emit({
    kind,
    site_id: row.site_id,
    subject: { kind: 'permit_workflow', id: row.id, label },
    payload: { permit_type_code: row.permit_type_code, ...payload },
  })
}

/** Queues a back-test of a graph against the site's past permits. */
export async function queueBackTest(ctx: Ctx, row: WorkflowRow, body: Partial<Pick<SaveWorkflow, 'states' | 'transitions'>>): Promise<Id> {
  const graph: Graph = { states: body.states ?? row.draft.states, transitions: body.transitions ?? row.draft.transitions }
  const problems = flaws(effective(graph), KNOWN)
  if (problems.length > 0) refuse(workflowInvalid(problems))
  return ctx.enqueue('workflow_backtest', { graph }, { site_id: row.site_id, message: `Back-test of ${row.name}` })
}

const PIECE = 500
const NAMED_AT_MOST = 1000

/** Runs a back-test: which past permits would have gone another way, and at which step. */
export async function backTest(job: Running): Promise<Record<string, unknown>> {
  const ctx = reading(job.house, { actor: jobActor('workflow_backtest'), cause: 'permit_workflow.back_test' })
  const graph = job.input.graph as Graph // the validator passed it before it was queued
  const found: Difference[] = []
  let [checked, differ] = [0, 0]
  for (let after: Id | null = null; ; ) {
    const permits = await pastPermits(ctx.db, job.site_id, after, PIECE)
    const events = Map.groupBy(
      await pastEvents(
        ctx.db,
        job.site_id,
        permits.map(p => p.id),
      ),
      event => event.subject_id,
    )
    for (const permit of permits) {
      checked++
      const steps = (events.get(permit.id) ?? []).flatMap(event => {
        const action = stepOfEvent(event.kind, event.payload)
        if (action === null) return []
        // Signing as issuer and going live by it are one step.
        return [
          {
            action,
            from: event.payload.from_status,
            to: event.payload.status,
            actor_role: event.actor_kind === 'user' ? event.actor_role : null,
            actor_id: event.actor_id,
          },
        ]
      })
      const past: PastPermit = {
        permit_id: permit.id,
        permit_number: permit.permit_number,
        single_stage: permit.single_stage,
        requestor_id: permit.requestor_id,
        receiver_id: permit.receiver_id,
        unconfirmed_checks: permit.unconfirmed,
        steps,
      }
      const difference = differs(graph, past)
      if (difference === null) continue
      differ++
      if (found.length < NAMED_AT_MOST) found.push(difference)
    }
    await job.progress(permits.length < PIECE ? 1 : 0.5, `${checked} permits looked at`)
    if (permits.length < PIECE || (await job.cancelled())) break
    after = permits.at(-1)?.id ?? null
  }
  return { checked, differ, differences: found }
}
