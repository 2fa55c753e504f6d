import { effectsOf } from '../../../../shared/lifecycle/effects.ts'
import type { Graph } from '../../../../shared/lifecycle/graph.ts'
import { permitProblems } from '../../../../shared/lifecycle/permit-faults.ts'
import { counted } from '../../../../shared/text.ts'
import { jobActor } from '../../../base/actor.ts'
import { type Ctx, reading } from '../../../base/ctx.ts'
import { conflict, explain, invalidField, refuse, workflowInvalid } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import type { Running } from '../../../kernel/jobs/door.ts'
import { siteFacts } from '../kit/actions/facts.ts'
import { graphOf, pinFor } from '../kit/actions/graphs.ts'
import { SEEDED, SEEDED_ID, SEEDED_VERSION, STRICT, STRICT_ID } from '../kit/domain/seed.ts'
import { derived } from '../permit-types/domain/sets.ts'
import { type Difference, differs, type PastPermit, stepOfEvent } from './domain/backtest.ts'
import { graphWarnings, KNOWN } from './domain/registry.ts'
import { hasTypeCode, insertWorkflow, pastEvents, pastPermits, publish, removeWorkflow, type WorkflowRow, workflowsOn } from './queries.ts'
import type { CloneBody, SaveWorkflow } from './schema.ts'

const shippedRow =
  (id: Id, name: string, published: number, draft: Graph) =>
  (site_id: Id): WorkflowRow => ({
    site_id,
    id,
    version: 1,
    updated_at: null,
    permit_type_code: null,
    name,
    published,
    draft,
    removed_at: null,
  })

/** The standard definitions, as every site has them: the standard one, and the strict one with every safeguard. */
export const shippedRows: Readonly<Record<Id, (site_id: Id) => WorkflowRow>> = {
  [SEEDED_ID]: shippedRow(SEEDED_ID, 'Standard workflow', SEEDED_VERSION, SEEDED),
  [STRICT_ID]: shippedRow(STRICT_ID, 'Strict workflow', 1, STRICT),
}
const isShipped = (id: Id): boolean => id in shippedRows
const seededRow = shippedRow(SEEDED_ID, 'Standard workflow', SEEDED_VERSION, SEEDED)
const strictRow = shippedRow(STRICT_ID, 'Strict workflow', 1, STRICT)

const shippedRefusal = conflict('shipped', 'The standard workflows can’t be changed. Copy one, and change the copy.')

function shown(ctx: Ctx, row: WorkflowRow, in_force: boolean): Record<string, unknown> {
  const seeded = isShipped(row.id)
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
    // Whatever effects a graph was saved with, the response shows what the engine really does on each step.
    transitions: row.draft.transitions.map(step => ({ ...step, effects: effectsOf(step) })),
    warnings: graphWarnings(row.draft),
    permissions: flagsFor(ctx.actor, { edit: explain(lacks), remove: explain(lacks) }),
    updated_at: row.updated_at,
  }
}

/** Returns the workflow that a new permit of this type would get. */
export async function showActiveWorkflow(ctx: Ctx, site_id: Id, code: string | undefined): Promise<Record<string, unknown>> {
  const { types } = await siteFacts(ctx, site_id)
  const set = types.filter(type => type.code === code)
  if (code !== undefined && set.length === 0) refuse(invalidField('permit_type_code', `“${code}” isn’t a permit type on this site.`))
  const pin = await pinFor(ctx, site_id, code === undefined ? [] : [code], derived(set).single_stage)
  const own = (await workflowsOn(ctx.db, site_id)).find(row => row.id === pin.workflow_definition_id)
  if (own === undefined) return shown(ctx, seededRow(site_id), true)
  // The active workflow is the published version, even while a later draft is written.
  const graph = await graphOf(ctx, { site_id, ...pin })
  return shown(ctx, { ...own, draft: { states: graph.states, transitions: graph.transitions } }, true)
}

/** Lists the standard definitions, then those of the site. */
export async function listDefinitions(ctx: Ctx, site_id: Id): Promise<unknown[]> {
  const own = await workflowsOn(ctx.db, site_id)
  const siteWide = own.some(row => row.permit_type_code === null && row.published > 0)
  return [
    shown(ctx, seededRow(site_id), !siteWide),
    shown(ctx, strictRow(site_id), false),
    ...own.map(row => shown(ctx, row, row.published > 0)),
  ]
}

