// Plans that several people bring at the same time, and values that mean nothing for what they are sent for.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aroundHere, drawingOf, PLACED, planBuilding, rectangle, upload, uploadSheet, worked } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

describe('floor plans at once', () => {
  const house = useHouse({}, { pool: 8 })
  const inspected = async (w: World): Promise<string> => {
    const parts = upload(drawingOf(rectangle(10_000, 5000)), 'plan.dxf', { site_id: w.site_id })
    const said = await w.as('coordinator').send('POST', '/floor-plans/import-dxf/inspect', parts)
    assert.equal(said.status, 201, said.text)
    return said.body.session_id
  }
  const monday = async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await house.world()
    return { w, feature_id: await planBuilding(w) }
  }

  test('§8 of several drawings that are imported for one level at once, one is, and the others are refused while it is being imported', async () => {
    const { w, feature_id } = await monday()
    const sessions = [await inspected(w), await inspected(w), await inspected(w), await inspected(w)]
    const all = await Promise.all(
      sessions.map(session_id =>
        w.as('coordinator').post('/floor-plans/import-dxf', { site_id: w.site_id, session_id, feature_id, placement: { mode: 'fit' } }),
      ),
    )
    assert.deepEqual(all.map(({ status, body }) => body.error?.reason ?? status).sort(), [
      201,
      ...['import_running', 'import_running', 'import_running'],
    ])
    const rows = await house.rows('select 1 from floor_plan where site_id = $1', [w.site_id])
    assert.equal(rows.length, 1, 'nothing was replaced')
  })

  test('§8 corners that are too close name the corner, and layers are refused for what has none', async () => {
    const { w, feature_id } = await monday()
    const { id } = (await worked(house, await uploadSheet(w, feature_id, { placement: PLACED }))).body
    const [a, b, c] = aroundHere(20, 10).coordinates[0] ?? []
    const corner = ([lon, lat]: readonly number[] = []) => ({ lon, lat })
    const placed = await w.as('coordinator').patch(`/floor-plans/${id}/placement`, {
      ...{ mode: 'corners', corners: [corner(a), corner(b), corner(c), corner(c)], dry_run: true },
    })
    assert.deepEqual(
      [placed.status, placed.body.error?.fields.map((one: { path: string }) => one.path)],
      [422, ['corners[3]']],
      placed.text,
    )
    const traced = (layers: string[] | null) => w.as('coordinator').post(`/floor-plans/${id}/reprocess-vector`, { layers })
    const refused = await traced(['A-WALL'])
    assert.deepEqual([refused.status, refused.body.error?.fields[0].path], [422, 'layers'], refused.text)
    assert.equal((await traced(null)).status, 202)
  })
})
