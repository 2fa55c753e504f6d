// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { hse, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'

const body = (t: Tour) => ({ site_id: t.site_id, name: `Profile ${t.fresh()}`, start_from: 'empty' })
const make = async (t: Tour): Promise<string> => (await ok(hse(t).post('/rule-profiles', body(t)))).id

const manages = needs('clash_rule_manage')
const views = needs('clash_view')

export const cases = roomCases({
  records: async t => ({ profile_id: await make(t) }),
  routes: {
    'rule_profile.list': needs('clash_view'),
    'rule_profile.create': writes(needs('clash_rule_manage'), t => ({ by: hse(t), body: body(t), other: body(t) })),
    'rule_profile.show': views,
    'rule_profile.change': writes(manages, t => ({ by: hse(t), body: { description: `Number ${t.fresh()}` } })),
    'rule_profile.delete': writes(manages, async t => ({ by: hse(t), params: { profile_id: await make(t) } })),
    'rule_profile.activate': writes(manages, async t => ({ by: hse(t), params: { profile_id: await make(t) } })),
    'rule_profile.clone': writes({ ...manages, no_reference: { target_site_id: 'a site, whose own permissions decide (RP-5)' } }, t => ({
      by: hse(t),
      body: { name: `Copy ${t.fresh()}` },
      other: { name: `Copy ${t.fresh()}` },
    })),
    'rule_profile.sync': writes(manages, async t => ({
      by: hse(t),
      params: { profile_id: await make(t) },
      body: {},
      other: { dry_run: true },
    })),
    'rule_profile.list_rules': views,
  },
})
