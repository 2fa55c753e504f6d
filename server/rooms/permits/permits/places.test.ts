import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Position, planeAt } from '../../../../shared/geometry/plane.ts'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { ids } from '../../../base/ids.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { SEEDED_ID, SEEDED_VERSION } from '../kit/domain/seed.ts'
import { sweepPermits } from './actions/sweeps.ts'
import { insertPermit } from './queries/permits.ts'

const plane = planeAt({ lon: -0.0877, lat: 51.5079 })
/** Returns a square, in metres from the middle of the site. */
const square = (x: number, y: number, side: number) => ({
  type: 'Polygon',
  coordinates: [
    (
      [
        [x, y],
        [x + side, y],
        [x + side, y + side],
        [x, y + side],
        [x, y],
      ] as Position[]
    ).map(plane.degrees),
  ],
})
const spot = (x: number, y: number) => {
  const [lon, lat] = plane.degrees([x, y]).map(degrees => Math.round(degrees * 1e8) / 1e8)
  return { lon, lat }
}
const boxAround = (x: number, y: number, side: number) => [...plane.degrees([x, y]), ...plane.degrees([x + side, y + side])].join(',')
const storeys = (n: number) => Array.from({ length: n }, (_, index) => ({ index }))
const paths = (body: { error: { fields: { path: string }[] } }) => body.error.fields.map(f => f.path).sort()

