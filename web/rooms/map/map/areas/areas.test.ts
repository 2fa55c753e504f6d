import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Feature, Place } from '../model.ts'
import { type Area, areaBody, areasInOrder, areasShown, changeBody, isExclusive, permitsIn, toneOf, typedOf } from './areas.ts'
import { fillBody, fillStart, levelFor } from './fill-typed.ts'
import { activeShapes } from './sources.ts'

const square = (x: number, y: number, size: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ],
  ] as [number, number][][],
})
/** An area with the fields that these tests read. */
const area = (more: Partial<Area> & { drawn?: object } = {}): Area => {
  const { drawn = square(0, 51, 0.001), place, ...rest } = more
  return {
    ...{
      id: 'a',
      name: 'Pour',
      area_kind: 'work',
      exclusive: false,
      contractor_id: null,
      colour: '#112233',
      geometry: drawn,
      area_m2: 100,
    },
    ...{
      start_at: '2026-03-16T09:00:00.000Z',
      end_at: null,
      base_m: null,
      top_m: null,
      notes: null,
      fill_group_id: null,
      schedule_group_id: null,
    },
    ...{ version: 1, place: { building_id: null, level_index: null, zone_id: null, polygon: drawn, ...place } },
    ...rest,
  } as unknown as Area // the other fields of the service are not read here
}
const now = Date.parse('2026-03-16T09:07:00.000Z')

describe('active areas as plain data', () => {
  test('§2 exclusion, lifting and hot work are exclusive by default; what stops everyone is red, what warns is yellow', () => {
    assert.deepEqual((['work', 'exclusion', 'lifting', 'hot_work', 'route_closed'] as const).map(isExclusive), [
      false,
      true,
      true,
      true,
      false,
    ])
    assert.deepEqual((['exclusion', 'route_closed', 'lifting', 'hot_work', 'laydown'] as const).map(toneOf), [
      'stop',
      'stop',
      'warn',
      'warn',
      'own',
    ])
  })

  test('the map draws what is left after cuts, in its look; parts of fills are marked', () => {
    const cut = square(0, 51, 0.0005)
    const [one, two] = activeShapes(
      [area({ geometry: cut, area_kind: 'lifting', exclusive: true }), area({ id: 'b', fill_group_id: 'f' })],
      'b',
    )
    assert.deepEqual([one?.ground, one?.properties.tone, one?.properties.says], [cut, 'warn', 'Lifting zone\nPour'])
    assert.deepEqual(
      [two?.properties.filled, two?.properties.chosen, two?.properties.says, two?.properties.tone],
      [true, true, 'Pour', 'own'],
    )
  })

  test('the list has exclusive areas first; a selected level leaves out areas of other levels', () => {
    const rows = [area({ id: '1', name: 'B' }), area({ id: '2', name: 'A' }), area({ id: '3', exclusive: true, area_kind: 'exclusion' })]
    assert.deepEqual(
      areasInOrder(rows).map(({ id }) => id),
      ['3', '2', '1'],
    )
    const on = (level_index: number) => area({ place: { building_id: 't', level_index, zone_id: null } })
    assert.deepEqual(
      [on(1), on(2)].map(one => areasShown([one], { building: 't', level: 2 }).length),
      [0, 1],
    )
  })

  test('§2 the panel lists the permits whose place is in the area on its level', () => {
    const zone = { id: 'z', kind: 'zone', building_id: null, level_from: null, centre: { lon: 0.5, lat: 51 } } as unknown as Feature // what is read of it
    const frame = new Map([['z', zone]])
    const at = (place: Partial<Place>) => ({ place: { building_id: null, level_index: null, zone_id: null, ...place } as Place })
    const permits = [
      at({ point: { lon: 0.0005, lat: 51.0005 } }),
      at({ point: { lon: 0.01, lat: 51.0005 } }),
      at({ polygon: square(0.0002, 51.0002, 0.0002) }),
      at({ zone_id: 'z' }),
      at({ building_id: 't', point: { lon: 0.0005, lat: 51.0005 } }),
      { place: null },
    ]
    const inside = (mine: Area) => permitsIn(mine, permits, frame).map(one => permits.indexOf(one))
    assert.deepEqual(inside(area()), [0, 2])
    assert.deepEqual(inside(area({ place: { building_id: null, level_index: null, zone_id: 'z' } })), [0, 2, 3])
  })

  test('a form starts at the last quarter of an hour on the floor that is shown, and sends only what a person decides', () => {
    const typed = typedOf(null, now, { building: 't', level: 3 })
    assert.deepEqual(
      [typed.start_at, typed.end_at, typed.building_id, typed.level_index],
      ['2026-03-16T09:00:00.000Z', '2026-03-16T17:00:00.000Z', 't', '3'],
    )
    const body = areaBody({ ...typed, name: ' Lift ', area_kind: 'lifting', end_at: null, top_m: '12.5' }, square(0, 51, 1), false)
    assert.deepEqual([body.name, body.exclusive, body.end_at, body.top_m, 'contractor_id' in body], ['Lift', true, null, 12.5, false])
    assert.deepEqual(body.place, { polygon: square(0, 51, 1), building_id: 't', level_index: 3 })
  })

  test('§2 a change of the name is no change of the shape, so that a part of a fill stays in it', () => {
    const mine = area({ place: { building_id: 't', level_index: 0, zone_id: null } })
    const typed = typedOf(mine, now, null)
    const ground = square(0, 51, 0.001)
    assert.deepEqual(changeBody(mine, areaBody(typed, ground, true)), {})
    assert.deepEqual(changeBody(mine, areaBody({ ...typed, name: 'Pour 2' }, ground, true)), { name: 'Pour 2' })
    assert.deepEqual(Object.keys(changeBody(mine, areaBody(typed, square(0, 51, 0.002), true))), ['place'])
    assert.deepEqual(Object.keys(changeBody(mine, areaBody({ ...typed, level_index: '1' }, ground, true))), ['place'])
  })

  test('§2 a fill needs a place and a time; a building is filled on its lowest level above ground unless another is chosen', () => {
    const tower = { id: 't', kind: 'building', levels: [{ index: -1 }, { index: 0 }, { index: 1 }] } as unknown as Feature // what is read of it
    const zone = { id: 'z', kind: 'zone', building_id: null, level_from: null, levels: [] } as unknown as Feature // what is read of it
    assert.deepEqual([levelFor(tower, ''), levelFor(tower, '1'), levelFor(zone, ''), levelFor(undefined, '')], [0, 1, null, null])
    const typed = { ...fillStart(now, tower, null), name: 'Ours', bays: true, width_m: '8' }
    assert.equal(fillBody(typed, 's', undefined, null), null)
    assert.deepEqual(fillBody(typed, 's', tower, null), {
      ...{
        site_id: 's',
        start_at: '2026-03-16T09:00:00.000Z',
        end_at: '2026-03-16T17:00:00.000Z',
        container: { feature_id: 't' },
        level_index: 0,
      },
      ...{ template: { name: 'Ours', area_kind: 'work', contractor_id: null }, clearance_m: 0 },
      bay: { width_m: 8, length_m: 10, bearing_deg: 0 },
    })
    assert.deepEqual(fillBody(typed, 's', undefined, square(0, 51, 1))?.container, { polygon: square(0, 51, 1) })
  })
})