/**
 * Copies a standard definition for the site, or for one type on it: as a draft, or published immediately, so that a site can adopt the strict workflow in one
 * call (`permits-decisions.md` §3).
 */
export async function cloneShipped(ctx: Ctx, body: CloneBody): Promise<Record<string, unknown>> {
  const { site_id } = body
  const permit_type_code = body.permit_type_code ?? null
  if (permit_type_code !== null && !(await hasTypeCode(ctx.db, site_id, permit_type_code)))
    refuse(invalidField('permit_type_code', `“${permit_type_code}” isn’t a permit type on this site.`))
  const there = (await workflowsOn(ctx.db, site_id)).find(row => row.permit_type_code === permit_type_code)
  if (there !== undefined)
    refuse(
      conflict(
        'key_taken',
        `${permit_type_code === null ? 'This site' : permit_type_code} already has its own workflow, ${there.name}. Remove that workflow first.`,
        { existing_id: there.id },
      ),
    )
  const strict = body.from === 'strict'
  const called = strict ? 'Strict workflow' : 'Our workflow'
  const row = {
    site_id,
    id: ids.next(),
    permit_type_code,
    name: body.name ?? (permit_type_code === null ? called : `${called} for ${permit_type_code}`),
    draft: strict ? STRICT : SEEDED,
  }
  const made = await added(ctx, row)
  return body.publish === true ? published(ctx, made, row.name, row.draft) : shown(ctx, made, false)
}

/** Adds a workflow, which isn't active yet. */
async function added(ctx: Ctx, row: Parameters<typeof insertWorkflow>[1]): Promise<WorkflowRow> {
  await insertWorkflow(ctx.db, row)
  return { ...row, version: 1, updated_at: ctx.now, published: 0, removed_at: null }
}

/** Publishes a graph as the next version of a workflow. Permits in progress keep their version. */
async function published(ctx: Ctx, row: WorkflowRow, name: string, graph: Graph): Promise<Record<string, unknown>> {
  const number = row.published + 1
  await publish(ctx.db, row, ids.next(), number, name, graph)
  tell(ctx, 'permit_workflow.published', row, name, { version: number })
  return shown(ctx, { ...row, version: row.version + 1, name, published: number, draft: graph, updated_at: ctx.now }, true)
}

/** Gives a new site the workflows that another one uses, as they are published there. Drafts stay. */
export async function copyWorkflows(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<string[]> {
  for (const { id, permit_type_code, name, published: number } of await workflowsOn(ctx.db, from_site_id)) {
    if (number === 0) continue
    const draft = await graphOf(ctx, { site_id: from_site_id, workflow_definition_id: id, workflow_version: number })
    const row = await added(ctx, { site_id, id: ids.next(), permit_type_code, name, draft })
    await publish(ctx.db, row, ids.next(), 1, name, draft)
  }
  return []
}

/** Validates a graph and publishes it as a new version. Permits in progress keep their version. */
export async function saveWorkflow(ctx: Ctx, row: WorkflowRow, body: SaveWorkflow): Promise<Record<string, unknown>> {
  if (isShipped(row.id)) refuse(shippedRefusal)
  const graph: Graph = { states: body.states, transitions: body.transitions }
  const problems = permitProblems(graph, KNOWN)
  if (problems.length > 0) refuse(workflowInvalid(problems))
  const performed = { ...graph, transitions: graph.transitions.map(step => ({ ...step, effects: effectsOf(step) })) }
  return published(ctx, row, body.name ?? row.name, performed)
}

/** Removes a workflow; new permits then use the site’s workflow, or the standard one. */
export async function returnToSeeded(ctx: Ctx, row: WorkflowRow): Promise<void> {
  if (isShipped(row.id)) refuse(shippedRefusal)
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
  const problems = permitProblems(graph, KNOWN)
  if (problems.length > 0) refuse(workflowInvalid(problems))
  return ctx.enqueue('workflow_backtest', { graph }, { site_id: row.site_id, message: `Back-test of ${row.name}` })
}

const PIECE = 500
const NAMED_AT_MOST = 1000

/** Runs a back-test: which past permits would have taken another path, and from which step. */
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
        // The issuer's signature, and the permit going live because of it, are one step.
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
    await job.progress(permits.length < PIECE ? 1 : 0.5, `${counted(checked, 'permit')} tested`)
    if (permits.length < PIECE || (await job.cancelled())) break
    after = permits.at(-1)?.id ?? null
  }
  return { checked, differ, differences: found }
}
