// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { COORDINATE, contractor, MANAGE, needs, ok, roomCases, signedIn, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  held: {
    audit_view: COORDINATE,
    audit_revert_old: MANAGE,
  },
  records: async t => {
    const entity_id = t.params.contractor_id ?? ''
    const [entry] = await ok(t.as('admin').get(`/audit/entity/contractor/${entity_id}`))
    return { entity_type: 'contractor', entity_id, entry_id: entry.id }
  },
  routes: {
    'audit.show_entity': signedIn,
    'audit.revert': writes(signedIn, async t => {
      const id = await contractor(t)
      await ok(t.as('admin').patch(`/contractors/${id}`, { short_name: `S${t.fresh()}` }))
      const [entry] = await ok(t.as('admin').get(`/audit/entity/contractor/${id}`))
      return { by: t.as('admin'), params: { entry_id: entry.id }, body: { reason: 'A slip' }, other: { reason: 'Another slip' } }
    }),
    'audit.list': needs('audit_view'),
    'audit.list_timeline': needs('audit_view'),
  },
})
