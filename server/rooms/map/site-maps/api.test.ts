import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { multiply } from '../../../../shared/calibration/algebra.ts'
import { planeAt } from '../../../../shared/geometry/plane.ts'
import {
  CROSSES,
  controlPoints,
  geoTiff,
  HERE,
  laid,
  pdfOf,
  readSheet,
  readySheet,
  SHEET,
  sheet,
  upload,
  worked,
} from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { runJob } from '../../../kernel/jobs/door.ts'
import { heavy, quick } from '../kit/actions/process.ts'

/** A PNG of which only the header is true: it says this size, and has as many bytes as are given. */
function hugePng(width: number, height: number, bytes: number): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(body.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, body, Buffer.alloc(4)])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size[8] = 8
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', size),
    chunk('IDAT', Buffer.concat([deflateSync(Buffer.alloc(1000)), Buffer.alloc(bytes)])),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('site maps', () => {
  const house = useHouse()
  const send = (w: World, bytes: Buffer, filename: string, fields: Record<string, string> = {}) =>
    w.as('hse').send('POST', '/site-maps/upload', upload(bytes, filename, { site_id: w.site_id, name: 'Layout', ...fields }))
  const show = async (w: World, id: string) => (await w.as('viewer').get(`/site-maps/${id}`)).body
  const calibrate = (w: World, id: string, body: object) => w.as('hse').post(`/site-maps/${id}/calibrate`, body)
  const activate = (w: World, body: object) => w.as('hse').put(`/site-maps/sites/${w.site_id}/active-map`, body)
  const faultsOf = (reply: { body: { error: { fields: { path: string; message: string }[] } } }) =>
    reply.body.error.fields.map(({ path, message }) => `${path} ${message}`)

  test('conventions §1 Concurrency: of two managers who saw the same choice of site maps, the second is refused; it isn’t counted if nothing changes', async () => {
    const w = await house.world()
    const [first, second] = [await readySheet(house, w, { tint: 1 }), await readySheet(house, w, { tint: 2 })]
    const choose = (version: number, body: object) =>
      w.as('hse').put(`/site-maps/sites/${w.site_id}/active-map`, body, { 'if-match': `"${version}"` })
    const history = async () => (await w.as('viewer').get(`/site-maps/sites/${w.site_id}/activation-history`)).body
    const both = await Promise.all([choose(0, { site_map_id: first }), choose(0, { site_map_id: second })])
    assert.deepEqual(both.map(reply => reply.status).sort(), [200, 412])
    assert.equal(both.find(reply => reply.status === 412)?.body.error.version, 1)
    const [now] = await history()
    assert.equal(now.version, 1)
    const again = await choose(1, { site_map_id: now.site_map_id })
    assert.deepEqual([again.status, again.body.version, again.headers.etag], [200, 1, '"1"'])
    const planned = await choose(1, { site_map_id: null, effective_at: '2026-03-20T06:00:00.000Z' })
    assert.deepEqual([planned.status, planned.body.version], [200, 2], 'a plan is a change, too')
    const stale = await choose(1, { site_map_id: null })
    assert.deepEqual([stale.status, stale.body.error.code, stale.body.error.version], [412, 'version_conflict', 2])
    const cancelled = await choose(2, { site_map_id: now.site_map_id, effective_at: '2026-03-20T06:00:00.000Z' })
    assert.deepEqual([cancelled.status, cancelled.body.version], [200, 3])
    assert.deepEqual(
      (await history()).map((one: { site_map_id: string; version: number }) => [one.site_map_id, one.version]),
      [[now.site_map_id, 3]],
    )
  })

  test('§7 an uploaded picture is read by a job, and then waits for its calibration', async () => {
    const w = await house.world()
    const made = await send(w, await sheet(), 'layout.png', { captured_on: '2026-03-12' })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.location, `/api/site-maps/${made.body.id}`)
    assert.deepEqual([made.body.status, made.body.width_px, made.body.height_px], ['processing', SHEET.width, SHEET.height])
    assert.deepEqual([made.body.captured_on, made.body.file.name, made.body.file.page], ['2026-03-12', 'layout.png', null])
    assert.equal((await w.as('viewer').get(`/site-maps/${made.body.id}/image?variant=preview`)).body.error.reason, 'not_ready')
    const early = await calibrate(w, made.body.id, { points: controlPoints(laid(0.1, 0)) })
    assert.deepEqual([early.status, early.body.error.code], [409, 'invalid_transition'])
    await worked(house, made)
    const read = await show(w, made.body.id)
    assert.deepEqual([read.status, read.calibration, read.bounds, read.content_version], ['needs_calibration', null, null, 0])
    assert.equal(read.permissions.can_calibrate, false, 'a viewer can’t')
    const preview = await house.edge.app.inject({
      url: `/api/site-maps/${made.body.id}/image?variant=preview`,
      headers: { authorization: `Bearer ${w.as('viewer').token}` },
    })
    assert.deepEqual([preview.statusCode, preview.headers['content-type']], [200, 'image/webp'])
    assert.equal((await sharp(preview.rawPayload).metadata()).width, SHEET.width)
    const original = await house.edge.app.inject({
      url: `/api/site-maps/${made.body.id}/image`,
      headers: { authorization: `Bearer ${w.as('viewer').token}` },
    })
    assert.ok(original.rawPayload.equals(await sheet()))
    const list = await w.as('viewer').get(`/site-maps/sites/${w.site_id}/maps?status=needs_calibration`)
    assert.deepEqual([list.body.map((map: { id: string }) => map.id), list.headers['x-total-count']], [[made.body.id], '1'])
    assert.deepEqual((await w.as('viewer').get(`/site-maps/sites/${w.site_id}/maps?status=ready`)).body, [])
  })

  test('§0.4 only those who manage the site upload, calibrate and activate; another site’s members see nothing', async () => {
    const w = await house.world()
    const parts = upload(await sheet(), 'layout.png', { site_id: w.site_id, name: 'Layout' })
    assert.equal((await w.as('coordinator').send('POST', '/site-maps/upload', parts)).body.error.permission, 'site_map_manage')
    const id = await readSheet(house, w)
    assert.equal((await w.as('coordinator').post(`/site-maps/${id}/calibrate`, { points: [] })).status, 403)
    assert.equal((await w.as('coordinator').put(`/site-maps/sites/${w.site_id}/active-map`, { site_map_id: id })).status, 403)
    const other = await house.world()
    assert.equal((await other.as('admin').get(`/site-maps/${id}`)).status, 404)
    assert.equal((await activate(other, { site_map_id: id })).status, 422)
  })

  test('§7 six exact pairs of a turned plan: the trial and the calibration agree, the tiles are made, and the map is ready', async () => {
    const w = await house.world()
    const id = await readSheet(house, w)
    const points = controlPoints(laid(0.1, 33))
    const trial = await calibrate(w, id, { points, dry_run: true })
    assert.equal(trial.status, 200, trial.text)
    assert.ok(trial.body.rmse_m < 0.001)
    assert.deepEqual([trial.body.redundancy, trial.body.quality, trial.body.model, trial.body.version], [6, 'good', 'affine', 1])
    assert.ok(Math.abs(trial.body.ground_resolution_m - 0.1) < 0.0005)
    assert.equal((await show(w, id)).status, 'needs_calibration', 'a trial stores nothing')
    const done = await worked(house, await calibrate(w, id, { points }))
    assert.equal(done.body.status, 'tiling')
    const ready = await show(w, id)
    assert.deepEqual([ready.status, ready.content_version, ready.calibrations.length], ['ready', 1, 1])
    assert.deepEqual(ready.calibration.matrix, trial.body.matrix)
    assert.equal(ready.calibration.points[4].label, 'P5')
    const [west, south, east, north] = ready.bounds
    assert.ok(west < HERE.lon && HERE.lon < east && south < HERE.lat && HERE.lat <= north + 1e-6, `${ready.bounds}`)
    assert.ok(ready.min_zoom < ready.max_zoom)
  })

  test('§7 a point 3 m off is named and has the largest leave-one-out distance; a stretched picture is warned about', async () => {
    const w = await house.world()
    const id = await readSheet(house, w)
    const points = controlPoints(laid(0.1, 33))
    const [lon, lat] = planeAt(points[1] ?? HERE).degrees([3, 0])
    const off = points.map((point, i) => (i === 1 ? { ...point, lon, lat } : point))
    const said = (await calibrate(w, id, { points: off, dry_run: true })).body
    const left = said.points.map((point: { leave_one_out_m: number }) => point.leave_one_out_m)
    assert.deepEqual([left.indexOf(Math.max(...left)), said.suspect], [1, 1])
    assert.notEqual(said.quality, 'good')
    const stretched = multiply(laid(0.1, 0), [
      [1.5, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ])
    const warned = (await calibrate(w, id, { points: controlPoints(stretched), dry_run: true })).body
    assert.deepEqual(
      warned.warnings.map((warning: { kind: string }) => warning.kind),
      ['scale_ratio'],
    )
    assert.ok(Math.abs(warned.scale_ratio - 1.5) < 0.001)
  })

  test('§7 three points are unchecked; in a line, mirrored, outside the picture, too near or far from the site they are refused', async () => {
    const w = await house.world()
    const id = await readSheet(house, w)
    const trial = (points: object[], model = 'auto') => calibrate(w, id, { points, model, dry_run: true })
    const three = (await trial(controlPoints(laid(0.1, 0), CROSSES.slice(0, 3)))).body
    assert.deepEqual([three.quality, three.redundancy], ['unchecked', 0])
    assert.ok(three.max_residual_m < 1e-6)
    const line = controlPoints(laid(0.1, 0), [
      [50, 50],
      [250, 151],
      [450, 250],
    ])
    assert.match(faultsOf(await trial(line)).join(), /^points are in a line/)
    const mirror = multiply(laid(0.1, 0), [
      [-1, 0, 600],
      [0, 1, 0],
      [0, 0, 1],
    ])
    assert.match(faultsOf(await trial(controlPoints(mirror))).join(), /^points would show the picture mirrored/)
    assert.match(faultsOf(await trial(controlPoints(laid(0.1, 0), [...CROSSES, [601, 5]]))).join(), /^points\[6\] is outside the picture/)
    assert.match(faultsOf(await trial(controlPoints(laid(0.1, 0), [...CROSSES, [301, 201]]))).join(), /^points\[6\] is less than 2 pixels/)
    assert.match(faultsOf(await trial(controlPoints(laid(0.1, 0)).slice(0, 2), 'affine')).join(), /at least 3 points/)
    assert.match(faultsOf(await trial([])).join(), /at least 2 points/)
    assert.match(faultsOf(await trial(controlPoints(laid(0.0001, 0)))).join(), /less than 0.1 m|0\.1 mm wide/)
    await w.as('admin').patch(`/sites/${w.site_id}`, { location: HERE })
    const swapped = controlPoints(laid(0.1, 0)).map(({ lon, lat, ...point }) => ({ ...point, lon: lat, lat: lon }))
    assert.match(faultsOf(await trial(swapped)).join(), /points\[0\] .*swapped/)
    assert.equal((await show(w, id)).status, 'needs_calibration')
  })

  test('§7 while new tiles are made, the old calibration stays in the history, and the new one is numbered after it', async () => {
    const w = await house.world()
    const id = await readySheet(house, w)
    const again = await calibrate(w, id, { points: controlPoints(laid(0.1, 34)) })
    assert.equal(again.body.status, 'tiling')
    const refused = await calibrate(w, id, { points: controlPoints(laid(0.1, 35)) })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_transition'])
    assert.equal((await calibrate(w, id, { points: controlPoints(laid(0.1, 35)), dry_run: true })).status, 200)
    await runJob(house.house, again.body.job_id)
    const map = await show(w, id)
    assert.deepEqual([map.status, map.content_version], ['ready', 2])
    assert.deepEqual(
      map.calibrations.map(({ version }: { version: number }) => version),
      [2, 1],
    )
    assert.ok(Math.abs(map.calibrations[1].rotation_deg - 33) < 0.01)
    await runJob(house.house, again.body.job_id)
    assert.equal((await show(w, id)).content_version, 2, 'a job that runs twice changes nothing')
  })

  test('§7 map B active from Monday 06:00: Sunday gives A, Monday B; the history has A ended at that instant', async () => {
    const w = await house.world()
    const a = await readySheet(house, w, { name: 'A' })
    const b = await readySheet(house, w, { name: 'B', tint: 7 })
    const monday = '2026-03-23T06:00:00.000Z'
    assert.deepEqual((await w.as('viewer').get(`/site-maps/sites/${w.site_id}/active-at-time`)).body, { site_map: null })
    const now = await activate(w, { site_map_id: a })
    assert.equal(now.status, 200, now.text)
    assert.deepEqual([now.body.site_map_id, now.body.from, now.body.to], [a, '2026-03-16T09:00:00.000Z', null])
    await activate(w, { site_map_id: b, effective_at: monday })
    const at = async (when: string) =>
      (await w.as('viewer').get(`/site-maps/sites/${w.site_id}/active-at-time?at=${when}`)).body.site_map?.name ?? null
    assert.equal(await at('2026-03-22T12:00:00.000Z'), 'A')
    assert.equal(await at('2026-03-23T05:59:59.999Z'), 'A')
    assert.equal(await at(monday), 'B')
    const history = async () =>
      (await w.as('viewer').get(`/site-maps/sites/${w.site_id}/activation-history`)).body.map(
        ({ site_map_id, from, to }: { site_map_id: string; from: string; to: string }) => [site_map_id, from, to],
      )
    assert.deepEqual(await history(), [
      [b, monday, null],
      [a, '2026-03-16T09:00:00.000Z', monday],
    ])
    await activate(w, { site_map_id: null, effective_at: '2026-03-20T00:00:00.000Z' })
    assert.deepEqual(await history(), [
      [b, monday, null],
      [null, '2026-03-20T00:00:00.000Z', monday],
      [a, '2026-03-16T09:00:00.000Z', '2026-03-20T00:00:00.000Z'],
    ])
    const same = await activate(w, { site_map_id: b, effective_at: '2026-03-24T00:00:00.000Z' })
    assert.deepEqual([same.body.from, (await history()).length], [monday, 3], 'what is active already changes nothing')
    await activate(w, { site_map_id: a, effective_at: monday })
    assert.deepEqual((await history())[0], [a, monday, null], 'a plan for the same instant is replaced')
  })

  test('§7 a planned map is cancelled by what is active before it, which goes on without a second entry; the last one, too', async () => {
    const w = await house.world()
    const a = await readySheet(house, w, { name: 'A' })
    const b = await readySheet(house, w, { name: 'B', tint: 7 })
    const [friday, monday] = ['2026-03-20T06:00:00.000Z', '2026-03-23T06:00:00.000Z']
    const history = async () =>
      (await w.as('viewer').get(`/site-maps/sites/${w.site_id}/activation-history`)).body.map(
        ({ site_map_id, from, to }: { site_map_id: string; from: string; to: string }) => [site_map_id, from, to],
      )
    await activate(w, { site_map_id: b, effective_at: monday })
    const none = await activate(w, { site_map_id: null, effective_at: monday })
    assert.deepEqual([none.status, none.body.site_map_id, await history()], [200, null, []], 'there was none before it')
    const start = (await activate(w, { site_map_id: a })).body.from
    await activate(w, { site_map_id: b, effective_at: friday })
    await activate(w, { site_map_id: a, effective_at: monday })
    // What was active before needn’t be ready for that: it was when it was chosen.
    await w.as('hse').post(`/site-maps/${b}/calibrate`, { points: controlPoints(laid(0.1, 20)) })
    assert.equal((await activate(w, { site_map_id: b, effective_at: '2026-03-30T06:00:00.000Z' })).status, 409, 'it isn’t ready')
    const last = await activate(w, { site_map_id: b, effective_at: monday })
    assert.deepEqual([last.status, last.body.from, last.body.to], [200, friday, null], last.text)
    const first = await activate(w, { site_map_id: a, effective_at: friday })
    assert.deepEqual([first.body.from, first.body.to, await history()], [start, null, [[a, start, null]]])
    assert.equal((await activate(w, { site_map_id: a, effective_at: friday })).status, 200, 'twice does nothing more')
  })

  const told = async (w: World) =>
    (
      await house.rows("select subject_id from event where site_id = $1 and kind = 'site_map.activated' order by event_no", [w.site_id])
    ).map(row => row.subject_id)

  test('§7 an activation tells the members and redraws the map when it takes effect; a planned one not before, but open apps show the plan', async () => {
    const w = await house.world()
    const [a, b] = [await readySheet(house, w), await readySheet(house, w, { name: 'B', tint: 3 })]
    const revision = async () => (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body.layers.site_map
    const before = await revision()
    await activate(w, { site_map_id: a })
    assert.deepEqual(await told(w), [a])
    const after = await revision()
    assert.ok(after > before)
    await activate(w, { site_map_id: b, effective_at: '2026-03-17T06:00:00.000Z' })
    assert.deepEqual([await told(w), await revision()], [[a], after])
    const plans = () => house.rows("select subject_id, payload from event where site_id = $1 and kind = 'site_map.planned'", [w.site_id])
    const [plan] = await plans()
    assert.deepEqual([plan.subject_id, plan.payload.from], [b, '2026-03-17T06:00:00.000Z'], 'open apps read again what is planned')
    const [planned] = await house.rows("select id from job_run where site_id = $1 and kind = 'site_map_turn'", [w.site_id])
    house.clock('2026-03-17T06:00:00.000Z')
    await runJob(house.house, planned.id)
    assert.deepEqual(await told(w), [a, b])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§7 members aren’t notified of a map that was only active before another one, or if the same map stays active', async () => {
    const w = await house.world()
    const [a, b] = [await readySheet(house, w), await readySheet(house, w, { name: 'B', tint: 3 })]
    await activate(w, { site_map_id: a, effective_at: '2026-03-10T06:00:00.000Z' })
    const past = await activate(w, { site_map_id: b, effective_at: '2026-03-02T06:00:00.000Z' })
    assert.equal(past.body.to, '2026-03-10T06:00:00.000Z')
    assert.deepEqual(await told(w), [a])
    const monday = '2026-03-23T06:00:00.000Z'
    await activate(w, { site_map_id: b, effective_at: monday })
    await activate(w, { site_map_id: a, effective_at: monday })
    house.clock(monday)
    for (const { id } of await house.rows("select id from job_run where site_id = $1 and kind = 'site_map_turn'", [w.site_id]))
      await runJob(house.house, id)
    assert.deepEqual(await told(w), [a])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§7 a map that isn’t ready can’t be active, and a poor one only with accept_poor', async () => {
    const w = await house.world()
    const id = await readSheet(house, w)
    const early = await activate(w, { site_map_id: id })
    assert.deepEqual([early.status, early.body.error.code, early.body.error.status], [409, 'invalid_transition', 'needs_calibration'])
    const points = controlPoints(laid(0.1, 0)).map((point, i) => {
      const [lon, lat] = planeAt(point).degrees([i % 2 === 0 ? 3 : -3, 2])
      return { ...point, lon, lat }
    })
    await worked(house, await calibrate(w, id, { points, model: 'affine' }))
    assert.equal((await show(w, id)).calibration.quality, 'poor')
    const poor = await activate(w, { site_map_id: id })
    assert.deepEqual([poor.status, poor.body.error.guard], [409, 'accept_poor'])
    assert.equal((await activate(w, { site_map_id: id, accept_poor: true })).status, 200)
  })

  test('§7 two people who activate a map at once leave times that don’t overlap', async () => {
    const w = await house.world()
    const [a, b] = [await readySheet(house, w), await readySheet(house, w, { name: 'B', tint: 4 })]
    const at = '2026-03-18T06:00:00.000Z'
    const both = await Promise.all([a, b].map(site_map_id => activate(w, { site_map_id, effective_at: at })))
    assert.deepEqual(
      both.map(reply => reply.status),
      [200, 200],
    )
    assert.equal((await w.as('viewer').get(`/site-maps/sites/${w.site_id}/activation-history`)).body.length, 1)
  })

  test('§7 a PNG of 30,000 × 30,000 pixels is refused by its header, before anything is decoded', async () => {
    const w = await house.world()
    const before = heavy.starts().length
    const reply = await send(w, hugePng(30_000, 30_000, 3_000_000), 'bomb.png')
    assert.deepEqual([reply.status, reply.body.error.code], [413, 'too_large'], reply.text)
    assert.match(reply.body.error.detail, /30000 × 30000/)
    assert.equal(heavy.starts().length, before)
    assert.deepEqual((await w.as('viewer').get(`/site-maps/sites/${w.site_id}/maps`)).body, [])
  })

  test('§7 SVG, animated pictures, damaged files and what isn’t a picture are refused with their reason', async () => {
    const w = await house.world()
    const svg = await send(w, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'), 'a.png')
    assert.deepEqual([svg.status, svg.body.error.code], [415, 'unsupported_media_type'])
    const pixels = Buffer.concat([Buffer.alloc(20 * 20 * 3, 20), Buffer.alloc(20 * 20 * 3, 220)])
    const frames = await sharp(pixels, { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer()
    const moving = await send(w, frames, 'a.webp')
    assert.equal(moving.status, 415, moving.text)
    assert.match(moving.body.error.detail, /Animated/)
    assert.equal((await send(w, Buffer.from('hello'), 'a.png')).status, 415)
    assert.match(faultsOf(await send(w, Buffer.alloc(0), 'a.png')).join(), /^file is empty/)
    const cut = (await sheet()).subarray(0, 20)
    assert.match(faultsOf(await send(w, cut, 'a.png')).join(), /^file is damaged/)
    assert.match(faultsOf(await send(w, Buffer.from('%PDF-1.4\nnothing of the kind'), 'a.pdf')).join(), /^file is damaged/)
  })

  test('§7 a page of a PDF is drawn at 300 dots per inch; a page that it doesn’t have and a protected file are refused', async () => {
    const w = await house.world()
    const page = await send(w, pdfOf(3), 'plan.pdf', { page: '2' })
    assert.deepEqual([page.status, page.body.file.page], [201, 2], page.text)
    assert.deepEqual([page.body.width_px, page.body.height_px], [1666, 1250])
    await worked(house, page)
    assert.equal((await show(w, page.body.id)).status, 'needs_calibration')
    const preview = await house.edge.app.inject({
      url: `/api/site-maps/${page.body.id}/image?variant=preview`,
      headers: { authorization: `Bearer ${w.as('viewer').token}` },
    })
    const { data, info } = await sharp(preview.rawPayload).greyscale().raw().toBuffer({ resolveWithObject: true })
    const dark = (x: number, y: number) => (data[y * info.width + x] ?? 255) < 128
    assert.ok(dark(833, 625) && dark(416, 938), 'the line runs from the lower left to the upper right')
    assert.ok(!dark(416, 312) && !dark(20, 20))
    assert.match(faultsOf(await send(w, pdfOf(3), 'plan.pdf', { page: '7' })).join(), /^page .*no page 7/)
    assert.match(faultsOf(await send(w, pdfOf(1, { locked: true }), 'plan.pdf')).join(), /^file is protected by a password/)
    const large = await send(w, pdfOf(1, { width: 14_000, height: 14_000 }), 'plan.pdf')
    assert.ok(large.body.width_px * large.body.height_px <= 400e6 && large.body.width_px > 19_900, large.text)
  })

  test('§7 a GeoTIFF in a known reference system is calibrated from its own tags; one in another waits for its points', async () => {
    const w = await house.world()
    const at = async (file: Buffer) => {
      const made = await worked(house, await send(w, file, 'drone.tif'))
      let map = await show(w, made.body.id)
      if (map.status === 'tiling') await runJob(house.house, map.job_id)
      map = await show(w, made.body.id)
      return map
    }
    // The CN Tower, as Wikipedia gives it: 17T 630084 4833438, 43°38′33.24″N 79°23′13.7″W.
    const utm = await at(geoTiff(32617, [630_084, 4_833_438], 0.5))
    assert.deepEqual([utm.status, utm.calibration.model, utm.calibration.quality], ['ready', 'embedded', 'unchecked'])
    assert.ok(Math.abs(utm.calibration.ground_resolution_m - 0.5) < 0.001)
    const [west, , , north] = utm.bounds
    assert.ok(Math.abs(west - -79.387139) < 2e-5 && Math.abs(north - 43.642567) < 2e-5, `${utm.bounds}`)
    // The Ordnance Survey's own example for the transformation: E 651409.903, N 313177.270 is 52°39'28.8282"N 1°42'57.8663"E.
    const british = await at(geoTiff(27700, [651_409.903, 313_177.27], 0.1))
    const [corner] = british.bounds
    assert.ok(Math.abs(corner - (1 + 42 / 60 + 57.8663 / 3600)) < 0.0001, `${british.bounds}`)
    assert.ok(Math.abs(british.bounds[3] - (52 + 39 / 60 + 28.8282 / 3600)) < 0.0001)
    const degrees = await at(geoTiff(4326, [-0.09, 51.51], 1e-6, { geographic: true }))
    assert.ok(Math.abs(degrees.bounds[0] - -0.09) < 1e-9)
    const centres = await at(geoTiff(3857, [-10_000, 6_710_000], 0.2, { point: true }))
    const edges = await at(geoTiff(3857, [-10_000.1, 6_710_000.1], 0.2))
    assert.ok(Math.abs(centres.bounds[0] - edges.bounds[0]) < 1e-8 && Math.abs(centres.bounds[3] - edges.bounds[3]) < 1e-8)
    // What can’t be a picture of the ground waits for its points, too.
    for (const scale of [0, 1e-300, 5e4, Number.NaN, 1e300]) {
      const odd = await at(geoTiff(27700, [530_000, 180_000], scale))
      assert.deepEqual([odd.status, odd.calibration], ['needs_calibration', null], String(scale))
    }
    const world = await at(geoTiff(4326, [-180, 85], 2.8, { geographic: true }))
    assert.deepEqual([world.status, world.calibration], ['needs_calibration', null])
    // Feet, with the code of a grid in metres, would put it three times as far from the origin.
    for (const unit of [9002, 9003]) {
      const feet = await at(geoTiff(27700, [530_000, 180_000], 0.5, { unit }))
      assert.deepEqual([feet.status, feet.calibration], ['needs_calibration', null], String(unit))
    }
    const unknown = await at(geoTiff(2056, [2_600_000, 1_200_000], 0.5))
    assert.deepEqual([unknown.status, unknown.calibration], ['needs_calibration', null])
  })

  test('§7 a picture that is cut off in the middle fails with its reason, and the service goes on', async () => {
    const w = await house.world()
    const noise = Buffer.from(Array.from({ length: 600 * 400 * 3 }, (_, i) => (i * 7919) % 251))
    const whole = await sharp(noise, { raw: { width: 600, height: 400, channels: 3 } })
      .png()
      .toBuffer()
    const made = await send(w, whole.subarray(0, whole.length / 2), 'cut.png')
    assert.equal(made.status, 201, made.text)
    await runJob(house.house, made.body.job_id)
    const map = await show(w, made.body.id)
    assert.equal(map.status, 'failed')
    assert.match(map.status_reason, /damaged/)
    const [job] = await house.rows('select state, error_detail from job_run where id = $1', [made.body.job_id])
    assert.deepEqual([job.state, /damaged/.test(job.error_detail)], ['failed', true])
    assert.equal((await calibrate(w, made.body.id, { points: controlPoints(laid(0.1, 0)) })).body.error.status, 'failed')
    await readSheet(house, w)
  })

  test('§7 all eight EXIF orientations give upright pixels', async () => {
    const w = await house.world()
    for (let orientation = 1; orientation <= 8; orientation++) {
      const turned = orientation >= 5
      const picture = sharp({ create: { width: turned ? 40 : 60, height: turned ? 60 : 40, channels: 3, background: '#14703a' } })
      const made = await send(w, await picture.withMetadata({ orientation }).jpeg().toBuffer(), `${orientation}.jpg`)
      assert.deepEqual([made.status, made.body.width_px, made.body.height_px], [201, 60, 40], `orientation ${orientation}`)
    }
  })

  test('§7 reading and drawing happen in processes of their own', async () => {
    const w = await house.world()
    await readySheet(house, w)
    for (const own of [quick, heavy]) assert.ok(own.starts().length > 0 && !own.starts().includes(process.pid))
  })
})
