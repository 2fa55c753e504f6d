import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { later, MINUTE } from '../../../../shared/time.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'

describe('what a site is given', () => {
  const house = useHouse({}, { pool: 8 })

  /** Lets the schedule run that follows an upgrade. */
  async function upgraded(): Promise<void> {
    house.clock(later(house.house.clock.now(), MINUTE))
    assert.deepEqual(await runSchedules(house.house, 'site_seeds'), ['site_seeds'])
  }

  /** Removes what an earlier version did not create yet, without a trace. */
  async function olderThan(w: World, ...statements: string[]): Promise<void> {
    const client = await house.house.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      for (const statement of statements) await client.query(statement, [w.site_id])
      await client.query('commit')
    } finally {
      client.release()
    }
  }

  const list = async (w: World, path: string) => {
    const { status, body, text } = await w.as('hse').get(`${path}?site_id=${w.site_id}`)
    assert.equal(status, 200, text)
    return body
  }
  const RULES = ['clash_rule', 'rule_profile_period', 'rule_profile'].map(table => `delete from ${table} where site_id = $1`)
  const NO_RULES = [...RULES, "delete from site_seed where site_id = $1 and area = 'rule-profiles'"]

  test('§1 after an upgrade a site that never had a rule profile gets “Standard”, and what is on it is compared', async () => {
    const w = await house.world()
    await olderThan(w, ...NO_RULES)
    assert.equal((await w.as('hse').get(`/clash-rules/?site_id=${w.site_id}`)).status, 404)
    await upgraded()
    const [profile, ...others] = await list(w, '/rule-profiles/')
    assert.deepEqual([profile.name, profile.is_active, others], ['Standard', true, []])
    assert.equal((await list(w, '/clash-rules/')).length, 8)
    const events = await house.rows('select subject_id, payload from event where site_id = $1 and kind = $2', [
      w.site_id,
      'rule_profile.activated',
    ])
    assert.deepEqual(events, [{ subject_id: profile.id, payload: { profile_id: profile.id, previous_profile_id: null } }])
    await upgraded()
    assert.equal((await list(w, '/rule-profiles/')).length, 1, 'a second run adds nothing')
  })

  test('§1 an upgrade doesn’t bring back what was deleted', async () => {
    const w = await house.world()
    const [day] = await list(w, '/shifts/')
    assert.equal((await w.as('hse').del(`/shifts/${day.id}?effective_on=${day.valid_from}`)).status, 204)
    await upgraded()
    assert.deepEqual(await list(w, '/shifts/'), [])
    await olderThan(w, "delete from site_seed where site_id = $1 and area = 'shifts'")
    await upgraded()
    assert.deepEqual(
      (await list(w, '/shifts/')).map((shift: { name: string }) => shift.name),
      ['Day'],
      'a site that never had a shift gets one',
    )
  })

  test('§1 an upgrade doesn’t touch what was edited, and adds no type whose code the site uses', async () => {
    const w = await house.world()
    const before = await list(w, '/permits/types')
    const general = before.find((type: { code: string }) => type.code === 'GEN')
    const renamed = await w.as('hse').patch(`/permits/types/${general.id}`, { name: 'Ordinary work' })
    assert.equal(renamed.status, 200, renamed.text)
    await olderThan(
      w,
      "update permit_type set system_key = null where site_id = $1 and code = 'HW'",
      "delete from permit_type where site_id = $1 and code = 'LIFT'",
      "delete from site_seed where site_id = $1 and area = 'permits' and key in ('GEN', 'HW', 'LIFT')",
    )
    await upgraded()
    const after = await list(w, '/permits/types')
    const codes = (types: { code: string }[]) => types.map(type => type.code).toSorted()
    assert.deepEqual(codes(after), codes(before), 'the type that was missing is there, and no code twice')
    assert.equal(after.find((type: { code: string }) => type.code === 'GEN').name, 'Ordinary work')
    const hot = (types: { code: string }[]) => types.find(type => type.code === 'HW')
    assert.deepEqual(hot(after), hot(before))
  })

  test('§1 a locked site is upgraded, too, and a deleted one when it is restored', async () => {
    const w = await house.world()
    const gone = await house.world()
    await olderThan(w, ...NO_RULES)
    await olderThan(gone, ...NO_RULES)
    assert.equal((await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Finished' })).status, 200)
    assert.equal((await gone.superadmin.del(`/sites/${gone.site_id}`)).status, 204)
    const profiles = async (site_id: string) =>
      (await house.rows('select name from rule_profile where site_id = $1', [site_id])).map(row => row.name)
    await upgraded()
    assert.deepEqual([await profiles(w.site_id), await profiles(gone.site_id)], [['Standard'], []])
    assert.equal((await gone.superadmin.patch(`/sites/${gone.site_id}`, { deleted: false })).status, 200)
    await upgraded()
    assert.deepEqual(await profiles(gone.site_id), ['Standard'])
  })

  test('§1 two processes upgrade a site once', async () => {
    const w = await house.world()
    const other = await house.beside()
    try {
      for (let round = 0; round < 5; round++) {
        await olderThan(w, ...NO_RULES)
        const at = later(house.house.clock.now(), MINUTE)
        house.clock(at)
        other.clock(later(at, MINUTE))
        await Promise.all([runSchedules(house.house, 'site_seeds'), runSchedules(other.house, 'site_seeds')])
        house.clock(later(at, MINUTE))
        assert.deepEqual(
          (await list(w, '/rule-profiles/')).map((profile: { name: string }) => profile.name),
          ['Standard'],
        )
      }
    } finally {
      await other.close()
    }
  })
})
