import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { MONDAY, useHouse, type World } from '../../../tests/world.ts'
import { jobActor } from '../../base/actor.ts'
import { type Id, ids } from '../../base/ids.ts'
import { rooms } from '../../groups.ts'
import { notifier } from '../notices/door.ts'
import { writingOn } from '../site/door.ts'
import { type Consumer, caughtUp, type EventRow, plugConsumers, relayEvents, startRelay } from './door.ts'

describe('the relay', () => {
  const house = useHouse()
  const heard: { site_id: Id; event_no: number; subject_id: Id }[] = []
  let bad: (event: EventRow) => boolean = () => false
  let kept: unknown[] = []
  const listener: Consumer = {
    name: 'listener',
    says: 'Hears of shifts.',
    kinds: () => ['shift.created'],
    async handle(ctx, event) {
      if (bad(event)) throw new Error('It does not like this one.')
      ctx.afterwards(() => heard.push({ site_id: event.site_id, event_no: event.event_no, subject_id: event.subject_id })) // isn't called after a rollback
    },
  }
  before(() => {
    kept = rooms.flatMap(room => room.consumers ?? [])
    plugConsumers([notifier(), listener])
  })
  after(() => plugConsumers([notifier(), ...(kept as Consumer[])]))
  beforeEach(() => {
    heard.length = 0
    bad = () => false
    house.clock(MONDAY)
  })

  const emit = (w: World, subject_id: Id = ids.next(), many = 1) =>
    writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, w.site_id, async ctx => {
      for (let i = 0; i < many; i++)
        ctx.emit({
          kind: 'shift.created',
          site_id: w.site_id,
          subject: { kind: 'shift', id: subject_id, label: 'Late' },
          payload: { contractor_id: null },
        })
    })
  const of = (w: World) => heard.filter(event => event.site_id === w.site_id)
  const waiting = (w: World) =>
    house.rows('select event_no, attempts, parked_at is not null as parked from event_waiting where site_id = $1 order by event_no', [
      w.site_id,
    ])

  test('messages.md §0.1, 1 events are delivered in commit order, without gaps and without repetition, however many processes deliver at the same time', async () => {
    const [a, b] = [await house.world(), await house.world()]
    const second = await house.beside()
    for (let i = 0; i < 10; i++) await Promise.all([emit(a, ids.next(), 5), emit(b), relayEvents(house.house), relayEvents(second.house)])
    await Promise.all([relayEvents(house.house), relayEvents(second.house), caughtUp(house.house, [a.site_id, b.site_id])])
    await relayEvents(house.house)
    for (const [w, count] of [
      [a, 50],
      [b, 10],
    ] as const) {
      const numbers = of(w).map(event => event.event_no)
      assert.equal(new Set(numbers).size, count)
      assert.deepEqual(
        numbers,
        [...numbers].sort((x, y) => x - y),
      )
      assert.equal(numbers.length, count)
    }
    await second.close()
  })

  test('messages.md §0.1, 4 an event that a consumer fails on is retried ten times and then parked; its subject waits, other events continue, and a restart tries it again', async () => {
    const w = await house.world()
    const [sick, well] = [ids.next(), ids.next()]
    bad = event => event.subject_id === sick
    await emit(w, well)
    await emit(w, sick)
    await emit(w, well)
    await emit(w, sick)
    await relayEvents(house.house)
    assert.deepEqual(
      of(w).map(event => event.subject_id),
      [well, well],
      'other events continue',
    )
    assert.deepEqual(
      (await waiting(w)).map(row => [row.attempts, row.parked]),
      [
        [1, false],
        [0, false],
      ],
    )
    await relayEvents(house.house)
    assert.equal((await waiting(w))[0].attempts, 1, 'it is not tried again before it is due')
    let tries = 1
    for (let minutes = 1; minutes < 200 && !(await waiting(w))[0].parked; minutes++) {
      house.clock(new Date(Date.parse(MONDAY) + minutes * 60_000).toISOString())
      await relayEvents(house.house)
      tries = (await waiting(w))[0].attempts
    }
    assert.equal(tries, 11)
    assert.equal((await waiting(w)).length, 2, 'the later event of the same subject waits behind it')
    const [run] = (await w.as('admin').get(`/admin/job-runs?site_id=${w.site_id}&kind=relay`)).body
    assert.deepEqual([run.state, run.attempts, run.error.detail], ['failed', 11, 'It does not like this one.'])
    assert.match(run.message, /^listener couldn’t process shift\.created of Late/)
    bad = () => false
    const relay = await startRelay(house.house)
    for (let i = 0; i < 100 && (await waiting(w)).length > 0; i++) await wait(50)
    await relay.stop()
    assert.deepEqual(
      of(w).map(event => event.subject_id),
      [well, well, sick, sick],
      'and then in order',
    )
  })

  test('messages.md §0.1, 1 a consumer’s effect and its receipt commit together, so that an event delivered again has no effect', async () => {
    const w = await house.world()
    await emit(w)
    await relayEvents(house.house)
    await house.rows(`update event_cursor set event_no = 0 where site_id = $1`, [w.site_id])
    await relayEvents(house.house)
    assert.equal(of(w).length, 1)
  })

  test('messages.md §0.1, 5 a running relay is woken by a commit', async () => {
    const w = await house.world()
    await relayEvents(house.house)
    const relay = await startRelay(house.house)
    await emit(w)
    for (let i = 0; i < 100 && of(w).length === 0; i++) await wait(10)
    await relay.stop()
    assert.equal(of(w).length, 1)
  })
})
