import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { stale } from './rooms.ts'

describe('which queries an event makes stale', () => {
  test('an event of a step contains the id of its permit: lists can update just that permit, and an open permit is refetched', () => {
    const [lists, one] = stale.by({ topic: 'permits', kind: 'permit.endorsed', entity_type: 'permit', ids: ['p1'], more: false })
    assert.deepEqual([lists?.names.includes('permits'), lists?.ids, one], [true, ['p1'], { names: ['permit p1'], ids: null }])
    assert.equal(
      stale.by({ topic: 'permits', kind: 'permit.expired', entity_type: 'permit', ids: ['p1'], more: true })[0]?.ids,
      null,
      'there are more',
    )
  })

  test('a step of a permit doesn’t make settings stale, and a changed setting is refetched', () => {
    const [lists] = stale.by({ topic: 'permits', kind: 'permit.endorsed', entity_type: 'permit', ids: ['p1'] })
    assert.deepEqual(
      ['settings', 'workflow', 'rules'].filter(name => lists?.names.includes(name)),
      [],
    )
    assert.deepEqual(stale.by({ topic: 'site', kind: 'notification_rule.changed', entity_type: 'notification_rule', ids: ['r1'] }), [
      // What uses a smart group is part of it.
      { names: ['rules', 'groups'], ids: null },
    ])
  })

  test('an event about a gang leaves the lists of plant, deliveries and areas as they are, one about an area those of gangs and plant, and one about another thing reads them all', () => {
    const tokensOf = (entity_type: string) =>
      stale
        .by({ topic: 'map', kind: 'map_entity.changed', entity_type, ids: ['t1'] })
        .flatMap(({ names }) => names.filter(name => name.startsWith('tokens')))
    assert.deepEqual(tokensOf('worker')?.sort(), [
      'tokens flags',
      'tokens past',
      'tokens place-week',
      'tokens recent',
      'tokens schedule',
      'tokens trades',
      'tokens workers',
    ])
    assert.ok(!tokensOf('plant')?.includes('tokens') && tokensOf('plant')?.includes('tokens deliveries'), 'a machine may unload one')
    assert.ok(!tokensOf('delivery')?.includes('tokens workers'))
    assert.deepEqual(tokensOf('active_area').sort(), [
      'tokens area-flags',
      'tokens area-versions',
      'tokens areas',
      'tokens delivery places',
      'tokens place-week',
      'tokens schedule',
    ])
    for (const entity_type of ['poi', '']) assert.deepEqual(tokensOf(entity_type), ['tokens'])
    assert.deepEqual(
      stale.by({ topic: 'map', kind: 'schedule.changed', entity_type: 'worker' })[0]?.names.filter(name => /^tokens/.test(name)),
      ['tokens'],
    )
    for (const name of ['changes', 'clashes-at', 'group-members'])
      assert.ok(stale.by({ topic: 'map', kind: 'map_entity.changed', entity_type: 'worker' })[0]?.names.includes(name), name)
    assert.ok(stale.by({ topic: 'map' })[0]?.names.includes('tokens'), 'merged')
  })

  test('§0.9 an event that names all gangs that it is about makes only these stale; one with more of them, or of a schedule, makes the list stale', () => {
    const of = (event: object) => stale.by({ topic: 'map', kind: 'map_entity.changed', entity_type: 'worker', ids: ['t1', 't2'], ...event })
    const [others, gangs] = of({})
    assert.deepEqual(gangs, { names: ['tokens workers'], ids: ['t1', 't2'] })
    assert.equal(others?.ids, null)
    assert.ok(others?.names.includes('tokens recent') && !others.names.includes('tokens workers'), 'the other lists are read as a whole')
    assert.ok(of({ more: true })[0]?.names.includes('tokens workers') && of({ more: true }).length === 1)
    assert.ok(of({ ids: [] })[0]?.names.includes('tokens workers'))
    const [changed, ...none] = stale.by({ topic: 'map', kind: 'schedule.changed', entity_type: 'worker', ids: ['s1'] })
    assert.deepEqual([changed?.names.includes('tokens'), none], [true, []])
    const plant = stale.by({ topic: 'map', kind: 'map_entity.changed', entity_type: 'plant', ids: ['p1'] })
    assert.deepEqual(plant[1], { names: ['tokens plant'], ids: ['p1'] })
    assert.ok(plant[0]?.names.includes('tokens deliveries'), 'a delivery names the machine that unloads it')
    const area = stale.by({ topic: 'map', kind: 'map_entity.changed', entity_type: 'active_area', ids: ['a1'] })
    assert.deepEqual(area[1], { names: ['tokens areas'], ids: ['a1'] })
  })

  test('§0.9 a step of a delivery has an event of its own, which makes only that delivery stale on the map, like the one about its place', () => {
    for (const kind of ['map_entity.changed', 'delivery.arrived']) {
      const [others, deliveries] = stale.by({ topic: 'logistics', kind, entity_type: 'delivery', ids: ['d1'] })
      assert.deepEqual(deliveries, { names: ['tokens deliveries'], ids: ['d1'] }, kind)
      assert.deepEqual(others?.names.filter(name => name.startsWith('tokens')).sort(), [
        'tokens delivery',
        'tokens flags',
        'tokens past',
        'tokens place-week',
      ])
      assert.ok(others.names.includes('changes') && others.names.includes('clashes-at'))
    }
    assert.ok(stale.by({ topic: 'logistics' })[0]?.names.includes('tokens'), 'merged')
  })

  test('merged events make everything of their topic stale', () => {
    const [merged] = stale.by({ topic: 'site' })
    for (const name of ['members', 'contractors', 'rules', 'site']) assert.ok(merged?.names.includes(name), name)
    assert.ok(stale.by({ topic: 'permits' })[0]?.names.includes('permit'), 'whichever permit is open')
    assert.deepEqual(stale.by({ topic: 'weather' }), [{ names: ['weather'], ids: null }])
  })

  test('every name is the name of a query', () => {
    const web = globSync('web/**/*.{ts,tsx}', { exclude: ['**/*.test.ts'] }).map(file => readFileSync(file, 'utf8'))
    const asked = new Set(web.flatMap(text => [...text.matchAll(/(?:queryKey: |ME = )\['([\w-]+)'/g)].map(([, name]) => name)))
    assert.deepEqual(
      stale.everything.filter(name => !asked.has(name)),
      [],
    )
  })
})
