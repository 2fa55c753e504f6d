// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { COORDINATE, hse, MANAGE, needs, ok, roomCases, signedIn, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

/** Returns a rule of a site, as it is written. */
const ruleOf = (site_id: Id, name: string) => ({
  site_id,
  name,
  event_kind: 'permit.submitted',
  audience: [{ band: 'stage1' }],
  title: 'Permit {{permit_number}} was submitted',
})

export const cases = roomCases({
  held: {
    notification_rule_view: COORDINATE,
    notification_rule_manage: MANAGE,
  },
  records: async t => {
    const { id } = await ok(hse(t).post('/notification-rules/', ruleOf(t.site_id, `Rule ${t.fresh()}`)))
    return { rule_id: id }
  },
  routes: {
    'notification_rule.list': needs('notification_rule_view'),
    'notification_rule.create': writes(needs('notification_rule_manage'), t => ({
      by: hse(t),
      body: ruleOf(t.site_id, `Rule ${t.fresh()}`),
      other: ruleOf(t.site_id, `Rule ${t.fresh()}`),
    })),
    'notification_rule.list_event_schemas': { ...signedIn, siteless: true },
    'notification_rule.preview': needs('notification_rule_view'),
    'notification_rule.show': needs('notification_rule_view'),
    'notification_rule.change': writes(needs('notification_rule_manage'), t => ({
      by: hse(t),
      body: { title: `Submitted, number ${t.fresh()}` },
    })),
    'notification_rule.delete': writes(needs('notification_rule_manage'), async t => {
      const { id } = await ok(hse(t).post('/notification-rules/', ruleOf(t.site_id, `Rule ${t.fresh()}`)))
      return { by: hse(t), params: { rule_id: id } }
    }),
    'notification_rule.clone': writes(needs('notification_rule_manage'), t => ({
      by: hse(t),
      body: {},
      other: { name: `Copy ${t.fresh()}` },
    })),
    'notification_rule.switch': writes(needs('notification_rule_manage'), async t => {
      const { id } = await ok(hse(t).post('/notification-rules/', ruleOf(t.site_id, `Rule ${t.fresh()}`)))
      return { by: hse(t), params: { rule_id: id }, body: { enabled: true }, other: { enabled: false } }
    }),
    'notification_rule.list_versions': needs('notification_rule_view'),
  },
})
