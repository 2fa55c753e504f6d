import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'

describe('consequences of clashes', () => {
  const house = useHouse()

  test('CC-1 without rows every rule of the active profile is listed with is_default; §3 the defaults follow the severity, and DELETE goes back to them', async () => {
    const w = await house.world()
    const list = async () => (await w.as('viewer').get(`/clash-consequences/?site_id=${w.site_id}`)).body
    const all = await list()
    assert.deepEqual([all.length, all.every((one: { is_default: boolean }) => one.is_default)], [8, true])
    const gate = all.find((one: { rule_name: string }) => one.rule_name === 'Deliveries at one gate')
    assert.deepEqual([gate.effect, gate.task_lead_hours, gate.loss_share_percent, gate.blocker_category], ['none', null, 0, 'access_space'])
    const hook = all.find((one: { rule_name: string }) => one.rule_name === 'Under the hook')
    assert.deepEqual([hook.effect, hook.task_lead_hours, hook.loss_share_percent, hook.affected], ['stops', 24, 100, 'later'])
    const put = (body: object) =>
      w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id: gate.clash_rule_id, ...body })
    const first = await put({ effect: 'stops', task_lead_hours: 48 })
    assert.equal(first.status, 201, first.text)
    assert.deepEqual([first.status, first.body.loss_share_percent, first.body.task_lead_hours], [201, 100, 48])
    assert.equal((await put({ effect: 'stops', task_lead_hours: 48 })).status, 200)
    const path = `/clash-consequences/${gate.clash_rule_id}` as const
    assert.equal((await w.as('hse').del(path)).status, 204)
    assert.equal((await w.as('hse').del(path)).status, 404)
    assert.deepEqual(await list(), all)
    assert.equal((await put({ effect: 'stops', clash_rule_id: '01890000-0000-7000-8000-000000000000' })).status, 422)
    const own = { a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, when: { within_m: 5 }, outcome: { severity: 'red' } }
    const { id } = (await w.as('hse').post('/clash-rules', { site_id: w.site_id, name: 'Soon gone', ...own })).body
    assert.equal((await w.as('hse').del(`/clash-rules/${id}`)).status, 204)
    assert.equal((await put({ effect: 'stops', clash_rule_id: id })).status, 404, 'a deleted rule')
  })

  test('conventions §2 each consequence says whether the caller can set and reset it', async () => {
    const w = await house.world()
    const flags = async (role: 'hse' | 'viewer') => {
      const [{ permissions }] = (await w.as(role).get(`/clash-consequences/?site_id=${w.site_id}`)).body
      return [permissions.can_edit, permissions.can_reset]
    }
    const [{ clash_rule_id }] = (await w.as('viewer').get(`/clash-consequences/?site_id=${w.site_id}`)).body
    assert.deepEqual(
      [await flags('hse'), await flags('viewer')],
      [
        [true, false],
        [false, false],
      ],
      'nothing to reset',
    )
    const set = await w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id, effect: 'stops' })
    assert.equal(set.body.permissions.can_reset, true)
    assert.deepEqual(
      [await flags('hse'), await flags('viewer')],
      [
        [true, true],
        [false, false],
      ],
    )
  })

  test('§3 who sets or resets what clashes of a rule mean tells everyone, whose lists follow it, and nothing is compared again', async () => {
    const w = await house.world()
    const [{ clash_rule_id }] = (await w.as('viewer').get(`/clash-consequences/?site_id=${w.site_id}`)).body
    const compared = async () =>
      (await recording(() => relayEvents(house.house))).some(({ text }) => /delete from "?clash\b|from "?clash"? /.test(text))
    const enable = async (enabled: boolean) =>
      assert.equal((await w.as('hse').patch(`/clash-rules/${clash_rule_id}`, { enabled })).status, 200)
    await enable(false)
    await relayEvents(house.house)
    await w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id, effect: 'stops' })
    await w.as('hse').del(`/clash-consequences/${clash_rule_id}`)
    assert.equal(await compared(), false)
    const told = await house.rows(
      `select subject_id from event where site_id = $1 and kind = 'clash_rule.changed' and payload -> 'fields' = '["consequence"]'`,
      [w.site_id],
    )
    assert.deepEqual(
      told.map(one => one.subject_id),
      [clash_rule_id, clash_rule_id],
    )
    await enable(true)
    assert.equal(await compared(), true, 'after another change of the rule')
  })

  test('§3 the consequences of the rules of another profile are listed when it is named', async () => {
    const w = await house.world()
    const list = async (query = '') => w.as('viewer').get(`/clash-consequences/?site_id=${w.site_id}${query}`)
    const [active] = (await w.as('hse').get(`/rule-profiles/?site_id=${w.site_id}`)).body
    const copy = (await w.as('hse').post(`/rule-profiles/${active.id}/clone`, { name: 'Fit-out' })).body
    const rules: { id: string; name: string }[] = (await w.as('hse').get(`/clash-rules/?site_id=${w.site_id}&profile_id=${copy.id}`)).body
    const hook = rules.find(one => one.name === 'Under the hook') ?? assert.fail('It has been copied.')
    assert.equal(
      (await w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id: hook.id, effect: 'slows' })).status,
      201,
    )
    const listed = (await list(`&profile_id=${copy.id}`)).body
    assert.deepEqual(
      listed.map((one: { clash_rule_id: string; is_default: boolean }) => [one.clash_rule_id, one.is_default]),
      rules.map(one => [one.id, one.id !== hook.id]),
    )
    assert.deepEqual((await list(`&profile_id=${active.id}`)).body, (await list()).body, 'by default the active one')
    assert.equal((await list('&profile_id=01890000-0000-7000-8000-000000000000')).status, 422)
  })
})
