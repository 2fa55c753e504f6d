// Files of records, through HTTP: two plain areas that hold evidence, one with a lifecycle, one that not everyone can see (`flow-of-work.md` §0.5).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Generated } from 'kysely'
import sharp from 'sharp'
import { DAY, later } from '../../../shared/time.ts'
import { square } from '../../../tests/calls.ts'
import { MONDAY, useHouse, type World } from '../../../tests/world.ts'
import { name, orNull, recordId } from '../../base/schema.ts'
import { rooms } from '../../groups.ts'
import { held } from '../access/domain.ts'
import { resource } from '../resource/door.ts'
import { routesOf } from '../resource/kit.ts'
import { defineRoom, plugRooms } from '../sockets/door.ts'
import { factsFrom, takenAt } from './domain.ts'

type Stamps = {
  site_id: string
  id: string
  version: Generated<number>
  created_at: Generated<string>
  created_by: Generated<string | null>
  updated_at: Generated<string>
  updated_by: Generated<string | null>
  name: string
  contractor_id: string | null
}
declare module '../../base/tables.gen.ts' {
  interface Tables {
    test_flaw: Stamps & { deleted_at: string | null; status: string }
    test_memo: Stamps
  }
}

const fields = { name: name('Name'), contractor_id: orNull(recordId('contractor', 'Contractor')) }
const either = { own: 'test_flaw_edit', any: 'test_flaw_manage' }
const flaws = resource({
  ...{ kind: 'test_flaw', path: '/sites/:site_id/test-flaws', noun: 'flaw', shape: 'TestFlaw', says: 'A flaw', fields, bin: true },
  list: { order: ['lower(name)'] },
  access: { view: 'site_view', create: either, change: either, remove: either, restore: 'test_flaw_manage' },
  evidence: { add: either, remove: 'test_flaw_manage' },
  lifecycle: {
    graph: {
      states: [
        { key: 'open', label: 'Open', kind: 'initial' },
        { key: 'closed', label: 'Closed', kind: 'terminal' },
      ],
      transitions: [{ key: 'close', action: 'close', from: 'open', to: 'closed', actor: 'all', guards: [], effects: [], requires: [] }],
    },
    actors: { all: 'test_flaw_manage' },
    steps: { close: { summary: 'Close a flaw', says: 'x.', past: 'closed', event: { verb: 'closed', says: 'A flaw was closed' } } },
  },
})
const memos = resource({
  ...{ kind: 'test_memo', path: '/sites/:site_id/test-memos', noun: 'memo', shape: 'TestMemo', says: 'A memo', fields },
  list: { order: ['lower(name)'] },
  access: { view: 'test_flaw_manage', create: 'test_flaw_manage', change: 'test_flaw_manage', remove: 'test_flaw_manage' },
  evidence: { add: 'test_flaw_manage', remove: 'test_flaw_manage' },
})
const room = defineRoom({
  ...{ name: 'test-flaws', says: 'Flaws.', kinds: [flaws.kind, memos.kind], events: [...flaws.events, ...memos.events] },
  permissions: {
    test_flaw_edit: held(['member', 'coordinator', 'admin'], 'Edit flaws of your own'),
    test_flaw_manage: held(['coordinator', 'admin'], 'Manage all flaws'),
  },
})
const routes = [...routesOf(flaws, { order: 'by name' }), ...routesOf(memos, { order: 'by name' })]

const photo = (file: string) => readFile(new URL(`../../../tests/data/images/${file}`, import.meta.url))
const picture = (shade: number) =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: { r: shade, g: 90, b: 90 } } })
    .png()
    .toBuffer()

