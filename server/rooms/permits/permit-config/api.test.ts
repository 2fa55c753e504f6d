import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { someoneWaits } from '../../../../tests/waits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { outside } from '../../../base/db.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { chooseRegime } from './actions.ts'

const DEFAULTS = {
  coverage_policy_enabled: false,
  close_out_gate_enabled: false,
  nominee_user_id: null,
  deputy_nominee_user_id: null,
  expiring_warning_lead_hours: 24,
  activation_gap_lead_hours: 24,
}

describe('permit policy', () => {
  const house = useHouse({}, { pool: 8 })
  const path = (w: World) => `/permits/config?site_id=${w.site_id}`
  const six = (body: Record<string, unknown>) => Object.fromEntries(Object.keys(DEFAULTS).map(key => [key, body[key]]))

  test('without a row the defaults apply, and both policies are off', async () => {
    const w = await house.world()
    const { status, body } = await w.as('viewer').get(path(w))
    assert.deepEqual([status, body.version, body.regime, body.updated_at, six(body)], [200, 0, null, null, DEFAULTS])
    assert.equal((await (await w.stranger()).get(path(w))).status, 404)
    assert.equal((await w.as('viewer').get('/permits/config')).status, 422)
  })

  test('PUT replaces the whole policy: a field that is left out is reset to its default', async () => {
    const w = await house.world()
    const full = {
      coverage_policy_enabled: true,
      close_out_gate_enabled: true,
      nominee_user_id: w.as('hse').user_id,
      deputy_nominee_user_id: w.as('admin').user_id,
      expiring_warning_lead_hours: 720,
      activation_gap_lead_hours: 1,
    }
    const saved = await w.as('hse').put(path(w), full)
    assert.deepEqual([saved.status, six(saved.body)], [200, full])
    const reset = await w.as('hse').put(path(w), { close_out_gate_enabled: true })
    assert.deepEqual(six(reset.body), { ...DEFAULTS, close_out_gate_enabled: true })
    assert.deepEqual(six((await w.as('hse').put('/permits/config', { site_id: w.site_id })).body), DEFAULTS)
  })

  test('PUT accepts leads of 1 to 720 and people who are active members, and refuses lower roles and a stale version', async () => {
    const w = await house.world()
    for (const lead of [0, 721, 1.5, '24', null]) {
      const refused = await w.as('hse').put(path(w), { expiring_warning_lead_hours: lead, activation_gap_lead_hours: lead })
      assert.equal(refused.status, 422, String(lead))
      assert.equal(refused.body.error.fields.length, 2)
    }
    for (const lead of [1, 720]) assert.equal((await w.as('hse').put(path(w), { expiring_warning_lead_hours: lead })).status, 200)
    const stranger = await w.stranger()
    const people = await w.as('hse').put(path(w), { nominee_user_id: stranger.user_id, deputy_nominee_user_id: w.superadmin.user_id })
    assert.deepEqual(
      people.body.error.fields.map((f: { path: string }) => f.path),
      ['nominee_user_id', 'deputy_nominee_user_id'],
    )
    for (const role of ['coordinator', 'member', 'contractor_hse', 'viewer'] as const)
      assert.equal((await w.as(role).put(path(w), {})).status, 403, role)
    for (const role of ['hse', 'admin', 'site_manager'] as const) assert.equal((await w.as(role).put(path(w), {})).status, 200, role)
    const { version } = (await w.as('hse').get(path(w))).body
    assert.equal((await w.as('hse').put(path(w), { close_out_gate_enabled: true }, { 'if-match': `"${version - 1}"` })).status, 412)
    assert.equal((await w.as('hse').put(path(w), { close_out_gate_enabled: true }, { 'if-match': `"${version}"` })).status, 200)
  })

  test('if two first saves come at the same time, there is one row, and each response is a whole policy', async () => {
    const w = await house.world()
    const leads = [1, 2, 3, 4, 5, 6, 7, 8]
    const saved = await Promise.all(
      leads.map(n => w.as('hse').put(path(w), { expiring_warning_lead_hours: n, activation_gap_lead_hours: n })),
    )
    for (const { status, body } of saved)
      assert.deepEqual([status, body.expiring_warning_lead_hours], [200, body.activation_gap_lead_hours])
    assert.equal((await house.rows('select 1 from permit_config where site_id = $1', [w.site_id])).length, 1)
  })

  test('a regime sets coverage and which types need a parent, even those created later; applying it again changes nothing', async () => {
    const w = await house.world()
    const regime = (name: string) => w.as('hse').post('/permits/config/regime', { site_id: w.site_id, regime: name })
    const needing = async () =>
      (await w.as('viewer').get(`/permits/types?site_id=${w.site_id}`)).body
        .filter((t: { requires_parent: boolean }) => t.requires_parent)
        .map((t: { code: string }) => t.code)
    await w.as('hse').put(path(w), { expiring_warning_lead_hours: 4, nominee_user_id: w.as('hse').user_id, close_out_gate_enabled: true })
    const major = await regime('major_hazard')
    assert.deepEqual(
      [major.status, major.body.regime, six(major.body)],
      [
        200,
        'major_hazard',
        {
          ...DEFAULTS,
          coverage_policy_enabled: true,
          expiring_warning_lead_hours: 4,
          nominee_user_id: w.as('hse').user_id,
          close_out_gate_enabled: true,
        },
      ],
    )
    assert.deepEqual(await needing(), ['CRO', 'CSE', 'ELE', 'EXC', 'HW', 'LIFT', 'PRT', 'RAD', 'WAH'])
    const count = async () => (await house.rows('select 1 from event where site_id = $1', [w.site_id])).length
    const [before, version] = [await count(), major.body.version]
    assert.deepEqual([(await regime('major_hazard')).body.version, await count()], [version, before])
    assert.equal((await w.as('hse').post('/permits/types', { site_id: w.site_id, code: 'ASB' })).body.requires_parent, true)
    const generic = await regime('generic_cdm')
    assert.deepEqual([generic.body.coverage_policy_enabled, await needing()], [false, []])
    assert.equal((await regime('lenient')).status, 422)
    assert.equal((await w.as('coordinator').post('/permits/config/regime', { site_id: w.site_id, regime: 'generic_cdm' })).status, 403)
  })

  test('1096 a type that is created while a regime is applied for the first time needs a parent by that regime', async () => {
    const w = await house.world()
    const { creating } = await writingOn(house.house, { actor: jobActor('test'), cause: 'test.regime' }, w.site_id, async ctx => {
      await chooseRegime(ctx, w.site_id, 'major_hazard')
      const creating = outside(() => w.as('hse').post('/permits/types', { site_id: w.site_id, code: 'ASB' }))
      await Promise.race([creating, someoneWaits(house)])
      return { creating }
    })
    const made = await creating
    assert.deepEqual([made.status, made.body.requires_parent], [201, true])
  })

  test('§1 a regime that is applied again after the coverage was switched by hand switches it back, and says so: maps draw the badges again', async () => {
    const w = await house.world()
    const regime = () => w.as('hse').post('/permits/config/regime', { site_id: w.site_id, regime: 'major_hazard' })
    await regime()
    await w.as('hse').put(path(w), { coverage_policy_enabled: false })
    const events = async () =>
      (
        await house.rows("select payload from event where site_id = $1 and kind = 'permit_config.changed' order by event_no", [w.site_id])
      ).map(({ payload }) => payload.fields)
    const before = await events()
    assert.equal((await regime()).body.coverage_policy_enabled, true)
    assert.deepEqual((await events()).slice(before.length), [['coverage_policy_enabled']])
  })
})
