import { answer, created, del, get, post, put } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { cloneSeeded, listDefinitions, queueBackTest, returnToSeeded, saveWorkflow, showInForce } from './actions.ts'
import { REGISTRY } from './domain/registry.ts'
import { workflow } from './door.ts'
import { BackTest, CloneBody, Definition, MaybeSite, Queued, RegistryShape, SaveWorkflow, SiteQuery, WorkflowQuery } from './schema.ts'

const one = '/permits/workflow/:definition_id'

export const routes = [
  get('/permits/workflow', {
    name: 'permit_workflow.show',
    says: 'The workflow that a new permit is born under, on the site or for a type.',
    access: { needs: 'site_view' },
    query: WorkflowQuery,
    reply: ref(Definition),
    handle: ({ ctx, query }) => showInForce(ctx, query.site_id, query.permit_type_code),
  }),
  get('/permits/workflow/registry', {
    name: 'permit_workflow.list_primitives',
    says: 'States, actions, actors, guards and effects that graphs are made of, each explained.',
    access: { signed_in: true },
    query: MaybeSite,
    reply: ref(RegistryShape),
    handle: () => REGISTRY,
  }),
  get('/permits/workflow/definitions', {
    name: 'permit_workflow.list',
    says: 'The seeded definition and what the site has authored.',
    access: { needs: 'site_view' },
    query: SiteQuery,
    reply: Type.Array(ref(Definition)),
    handle: ({ ctx, query }) => listDefinitions(ctx, query.site_id),
  }),
  post('/permits/workflow/clone', {
    name: 'permit_workflow.clone',
    says: 'Copies the seeded definition for the site, or one type, as a draft that is not in force yet.',
    access: { needs: 'permit_workflow_author' },
    query: MaybeSite,
    body: CloneBody,
    of: Definition,
    reply: ref(Definition),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => created(await cloneSeeded(ctx, body), `/permits/workflow/definitions?site_id=${body.site_id}`),
  }),
  put(one, {
    name: 'permit_workflow.publish',
    says: 'Validates a graph and publishes it as a new version; permits in flight finish on theirs.',
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
    says: 'Returns the site, or the type, to the workflow above it.',
    access: { needs: 'permit_workflow_author' },
    on: workflow,
    query: MaybeSite,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing }) => returnToSeeded(ctx, thing),
  }),
  post(`${one}/back-test`, {
    name: 'permit_workflow.back_test',
    says: 'Runs a graph against the site’s past permits; the job’s result names each that would have gone another way.',
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
