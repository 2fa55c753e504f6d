// The requests of this room, and which queries a published workflow makes stale.
import { useQuery } from '@tanstack/react-query'
import type { Graph } from '../../../../shared/lifecycle/graph.ts'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'

export type Definition = Schemas['PermitWorkflow']
export type Words = Schemas['PermitWorkflowRegistry']

/** The standard workflow and the site's own ones. */
export const useDefinitions = (site_id: string) =>
  useQuery({
    queryKey: ['workflow', site_id],
    queryFn: () => ask(client.GET('/permits/workflow/definitions', { params: { query: { site_id } } })),
  })

/** The names that graphs are made of. */
export const useRegistry = () =>
  useQuery({
    queryKey: ['workflow', 'registry'],
    queryFn: () => ask(client.GET('/permits/workflow/registry', { params: { query: {} } })),
    staleTime: Number.POSITIVE_INFINITY,
  })

const published = () => queries.invalidateQueries({ queryKey: ['workflow'] })
const bodyOf = (graph: Graph): Pick<Schemas['SaveWorkflow'], 'states' | 'transitions'> => ({
  states: graph.states.map(state => ({ ...state })),
  transitions: graph.transitions.map(step => ({
    ...step,
    guards: [...step.guards],
    effects: [...step.effects],
    requires: [...step.requires],
  })),
})

/** Copies the standard workflow for the site or for one type. */
export async function clone(site_id: string, permit_type_code: string | null, name: string): Promise<void> {
  await ask(client.POST('/permits/workflow/clone', { body: { site_id, permit_type_code, name }, headers: freshKey() }))
  await published()
}

/** Activates the standard strict workflow for the site, in one call. */
export async function takeStrict(site_id: string): Promise<void> {
  await ask(client.POST('/permits/workflow/clone', { body: { site_id, from: 'strict', publish: true }, headers: freshKey() }))
  await published()
}

/** Publishes the drawn workflow; permits in progress keep the workflow that they started with. */
export async function publish(definition: Definition, graph: Graph): Promise<void> {
  const path = { definition_id: definition.id }
  await ask(
    client.PUT('/permits/workflow/{definition_id}', { params: { path }, body: bodyOf(graph), headers: ifMatch(definition.revision) }),
  )
  await published()
}

/** Removes the workflow of the site, or of the type; new permits then use the workflow above it. */
export async function remove(definition: Definition): Promise<void> {
  const path = { definition_id: definition.id }
  await ask(client.DELETE('/permits/workflow/{definition_id}', { params: { path }, headers: ifMatch(definition.revision) }))
  await published()
}

/** Requests a test of which past permits would have taken another path; returns the id of the job. */
export async function backTest(site_id: string, definition_id: string, graph: Graph): Promise<string> {
  const body = { site_id, ...bodyOf(graph) }
  const { job_id } = await ask(
    client.POST('/permits/workflow/{definition_id}/back-test', { params: { path: { definition_id } }, body, headers: freshKey() }),
  )
  return job_id
}

/** The result of a back-test. */
export type BackTested = {
  checked: number
  differ: number
  differences: { permit_id: string; permit_number: string | null; step: number; action: string; why: string }[]
}
