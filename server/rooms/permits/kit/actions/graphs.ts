import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { effective } from '../../../../../shared/lifecycle/permit-sorts.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { remembered } from '../../../../base/memo.ts'
import { gatesBeforeLive } from '../domain/gates.ts'
import { SEEDED_ID, SEEDED_VERSION, seededGraph } from '../domain/seed.ts'
import { activeWorkflows, workflowGraph } from '../queries/facts.ts'

const graphs = new Map<string, Promise<Graph>>()
const shipped = [1, SEEDED_VERSION].map(version => effective(seededGraph(version)))

/**
 * Returns the graph that a permit is pinned to: the version that was active when it was created, or when its types last changed while it was a draft.
 * Versions never change, so they are cached.
 */
export async function graphOf(ctx: Ctx, permit: { site_id: Id; workflow_definition_id: Id; workflow_version: number }): Promise<Graph> {
  if (permit.workflow_definition_id === SEEDED_ID) return shipped[permit.workflow_version === 1 ? 0 : 1] as Graph // both exist
  const key = `${permit.site_id} ${permit.workflow_definition_id} ${permit.workflow_version}`
  if (graphs.size > 5000) graphs.clear()
  const found = remembered(graphs, key, async () => {
    const graph = await workflowGraph(ctx.db, permit.site_id, permit.workflow_definition_id, permit.workflow_version)
    if (graph === null) throw new Error(`The workflow version ${key} is missing.`)
    return effective(graph)
  })
  found.catch(() => graphs.delete(key))
  return found
}

/** The workflow version that applies to a permit: definition and number. */
export type Pin = { workflow_definition_id: Id; workflow_version: number }

/**
 * Returns the version that a new permit of these types is pinned to (`permits-decisions.md` §1, Graph of a set): that of one of its types; of several the
 * one with the most gates before live, then the first code; otherwise the site's; otherwise the standard one.
 */
export async function pinFor(ctx: Ctx, site_id: Id, categories: readonly string[], single_stage: boolean): Promise<Pin> {
  const active = await activeWorkflows(ctx.db, site_id)
  const own = active
    .filter(w => w.permit_type_code !== null && categories.includes(w.permit_type_code))
    .map(w => ({ ...w, gates: gatesBeforeLive(w.graph, single_stage) }))
    .sort((a, b) => b.gates - a.gates || ((a.permit_type_code ?? '') < (b.permit_type_code ?? '') ? -1 : 1))
  const chosen = own[0] ?? active.find(w => w.permit_type_code === null)
  return chosen === undefined
    ? { workflow_definition_id: SEEDED_ID, workflow_version: SEEDED_VERSION }
    : { workflow_definition_id: chosen.id, workflow_version: chosen.number }
}
