import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Feature, Ground } from '../model.ts'
import type { Poi } from '../signs.ts'
import { apart, drawingOf, lackingOf, listedOf, PHONE_WIDTH, SIGN, WIDTH } from './drawing.ts'

const LAT = 51.5079
const point = (name: string, poi_kind: Poi['poi_kind'], east = 0, emergency = true) =>
  ({ id: name, name, poi_kind, emergency, place: { point: { lon: east * 1e-5, lat: LAT } } }) as Poi // only what is read
const square = (size: number): Ground => ({
  type: 'Polygon',
  coordinates: [
    [
      [-size, LAT - size],
      [size, LAT - size],
      [size, LAT + size],
      [-size, LAT + size],
      [-size, LAT - size],
    ],
  ],
})
const building = { id: 'b', kind: 'building', name: 'Tower', zone_type: null, geometry: square(1e-4) } as unknown as Feature // only what is read

describe('§5 the emergency plan', () => {
  const points = [
    point('Hydrant 1', 'hydrant'),
    point('Car park', 'assembly_point', 50),
    point('Office', 'first_aid'),
    point('Hut', 'first_aid', 20),
    point('WC', 'toilets', 5, false),
  ]

  test('§5 it has the points for emergencies only, by kind, and numbers them: first aid, fire point and assembly point first', () => {
    const said = listedOf(points).map(({ kind, rows }) => [kind, ...rows.map(one => `${one.n} ${one.point.name}`)])
    assert.deepEqual(said, [
      ['first_aid', '1 Hut', '2 Office'],
      ['assembly_point', '3 Car park'],
      ['hydrant', '4 Hydrant 1'],
    ])
    assert.deepEqual(lackingOf(points), ['fire_point'])
  })

  test('§5 its picture is north up, with everything in it; without a boundary, it shows the buildings; with nothing, there is none', () => {
    const drawn =
      drawingOf(square(1e-3), new Map([['b', building]]), listedOf(points), one => one.name) ?? assert.fail('There is no picture.')
    assert.ok(drawn.height > 0 && drawn.height <= WIDTH * 1.1 + 1)
    assert.deepEqual([drawn.areas.length, drawn.names[0]?.text, drawn.signs.length], [1, 'Tower', 4])
    for (const { at } of drawn.signs) assert.ok(at[0] > SIGN / 2 && at[0] < WIDTH && at[1] > 0 && at[1] < drawn.height, `${at}`)
    const [hut, office] = drawn.signs
    assert.ok((hut?.from[0] ?? 0) > (office?.from[0] ?? 0), 'east is right')
    assert.ok(drawn.bar.units <= WIDTH / 5 && [1, 2, 5].includes(Number(String(drawn.bar.metres)[0])))
    assert.equal(drawingOf(null, new Map([['b', building]]), [], one => one.name)?.boundary, '')
    const phone = drawingOf(square(1e-3), new Map([['b', building]]), listedOf(points), one => one.name, PHONE_WIDTH)
    assert.ok(
      phone !== null && phone.height <= PHONE_WIDTH * 1.1 + 1 && phone.bar.units <= PHONE_WIDTH / 5,
      'a phone gets a smaller picture',
    )
    for (const { at } of phone.signs) assert.ok(at[0] > 0 && at[0] < PHONE_WIDTH && at[1] > 0 && at[1] < phone.height, `${at}`)
    assert.equal(
      drawingOf(null, new Map(), [], one => one.name),
      null,
    )
  })

  test('§5 no sign covers another, and each knows where its point is', () => {
    const crowd = apart(Array.from({ length: 30 }, (_, n) => ({ n, point: point(`P${n}`, 'aed'), from: [500, 500] as const })))
    for (const [i, a] of crowd.entries())
      for (const b of crowd.slice(i + 1)) assert.ok(Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) >= SIGN, `${a.n} and ${b.n}`)
    assert.deepEqual(crowd[0]?.at, [500, 500])
    assert.ok(crowd.every(one => one.from[0] === 500))
  })
})
