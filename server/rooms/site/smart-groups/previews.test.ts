import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }
const NAMED_NOTHING = { building_id: null, level_index: null, zone_id: null }

type Member = { kind: string; label: string; place: Record<string, unknown> | null }

describe('where the members of a preview are', () => {
  const house = useHouse()
  type Preview = { count: number; members: Member[] }
  const preview = async (w: PermitWorld, by: Parameters<PermitWorld['as']>[0], subject: string, more: object = {}): Promise<Preview> => {
    const body = { site_id: w.site_id, name: 'Preview', subject, predicate: true, dry_run: true, ...more }
    const reply = await w.as(by).post('/smart-groups/', body)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }

  test('§18 each of the first members has its place as its own list shows it: a point or an area', async () => {
    const w = await permitWorld(house)
    const common = { site_id: w.site_id, start_at: '2026-03-16T06:00:00.000Z', end_at: '2026-03-16T16:00:00.000Z' }
    for (const [path, body] of [
      ['/workers/', { name: 'Fixers', trade: 'Steel fixer', place: { point: HERE } }],
      ['/plant/', { name: 'Roller', category: 'roller', place: { point: HERE } }],
      ['/active-areas/', { name: 'Bay', area_kind: 'laydown', place: { polygon: boxAt(0, 0, 20) } }],
    ] as const) {
      const made = await w.as('coordinator').post(path, { ...common, ...body })
      assert.equal(made.status, 201, made.text)
    }
    const { members } = await preview(w, 'coordinator', 'entity')
    assert.deepEqual(
      members.map(({ label, kind }) => [label, kind]),
      [
        ['Bay', 'active_area'],
        ['Roller', 'plant'],
        ['Fixers', 'worker'],
      ],
    )
    const [bay, roller, fixers] = members
    const [listed] = (await w.as('coordinator').get(`/active-areas/at-time?site_id=${w.site_id}`)).body
    assert.deepEqual(bay?.place, listed.place)
    assert.deepEqual(
      [roller?.place, fixers?.place],
      [
        { ...NAMED_NOTHING, point: HERE },
        { ...NAMED_NOTHING, point: HERE },
      ],
    )
    const later = await preview(w, 'coordinator', 'entity', { at: '2026-03-16T17:00:00.000Z' })
    assert.deepEqual([later.count, later.members], [0, []])
  })

  test('§18 a permit has its place, or none; anyone who doesn’t see a permit doesn’t see where it is', async () => {
    const w = await permitWorld(house)
    const drawn = await w.at('requested', { title: 'Dig', place: { point: HERE } })
    const nowhere = await w.at('requested', { title: 'Paint' })
    const { count, members } = await preview(w, 'coordinator', 'permit')
    const placed = new Map(members.map(({ label, place }) => [label, place]))
    assert.equal(count, 2)
    assert.deepEqual(placed.get(drawn.permit_number), (await w.read(drawn, w.as('coordinator'))).place)
    assert.deepEqual(placed.get(drawn.permit_number), { ...NAMED_NOTHING, point: HERE })
    assert.equal(placed.get(nowhere.permit_number), null)
    const outside = await w.join('member', (await w.contractor('Elsewhere')) ?? null, 'Otto Outside')
    const unseen = await outside.post('/smart-groups/', {
      ...{ site_id: w.site_id, name: 'Preview', subject: 'permit', predicate: true, dry_run: true },
    })
    assert.deepEqual([unseen.status, unseen.body.count, unseen.body.members], [200, 0, []])
  })

  test('§18 a preview has the first twenty members, and counts all', async () => {
    const w = await permitWorld(house)
    const common = { site_id: w.site_id, start_at: '2026-03-16T06:00:00.000Z', end_at: '2026-03-16T16:00:00.000Z' }
    for (let n = 0; n < 22; n++) {
      const name = `Gang ${String(n).padStart(2, '0')}`
      const made = await w.as('coordinator').post('/workers/', { ...common, name, trade: 'Joiner', place: { point: HERE } })
      assert.equal(made.status, 201, made.text)
    }
    const { count, members } = await preview(w, 'coordinator', 'entity')
    assert.deepEqual([count, members.length, members.every(({ place }) => place !== null)], [22, 20, true])
  })
})
