import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Feature } from './model.ts'
import { memberGrounds, memberSigns, type PlacedMember, positionsOf } from './placed-members.ts'

const member = (id: string, kind: string, place: PlacedMember['place']): PlacedMember => ({ id, kind, label: `The ${id}`, place })
// The part of a feature that the map uses.
const zone = { id: 'z', centre: { lon: 1, lat: 2 } } as unknown as Feature
const frame = new Map([['z', zone]])
const square = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
    ],
  ],
}
const MEMBERS = [
  member('gang', 'worker', { point: { lon: 1, lat: 2 } }),
  member('bay', 'active_area', { polygon: square }),
  member('permit', 'permit', { zone_id: 'z' }),
  member('lost', 'permit', { zone_id: 'ended' }),
  member('nowhere', 'permit', null),
]

describe('members of a smart group on a small map', () => {
  test('§18 a member is at its own position, or in the middle of its area or zone; those without one are counted', () => {
    const { positions, without } = positionsOf(MEMBERS, frame)
    assert.deepEqual(
      positions.map(({ spot, members }) => [spot, members.map(({ id }) => id)]),
      [
        [
          [1, 2],
          ['gang', 'permit'],
        ],
        [[1, 1], ['bay']],
      ],
    )
    assert.equal(without, 2)
  })

  test('§18 members at one position have one sign, which says how many they are; an area has its ground, in the colour of the group', () => {
    const { positions } = positionsOf(MEMBERS, frame)
    const signs = memberSigns(positions, '#b42318', n => `${n} members`).map(({ properties }) => properties)
    assert.deepEqual(
      signs.map(({ token, says, colour }) => [token, says, colour]),
      [
        ['several', '2 members', '#b42318'],
        ['active_area', 'The bay', '#b42318'],
      ],
    )
    assert.deepEqual(
      memberGrounds(MEMBERS, null).map(({ geometry, properties }) => [geometry, properties.id, properties.colour]),
      [[square, 'bay', null]],
    )
  })
})