describe('evidence', () => {
  const house = useHouse({}, { more_routes: routes })
  before(async () => {
    plugRooms([...rooms, room])
    const columns = `site_id uuid not null references site (site_id), id uuid not null, version integer not null, created_at timestamptz(3) not null,
      created_by uuid, updated_at timestamptz(3) not null, updated_by uuid, name text not null, contractor_id uuid, primary key (site_id, id)`
    await house.rows(`create table test_flaw (${columns}, deleted_at timestamptz(3), status text not null)`)
    await house.rows(`create table test_memo (${columns})`)
    for (const table of ['test_flaw', 'test_memo']) await house.rows(`select make_record('${table}')`)
  })
  after(() => plugRooms(rooms))

  type Who = 'coordinator' | 'member' | 'viewer' | 'admin'
  const make = async (w: World, area: 'test-flaws' | 'test-memos', body: object = {}, as: Who = 'coordinator') => {
    const made = await w.as(as).post(`/sites/${w.site_id}/${area}`, { name: 'Door', ...body })
    assert.equal(made.status, 201, made.text)
    return `/sites/${w.site_id}/${area}/${made.body.id}`
  }
  const attach = (w: World, one: string, value: Buffer, more: { as?: Who; filename?: string; data?: object } = {}) =>
    w.as(more.as ?? 'coordinator').send('POST', `${one}/evidence`, [
      { name: 'file', filename: more.filename ?? 'door.jpg', value },
      { name: 'data', value: JSON.stringify({ role: 'before', ...more.data }) },
    ])
  const added = async (w: World, one: string, value: Buffer, more: Parameters<typeof attach>[3] = {}) => {
    const reply = await attach(w, one, value, more)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const idOf = (one: string) => one.split('/').at(-1) ?? ''
  const adopt = (w: World, one: string, kind: string, from: string, evidence_id: string, as: Who = 'coordinator') =>
    w.as(as).post(`${one}/evidence/adopt`, { evidence: { record_kind: kind, record_id: idOf(from), evidence_id }, role: 'context' })

  test('§0.5 a photo gets its time and position from EXIF; the record shows it with a new version; its bytes are unchanged', async () => {
    const w = await house.world()
    const one = await make(w, 'test-flaws')
    for (const [file, type] of [
      ['gps-photo.jpg', 'image/jpeg'],
      ['gps-photo.heic', 'image/heic'],
    ] as const) {
      const bytes = await photo(file)
      const made = await added(w, one, bytes, {
        filename: file,
        data: { role: 'after', caption: 'Closed gap', taken_at: '2026-01-01T00:00:00Z' },
      })
      assert.deepEqual([made.media_type, made.role, made.caption], [type, 'after', 'Closed gap'])
      assert.equal(made.taken_at, '2020-11-26T20:11:07.000Z', 'the time in the file counts, by the offset of its clock')
      assert.deepEqual(made.taken_point, { lon: -121.783889, lat: 36.802775 })
      const download = await w.as('viewer').get(`${one}/evidence/${made.id}/download`)
      assert.deepEqual([download.status, Number(download.headers['content-length'])], [200, bytes.length])
      const thumb = await w.as('viewer').get(`${one}/evidence/${made.id}/download?variant=thumb`)
      assert.equal(thumb.headers['content-type'], 'image/webp')
    }
    const shown = (await w.as('viewer').get(one)).body
    assert.deepEqual([shown.version, shown.evidence.map((e: { filename: string }) => e.filename)], [3, ['gps-photo.jpg', 'gps-photo.heic']])
    assert.deepEqual(
      [shown.permissions.can_add_evidence, shown.evidence[0].permissions.can_remove, shown.evidence[0].permissions.can_change],
      [false, false, false],
    )
    const [listed] = (await w.as('coordinator').get(`/sites/${w.site_id}/test-flaws`)).body
    assert.deepEqual([listed.evidence.length, listed.permissions.can_add_evidence], [2, true])
  })

  test('§0.5.1 if the same bytes are attached again, even at the same time, the response is 200 with the file that is there, and the record has no new version', async () => {
    const w = await house.world()
    const one = await make(w, 'test-flaws')
    const bytes = await picture(10)
    const both = await Promise.all([attach(w, one, bytes), attach(w, one, bytes, { as: 'admin' })])
    assert.deepEqual(both.map(reply => reply.status).sort(), [200, 201])
    assert.equal(both[0]?.body.id, both[1]?.body.id)
    assert.equal((await attach(w, one, bytes)).status, 200)
    assert.equal((await w.as('viewer').get(one)).body.version, 2)
  })

  test('§0.5 other types, files over the size of their type, unknown roles and pins are refused; nothing is attached', async () => {
    const w = await house.world()
    const one = await make(w, 'test-flaws')
    assert.equal((await attach(w, one, Buffer.from('plain text'), { filename: 'a.txt' })).status, 415)
    assert.equal((await attach(w, one, (await photo('gps-photo.jpg')).subarray(0, 40))).status, 415)
    const large = Buffer.concat([await picture(20), Buffer.alloc(20 * 1024 * 1024)])
    const refused = await attach(w, one, large)
    assert.deepEqual([refused.status, /larger than 20 MB/.test(refused.body.error.detail)], [413, true])
    assert.equal((await attach(w, one, await picture(1), { data: { role: 'portrait' } })).body.error.fields[0].path, 'role')
    const pin = { feature_id: w.site_id, level_index: null, lon: 0, lat: 51 }
    assert.equal((await attach(w, one, await picture(1), { data: { pin } })).body.error.fields[0].path, 'pin.feature_id')
    const building = { site_id: w.site_id, kind: 'building', name: 'Block A', outline: square(1), levels: [{ index: 0, name: 'Ground' }] }
    const block = await w.as('hse').post('/reference-features/zones', building)
    assert.equal(block.status, 201, block.text)
    const level = { feature_id: block.body.id, level_index: 40, lon: 0, lat: 51 }
    assert.equal((await attach(w, one, await picture(1), { data: { pin: level } })).body.error.fields[0].path, 'pin.level_index')
    const area = await w.as('hse').post('/reference-features/zones', { site_id: w.site_id, kind: 'area', name: 'Yard', outline: square(1) })
    assert.equal(area.status, 201, area.text)
    const outdoors = await attach(w, one, await picture(1), { data: { pin: { ...level, feature_id: area.body.id } } })
    assert.equal(outdoors.body.error.fields[0].message, 'can be set only in a building or an indoor zone. Send null.')
    assert.equal((await attach(w, one, await picture(1), { as: 'viewer' })).status, 403)
    assert.equal((await w.as('coordinator').send('POST', `${one}/evidence`, [{ name: 'role', value: 'before' }])).status, 422)
    assert.deepEqual((await w.as('viewer').get(one)).body.evidence, [])
    for (let shade = 0; shade < 50; shade++) await added(w, one, await picture(shade * 5))
    const full = await attach(w, one, await picture(254))
    assert.deepEqual([full.status, full.body.error.reason], [409, 'too_many'])
  })

  test('§0.5 caption and role of a file can be changed, the time only if the file has none of its own, and the hash never', async () => {
    const w = await house.world()
    const one = await make(w, 'test-flaws')
    const own = await added(w, one, await picture(1), { data: { taken_at: '2026-03-01T08:00:00Z' } })
    assert.equal(own.taken_at, '2026-03-01T08:00:00.000Z')
    const change = (id: string, body: object, as: Who = 'coordinator') => w.as(as).patch(`${one}/evidence/${id}`, body)
    const changed = (await change(own.id, { caption: 'North side', role: 'during', taken_at: '2026-03-02T08:00:00Z' })).body
    assert.deepEqual([changed.caption, changed.role, changed.taken_at], ['North side', 'during', '2026-03-02T08:00:00.000Z'])
    const dated = await added(w, one, await photo('gps-photo.jpg'))
    const refused = await change(dated.id, { taken_at: '2026-03-02T08:00:00Z' })
    assert.deepEqual([refused.status, refused.body.error.fields[0].path], [422, 'taken_at'])
    const { version } = (await w.as('viewer').get(one)).body
    const same = await change(own.id, { sha256: '0'.repeat(64), caption: 'North side' })
    assert.deepEqual([same.status, same.body.sha256], [200, own.sha256], 'read-only fields are ignored')
    assert.equal((await w.as('viewer').get(one)).body.version, version)
    assert.equal((await change(own.id, { caption: 'x' }, 'viewer')).status, 403)
    assert.equal((await change(w.site_id, { caption: 'x' })).status, 404)
  })

  test('§0.5.4 people can remove their own file within 24 hours; later, and for files of others, it takes the permission; a closed record keeps its files', async () => {
    const w = await house.world()
    const one = await make(w, 'test-flaws', {}, 'member')
    const mine = await added(w, one, await picture(1), { as: 'member' })
    const theirs = await added(w, one, await picture(2))
    const remove = (id: string, as: Who) => w.as(as).del(`${one}/evidence/${id}`)
    const refused = await remove(theirs.id, 'member')
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'test_flaw_manage'])
    const flags = (await w.as('member').get(one)).body.evidence.map(
      (e: { permissions: { can_remove: boolean } }) => e.permissions.can_remove,
    )
    assert.deepEqual(flags, [true, false])
    assert.equal((await remove(mine.id, 'member')).status, 204)
    const again = await added(w, one, await picture(1), { as: 'member' })
    house.clock(later(MONDAY, DAY + 1))
    assert.equal((await remove(again.id, 'member')).status, 403)
    assert.equal((await remove(again.id, 'coordinator')).status, 204)
    assert.equal((await remove(again.id, 'coordinator')).status, 404)
    await w.as('coordinator').post(`${one}/close`, {})
    const late = await remove(theirs.id, 'coordinator')
    assert.deepEqual([late.status, late.body.error.code], [409, 'invalid_transition'])
    assert.equal((await w.as('coordinator').get(one)).body.evidence[0].permissions.can_remove, false)
  })

  test('§0.5.2 adopting makes a link to the first owner: 201, then 200; people who see the adopting record see the file, and nothing else of its source', async () => {
    const w = await house.world()
    const [memo, flaw, third] = [await make(w, 'test-memos'), await make(w, 'test-flaws'), await make(w, 'test-flaws')]
    const file = await added(w, memo, await photo('gps-photo.jpg'))
    const first = await adopt(w, flaw, 'test_memo', memo, file.id)
    assert.equal(first.status, 201, first.text)
    assert.deepEqual(first.body.adopted_from, { kind: 'test_memo', id: idOf(memo), label: 'Door', evidence_id: file.id, hidden: false })
    assert.deepEqual([first.body.sha256, first.body.taken_at], [file.sha256, file.taken_at])
    assert.equal((await adopt(w, flaw, 'test_memo', memo, file.id)).status, 200)
    const second = await adopt(w, third, 'test_flaw', flaw, first.body.id)
    assert.deepEqual([second.body.adopted_from.kind, second.body.adopted_from.evidence_id], ['test_memo', file.id])
    const [seen] = (await w.as('viewer').get(flaw)).body.evidence
    assert.deepEqual(seen.adopted_from, { kind: 'test_memo', id: null, label: null, evidence_id: null, hidden: true })
    assert.equal((await w.as('viewer').get(`${flaw}/evidence/${seen.id}/download`)).status, 200)
    assert.equal((await w.as('viewer').get(memo)).status, 403)
    const invisible = await adopt(w, await make(w, 'test-flaws', {}, 'member'), 'test_memo', memo, file.id, 'member')
    assert.deepEqual([invisible.status, invisible.body.error.field], [404, 'evidence.record_id'])
    assert.equal((await adopt(w, flaw, 'test_memo', memo, w.site_id)).status, 404)
    assert.equal((await adopt(w, flaw, 'shift', memo, file.id)).body.error.fields[0].path, 'evidence.record_kind')
    const elsewhere = await house.world()
    assert.equal((await adopt(elsewhere, await make(elsewhere, 'test-flaws'), 'test_memo', memo, file.id)).status, 404)
  })

  test('§0.5.3 removing a cited file at its source is refused with cited_by until the link is removed; of an adoption and a removal at the same time, one succeeds', async () => {
    const w = await house.world()
    const [memo, flaw] = [await make(w, 'test-memos'), await make(w, 'test-flaws')]
    const file = await added(w, memo, await picture(1))
    const link = (await adopt(w, flaw, 'test_memo', memo, file.id)).body
    const refused = await w.as('coordinator').del(`${memo}/evidence/${file.id}`)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'cited'])
    assert.deepEqual(refused.body.error.cited_by, [{ kind: 'test_flaw', id: idOf(flaw), label: 'Door', hidden: false }])
    assert.equal((await w.as('coordinator').del(memo)).body.error.reason, 'cited', 'nor with its record')
    assert.equal((await w.as('coordinator').get(memo)).body.evidence[0].permissions.can_remove, false)
    assert.equal((await w.as('coordinator').del(`${flaw}/evidence/${link.id}`)).status, 204)
    assert.equal((await w.as('coordinator').get(memo)).body.evidence.length, 1)
    for (let round = 0; round < 6; round++) {
      const value = await picture(100 + round)
      const source = await added(w, memo, value)
      const [adopted, removed] = await Promise.all([
        adopt(w, flaw, 'test_memo', memo, source.id),
        w.as('coordinator').del(`${memo}/evidence/${source.id}`),
      ])
      assert.ok(
        (adopted.status === 201 && removed.status === 409) || (adopted.status === 404 && removed.status === 204),
        `${adopted.status} ${removed.status}`,
      )
    }
    for (const { id } of (await w.as('coordinator').get(flaw)).body.evidence) await w.as('coordinator').del(`${flaw}/evidence/${id}`)
    assert.equal((await w.as('coordinator').del(memo)).status, 204)
    for (let round = 0; round < 6; round++) {
      const gone = await make(w, 'test-memos')
      const source = await added(w, gone, await picture(10 + round))
      const [adopted, removed] = await Promise.all([adopt(w, flaw, 'test_memo', gone, source.id), w.as('coordinator').del(gone)])
      assert.ok(
        (adopted.status === 201 && removed.status === 409) || (adopted.status === 404 && removed.status === 204),
        `${adopted.status} ${removed.status}: adopted while its record is deleted`,
      )
    }
  })

  test('a file has an entry in the audit log, and attaching one raises an event of its record', async () => {
    const w = await house.world()
    const one = await make(w, 'test-flaws')
    const file = await added(w, one, await picture(1))
    const [entry] = (await w.as('admin').get(`/audit/entity/evidence/${file.id}`)).body
    assert.deepEqual([entry.action, entry.entity_label], ['create', 'door.jpg'])
    const kinds = await house.rows('select kind from event where subject_id = $1 order by event_no', [idOf(one)])
    assert.deepEqual(
      kinds.map(row => row.kind),
      ['test_flaw.created', 'test_flaw.changed'],
    )
  })
})

