// Photos of what a gang, a machine or a delivery did on a day (`map.md` §13), through HTTP.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeEach, describe, test } from 'node:test'
import sharp from 'sharp'
import { dayPhotos, HERE, picture, taken } from '../../../../tests/token-photos.ts'
import { MONDAY, useHouse } from '../../../../tests/world.ts'

describe('photos of a day', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))
  const { gang, crane, add, added, list, bytesOf, idsOf, fault } = dayPhotos(house)

  test('§13 POST twice with the same bytes: 201, then 200 with the same id; the list has one, even of two at the same time', async () => {
    const w = await house.world()
    const token = await gang(w)
    const bytes = await picture(10)
    const both = await Promise.all([add(w, token, bytes), add(w, token, bytes, { as: 'admin', caption: 'Other' })])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201])
    const again = await add(w, token, bytes)
    assert.deepEqual([again.status, again.body.id], [200, both[0]?.body.id])
    assert.equal((await list(w)).length, 1)
    assert.equal((await add(w, await gang(w), bytes)).status, 201, 'of another gang it is another photo')
    const monday = await crane(w)
    assert.equal((await add(w, monday, bytes, { token_kind: 'plant' })).status, 201)
    assert.equal((await add(w, monday, bytes, { token_kind: 'plant', work_date: '2026-03-13' })).status, 201, 'as on another day')
  })

  test('§13 a token of Monday with the work date Wednesday is 422 naming Monday; from 22:00 Monday to 06:00 Tuesday, both days are accepted', async () => {
    const w = await house.world()
    house.clock('2026-03-19T12:00:00.000Z')
    const day = await gang(w)
    const refused = await add(w, day, await picture(1), { work_date: '2026-03-18' })
    assert.deepEqual(fault(refused), [422, 'work_date'])
    assert.match(refused.body.error.fields[0].message, /Monday,? 16 March 2026/)
    assert.deepEqual(fault(await add(w, day, await picture(1))), [422, 'work_date'], 'today is the default')
    const night = await gang(w, { start_at: '2026-03-16T22:00:00.000Z', end_at: '2026-03-17T06:00:00.000Z' })
    for (const work_date of ['2026-03-16', '2026-03-17'])
      assert.equal((await added(w, night, await picture(2), { work_date })).work_date, work_date)
    for (const work_date of ['2026-03-15', '2026-03-18']) {
      const { body } = await add(w, night, await picture(3), { work_date })
      assert.match(body.error.fields[0].message, /between Monday,? 16 March 2026 and Tuesday,? 17 March 2026/)
    }
    const midnight = await gang(w, { start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-17T00:00:00.000Z' })
    assert.equal((await add(w, midnight, await picture(4), { work_date: '2026-03-17' })).status, 422, 'it left at midnight')
  })

  test('§13 a day in the future is 422; a machine without an end is there on every day since its start', async () => {
    const w = await house.world()
    const machine = await crane(w)
    const on = (work_date: string) => add(w, machine, Buffer.alloc(0), { token_kind: 'plant', work_date })
    assert.equal((await on('2026-03-16')).status, 415, 'an empty file')
    const day = async (work_date: string) => add(w, machine, await picture(1), { token_kind: 'plant', work_date })
    assert.match((await day('2026-03-17')).body.error.fields[0].message, /future/)
    assert.match((await day('2026-03-08')).body.error.fields[0].message, /9 March 2026 or later/)
    assert.equal((await day('2026-03-12')).status, 201)
  })

  test('§13 the download equals the upload by SHA-256; the preview has no GPS tags', async () => {
    const w = await house.world()
    const bytes = await readFile(new URL('../../../../tests/data/images/gps-photo.jpg', import.meta.url))
    const made = await added(w, await gang(w), bytes, { filename: 'gps.jpg' })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const got = await bytesOf(w, `/sites/${w.site_id}/token-photos/${made.id}/download`)
    assert.deepEqual([made.sha256, createHash('sha256').update(got).digest('hex')], [sha256, sha256])
    assert.ok((await sharp(bytes).metadata()).exif !== undefined)
    for (const [variant, side] of [
      ['preview', 1600],
      ['thumb', 320],
    ] as const) {
      const small = await bytesOf(w, `/sites/${w.site_id}/token-photos/${made.id}/download?variant=${variant}`)
      const { exif, xmp, iptc, width = 0, height = 0 } = await sharp(small).metadata()
      assert.deepEqual([exif, xmp, iptc], [undefined, undefined, undefined])
      assert.ok(Math.max(width, height) <= side)
    }
    assert.deepEqual(made.taken_point, { lon: -121.783889, lat: 36.802775 })
    assert.ok(made.distance_m > 8_000_000, 'from California to London')
    assert.deepEqual([made.taken_at, made.date_mismatch], ['2020-11-26T20:11:07.000Z', true])
  })

  test('§13 EXIF 2026-03-29 01:30 without an offset in London is taken as 01:30Z; with an offset, that counts', async () => {
    const w = await house.world()
    house.clock('2026-03-29T12:00:00.000Z')
    const token = await gang(w, { start_at: '2026-03-29T07:00:00.000Z', end_at: '2026-03-29T16:00:00.000Z' })
    const skipped = await added(w, token, await picture(1, taken('2026:03:29 01:30:00')))
    assert.deepEqual([skipped.taken_at, skipped.date_mismatch], ['2026-03-29T01:30:00.000Z', false])
    const offset = await added(w, token, await picture(2, taken('2026:03:29 01:30:00', '+05:30')))
    assert.deepEqual([offset.taken_at, offset.date_mismatch], ['2026-03-28T20:00:00.000Z', true])
    const bare = await added(w, token, await picture(3))
    assert.deepEqual([bare.taken_at, bare.taken_point, bare.distance_m, bare.date_mismatch], [null, null, null, false])
    assert.deepEqual(idsOf(await list(w)), [offset.id, skipped.id, bare.id], 'by time, those without one last')
  })

  test('§13 contractor B’s member posting on A’s token is 403, reading is 200; A’s own member and coordinators can post', async () => {
    const w = await house.world()
    const firm = await w.contractor('Contractor B')
    const mate = await w.join('member', firm)
    const own = await gang(w, { contractor_id: firm })
    const other = await w.contractor('Contractor A')
    const theirs = await gang(w, { contractor_id: other })
    const refused = await add(w, theirs, await picture(1), { as: mate })
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'map_entity_edit_any'])
    const photo = await added(w, theirs, await picture(1))
    assert.equal(photo.contractor_id, other)
    assert.equal((await add(w, theirs, await picture(1), { as: mate })).status, 403, 'nor with the bytes that are there')
    const read = await mate.get(`/sites/${w.site_id}/token-photos/${photo.id}/download`)
    assert.deepEqual([read.status, idsOf(await list(w, '', mate))], [200, [photo.id]])
    assert.equal((await mate.patch(`/sites/${w.site_id}/token-photos/${photo.id}`, { caption: 'x' })).status, 403)
    assert.equal((await mate.del(`/sites/${w.site_id}/token-photos/${photo.id}`)).status, 403)
    assert.equal((await add(w, own, await picture(2), { as: mate })).status, 201)
    assert.equal((await add(w, await gang(w), await picture(3), { as: mate })).status, 403, 'of the main contractor')
    for (const as of ['viewer', 'client'] as const) assert.equal((await add(w, theirs, await picture(4), { as })).status, 403)
  })

  test('§13 people delete their own photos within 24 hours, coordinators later and those of others', async () => {
    const w = await house.world()
    const firm = await w.contractor('Contractor B')
    const mate = await w.join('member', firm)
    const own = await gang(w, { contractor_id: firm })
    const photo = (shade: number, as: typeof mate | 'coordinator') => picture(shade).then(value => added(w, own, value, { as }))
    const [first, second, theirs] = [await photo(1, mate), await photo(2, mate), await photo(3, 'coordinator')]
    assert.equal((await mate.del(`/sites/${w.site_id}/token-photos/${theirs.id}`)).status, 403, 'of another person')
    house.clock('2026-03-17T09:00:00.000Z')
    assert.equal((await mate.del(`/sites/${w.site_id}/token-photos/${first.id}`)).status, 204)
    house.clock('2026-03-17T09:00:00.001Z')
    const late = await mate.del(`/sites/${w.site_id}/token-photos/${second.id}`)
    assert.deepEqual([late.status, late.body.error.permission], [403, 'map_entity_edit_any'])
    assert.equal((await list(w, `?id=${second.id}`, mate))[0].permissions.can_delete, false)
    assert.equal((await w.as('coordinator').del(`/sites/${w.site_id}/token-photos/${second.id}`)).status, 204)
  })

  test('§13 caption, kind, diary and day can be changed by the same rule of days; the day can’t have the same bytes twice', async () => {
    const w = await house.world()
    const machine = await crane(w)
    const bytes = await picture(1)
    const [one, other] = [
      await added(w, machine, bytes, { token_kind: 'plant' }),
      await added(w, machine, bytes, { token_kind: 'plant', work_date: '2026-03-12' }),
    ]
    assert.deepEqual([one.photo_kind, one.in_diary, one.caption], ['progress', true, null])
    const change = (body: object) => w.as('coordinator').patch(`/sites/${w.site_id}/token-photos/${one.id}`, body)
    const changed = await change({ caption: 'Mast up', photo_kind: 'finish', in_diary: false, work_date: '2026-03-11' })
    const { caption, photo_kind, in_diary, work_date } = changed.body
    assert.deepEqual([changed.status, caption, photo_kind, in_diary, work_date], [200, 'Mast up', 'finish', false, '2026-03-11'])
    for (const day of ['2026-03-08', '2026-03-17']) assert.deepEqual(fault(await change({ work_date: day })), [422, 'work_date'])
    const taken_already = await change({ work_date: '2026-03-12' })
    const { reason, existing_id } = taken_already.body.error
    assert.deepEqual([taken_already.status, reason, existing_id], [409, 'key_taken', other.id])
    assert.equal((await change({ sha256: '0'.repeat(64), token_id: w.site_id })).body.token_id, machine, 'what it shows stays')
    // The first call ends it, because it is there now; the second removes what has ended.
    for (let call = 0; call < 2; call++) assert.equal((await w.as('hse').del(`/plant/${machine}`)).status, 204)
    assert.deepEqual(fault(await change({ work_date: '2026-03-13' })), [422, 'work_date'], 'what it shows was removed')
  })

  test('§13 deleting the token keeps its photos with the day', async () => {
    const w = await house.world()
    const token = await gang(w)
    const photo = await added(w, token, await picture(1))
    house.clock('2026-03-16T18:00:00.000Z')
    assert.equal((await w.as('hse').del(`/workers/${token}`)).status, 204)
    const [kept] = await list(w, '?work_date=2026-03-16')
    assert.deepEqual([kept.id, kept.work_date, kept.token_id], [photo.id, '2026-03-16', token])
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}/token-photos/${photo.id}/download`)).status, 200)
    assert.deepEqual(fault(await add(w, token, await picture(2))), [422, 'token_id'], 'and takes no more')
  })

  test('§13 a file that is not an image, SVG, over 20 MB or over 100 megapixels is refused; JPEG, PNG, WebP and HEIC are accepted', async () => {
    const w = await house.world()
    const token = await gang(w)
    const status = async (value: Buffer, filename: string) => (await add(w, token, value, { filename })).status
    assert.equal(await status(Buffer.from('text'), 'a.jpg'), 415)
    assert.equal(await status(Buffer.from('%PDF-1.4\n%%EOF\n'), 'a.pdf'), 415)
    assert.equal(await status(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'), 'a.svg'), 415)
    assert.equal(await status(Buffer.concat([await picture(1), Buffer.alloc(20 * 1024 * 1024)]), 'a.jpg'), 413)
    const huge = (width: number) =>
      sharp({ create: { width, height: 10_000, channels: 3, background: '#456' }, limitInputPixels: false })
        .png({ compressionLevel: 1 })
        .toBuffer()
    assert.equal(await status(await huge(10_001), 'a.png'), 413)
    assert.equal(await status(await huge(10_000), 'a.png'), 201)
    const heic = await readFile(new URL('../../../../tests/data/images/gps-photo.heic', import.meta.url))
    for (const [value, filename] of [
      [
        await sharp(await picture(3))
          .webp()
          .toBuffer(),
        'a.webp',
      ],
      [heic, 'a.heic'],
    ] as const)
      assert.equal(await status(value, filename), 201)
    assert.equal(
      (
        await w.as('coordinator').send('POST', `/sites/${w.site_id}/token-photos`, [
          { name: 'token_kind', value: 'worker' },
          { name: 'token_id', value: token },
        ])
      ).status,
      422,
    )
  })

  test('§13 a token has at most 30 photos a day; the next day has room again', async () => {
    const w = await house.world()
    const machine = await crane(w)
    const photo = (shade: number, work_date: string) =>
      picture(shade).then(value => add(w, machine, value, { token_kind: 'plant', work_date }))
    for (let n = 0; n < 29; n++) assert.equal((await photo(n * 4, '2026-03-13')).status, 201)
    const [last, beyond] = await Promise.all([photo(130, '2026-03-13'), photo(140, '2026-03-13')])
    assert.deepEqual([last.status, beyond.status].sort(), [201, 409])
    const full = await photo(150, '2026-03-13')
    assert.deepEqual([full.status, full.body.error.reason], [409, 'too_many'])
    const next = await photo(150, '2026-03-12')
    assert.equal(next.status, 201)
    const moved = await w.as('coordinator').patch(`/sites/${w.site_id}/token-photos/${next.body.id}`, { work_date: '2026-03-13' })
    assert.deepEqual([moved.status, moved.body.error.reason], [409, 'too_many'])
  })

  test('§13 the list filters by day, range, kind, token, schedule, contractor and diary, in the order of day, time and id', async () => {
    const w = await house.world()
    const made = await w.as('coordinator').post('/workers/create-schedule', {
      site_id: w.site_id,
      template: { name: 'Fixers', trade: 'Steel fixer', place: { point: HERE } },
      pattern: { start_date: '2026-03-16', end_date: '2026-03-17', start_time: '07:30', end_time: '17:30' },
    })
    assert.equal(made.status, 201, made.text)
    const group_id = made.body.group.id
    const [monday] = (await w.as('viewer').get(`/workers/?site_id=${w.site_id}&schedule_group_id=${group_id}`)).body
    const firm = await w.contractor('Crane hire')
    const machine = await crane(w, { contractor_id: firm })
    const start = await added(w, monday.id, await picture(1), { photo_kind: 'start' })
    const friday = await added(w, machine, await picture(2), { token_kind: 'plant', work_date: '2026-03-13', in_diary: false })
    const early = await added(w, monday.id, await picture(3, taken('2026:03:16 07:45:00')))
    assert.equal(start.schedule_group_id, group_id)
    const all = [friday.id, early.id, start.id]
    for (const [query, ids] of [
      ['', all],
      ['?work_date=2026-03-13', [friday.id]],
      ['?work_date=2026-03-13&work_date=2026-03-16', all],
      ['?from=2026-03-13&to=2026-03-16', [friday.id]],
      ['?from=2026-03-14', [early.id, start.id]],
      ['?from=2026-03-13T12:00:00Z&to=2026-03-16T00:00:00Z', [friday.id]],
      ['?to=2026-03-16T00:00:00.001Z', all],
      ['?token_kind=plant', [friday.id]],
      [`?token_id=${monday.id}`, [early.id, start.id]],
      [`?schedule_group_id=${group_id}`, [early.id, start.id]],
      [`?contractor_id=${firm}`, [friday.id]],
      ['?photo_kind=start', [start.id]],
      ['?in_diary=false', [friday.id]],
      [`?id=${early.id}`, [early.id]],
    ] as const)
      assert.deepEqual(idsOf(await list(w, query)), ids, query)
    assert.deepEqual(fault(await w.as('viewer').get(`/sites/${w.site_id}/token-photos?from=soon`)), [422, 'from'])
    const first = await w.as('viewer').get(`/sites/${w.site_id}/token-photos?limit=2`)
    assert.deepEqual([idsOf(first.body), first.headers['x-total-count']], [all.slice(0, 2), '3'])
    const next = /<\/api([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? assert.fail('no next page')
    assert.deepEqual(idsOf((await w.as('viewer').get(next as `/${string}`)).body), all.slice(2))
  })

  test('§13 an added photo emits token_photo.added; the log has the photo and its file', async () => {
    const w = await house.world()
    const token = await gang(w)
    const photo = await added(w, token, await picture(1))
    await add(w, token, await picture(1))
    const events = await house.rows("select kind, payload from event where kind like 'token_photo.%' and site_id = $1 order by event_no", [
      w.site_id,
    ])
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['token_photo.added'],
    )
    assert.deepEqual([events[0]?.payload.token_id, events[0]?.payload.work_date], [token, '2026-03-16'])
    for (const [kind, id] of [
      ['token_photo', photo.id],
      ['evidence', photo.evidence_id],
    ])
      assert.equal((await w.as('admin').get(`/audit/entity/${kind}/${id}`)).body[0].action, 'create')
  })
})
