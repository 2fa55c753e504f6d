import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Frame, Spot } from './model.ts'
import { isAtPoint, metresMoved, movesNow, placeAt, stepped, tokenAt } from './moving.ts'
import type { Token } from './tokens.ts'

const HERE: Spot = [-0.0877, 51.5079]
const ring = [stepped(HERE, -10, -10), stepped(HERE, 10, -10), stepped(HERE, 10, 10), stepped(HERE, -10, 10), stepped(HERE, -10, -10)]
const block = { id: 'b', kind: 'building', geometry: { type: 'Polygon', coordinates: [ring] }, levels: [] }
// Only the parts that are read.
const frame = new Map([['b', block]]) as unknown as Frame
const gang = (place: object) =>
  ({ token: 'worker', id: 'w', place: { point: { lon: HERE[0], lat: HERE[1] }, ...place } }) as unknown as Token

describe('the map: moving something', () => {
  test('a step of the arrow keys is as many metres as it says', () => {
    const token = gang({})
    assert.equal(metresMoved(token, stepped(HERE, 0, 10)), 10)
    assert.equal(metresMoved(token, stepped(HERE, -3, 4)), 5)
    const moved = stepped(HERE, 10, 0)
    assert.ok(moved[0] > HERE[0] && Math.abs(moved[1] - HERE[1]) < 1e-7)
    assert.deepEqual(tokenAt(token, moved).place.point, { lon: moved[0], lat: moved[1] })
  })

  test('inside its building it stays on its level; outside, the place is only the point', () => {
    const token = gang({ building_id: 'b', level_index: 3 })
    const inside = stepped(HERE, 5, 5)
    assert.deepEqual(placeAt(token, inside, frame), { point: { lon: inside[0], lat: inside[1] }, building_id: 'b', level_index: 3 })
    const outside = stepped(HERE, 50, 0)
    assert.deepEqual(placeAt(token, outside, frame), { point: { lon: outside[0], lat: outside[1] } })
    assert.deepEqual(Object.keys(placeAt(gang({}), inside, frame)), ['point'])
  })

  test('what is on ground that was drawn isn’t moved by a point', () => {
    assert.equal(isAtPoint(gang({})), true)
    assert.equal(isAtPoint(gang({ polygon: block.geometry })), false)
  })

  test('§4 only a machine that is there now and doesn’t repeat is moved from now on; what is planned is moved where it is planned', () => {
    const now = Date.parse('2026-03-16T09:00:00Z')
    // Only the parts that are read.
    const moves = (part: object) =>
      movesNow({ token: 'plant', schedule_group_id: null, start_at: '2026-03-16T08:00:00Z', ...part } as unknown as Token, now)
    assert.equal(moves({}), true)
    assert.equal(moves({ start_at: '2026-03-17T08:00:00Z' }), false)
    assert.equal(moves({ schedule_group_id: 's' }), false)
    assert.equal(moves({ token: 'worker' }), false)
    assert.equal(moves({ token: 'delivery' }), false)
  })
})
