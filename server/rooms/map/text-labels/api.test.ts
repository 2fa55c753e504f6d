import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse, type World } from '../../../../tests/world.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }
const NOW = '2026-03-16T09:00:00.000Z'

describe('text labels', () => {
  const house = useHouse()
  const post = (w: World, body: object, role: 'coordinator' | 'viewer' = 'coordinator') =>
    w.as(role).post('/text-labels/', { site_id: w.site_id, text: 'One way', start_at: NOW, place: { point: HERE }, ...body })
  const paths = async (w: World, body: object) => (await post(w, body)).body.error?.fields?.map((f: { path: string }) => f.path)
  const atTime = async (w: World, at: string, query = '') =>
    (await w.as('viewer').get(`/text-labels/at-time?site_id=${w.site_id}&at=${at}${query}`)).body.map((row: { text: string }) => row.text)

  test('§6 text is text: `<b>x</b>` comes back as those seven characters', async () => {
    const w = await house.world()
    const made = await post(w, { text: '<b>x</b>' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [made.body.text, made.body.size_px, made.body.style_key, made.body.anchor, made.body.max_zoom],
      ['<b>x</b>', 14, 'note', 'center', 24],
    )
    assert.equal((await w.as('viewer').get(`/text-labels/?site_id=${w.site_id}&q=B%3EX`)).body[0].text, '<b>x</b>')
  })

  test('§6 a label from 06:00 to 09:00 is there at 08:59:59.999 and not at 09:00', async () => {
    const w = await house.world()
    await post(w, { start_at: '2026-03-17T06:00:00.000Z', end_at: '2026-03-17T09:00:00.000Z' })
    assert.deepEqual(await atTime(w, '2026-03-17T08:59:59.999Z'), ['One way'])
    assert.deepEqual(await atTime(w, '2026-03-17T09:00:00.000Z'), [])
    assert.deepEqual(await atTime(w, '2026-03-17T05:59:59.999Z'), [])
  })

  test('§6 six lines, zooms in the wrong order and an unknown style are refused, each by name; zoom selects', async () => {
    const w = await house.world()
    assert.deepEqual(await paths(w, { text: '1\n2\n3\n4\n5\n6' }), ['text'])
    assert.deepEqual(await paths(w, { min_zoom: 18, max_zoom: 16 }), ['min_zoom', 'max_zoom'])
    assert.deepEqual(await paths(w, { style_key: 'loud' }), ['style_key'])
    assert.equal((await post(w, { text: '1\n2\n3\n4\n5', min_zoom: 16, max_zoom: 18 })).status, 201)
    assert.deepEqual([(await atTime(w, NOW, '&zoom=15')).length, (await atTime(w, NOW, '&zoom=16')).length], [0, 1])
    const styled = async (query: string) => (await w.as('viewer').get(`/text-labels/?site_id=${w.site_id}&${query}`)).body.length
    assert.deepEqual([await styled('style_key=other'), await styled('style_key=other&style_key=note')], [0, 1])
  })

  test('§0.4 a member writes for their own contractor only, sees no notes of others, and can’t change what ended a day ago', async () => {
    const w = await house.world()
    const [own, other] = [await w.contractor('Own Ltd'), await w.contractor('Other Ltd')]
    const mate = await w.join('member', own)
    const body = (more: object) => ({ site_id: w.site_id, text: 'One way', start_at: NOW, place: { point: HERE }, ...more })
    const mine = await mate.post('/text-labels/', body({ text: 'Mine', notes: 'Code 12' }))
    assert.deepEqual([mine.status, mine.body.contractor_id, mine.body.notes], [201, own, 'Code 12'])
    const refused = await mate.post('/text-labels/', body({ contractor_id: other }))
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'map_entity_edit_any'])
    assert.equal((await post(w, {}, 'viewer')).body.error.permission, 'map_entity_edit')
    const theirs = (await post(w, { text: 'Theirs', contractor_id: other, notes: 'Secret' })).body
    const seen = (await mate.get(`/text-labels/?site_id=${w.site_id}&id=${theirs.id}`)).body[0]
    assert.deepEqual([seen.notes, seen.permissions.can_change, theirs.notes], [null, false, 'Secret'])
    assert.match(seen.colour, /^#[0-9a-f]{6}$/i)
    assert.equal((await mate.patch(`/text-labels/${theirs.id}`, { text: 'x' })).status, 403)
    assert.equal((await mate.patch(`/text-labels/${mine.body.id}`, { contractor_id: other })).status, 403)
    const history = (await mate.get(`/audit/entity/text_label/${theirs.id}`)).text
    assert.ok(!history.includes('Secret'), 'nor in its history')
    assert.equal((await mate.patch(`/text-labels/${mine.body.id}`, { end_at: '2026-03-16T12:00:00.000Z' })).status, 200)
    house.clock('2026-03-17T11:59:00.000Z')
    assert.equal((await mate.patch(`/text-labels/${mine.body.id}`, { text: 'Corrected' })).status, 200)
    house.clock('2026-03-17T12:00:00.000Z')
    const late = await mate.patch(`/text-labels/${mine.body.id}`, { text: 'Too late' })
    assert.deepEqual([late.status, late.body.error.permission], [403, 'map_entity_edit_any'])
    assert.equal(
      (await mate.post('/text-labels/', body({ start_at: '2026-03-01T06:00:00.000Z', end_at: '2026-03-02T06:00:00.000Z' }))).status,
      403,
    )
    assert.equal((await w.as('coordinator').patch(`/text-labels/${mine.body.id}`, { text: 'Late' })).body.text, 'Late')
  })
})