/** Returns a permit world with a tower of four levels, a riser in it, and a yard outside. */
async function framed(w: PermitWorld) {
  const hse = w.as('hse')
  await hse.patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
  const drawn = async (name: string, outline: unknown, more: object = {}) => {
    const made = await hse.post('/reference-features/zones', { site_id: w.site_id, name, outline, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const tower = await drawn('Tower', square(0, 0, 40), { kind: 'building', levels: storeys(4) })
  const riser = await drawn('Riser', square(5, 5, 5), { building_id: tower.id, level_from: 2 })
  const yard = await drawn('Yard', square(100, 0, 30))
  return {
    tower,
    riser,
    yard,
    drawn,
    feature: (id: string) => `/reference-features/features/${id}`,
    end: (id: string, body: object = {}) => hse.del(`/reference-features/features/${id}`, body),
    levels: (n: number) => hse.patch(`/reference-features/features/${tower.id}`, { levels: storeys(n) }),
  }
}

describe('places of permits', () => {
  const house = useHouse()
  const create = (w: PermitWorld, more: object) =>
    w.as('member').post('/permits/applications', { site_id: w.site_id, categories: ['HW'], ...more })
  const change = (w: PermitWorld, permit: Pick<Permit, 'id'>, body: object) =>
    w.as('member').patch(`/permits/applications/${permit.id}`, body)

  test('conventions §1: a draft refers to a building and a level, a zone, a point or a polygon; a zone implies its building and its only level', async () => {
    const w = await permitWorld(house)
    const { tower, riser, yard } = await framed(w)
    const made = await create(w, { place: { building_id: tower.id, level_index: 3 } })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.place, { building_id: tower.id, level_index: 3, zone_id: null })
    const put = async (place: object | null) => {
      const changed = await change(w, made.body, { place })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual((await w.read(made.body, w.as('member'))).place, changed.body.place)
      return changed.body.place
    }
    assert.deepEqual(await put({ zone_id: riser.id }), { building_id: tower.id, level_index: 2, zone_id: riser.id })
    assert.deepEqual(await put({ zone_id: yard.id, point: spot(110, 10) }), {
      building_id: null,
      level_index: null,
      zone_id: yard.id,
      point: spot(110, 10),
    })
    const around = await put({ building_id: tower.id, polygon: square(1, 1, 3) })
    assert.deepEqual([around.point, around.polygon.type, around.polygon.coordinates[0].length], [undefined, 'Polygon', 5])
    assert.deepEqual(await put({ point: { type: 'Point', coordinates: plane.degrees([2, 2]) } }), {
      building_id: null,
      level_index: null,
      zone_id: null,
      point: spot(2, 2),
    })
    assert.equal(await put({}), null, 'an empty place means no place')
    await put({ building_id: tower.id })
    assert.equal(await put(null), null)
  })

  test('map.md §0.2: an unknown level or id, an id from another site and a swapped point are refused with 422, which lists each alongside other faults', async () => {
    const w = await permitWorld(house)
    const { tower, yard } = await framed(w)
    const other = await framed(await permitWorld(house))
    const refused = async (place: unknown, ...expected: string[]) => {
      const reply = await create(w, { place })
      assert.deepEqual([reply.status, reply.status === 422 ? paths(reply.body) : reply.text], [422, expected])
      return reply.body.error.fields[0].message as string
    }
    assert.match(await refused({ building_id: tower.id, level_index: 9 }, 'place.level_index'), /Tower doesn’t have/)
    await refused({ building_id: other.tower.id }, 'place.building_id')
    await refused({ zone_id: tower.id }, 'place.zone_id')
    await refused({ level_index: 1 }, 'place.level_index')
    await refused({ zone_id: yard.id, level_index: 1 }, 'place.level_index')
    const { lon, lat } = spot(0, 0)
    assert.match(await refused({ point: { lon: lat, lat: lon } }, 'place.point'), /swapped/)
    await refused({ point: 'here' }, 'place.point')
    await refused({ building: tower.id }, 'place.building')
    const several = await create(w, { categories: ['NOPE'], place: { building_id: tower.id, level_index: 9 } })
    assert.deepEqual(paths(several.body), ['categories', 'place.level_index'])
    const draft = await w.draft({ place: { building_id: tower.id } })
    assert.equal((await change(w, draft, { place: { zone_id: other.yard.id } })).status, 422)
    assert.deepEqual((await w.read(draft, w.as('member'))).place.building_id, tower.id, 'a refused change changes nothing')
  })

  test('a place is checked against the frame that is active when the work starts', async () => {
    const w = await permitWorld(house)
    const { drawn } = await framed(w)
    const annex = await drawn('Annex', square(60, 0, 20), { kind: 'building', effective_at: '2026-05-01T00:00:00Z' })
    const place = { building_id: annex.id }
    assert.equal((await create(w, { place })).status, 422, 'without a window: now')
    assert.equal((await create(w, { place, start_at: '2026-04-30T08:00:00Z' })).status, 422)
    assert.equal((await create(w, { place, start_at: '2026-05-01T08:00:00Z' })).status, 201)
  })

  test('a place stays with its permit on the card, in a family and in a copy, and ends the warning no_place', async () => {
    const w = await permitWorld(house)
    const { tower } = await framed(w)
    const place = { building_id: tower.id, level_index: 1, zone_id: null }
    const draft = await w.draft({ place: { ...place, point: spot(3, 3) } })
    const submitted = await w.step(draft, 'submit', w.as('member'))
    assert.equal(submitted.status, 200, submitted.text)
    assert.equal(
      submitted.body.warnings.some((warning: { code: string }) => warning.code === 'no_place'),
      false,
    )
    const live = await w.at('issued', { place: { ...place, point: spot(3, 3) } })
    const copy = await w.step(live, 'reissue', w.as('member'))
    assert.equal(copy.status, 201, copy.text)
    assert.deepEqual(copy.body.place, { ...place, point: spot(3, 3) })
    const family = await w.as('member').post('/permits/applications/family', {
      site_id: w.site_id,
      parent: { categories: ['GEN'], place },
      children: [{ categories: ['HW'], place: { building_id: tower.id, level_index: 3 } }],
    })
    assert.equal(family.status, 201, family.text)
    assert.deepEqual([family.body.parent.place, family.body.children[0].place.level_index], [place, 3])
  })

  test('lists can be filtered by building, level and zone, and by a box around the permit’s geometry, or else its zone or building as drawn', async () => {
    const w = await permitWorld(house)
    const { tower, riser, yard } = await framed(w)
    const titled = (title: string, place?: object) => w.draft({ title, ...(place === undefined ? {} : { place }) })
    await titled('on one', { building_id: tower.id, level_index: 1 })
    await titled('riser', { zone_id: riser.id })
    await titled('yard', { zone_id: yard.id })
    await titled('corner', { building_id: tower.id, point: spot(35, 35) })
    await titled('nowhere')
    const found = async (query: string) => {
      const reply = await w.as('member').get(`/permits/applications?site_id=${w.site_id}&${query}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.body.map((p: Permit) => p.title).sort()
    }
    assert.deepEqual(await found(`building_id=${tower.id}`), ['corner', 'on one', 'riser'])
    assert.deepEqual(await found(`building_id=${tower.id}&level_index=2`), ['riser'])
    assert.deepEqual(await found(`zone_id=${yard.id}`), ['yard'])
    assert.deepEqual(await found(`bbox=${boxAround(30, 30, 8)}`), ['corner', 'on one'])
    assert.deepEqual(await found(`bbox=${boxAround(4, 4, 8)}`), ['on one', 'riser'])
    assert.deepEqual(await found(`bbox=${boxAround(99, 0, 50)}`), ['yard'])
    assert.equal((await w.as('member').get(`/permits/applications?site_id=${w.site_id}&bbox=1,2,3`)).status, 422)
  })

  test('map.md §1: a building, a zone or a level with an open permit can’t be ended (409 in_use with `permits`) until the permit is closed', async () => {
    const w = await permitWorld(house)
    const { tower, riser, yard, end, levels, feature } = await framed(w)
    const live = await w.at('issued', { place: { zone_id: riser.id } })
    const inYard = await w.draft({ place: { zone_id: yard.id } })
    for (const [id, in_use] of [
      [tower.id, { permits: 1, zones: 1 }],
      [riser.id, { permits: 1 }],
      [yard.id, { permits: 1 }],
    ] as const) {
      const refused = await end(id)
      assert.deepEqual([refused.status, refused.body.error.reason, refused.body.error.in_use], [409, 'in_use', in_use])
      assert.equal((await w.as('viewer').get(feature(id))).body.version, 1)
    }
    assert.equal((await levels(3)).status, 200, 'there is nothing on the fourth level')
    const lost = await levels(2)
    assert.deepEqual([lost.status, lost.body.error.in_use], [409, { permits: 1, zones: 1 }])
    const closed = await w.step(live, 'close-out', w.as('coordinator'), {
      checklist: { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true },
    })
    assert.equal(closed.status, 200, closed.text)
    assert.equal((await end(riser.id)).status, 204)
    assert.equal((await levels(2)).status, 200)
    assert.equal((await end(tower.id)).status, 204)
    assert.equal((await w.read(live)).place.zone_id, riser.id, 'a closed permit keeps its place')
    await w.step(inYard, 'withdraw', w.as('member'))
    assert.equal((await end(yard.id)).status, 204)
  })

  test('map.md §1: permits count at or after effective_at; an expired one keeps its place in use until it is closed out', async () => {
    const w = await permitWorld(house)
    const { drawn, end } = await framed(w)
    const gatehouse = await drawn('Gatehouse', square(60, 0, 20), { kind: 'building' })
    await w.at('issued', { place: { building_id: gatehouse.id } }) // until 18:00
    const tried = async (effective_at?: string) => {
      const reply = await end(gatehouse.id, effective_at === undefined ? {} : { effective_at })
      return [reply.status, reply.body?.error?.in_use?.permits]
    }
    assert.deepEqual(await tried('2026-03-16T17:59:00Z'), [409, 1])
    house.clock('2026-03-16T19:00:00Z')
    await sweepPermits(house.house)
    assert.deepEqual(await tried(), [409, 1], 'nobody has walked it down yet')
    assert.deepEqual(await tried('2026-03-16T19:01:00Z'), [204, undefined], 'its window has ended at that instant')
    house.clock('2026-03-16T09:00:00Z')
  })

  test('map.md §1: with `force` the building still ends; its permit keeps the id and can be saved with its place, but can’t move into it again', async () => {
    const w = await permitWorld(house)
    const { tower, end } = await framed(w)
    const draft = await w.draft({ place: { building_id: tower.id, level_index: 1 } })
    const other = await w.draft()
    assert.equal((await end(tower.id, { force: true })).status, 204)
    const read = await w.read(draft, w.as('member'))
    assert.equal(read.place.building_id, tower.id)
    const again = await change(w, draft, { place: read.place, title: 'The same place' })
    assert.deepEqual([again.status, again.body.place], [200, read.place])
    assert.deepEqual(paths((await change(w, draft, { place: { building_id: tower.id, level_index: 2 } })).body), ['place.building_id'])
    assert.deepEqual(paths((await change(w, other, { place: read.place })).body), ['place.building_id'])
  })

  test('map.md §1: if a permit moves into a building while another person ends it, one of the two is refused', async () => {
    const w = await permitWorld(house)
    const { drawn, end } = await framed(w)
    for (const i of [1, 2, 3, 4, 5, 6]) {
      const shed = await drawn(`Shed ${i}`, square(0, 60 * i, 20), { kind: 'building' })
      const draft = await w.draft()
      const [moved, ended] = await Promise.all([change(w, draft, { place: { building_id: shed.id } }), end(shed.id)])
      assert.ok(
        (moved.status === 200 && ended.status === 409) || (moved.status === 422 && ended.status === 204),
        `${moved.status} and ${ended.status}`,
      )
    }
  })

  test('9.24 the text search finds a permit by the name or code of its building or zone, and shows the caller no others', async () => {
    const w = await permitWorld(house)
    const { tower, riser } = await framed(w)
    const inside = await w.at('requested', { title: 'Set pumps', place: { building_id: tower.id, level_index: 1 } })
    const zoned = await w.at('requested', { title: 'Pull cables', place: { zone_id: riser.id } })
    const worded = await w.at('requested', { title: 'Sweep the riser' })
    const hidden = await w.draft({ place: { zone_id: riser.id } })
    const found = async (q: string, by = w.as('coordinator')) =>
      (await by.get(`/permits?site_id=${w.site_id}&q=${q}`)).body.map((p: Permit) => p.id).sort()
    assert.deepEqual(await found('tower'), [inside.id, zoned.id].sort())
    assert.deepEqual(await found('Riser'), [zoned.id, worded.id].sort())
    assert.ok((await found('riser', w.as('member'))).includes(hidden.id), 'their own draft')
    assert.deepEqual(await found('pumps'), [inside.id])
  })

  test('map.md §1: POST of a building returns imported permits whose text now matches it, and no others', async () => {
    const w = await permitWorld(house)
    const imported = async (permit_number: string, location: string | null, zone_text: string | null, level_text: string | null) => {
      const id = ids.next()
      await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, w.site_id, ctx =>
        insertPermit(ctx.db, {
          ...{ site_id: w.site_id, id, permit_number, location, zone_text, level_text, status: 'issued', source: 'imported' },
          ...{ categories: ['HW'], start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' },
          ...{ workflow_definition_id: SEEDED_ID, workflow_version: SEEDED_VERSION },
        }),
      )
      return id
    }
    const first = await imported('A-1', 'Block A / Level 3', null, null)
    await imported('A-2', 'Block A', null, 'L03')
    await imported('A-9', 'Block A / Level 9', null, null)
    await imported('B-1', 'Block B', null, null)
    await imported('N-1', null, null, null)
    await w.draft({ location: 'Block A' })
    const second = (await w.as('coordinator').get(`/permits?site_id=${w.site_id}&q=Block A`)).body.find(
      (p: Permit) => p.permit_number === 'A-2',
    ).id
    const draws = (by: Caller, more: object) =>
      by.post('/reference-features/zones', { site_id: w.site_id, name: 'Block A', outline: square(0, 0, 20), ...more })
    const made = await draws(w.as('hse'), { kind: 'building', levels: storeys(5) })
    assert.deepEqual(made.body.unresolved_permit_locations, [
      { kind: 'permit', id: first, label: 'A-1', location: 'Block A / Level 3', zone: null, level: null },
      { kind: 'permit', id: second, label: 'A-2', location: 'Block A', zone: null, level: 'L03' },
    ])
    const elsewhere = await draws(w.as('hse'), { name: 'Block C' })
    assert.deepEqual(
      elsewhere.body.unresolved_permit_locations.map((p: { label: string }) => p.label),
      ['A-1', 'A-2'],
      'they wait until someone matches them',
    )
  })
})
