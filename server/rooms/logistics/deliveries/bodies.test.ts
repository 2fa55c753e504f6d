// What a change of a delivery says about what was sent: nothing is dropped without a word.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Reply, useHouse } from '../../../../tests/world.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const at = (time: string) => `2026-03-16T${time}:00.000Z`

describe('what is sent to change a delivery', () => {
  const house = useHouse()
  const monday = async (): Promise<PermitWorld> => {
    house.clock(at('06:00'))
    return permitWorld(house)
  }
  const slot = (w: PermitWorld) => ({
    ...{ site_id: w.site_id, supplier_name: 'Readymix', start_at: at('08:00'), end_at: at('09:00'), place: HERE },
  })
  const code = ({ status, body }: Reply) => [status, body.error?.permission ?? body.error?.fields?.[0].path ?? null]

  test('logistics §0.3 only coordinators write the note on a decision, and write it with any step; others are refused, also if it is all that they send', async () => {
    const w = await monday()
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const [mate, other] = [await w.join('member', a), await w.join('member', b)]
    const { id } = (await mate.post('/deliveries/', slot(w))).body
    const path = `/deliveries/${id}`
    assert.deepEqual(code(await mate.patch(path, { decision_note: 'Agreed' })), [403, 'delivery_manage'])
    assert.deepEqual(code(await mate.patch(path, { status: 'cancelled', decision_note: 'Agreed' })), [403, 'delivery_manage'])
    assert.deepEqual(code(await other.patch(path, { decision_note: 'Agreed' })), [403, 'delivery_manage'])
    assert.equal((await other.patch(path, {})).status, 403, 'what changes nothing is refused like any other change')
    // A PATCH accepts what a GET shows.
    assert.equal((await mate.patch(path, { decision_note: null, haulier_name: 'Dock' })).status, 200)
    const done = await w.as('coordinator').patch(path, { status: 'cancelled', decision_note: 'No crane this week' })
    assert.deepEqual([done.body.status, done.body.decision_note], ['cancelled', 'No crane this week'], done.text)
    // A step that is repeated, because its response was lost, is only shown.
    assert.equal((await mate.patch(path, { status: 'cancelled' })).status, 200)
  })

  test('logistics §1 an arrival and a departure in one body are both recorded; why a vehicle is turned away is refused without that step', async () => {
    const w = await monday()
    const gate = w.as('coordinator')
    const { id } = (await gate.post('/deliveries/', slot(w))).body
    house.clock(at('10:00'))
    assert.deepEqual(code(await gate.patch(`/deliveries/${id}`, { reason: 'too_late' })), [422, 'reason'])
    assert.deepEqual(code(await gate.patch(`/deliveries/${id}`, { note: 'Too late' })), [422, 'note'])
    const both = await gate.patch(`/deliveries/${id}`, { status: 'arrived', arrived_at: at('08:10'), left_at: at('08:40') })
    assert.deepEqual(
      [both.status, both.body.status, both.body.start_at, both.body.arrived_at, both.body.left_at, both.body.end_at],
      [200, 'arrived', at('08:10'), at('08:10'), at('08:40'), at('08:40')],
      both.text,
    )
    const second = (await gate.post('/deliveries/', { ...slot(w), start_at: at('10:00'), end_at: at('11:00') })).body
    const refused = await gate.patch(`/deliveries/${second.id}`, { status: 'arrived', arrived_at: at('09:50'), left_at: at('09:00') })
    assert.deepEqual([code(refused), (await gate.get(`/deliveries/${second.id}`)).body.status], [[422, 'left_at'], 'booked'])
  })
})
