import { answer, created, del, get, post, put } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { cloneShipped, listDefinitions, queueBackTest, returnToSeeded, saveWorkflow, showActiveWorkflow } from './actions.ts'
import { REGISTRY } from './domain/registry.ts'
import { workflow } from './door.ts'
import { BackTest, CloneBody, Definition, MaybeSite, Queued, RegistryShape, SaveWorkflow, SiteQuery, WorkflowQuery } from './schema.ts'

const one = '/permits/workflow/:definition_id'

export const routes = [
  get('/permits/workflow', {
    name: 'permit_workflow.show',
    summary: 'Show the active workflow',
    says: 'Returns the published workflow that new permits use, for the site or for one permit type.',
    access: { needs: 'site_view' },
    query: WorkflowQuery,
    reply: ref(Definition),
    handle: ({ ctx, query }) => showActiveWorkflow(ctx, query.site_id, query.permit_type_code),
  }),
  get('/permits/workflow/registry', {
    name: 'permit_workflow.list_primitives',
    summary: 'List workflow primitives',
    says: 'Returns the states that a workflow can use, and the actions, actors, guards and effects, each of these with an explanation.',
    access: { signed_in: true },
    query: MaybeSite,
    reply: ref(RegistryShape),
    handle: () => REGISTRY,
  }),
  get('/permits/workflow/definitions', {
    name: 'permit_workflow.list',
    summary: 'List workflows',
    says: 'Returns the standard workflows, then the site’s own: the one for the whole site first, then by permit type.',
    access: { needs: 'site_view' },
    query: SiteQuery,
    reply: Type.Array(ref(Definition)),
    handle: ({ ctx, query }) => listDefinitions(ctx, query.site_id),
  }),
  post('/permits/workflow/clone', {
    name: 'permit_workflow.clone',
    summary: 'Copy a standard workflow',
    says: 'Copies a standard workflow for the site or one permit type, as a draft or published immediately.',
    access: { needs: 'permit_workflow_author' },
    query: MaybeSite,
    body: CloneBody,
    of: Definition,
    reply: ref(Definition),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => created(await cloneShipped(ctx, body), `/permits/workflow/definitions?site_id=${body.site_id}`),
  }),
  put(one, {
    name: 'permit_workflow.publish',
    summary: 'Publish a workflow',
    says: 'Validates a workflow and publishes it as a new version. Existing permits keep their version, except drafts whose types change.',
    access: { needs: 'permit_workflow_author' },
    on: workflow,
    query: MaybeSite,
    body: SaveWorkflow,
    of: Definition,
    reply: ref(Definition),
    refuses: ['workflow_invalid', 'conflict'],
    handle: async ({ ctx, thing, body }) => answer(await saveWorkflow(ctx, thing, body), { headers: { etag: `"${thing.version + 1}"` } }),
  }),
  del(one, {
    name: 'permit_workflow.remove',
    summary: 'Remove a workflow',
    says: 'Removes a workflow; new permits then use the site’s workflow or the standard one.',
    access: { needs: 'permit_workflow_author' },
    on: workflow,
    query: MaybeSite,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing }) => returnToSeeded(ctx, thing),
  }),
  post(`${one}/back-test`, {
    name: 'permit_workflow.back_test',
    summary: 'Test a workflow on past permits',
    says: 'Queues a test of a workflow against the site’s past permits. The job’s result lists the permits that would have taken a different path, at most 1,000.',
    access: { needs: 'permit_workflow_author' },
    on: workflow,
    query: MaybeSite,
    body: BackTest,
    reply: ref(Queued),
    status: 202,
    refuses: ['workflow_invalid'],
    handle: async ({ ctx, thing, body }) => {
      const job_id = await queueBackTest(ctx, thing, body)
      return answer({ job_id }, { status: 202, location: `/admin/job-runs?id=${job_id}` })
    },
  }),
]
