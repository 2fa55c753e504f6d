// How responses are written (writers.ts).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routes } from '../groups.ts'
import { anything, instant, integer, list, name, object, optional, orNull, record, ref, shape, type TSchema, Type } from './schema.ts'
import { schemasFor, writerOf } from './writers.ts'

const Person = shape('WrittenPerson', 'Person', { name: name('Name'), age: optional(integer('Age')) })
const Pet = shape('WrittenPet', 'Pet', { owner: orNull(ref(Person)), born_at: orNull(instant('Birth')) })
const Home = shape('WrittenHome', 'Home', {
  head: ref(Person),
  guest: orNull(ref(Person)),
  pets: list(ref(Pet), 'Pets'),
  rooms: record(orNull(ref(Pet)), 'Who is in each room'),
  note: orNull(anything('Note')),
  address: orNull(object({ street: name('Street') })),
})

describe('11.4 writers of responses', () => {
  const written = (schema: TSchema, value: unknown) => JSON.parse(writerOf(schema)(value))
  const home = {
    head: { name: 'Ada' },
    guest: null,
    pets: [
      { owner: { name: 'Bo', age: 7 }, born_at: '2026-03-29T07:30:00.000Z' },
      { owner: null, born_at: null },
    ],
    rooms: { hall: { owner: { name: 'Cy' }, born_at: null }, attic: null },
    note: null,
    address: null,
  }

  test('11.4 a shape or null is written like the shape, or as null, wherever it is', () => {
    assert.deepEqual(written(Home, home), home)
    const other = { ...home, guest: { name: 'Di' }, note: { any: ['thing'] }, address: { street: 'Yard 1' } }
    assert.deepEqual(written(Home, other), other)
    assert.deepEqual(written(orNull(ref(Home)), null), null)
    assert.deepEqual(written(list(orNull(ref(Pet)), 'Pets or none'), [null, home.pets[0]]), [null, home.pets[0]])
  })

  test('11.4 fields that the schema doesn’t list are left out, also where a shape can be null', () => {
    const secret = { name: 'Ada', hidden: 1 }
    assert.deepEqual(written(Home, { ...home, head: secret, guest: secret, hidden: 1, rooms: { hall: { ...home.pets[1], hidden: 1 } } }), {
      ...home,
      head: { name: 'Ada' },
      guest: { name: 'Ada' },
      rooms: { hall: home.pets[1] },
    })
  })

  test('11.4 a required field that is missing is an error, not a gap', () => {
    assert.throws(() => written(Home, { ...home, guest: {} }), /name.*required/)
  })

  test('11.4 a shape that contains itself is written', () => {
    const Box = shape('WrittenBox', 'Box', { label: name('Label'), inside: Type.Unsafe<unknown>({ anyOf: [] }) })
    Object.assign(Box.properties.inside, orNull(ref(Box)))
    const boxes = { label: 'a', inside: { label: 'b', inside: null } }
    assert.deepEqual(written(Box, boxes), boxes)
  })

  test('11.4 no response needs a validator to be written, but for three that are one of two shapes', () => {
    const unions = new Set<string>()
    for (const { name: route, reply } of routes) {
      if (reply == null) continue
      const { root, shapes } = schemasFor(reply)
      for (const schema of [root, ...shapes.values()]) if (JSON.stringify(schema).includes('"anyOf"')) unions.add(route)
    }
    assert.deepEqual([...unions].sort(), ['permit_set.import', 'site_map.calibrate', 'smart_group.create'])
  })
})
