// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { hse, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'

const rule = async (t: Tour): Promise<string> => {
  const sides = { a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, when: { within_m: 2 }, outcome: { severity: 'amber' } }
  return (await ok(hse(t).post('/clash-rules', { site_id: t.site_id, name: `Rule ${t.fresh()}`, ...sides }))).id
}
const body = (t: Tour, clash_rule_id: string) => ({
  site_id: t.site_id,
  clash_rule_id,
  effect: 'stops',
  instruction: `Number ${t.fresh()}`,
})
const make = async (t: Tour): Promise<string> => {
  const id = await rule(t)
  await ok(hse(t).put('/clash-consequences/', body(t, id)))
  return id
}

export const cases = roomCases({
  records: async t => ({ clash_rule_id: await make(t) }),
  routes: {
    'clash_consequence.list': needs('clash_view'),
    'clash_consequence.set': writes(needs('clash_rule_manage'), async t => ({
      by: hse(t),
      body: body(t, await rule(t)),
      other: body(t, await rule(t)),
    })),
    'clash_consequence.reset': writes(needs('clash_rule_manage'), async t => ({
      by: hse(t),
      params: { clash_rule_id: await make(t) },
    })),
  },
})
