// Proves that nobody is left out if counts are made only for the people that events concern.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, permitWorld } from '../../../tests/permits.ts'
import { useHouse } from '../../../tests/world.ts'
import { jobActor, ROLES } from '../../base/actor.ts'
import { reading } from '../../base/ctx.ts'
import { concernedBy } from './actions/waits.ts'
import { eventsAfter, headsOf } from './queries.ts'

describe('what is waiting for people', () => {
  const house = useHouse({}, { pool: 8 })

  test('P8 everyone whose count a step changes is among the people that it concerns, and another contractor’s member isn’t', async () => {
    const w = await permitWorld(house)
    const bystander = await w.join('member', await w.contractor('Birch Steel'))
    const people = [...ROLES.map(role => w.as(role)), w.issuer, w.receiver, bystander]
    const { db } = house.house.database
    const counts = async () => {
      const out = new Map<string, string>()
      for (const one of people) {
        const { waiting } = (await one.get('/tasks/unread-count')).body
        const { unread } = (await one.get('/notifications/unread-count')).body
        out.set(one.user_id, `${waiting} tasks, ${unread} notifications`)
      }
      return out
    }
    const headNow = async () => (await headsOf(db, [w.site_id])).get(w.site_id)?.event_no ?? 0

    const permit = await w.draft({ categories: ['GEN'] })
    const one = `/permits/applications/${permit.id}`
    const end_at = '2026-03-16T20:00:00.000Z'
    const ask = () => w.as('member').post(`${one}/extensions`, { requested_end_at: end_at, reason: 'Rain stopped us' })
    const steps: [string, () => Promise<{ status: number; body: { id: string } }>, 'everyone'?][] = [
      ['submit', () => w.step(permit, 'submit', w.as('member'))],
      ['request-corrections', () => w.step(permit, 'request-corrections', w.as('hse'), { note: 'Name the fire watch' })],
      ['submit again', () => w.step(permit, 'submit', w.as('member'))],
      ['endorse', () => w.step(permit, 'endorse', w.as('coordinator'))],
      ['approve', () => w.step(permit, 'approve', w.as('hse'))],
      ['issue', () => w.step(permit, 'issue', w.issuer)],
      ['countersign', () => w.step(permit, 'countersign', w.receiver)],
      ['request-extension', ask, 'everyone'],
      ['hand-back', () => w.step(permit, 'hand-back', w.receiver, { work_complete: true })],
      ['close-out', () => w.step(permit, 'close-out', w.as('coordinator'), { checklist: CHECKLIST }), 'everyone'],
    ]
    let changes = 0
    for (const [name, take, whom] of steps) {
      const before = await counts()
      const from = await headNow()
      const { status, body } = await take()
      assert.ok(status < 300, `${name}: ${JSON.stringify(body)}`)
      const events = await eventsAfter(db, w.site_id, from, await headNow(), 100)
      const ctx = reading(house.house, { actor: jobActor('live'), cause: 'live' })
      const { everyone, people: concerned } = await concernedBy(ctx, w.site_id, events)
      const after = await counts()
      const changed = people.filter(person => before.get(person.user_id) !== after.get(person.user_id))
      changes += changed.length
      assert.equal(everyone, whom === 'everyone', name)
      for (const person of changed) assert.ok(everyone || concerned.has(person.user_id), `${name} left somebody out`)
      assert.equal(concerned.has(bystander.user_id), false, `${name} concerns a bystander`)
    }
    assert.ok(changes > 10, `${changes} counts changed`)
  })
})
