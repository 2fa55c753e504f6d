// Floor plans in files for other programs (`map.md` §12).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Areal, areaOf, boundsOf, type Position } from '../../../../shared/geometry/plane.ts'
import { aroundHere, HERE, SHEET, sheet, upload, worked } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

type Feature = { id: string; geometry: Areal; properties: Record<string, unknown> }
const PLACED = { mode: 'affine', anchor: HERE, anchor_sheet: { x: SHEET.width / 2, y: SHEET.height / 2 }, scale: 0.1, rotation_deg: 20 }

describe('floor plans in exports', () => {
  const house = useHouse()
  const plansIn = async (w: World, query = ''): Promise<Feature[]> => {
    const reply = await w.as('coordinator').get(`/exports/geojson?site_id=${w.site_id}${query}`)
    assert.equal(reply.status, 200, reply.text)
    return JSON.parse(reply.text).features.filter((one: Feature) => one.properties.layer === 'floor_plans')
  }

  test('§12 floor plans are in the file with their footprint and address, as many as the map has, and not their lines', async () => {
    const w = await house.world()
    const building = async (name: string, width: number) =>
      (
        await w.as('hse').post('/reference-features/zones', {
          ...{ site_id: w.site_id, kind: 'building', name, levels: [{ index: 0 }, { index: 1 }], outline: aroundHere(width, 25) },
          effective_at: '2026-03-01T00:00:00.000Z',
        })
      ).body.id as string
    const block = await building('Block', 50)
    const picture = async (tint: number, more: Record<string, string>) =>
      worked(
        house,
        await w
          .as('coordinator')
          .send(
            'POST',
            '/floor-plans/upload-image',
            upload(await sheet(undefined, tint), 'plan.png', { site_id: w.site_id, feature_id: block, ...more }),
          ),
      )
    const start_at = '2026-03-10T06:00:00.000Z'
    const old = await picture(0, { start_at, revision: 'C01', placement: JSON.stringify(PLACED) })
    const placed = await picture(1, { start_at: '2026-03-12T06:00:00.000Z', revision: 'C02' })
    const unplaced = await picture(2, { start_at, level_index: '1' })
    const features = await plansIn(w)
    const at_time = (await w.as('viewer').get(`/floor-plans/at-time?site_id=${w.site_id}`)).body
    assert.deepEqual(features.map(one => one.id).sort(), at_time.map((one: { id: string }) => one.id).sort())
    const [one] = features.filter(({ id }) => id === placed.body.id)
    assert.ok(one !== undefined)
    assert.ok(Math.abs(areaOf(one.geometry) - SHEET.width * SHEET.height * 0.01) < 1, 'the ground under the sheet')
    const [west = 0, south = 0, east = 0, north = 0] = boundsOf(one.geometry)
    assert.ok(west < HERE.lon && HERE.lon < east && south < HERE.lat && HERE.lat < north)
    const ring = one.geometry.coordinates[0] as Position[]
    const turn = ring
      .slice(1)
      .reduce((sum, [x, y], i) => sum + ((ring[i]?.[0] ?? 0) - west) * (y - south) - (x - west) * ((ring[i]?.[1] ?? 0) - south), 0)
    assert.ok(turn > 0, 'anticlockwise')
    const { revision, level_index, image_url, tilejson_url, start_at: from, is_placed, building_id } = one.properties
    assert.deepEqual([revision, level_index, from, is_placed, building_id], ['C02', 0, '2026-03-12T06:00:00.000Z', true, block])
    for (const url of [image_url, tilejson_url]) {
      const path = String(url).slice(String(url).indexOf('/api/') + 4)
      assert.equal((await w.as('viewer').get(path as `/${string}`)).status, 200, path)
    }
    const [outline] = features.filter(({ id }) => id === unplaced.body.id)
    assert.ok(Math.abs(areaOf(outline?.geometry ?? one.geometry) - 1250) < 2, 'the outline of the building')
    const ids = async (query: string) => (await plansIn(w, query)).map(({ id }) => id)
    assert.deepEqual(await ids('&level_index=1'), [unplaced.body.id])
    assert.deepEqual(await ids('&level_index=1&level_index=0'), await ids(''), 'any of several levels')
    assert.deepEqual(await ids('&at=2026-03-11T00:00:00.000Z&level_index=0'), [old.body.id])
    assert.deepEqual(
      await ids('&from=2026-03-11T00:00:00.000Z&to=2026-03-13T00:00:00.000Z&level_index=0'),
      [old.body.id, placed.body.id].sort(),
    )
    assert.deepEqual(await ids('&bbox=1,1,2,2'), [])
    assert.deepEqual(await ids(`&building_id=${w.site_id}`), [])
    assert.equal((await ids(`&building_id=${block}`)).length, 2)
  })
})
