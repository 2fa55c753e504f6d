import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

type Listed = { id: string; code: string; active: boolean; version: number } & Record<string, unknown>

describe('permit types', () => {
  const house = useHouse()
  const list = async (w: World, query = ''): Promise<Listed[]> =>
    (await w.as('viewer').get(`/permits/types?site_id=${w.site_id}${query}`)).body

  test('a new site has the ten standard types: only GEN can be extended, no document is mandatory, and each has pre-checks of its own', async () => {
    const w = await house.world()
    const types = await list(w)
    assert.deepEqual(
      types.map(t => t.code),
      ['CRO', 'CSE', 'ELE', 'EXC', 'GEN', 'HW', 'LIFT', 'PRT', 'RAD', 'WAH'],
    )
    assert.deepEqual(
      types.filter(t => t.is_extendable).map(t => t.code),
      ['GEN'],
    )
    assert.deepEqual(Object.fromEntries(types.map(t => [t.code, t.default_duration_hours])), {
      ...Object.fromEntries(types.map(t => [t.code, 12])),
      GEN: 168,
    })
    assert.ok(types.every(t => !t.single_stage && !t.requires_parent && t.active))
    assert.ok(types.every(t => (t.expected_attachments as { required: boolean }[]).every(slot => !slot.required)))
    assert.ok(types.every(t => (t.pre_checks as unknown[]).length > 0))
  })

  test('POST needs only a code: the name defaults to it, keys are made from labels, and required defaults to false', async () => {
    const w = await house.world()
    const bare = await w.as('hse').post('/permits/types', { site_id: w.site_id, code: 'ASB' })
    assert.deepEqual([bare.status, bare.body.name, bare.body.active, bare.body.requires_parent], [201, 'ASB', true, false])
    assert.equal(bare.headers.location, `/api/permits/types?site_id=${w.site_id}&id=${bare.body.id}`)
    const full = await w.as('hse').post('/permits/types', {
      site_id: w.site_id,
      code: 'hw',
      name: 'Lower case is another code',
      pre_checks: [{ label: 'Fire watch named' }],
      expected_attachments: [{ label: 'Method statement', required: true }],
    })
    assert.equal(full.status, 201, full.text)
    assert.deepEqual(full.body.pre_checks, [{ code: 'fire_watch_named', label: 'Fire watch named', required: false }])
    assert.deepEqual(full.body.expected_attachments, [{ key: 'method_statement', label: 'Method statement', required: true }])
  })

  test('POST is refused without the permission, when malformed or when the code is taken, even by a simultaneous request; a stranger gets 404', async () => {
    const w = await house.world()
    const body = { site_id: w.site_id, code: 'ASB' }
    for (const role of ['coordinator', 'member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const)
      assert.equal((await w.as(role).post('/permits/types', body)).status, 403, role)
    assert.equal((await (await w.stranger()).post('/permits/types', body)).status, 404)
    const wrong = await w.as('hse').post('/permits/types', { ...body, code: 'has space', default_duration_hours: 0, colour: 'red' })
    assert.equal(wrong.status, 422)
    assert.deepEqual(wrong.body.error.fields.map((f: { path: string }) => f.path).sort(), ['code', 'colour', 'default_duration_hours'])
    const twice = await w.as('hse').post('/permits/types', { ...body, pre_checks: [{ label: 'Same' }, { label: 'same ' }] })
    assert.equal(twice.status, 422)
    const raced = await Promise.all([1, 2, 3, 4].map(() => w.as('hse').post('/permits/types', body)))
    assert.deepEqual(raced.map(r => r.status).sort(), [201, 409, 409, 409])
    const made = raced.find(r => r.status === 201)?.body
    await w.as('hse').patch(`/permits/types/${made.id}`, { active: false })
    const again = await w.as('hse').post('/permits/types', body)
    assert.deepEqual([again.body.error.reason, again.body.error.existing_id], ['key_taken', made.id])
    assert.match(again.body.error.detail, /retired/)
  })

  test('9.15 required documents and pre-checks have keys whatever the script of their labels', async () => {
    const w = await house.world()
    const made = await w.as('hse').post('/permits/types', {
      site_id: w.site_id,
      code: 'INT',
      pre_checks: [{ label: '气体检测' }, { label: 'تم فحص المعدات' }, { label: 'Проверка газа' }],
      expected_attachments: [{ label: '施工方案' }, { label: '📷' }],
    })
    assert.equal(made.status, 201, made.text)
    const keys = [
      ...made.body.pre_checks.map((c: { code: string }) => c.code),
      ...made.body.expected_attachments.map((s: { key: string }) => s.key),
    ]
    for (const key of keys) assert.match(key, /^[a-z0-9_]{1,60}$/)
    assert.equal(new Set(keys).size, 5)
  })

  test('PATCH never changes a code; a type in use can be retired; a retired type can’t be used in a new draft', async () => {
    const w = await permitWorld(house)
    const live = await w.at('issued')
    const path = `/permits/types/${w.types.HW?.id}`
    assert.equal((await w.as('hse').patch(path, { code: 'HOT' })).status, 422)
    assert.equal((await w.as('coordinator').patch(path, { active: false })).status, 403)
    assert.equal((await w.as('hse').patch(path, { active: false }, { 'if-match': '"99"' })).status, 412)
    const retired = await w.as('hse').patch(path, { active: false })
    assert.deepEqual([retired.status, retired.body.active], [200, false])
    assert.equal((await w.read(live)).status, 'issued')
    const refused = await w.as('member').post('/permits/applications', { site_id: w.site_id, categories: ['HW'] })
    assert.equal(refused.status, 422)
    assert.deepEqual(
      (await list(w, '&active=false')).map(t => t.code),
      ['HW'],
    )
    assert.deepEqual((await list(w, `&id=${w.types.HW?.id}`)).length, 1)
    const [emitted] = await house.rows(`select payload from event where kind = 'permit_type.changed' and site_id = $1`, [w.site_id])
    assert.deepEqual(emitted.payload, { code: 'HW', fields: ['active'] })
  })

  test('PATCH of another site’s type gives 404', async () => {
    const [one, other] = [await house.world(), await house.world({ name: 'Elsewhere' })]
    const [foreign] = await list(other)
    assert.equal((await one.as('hse').patch(`/permits/types/${foreign?.id}`, { name: 'Mine now' })).status, 404)
    assert.equal((await list(other))[0]?.name === 'Mine now', false)
  })
})
