// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { hse, MANAGE, needs, ok, roomCases, seen, signedIn, type Tour, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

const draftOf = async (t: Tour): Promise<{ id: Id; graph: { states: unknown; transitions: unknown } }> => {
  const { code } = await ok(hse(t).post('/permits/types', { site_id: t.site_id, code: `T${t.fresh()}` }))
  const made = await ok(hse(t).post('/permits/workflow/clone', { site_id: t.site_id, permit_type_code: code }))
  return { id: made.id, graph: { states: made.states, transitions: made.transitions } }
}

export const cases = roomCases({
  held: {
    permit_workflow_author: MANAGE,
  },
  records: async t => {
    const { id } = await ok(hse(t).post('/permits/workflow/clone', { site_id: t.site_id }))
    return { definition_id: id }
  },
  routes: {
    'permit_workflow.list_primitives': signedIn,
    'permit_workflow.show': seen,
    'permit_workflow.list': seen,
    'permit_workflow.clone': writes(needs('permit_workflow_author'), async t => {
      const { code } = await ok(hse(t).post('/permits/types', { site_id: t.site_id, code: `T${t.fresh()}` }))
      const body = { site_id: t.site_id, permit_type_code: code }
      return { by: hse(t), body, other: { ...body, name: 'Ours' } }
    }),
    'permit_workflow.publish': writes(needs('permit_workflow_author'), async t => {
      const { id, graph } = await draftOf(t)
      return { by: hse(t), params: { definition_id: id }, body: { ...graph, name: 'Ours' } }
    }),
    'permit_workflow.remove': writes(needs('permit_workflow_author'), async t => ({
      by: hse(t),
      params: { definition_id: (await draftOf(t)).id },
    })),
    'permit_workflow.back_test': writes(
      needs('permit_workflow_author', { no_trace: 'it queues a job that only reads; the job records the request' }),
      async t => {
        const { id, graph } = await draftOf(t)
        return { by: hse(t), params: { definition_id: id }, body: {}, other: graph }
      },
    ),
  },
})