describe('what a picture says about itself', () => {
  const at = (text: string) => new Date(`${text}Z`) as Date & Buffer // the library’s types want both
  test('the wall clock of the camera is read by its offset, or by the site’s time zone', () => {
    const facts = factsFrom({ bigEndian: true, Photo: { DateTimeOriginal: at('2026-07-01T12:00:00') } })
    assert.deepEqual(facts, { taken: '2026-07-01T12:00:00', offset: null, lon: null, lat: null })
    assert.equal(takenAt(facts, 'Europe/London', '2026-08-01T00:00:00.000Z'), '2026-07-01T11:00:00.000Z')
    const offset = factsFrom({ bigEndian: true, Photo: { DateTimeOriginal: at('2026-07-01T12:00:00'), OffsetTimeOriginal: '+05:30' } })
    assert.equal(takenAt(offset, 'Europe/London', '2026-08-01T00:00:00.000Z'), '2026-07-01T06:30:00.000Z')
  })

  test('impossible values are left out: positions beyond the poles, zero, dates before digital cameras or in the future', () => {
    const point = (lat: number[], lon: number[]) =>
      factsFrom({ bigEndian: true, GPSInfo: { GPSLatitude: lat, GPSLatitudeRef: 'N', GPSLongitude: lon, GPSLongitudeRef: 'E' } })
    assert.equal(point([91, 0, 0], [10, 0, 0]), null)
    assert.equal(point([0, 0, 0], [0, 0, 0]), null)
    assert.equal(point([Number.NaN], [1]), null)
    assert.deepEqual(point([10, 30, 0], [20, 0, 36]), { taken: null, offset: null, lon: 20.01, lat: 10.5 })
    const when = (taken: string) => takenAt({ taken, offset: null, lon: null, lat: null }, 'UTC', '2026-03-16T00:00:00.000Z')
    assert.deepEqual([when('1970-01-01T00:00:00'), when('2036-01-01T00:00:00'), when('2026-02-30T00:00:00')], [null, null, null])
    assert.equal(factsFrom({ bigEndian: true, Photo: { DateTimeOriginal: at('never') } }), null)
  })
})
