// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import {
  CONTRIBUTE,
  COORDINATE,
  coordinator,
  file,
  hse,
  MANAGE,
  type Making,
  member,
  needs,
  ok,
  PDF,
  roomCases,
  seen,
  type Tour,
  writes,
} from '../../../../tests/calls.ts'
import { CHECKLIST, type PermitWorld } from '../../../../tests/permits.ts'
import type { Caller } from '../../../../tests/world.ts'

const permitAt =
  (state: Parameters<PermitWorld['at']>[0], by: (t: Tour) => Caller, body: unknown = {}, other: unknown = null): Making =>
  async t => {
    const { id } = await t.at(state)
    return { by: by(t), params: { permit_id: id }, body, other: other ?? { ...(body as object), site_id: t.site_id } } // every body of a case is an object
  }

export const cases = roomCases({
  held: {
    permit_request: CONTRIBUTE,
    permit_approve_stage1: COORDINATE,
    permit_approve_stage2: MANAGE,
  },
  records: async t => {
    const live = await t.at('issued', { categories: ['GEN'] })
    const plan = [file(PDF, `plan ${t.fresh()}.pdf`)]
    const attached = await ok(coordinator(t).send('POST', `/permits/applications/${live.id}/attachments`, plan))
    return { permit_id: live.id, attachment_id: attached.id }
  },
  routes: {
    'permit.create': writes(needs('permit_request'), t => {
      const body = { site_id: t.site_id, categories: ['HW'], title: `Weld ${t.fresh()}` }
      return { by: member(t), body, other: { ...body, categories: ['CSE'] } }
    }),
    'permit.create_family': writes(needs('permit_request', { instead_of: { parent_id: 'parent' } }), t => {
      const body = { site_id: t.site_id, parent: { categories: ['GEN'], title: `Roof ${t.fresh()}` }, children: [{ categories: ['HW'] }] }
      return { by: member(t), body, other: { ...body, children: [{ categories: ['HW'] }, { categories: ['WAH'] }] } }
    }),
    'permit.close_out_bulk': writes(
      { ...seen, no_reference: { 'permit_ids.0': 'permits are refused individually, in the response, and the others are closed out' } },
      async t => {
        const body = { site_id: t.site_id, permit_ids: [(await t.at('issued')).id], checklist: CHECKLIST }
        return { by: coordinator(t), body, other: { ...body, note: 'All done' } }
      },
    ),
    'permit.edit': writes(seen, permitAt('draft', member, { title: 'Weld gates' })),
    'permit.delete': writes(seen, permitAt('draft', member, undefined)),
    'permit.submit': writes(seen, permitAt('draft', member)),
    'permit.withdraw': writes(seen, permitAt('requested', member)),
    'permit.endorse': writes(seen, permitAt('requested', coordinator)),
    'permit.approve': writes(seen, permitAt('endorsed', hse)),
    'permit.reject': writes(seen, permitAt('requested', hse, { reason: 'Unsafe' })),
    'permit.request_corrections': writes(seen, permitAt('requested', hse, { note: 'Name the fire watch' })),
    'permit.hand_back': writes(
      seen,
      permitAt('issued', t => t.receiver, { work_complete: true, note: 'Done' }),
    ),
    'permit.issue': writes(
      seen,
      permitAt('approved', t => t.issuer),
    ),
    'permit.countersign': writes(
      seen,
      permitAt('signed', t => t.receiver),
    ),
    'permit.close_out': writes(seen, permitAt('issued', coordinator, { checklist: CHECKLIST })),
    'permit.reissue': writes(seen, permitAt('closed', member)),
    'permit_attachment.create': writes(seen, async t => ({
      by: member(t),
      params: { permit_id: (await t.draft()).id },
      parts: [file(PDF, `a${t.fresh()}.pdf`)],
      others: [file(Buffer.concat([PDF, Buffer.from('2')]), 'b.pdf')],
    })),
    'permit_attachment.delete': writes(seen, async t => {
      const { id } = await t.draft()
      const made = await ok(member(t).send('POST', `/permits/applications/${id}/attachments`, [file(PDF, `a${t.fresh()}.pdf`)]))
      return { by: member(t), params: { permit_id: id, attachment_id: made.id } }
    }),
    'permit_attachment.download': seen,
  },
})
