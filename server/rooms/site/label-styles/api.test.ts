import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { seedStyles } from './actions.ts'

const paths = (reply: Reply): string[] => reply.body.error?.fields?.map((f: { path: string }) => f.path).sort()
const NOW = '2026-03-16T09:00:00.000Z'

describe('label styles', () => {
  const house = useHouse()
  const at = (w: World) => `/sites/${w.site_id}/label-styles/`

  test('§7 a new site has the standard styles, with every layer visible, and the registry of fields', async () => {
    const w = await house.world()
    const shown = await w.as('client').get(`/sites/${w.site_id}/label-styles/`)
    assert.equal(shown.status, 200, shown.text)
    assert.equal(shown.headers.etag, '"1"')
    assert.deepEqual(
      shown.body.styles.map((s: { key: string }) => s.key),
      ['note', 'title', 'warning', 'route', 'restriction'],
    )
    assert.deepEqual([shown.body.version, shown.body.valid_from, shown.body.valid_to, shown.body.warnings], [1, NOW, null, []])
    assert.deepEqual(Object.keys(shown.body.layers), [
      'area',
      'building',
      'zone',
      'active_area',
      'worker',
      'plant',
      'delivery',
      'poi',
      'alert',
    ])
    assert.ok(shown.body.registry.worker.some((f: { key: string }) => f.key === 'headcount'))
    assert.equal(shown.body.permissions.can_edit, false)
    assert.equal((await w.as('hse').get(at(w))).body.permissions.can_edit, true)
    assert.equal((await w.as('viewer').get(at(w).slice(0, -1))).status, 200, 'the slash is optional')
  })

  test('§7 the H&S role can PUT; a coordinator gets 403; another site’s styles give 404', async () => {
    const w = await house.world()
    const document = { styles: [{ key: 'note', size_px: 20 }] }
    const refused = await w.as('coordinator').put(at(w), document)
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'site_configure'])
    const revision = async () => (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body
    const before = await revision()
    const put = await w.as('hse').put(at(w), document)
    assert.equal(put.status, 200, put.text)
    assert.deepEqual([put.body.version, put.headers.etag, put.body.styles.length, put.body.styles[0].size_px], [2, '"2"', 1, 20])
    assert.deepEqual([put.body.layers.alert.style_key, put.body.layers.zone.min_zoom], ['note', 17])
    const after = await revision()
    assert.deepEqual([after.revision, after.layers.annotations], [before.revision + 1, before.revision + 1])
    const elsewhere = await house.world()
    assert.equal((await elsewhere.as('admin').get(at(w))).status, 404)
    assert.equal((await elsewhere.as('admin').put(at(w), document)).status, 404)
    assert.equal((await house.nobody.get(at(w))).status, 401)
    const { rows } = await house.house.database.pool.query(
      `select payload from event where site_id = $1 and kind = 'label_styles.changed'`,
      [w.site_id],
    )
    assert.deepEqual(rows[0].payload, { version: 2, removed: ['title', 'warning', 'route', 'restriction'] })
  })

  test('§7 PUT of the GET body returns 200 and the same `version`; of two editors with one If-Match the second gets 412', async () => {
    const w = await house.world()
    const got = await w.as('admin').get(at(w))
    const same = await w.as('admin').put(at(w), got.body)
    assert.deepEqual([same.status, same.body.version, same.text === got.text], [200, 1, true])
    const upper = {
      ...got.body,
      styles: got.body.styles.map((s: { text_colour: string }) => ({ ...s, text_colour: s.text_colour.toUpperCase() })),
    }
    assert.equal((await w.as('admin').put(at(w), upper)).body.version, 1, 'colours are equal in upper and lower case')
    const put = (size_px: number, headers = {}) => w.as('admin').put(at(w), { styles: [{ key: 'note', size_px }] }, headers)
    const match = { 'if-match': String(got.headers.etag) }
    const both = await Promise.all([put(20, match), put(21, match)])
    assert.deepEqual(both.map(r => r.status).sort(), [200, 412])
    const loose = await Promise.all([put(30), put(31), put(32)])
    assert.deepEqual(loose.map(r => [r.status, r.body.version]).sort(), [
      [200, 3],
      [200, 4],
      [200, 5],
    ])
  })

  test('§7 an old `at` returns the old document, and `version` finds each; a version that doesn’t exist gives 404', async () => {
    house.clock(NOW)
    const w = await house.world()
    house.clock('2026-03-17T09:00:00.000Z')
    await w.as('hse').put(at(w), { styles: [{ key: 'note', size_px: 20 }] })
    const size = async (query: string) => {
      const reply = await w.as('viewer').get(`${at(w)}${query}`)
      return reply.status === 200 ? [reply.body.version, reply.body.styles[0].size_px, reply.body.valid_to] : reply.status
    }
    assert.deepEqual(await size('?at=2026-03-16T12:00:00Z'), [1, 14, '2026-03-17T09:00:00.000Z'])
    assert.deepEqual(await size('?at=2026-03-17T08:59:59.999Z'), [1, 14, '2026-03-17T09:00:00.000Z'])
    assert.deepEqual(await size('?at=2026-03-17T09:00:00Z'), [2, 20, null])
    assert.deepEqual(await size(''), [2, 20, null])
    assert.deepEqual(await size('?version=1'), [1, 14, '2026-03-17T09:00:00.000Z'])
    assert.deepEqual(
      [
        await size('?version=3'),
        await size('?at=2026-03-01T00:00:00Z'),
        await size('?version=0'),
        await size('?version=1&at=2026-03-17T09:00:00Z'),
      ],
      [404, 404, 422, 422],
    )
    house.clock(NOW)
  })

  test('§7 a missing `note`, a double key, a layer with an unknown style, an unknown field and a bad colour are refused, all at once', async () => {
    const w = await house.world()
    const put = (body: unknown) => w.as('hse').put(at(w), body)
    assert.deepEqual(paths(await put({ styles: [{ key: 'title' }] })), ['styles'])
    assert.deepEqual(
      paths(
        await put({
          styles: [{ key: 'note' }, { key: 'note' }],
          layers: { zone: { style_key: 'gone' }, poi: { min_zoom: 9, max_zoom: 8 } },
        }),
      ),
      ['layers.poi.min_zoom', 'layers.zone.style_key', 'styles[1].key'],
    )
    const shape = await put({
      styles: [{ key: 'Note!', text_colour: 'teal', halo_px: 7, size_px: 7, weight: 'heavy', glow: 1 }, {}],
      layers: {
        zone: { fields: ['name', 'supervisor_name'], max_chars: 0 },
        sky: {},
        worker: { fields: [] },
        area: { fields: ['name', 'name'] },
      },
      colour: 'red',
    })
    assert.deepEqual(paths(shape), [
      'colour',
      'layers.area.fields',
      'layers.sky',
      'layers.worker.fields',
      'layers.zone.fields[1]',
      'layers.zone.max_chars',
      'styles[0].glow',
      'styles[0].halo_px',
      'styles[0].key',
      'styles[0].size_px',
      'styles[0].text_colour',
      'styles[0].weight',
      'styles[1].key',
    ])
    assert.deepEqual(paths(await put({ styles: Array.from({ length: 51 }, (_, i) => ({ key: i === 0 ? 'note' : `s${i}` })) })), ['styles'])
    assert.deepEqual(paths(await put({})), ['styles'])
    assert.equal((await put('[1')).status, 415)
    assert.equal((await w.as('viewer').get(at(w))).body.version, 1, 'nothing was written')
  })

  test('§7 text that is hard to read gives a warning, not a refusal', async () => {
    const w = await house.world()
    const put = await w.as('hse').put(at(w), { styles: [{ key: 'note' }, { key: 'pale', name: 'Pale', text_colour: '#cccccc' }] })
    assert.equal(put.status, 200)
    assert.deepEqual(
      put.body.warnings.map((one: { style_key: string; code: string }) => [one.style_key, one.code]),
      [['pale', 'low_contrast']],
    )
    assert.deepEqual((await w.as('viewer').get(at(w))).body.warnings, put.body.warnings)
  })

  test('§7 the largest document that is accepted stays under 64 KiB', async () => {
    const w = await house.world()
    const styles = Array.from({ length: 50 }, (_, i) => ({
      key: i === 0 ? 'note' : `${'k'.repeat(37)}${i}`,
      name: '🏗'.repeat(200),
      background: '#ffffff',
      border_colour: '#000000',
    }))
    assert.equal((await w.as('hse').put(at(w), { styles })).status, 200)
    const { rows } = await house.house.database.pool.query(
      `select octet_length(document::text) as n from label_style where site_id = $1 and number = 2`,
      [w.site_id],
    )
    assert.ok(rows[0].n < 64 * 1024, `${rows[0].n}`)
  })

  test('§1 a site that copies another has its styles, as its first version', async () => {
    const w = await house.world()
    await w.as('hse').put(at(w), { styles: [{ key: 'note', size_px: 33 }] })
    const made = await w.superadmin.post('/sites/', { name: 'Copy', timezone: 'UTC', copy_from_site_id: w.site_id })
    assert.equal(made.status, 201, made.text)
    const copied = (await w.superadmin.get(`/sites/${made.body.id}/label-styles/`)).body
    assert.deepEqual([copied.version, copied.styles.length, copied.styles[0].size_px], [1, 1, 33])
    assert.deepEqual(made.body.needs_attention, [])
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, made.body.id, ctx => seedStyles(ctx, made.body.id))
    assert.deepEqual((await w.superadmin.get(`/sites/${made.body.id}/label-styles/`)).body, copied, 'seeding again adds nothing')
  })

  test('§7 the styles of a locked site can’t change', async () => {
    const w = await house.world()
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })
    assert.equal((await w.as('hse').put(at(w), { styles: [{ key: 'note' }] })).body.error.reason, 'site_locked')
  })
})
