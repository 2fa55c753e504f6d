import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../../tests/world.ts'

describe('a site with the configuration of another one', () => {
  const house = useHouse()
  type Rule = { id: string; name: string; enabled: boolean; locked: boolean; source: string }
  const ok = <T extends { status: number; text: string; body: unknown }>(reply: T): T['body'] => {
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }

  test('§1 copy_from_site_id takes over permit types and workflow, rule profiles, notification rules, drawing sizes and weekdays', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const site_id = w.site_id
    ok(await hse.post('/permits/types', { site_id, code: 'ASB', name: 'Asbestos' }))
    const workflow = ok(await hse.post('/permits/workflow/clone', { site_id, from: 'strict', name: 'Ours', publish: true }))
    ok(await hse.post('/permits/workflow/clone', { site_id, permit_type_code: 'ASB', name: 'Only a draft' }))
    ok(await hse.patch(`/geometry/defaults?site_id=${site_id}`, { min_part_m2: 50 }))
    ok(await hse.patch(`/sites/${site_id}`, { work_weekdays: [1, 2, 3, 4, 5, 6] }))

    const profile = ok(await hse.post('/rule-profiles', { site_id, name: 'Steel' }))
    const sides = { a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, outcome: { severity: 'red' } }
    const near = { site_id, profile_id: profile.id, ...sides }
    const far = ok(await hse.post('/clash-rules', { ...near, name: 'Ten metres', when: { within_m: 10 } }))
    ok(await hse.put('/clash-consequences/', { site_id, clash_rule_id: far.id, effect: 'stops', instruction: 'Stand clear' }))
    const theirs = { all: [{ within_m: 5 }, { field: 'b.contractor_id', op: 'eq', value: await w.contractor('Birch Steel') }] }
    ok(await hse.post('/clash-rules', { ...near, name: 'Their plant', when: theirs }))
    ok(await hse.post(`/rule-profiles/${profile.id}/activate`, {}))

    const rule = { site_id, event_kind: 'permit.submitted', title: 'Look', channels: ['in_app'], enabled: true }
    ok(await hse.post('/notification-rules/', { ...rule, name: 'To everyone', audience: [{ role: 'hse' }] }))
    const [member] = ok(await hse.get(`/sites/${site_id}/members?role=viewer`))
    ok(await hse.post('/notification-rules/', { ...rule, name: 'To one person', audience: [{ user_id: member.user_id }] }))
    const standard: Rule[] = ok(await hse.get(`/notification-rules/?site_id=${site_id}&source=shipped`))
    const muted = standard.find(one => one.enabled && !one.locked) ?? assert.fail('no standard rule')
    ok(await hse.patch(`/notification-rules/${muted.id}`, { enabled: false }))

    const copy = ok(await w.superadmin.post('/sites/', { name: 'Copy', timezone: 'UTC', copy_from_site_id: site_id }))
    const of = async (path: string) => ok(await w.superadmin.get(`${path}${path.includes('?') ? '&' : '?'}site_id=${copy.id}`))

    assert.deepEqual(copy.work_weekdays, [1, 2, 3, 4, 5, 6])
    assert.ok((await of('/permits/types')).some((type: { code: string }) => type.code === 'ASB'))
    const active = await of('/permits/workflow')
    assert.deepEqual([active.name, active.version, active.in_force, active.states], ['Ours', 1, true, workflow.states])
    assert.notEqual(active.id, workflow.id)
    assert.deepEqual(
      (await of('/permits/workflow/definitions'))
        .filter((one: { seeded: boolean }) => !one.seeded)
        .map((one: { name: string }) => one.name),
      ['Ours'],
    )
    assert.equal((await of('/geometry/defaults')).min_part_m2, 50)

    const profiles: { name: string; is_active: boolean }[] = await of('/rule-profiles')
    assert.deepEqual(
      profiles.map(one => [one.name, one.is_active]),
      [
        ['Steel', true],
        ['Standard', false],
      ],
    )
    const rules: Rule[] = await of('/clash-rules')
    const enabled = (name: string) => rules.find(one => one.name === name)?.enabled
    assert.deepEqual([enabled('Ten metres'), enabled('Their plant')], [true, false])
    const consequence = (await of('/clash-consequences/')).find((one: { instruction: string }) => one.instruction === 'Stand clear')
    assert.equal(consequence?.effect, 'stops')

    const notified: Rule[] = await of('/notification-rules/')
    const own = notified.filter(one => one.source === 'site').map(one => [one.name, one.enabled])
    assert.deepEqual(own.toSorted(), [
      ['To everyone', true],
      ['To one person', false],
    ])
    assert.equal(notified.find(one => one.name === muted.name)?.enabled, false, 'a standard rule that is off stays off')
    assert.equal(copy.needs_attention.length, 2, copy.needs_attention.join('; '))
    assert.match(copy.needs_attention.join('; '), /To one person: recipient 1 isn’t an active member of this site\./)
  })

  test('§1 copy_from_site_id takes over no people, contractors, places or records', async () => {
    const w = await house.world()
    await w.contractor('Birch Steel')
    const copy = ok(await w.superadmin.post('/sites/', { name: 'Copy', timezone: 'UTC', copy_from_site_id: w.site_id }))
    const of = async (path: string) => ok(await w.superadmin.get(`${path}?site_id=${copy.id}`))
    assert.deepEqual([await of('/contractors/'), await of('/workers'), await of('/permits')], [[], [], []])
    assert.equal((await w.superadmin.get(`/sites/${copy.id}/members`)).body.length, 1, 'the person who created it')
  })
})
