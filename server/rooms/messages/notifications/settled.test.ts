// Notifications whose request someone has met: they stop counting for everyone (decision 989).
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { pointAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { sweepExaminations } from '../../map/plant/jobs.ts'

describe('notifications of what has been done', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))

  type Row = { id: string; kind: string; read_at: string | null; settled_at: string | null; subject: { id: string } }
  const of = async (who: Caller, w: PermitWorld, kind: string): Promise<Row[]> =>
    (await who.get(`/notifications/?site_id=${w.site_id}&kind=${kind}`)).body
  const unread = async (who: Caller, w: PermitWorld): Promise<number> =>
    (await who.get(`/notifications/unread-count?site_id=${w.site_id}`)).body.unread
  const states = (rows: readonly Row[]) => rows.map(row => [row.read_at, row.settled_at])
  const HOT = { categories: ['HW'] }
  const done = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply
    assert.ok(status < 300, text)
  }

  test('messages.md §1 once someone has approved a permit, that it is waiting for approval counts as unread for nobody; those of other permits stay unread', async () => {
    const w = await permitWorld(house)
    const could = [w.as('hse'), w.as('site_manager'), w.as('admin')]
    const permit = await w.at('endorsed', HOT)
    const other = await w.at('endorsed', { ...HOT, title: 'Weld the other stair' })
    const before = await Promise.all(could.map(who => unread(who, w)))
    house.clock('2026-03-16T09:05:00.000Z')
    await done(w.step(permit, 'approve', w.as('hse')))
    for (const [i, who] of could.entries()) {
      const rows = await of(who, w, 'permit_awaiting_approval')
      const at = (id: string) => states(rows.filter(row => row.subject.id === id))
      assert.deepEqual(at(permit.id), [['2026-03-16T09:05:00.000Z', '2026-03-16T09:05:00.000Z']])
      assert.deepEqual(at(other.id), [[null, null]])
      assert.equal(await unread(who, w), (before[i] ?? 0) - 1)
    }
    const { body } = await w.as('admin').get(`/notifications/?site_id=${w.site_id}&unread=true&kind=permit_awaiting_endorsement`)
    assert.deepEqual(body, [], 'both were endorsed')
  })

  test('messages.md §1 whichever way a permit leaves the step that a notification is about, nobody has it unread', async () => {
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const waiting = async (kind: string) => (await of(hse, w, kind)).filter(row => row.read_at === null).length
    for (const [verb, body, by] of [
      ['request-corrections', { note: 'Name the fire watch' }, hse],
      ['reject', { reason: 'Unsafe' }, hse],
      ['withdraw', {}, w.as('member')],
    ] as const) {
      const permit = await w.at('requested', HOT)
      assert.equal(await waiting('permit_awaiting_endorsement'), 1, verb)
      await done(w.step(permit, verb, by, body))
      assert.equal(await waiting('permit_awaiting_endorsement'), 0, verb)
    }
    const signed = await w.at('signed', { categories: ['GEN'] })
    const asked = () => of(w.receiver, w, 'permit_awaiting_countersign')
    assert.deepEqual(states(await asked()), [[null, null]])
    await done(w.step(signed, 'countersign', w.receiver))
    assert.deepEqual(states(await asked()), [[MONDAY, MONDAY]])
  })

  test('messages.md §1 a step that was taken before the notification of it was made leaves none unread', async () => {
    const w = await permitWorld(house)
    // Nobody reads in between, so both events are handled together afterwards.
    await w.at('approved', HOT)
    assert.deepEqual(states(await of(w.as('admin'), w, 'permit_awaiting_approval')), [[MONDAY, MONDAY]])
  })

  test('messages.md §1 a second extension request replaces the first, and only its notification is unread until it is decided', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { categories: ['GEN'] })
    const ask = (hour: number) =>
      done(w.step(permit, 'extensions', w.as('member'), { requested_end_at: `2026-03-16T${hour}:00:00.000Z`, reason: 'Rain' }))
    await ask(20)
    assert.equal((await of(w.as('hse'), w, 'permit_extension_requested')).filter(row => row.read_at === null).length, 1)
    const [first] = (await w.as('hse').get(`/permits/applications/${permit.id}/extensions`)).body
    await done(w.as('hse').post(`/permits/extensions/${first.id}/reject`, { reason: 'Too late' }))
    house.clock('2026-03-16T09:10:00.000Z')
    await ask(21)
    const rows = await of(w.as('hse'), w, 'permit_extension_requested')
    assert.deepEqual(states(rows), [
      [null, null],
      [MONDAY, MONDAY],
    ])
  })

  test('messages.md §1 one that its recipient had read stays as it was, and one that they mark as unread again stays unread', async () => {
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const permit = await w.at('requested', HOT)
    const [row] = await of(hse, w, 'permit_awaiting_endorsement')
    await done(hse.post(`/notifications/${row?.id}/mark-read`, {}))
    house.clock('2026-03-16T09:05:00.000Z')
    await done(w.step(permit, 'endorse', w.as('coordinator')))
    assert.deepEqual(states(await of(hse, w, 'permit_awaiting_endorsement')), [[MONDAY, null]])
    const [mine] = await of(w.as('admin'), w, 'permit_awaiting_endorsement')
    await done(w.as('admin').post(`/notifications/${mine?.id}/mark-read`, { read: false }))
    await done(w.step(permit, 'approve', hse))
    assert.equal((await of(w.as('admin'), w, 'permit_awaiting_endorsement'))[0]?.read_at, null)
  })

  test('messages.md §5 a notification with the same request as a task is read once that is resolved: an examination that was renewed', async () => {
    const w = await permitWorld(house)
    const [lon, lat] = pointAt(0, 0)
    const mewp = await w.as('coordinator').post('/plant/', {
      ...{ site_id: w.site_id, name: 'MEWP 3', category: 'mewp', last_examined_on: '2025-09-10' },
      ...{ place: { point: { lon, lat } }, start_at: '2026-03-16T06:00:00.000Z' },
    })
    assert.equal(mewp.status, 201, mewp.text)
    await sweepExaminations(house.house)
    const own = () => of(w.as('hse'), w, 'plant_examination')
    assert.ok((await own()).length > 0)
    assert.ok((await own()).every(row => row.read_at === null))
    await done(w.as('hse').patch(`/plant/${mewp.body.id}`, { last_examined_on: '2026-03-16' }))
    assert.deepEqual([...new Set(states(await own()).flat())], [MONDAY])
  })
})
