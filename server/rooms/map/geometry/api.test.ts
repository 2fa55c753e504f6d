import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../../tests/world.ts'

describe('geometry defaults', () => {
  const house = useHouse()

  test('§10 a site has the standard sizes until someone saves others; each save changes only what is sent', async () => {
    const w = await house.world()
    const path = `/geometry/defaults?site_id=${w.site_id}` as const
    const before = (await w.as('viewer').get(path)).body
    assert.deepEqual([before.worker_radius_m, before.fill_min_part_m2, before.per_category, before.version], [2, 5, {}, 0])
    assert.equal(before.permissions.can_edit, false)
    const saved = await w.as('hse').patch(path, { worker_radius_m: 3, per_category: { excavator: 2 } })
    assert.deepEqual([saved.status, saved.body.worker_radius_m, saved.body.per_category, saved.body.version], [200, 3, { excavator: 2 }, 1])
    assert.equal(saved.body.delivery_radius_m, 5)
    assert.equal((await w.as('hse').patch(path, { worker_radius_m: 3 })).body.version, 1)
    assert.equal((await w.as('coordinator').patch(path, { worker_radius_m: 4 })).body.error.permission, 'geometry_defaults_manage')
    const wrong = await w.as('hse').patch(path, { worker_radius_m: 0, snap_m: -1 })
    assert.deepEqual([wrong.status, wrong.body.error.fields.length], [422, 2])
  })

  test('§10 two first saves at once both count', async () => {
    const w = await house.world()
    const path = `/geometry/defaults?site_id=${w.site_id}` as const
    const saves = await Promise.all([w.as('hse').patch(path, { snap_m: 1 }), w.as('admin').patch(path, { simplify_m: 1 })])
    assert.deepEqual(
      saves.map(save => save.status),
      [200, 200],
    )
    const after = (await w.as('viewer').get(path)).body
    assert.deepEqual([after.snap_m, after.simplify_m], [1, 1])
  })
})
