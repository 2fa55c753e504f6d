import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fewestStatements } from '../../../../bench/record.ts'
import { later, MINUTE } from '../../../../shared/time.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { someoneWaits } from '../../../../tests/waits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { outside } from '../../../base/db.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { settleHandovers } from './actions/handover.ts'
import { admit } from './door.ts'

describe('the duties of a former member', () => {
  const house = useHouse({}, { pool: 8 })
  const tasks = (w: PermitWorld) =>
    house.rows(`select subject_label as says, status, resolution from task where site_id = $1 and kind = 'reassign_duties'`, [w.site_id])
  const settle = async () => {
    house.clock(later(house.house.clock.now(), MINUTE))
    await runSchedules(house.house, 'handovers')
  }

  test('9.22 the task lists what is left, and is resolved once others have taken over every duty', async () => {
    const w = await permitWorld(house)
    const [first, second] = [await w.at('requested'), await w.at('requested')]
    const { membership_id } = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.receiver.user_id}`)).body[0]
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    const numbers = [first.permit_number, second.permit_number].sort()
    const says = (some: unknown[]) => some.map(number => `receiver of ${number}`).join(', ')
    assert.deepEqual(await tasks(w), [{ says: says(numbers), status: 'open', resolution: null }])

    await settle()
    assert.equal((await tasks(w))[0].status, 'open', 'nobody has taken over')
    assert.equal((await w.as('member').post(`/permits/applications/${first.id}/withdraw`, { reason: 'Not needed any longer' })).status, 200)
    await settle()
    assert.deepEqual(await tasks(w), [{ says: says([second.permit_number]), status: 'open', resolution: null }])

    const returned = await w
      .as('coordinator')
      .post(`/permits/applications/${second.id}/request-corrections`, { note: 'Name another receiver' })
    assert.equal(returned.status, 200, returned.text)
    const changed = await w.as('member').patch(`/permits/applications/${second.id}`, { receiver_id: w.issuer.user_id })
    assert.equal(changed.status, 200, changed.text)
    await settle()
    assert.deepEqual([(await tasks(w))[0].status, (await tasks(w))[0].resolution], ['resolved', 'done_by_step'])
  })

  test('1091 the task of a person who becomes a member again while it is brought up to date stays resolved', async () => {
    const w = await permitWorld(house)
    const [first] = [await w.at('requested'), await w.at('requested')]
    const { membership_id } = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.receiver.user_id}`)).body[0]
    assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    assert.equal((await w.as('member').post(`/permits/applications/${first.id}/withdraw`, {})).status, 200)
    const who = { user_id: w.receiver.user_id, role: 'member', contractor_id: w.acme, label: 'Rex Receiver' } as const
    const { settled } = await writingOn(house.house, { actor: jobActor('test'), cause: 'test.return' }, w.site_id, async ctx => {
      await admit(ctx, w.site_id, { ...who, requested_contractor_name: null, invite_id: null, why_pending: null })
      const settled = outside(() => settleHandovers(house.house))
      await someoneWaits(house)
      return { settled }
    })
    await settled
    assert.deepEqual(
      (await tasks(w)).map(task => task.status),
      ['resolved'],
    )
  })

  test('9.22 while nothing is taken over, three statements look at all open tasks, and nothing is written', async () => {
    const looks = async () => (await fewestStatements(() => settleHandovers(house.house))).map(one => one.text)
    const leaves = async () => {
      const w = await permitWorld(house)
      await w.at('requested')
      const { membership_id } = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.receiver.user_id}`)).body[0]
      assert.equal((await w.as('admin').del(`/memberships/${membership_id}`)).status, 204)
    }
    await leaves()
    await leaves()
    const texts = await looks()
    assert.equal(texts.length, 3, texts.join('\n'))
    assert.ok(texts.every(text => text.trim().startsWith('select')))
  })
})
