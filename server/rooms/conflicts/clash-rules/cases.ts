// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { hse, MANAGE, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'

const SEEN = ['admin', 'site_manager', 'coordinator', 'hse', 'member', 'viewer', 'commercial', 'contractor_hse'] as const

/** Returns a rule as it is written. */
const body = (t: Tour) => ({
  site_id: t.site_id,
  name: `Rule ${t.fresh()}`,
  a: { kinds: ['worker'] },
  b: { kinds: ['plant'] },
  when: { within_m: 2 },
  outcome: { severity: 'amber' },
})
const make = async (t: Tour): Promise<string> => (await ok(hse(t).post('/clash-rules', body(t)))).id

const manages = needs('clash_rule_manage')
const views = needs('clash_view')

export const cases = roomCases({
  held: { clash_view: SEEN, clash_rule_manage: MANAGE },
  records: async t => ({ 'clash-rules/rule_id': await make(t), 'clash-rules/version': '1' }),
  routes: {
    'clash_rule.list': needs('clash_view'),
    'clash_rule.create': writes(needs('clash_rule_manage'), t => ({ by: hse(t), body: body(t), other: body(t) })),
    'clash_rule.show': views,
    'clash_rule.change': writes(manages, t => ({ by: hse(t), body: { description: `Number ${t.fresh()}` } })),
    'clash_rule.delete': writes(manages, async t => ({ by: hse(t), params: { rule_id: await make(t) } })),
    'clash_rule.list_history': views,
    'clash_rule.show_version': views,
    'clash_rule.show_diff': views,
    'clash_rule.revert': writes(manages, async t => {
      const id = await make(t)
      await ok(hse(t).patch(`/clash-rules/${id}`, { description: `Number ${t.fresh()}` }))
      return { by: hse(t), params: { rule_id: id, version: '1' }, body: {}, other: { change_note: 'Back' } }
    }),
  },
})
