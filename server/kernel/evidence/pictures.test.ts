// Uploaded pictures are read in a process of their own, shown upright, and never cause a 500.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { type PermitWorld, permitWorld } from '../../../tests/permits.ts'
import { useHouse } from '../../../tests/world.ts'
import { Refused } from '../../base/errors.ts'
import { decoding, openPictures } from './actions/pictures.ts'

const heic = (name: string) => readFile(fileURLToPath(new URL(`../../../tests/data/images/${name}.heic`, import.meta.url)))
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#14703a' } })

describe('pictures', () => {
  const house = useHouse()

  const attach = (w: PermitWorld, id: string, value: Buffer, filename: string) =>
    w.as('member').send('POST', `/permits/applications/${id}/attachments`, [{ name: 'file', value, filename }])
  const shown = async (w: PermitWorld, id: string, attachment: string, variant: string) => {
    const token = w.as('member').token
    const reply = await house.edge.app.inject({
      url: `/api/permits/applications/${id}/attachments/${attachment}/download?variant=${variant}`,
      headers: { authorization: `Bearer ${token}` },
    })
    return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload }
  }

  test('9.16 width and height are those of the upright picture for all eight orientations, and so is the preview', async () => {
    const w = await permitWorld(house)
    const permit = await w.draft()
    for (let orientation = 1; orientation <= 8; orientation++) {
      const turned = orientation >= 5
      const file = await plain(turned ? 40 : 60, turned ? 60 : 40)
        .withMetadata({ orientation })
        .jpeg()
        .toBuffer()
      const { status, body } = await attach(w, permit.id, file, `${orientation}.jpg`)
      assert.equal(status, 201)
      assert.deepEqual([body.width, body.height], [60, 40], `orientation ${orientation}`)
      const preview = await shown(w, permit.id, body.id, 'preview')
      const { width, height, exif } = await sharp(preview.bytes).metadata()
      assert.deepEqual([width, height, exif], [60, 40, undefined], `orientation ${orientation}`)
    }
  })

  test('9.16 a damaged JPEG shows a placeholder and a reason', async () => {
    const w = await permitWorld(house)
    const permit = await w.draft()
    const whole = await sharp(Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 251)), {
      raw: { width: 300, height: 300, channels: 3 },
    })
      .jpeg({ quality: 90 })
      .toBuffer()
    const { status, body, text } = await attach(w, permit.id, whole.subarray(0, whole.length / 2), 'cut.jpg')
    assert.equal(status, 201, text)
    for (const variant of ['preview', 'thumb', 'preview']) {
      const answer = await shown(w, permit.id, body.id, variant)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['x-preview-problem'], 'damaged')
      assert.equal(answer.headers['content-type'], 'image/svg+xml')
      assert.match(answer.bytes.toString('utf8'), /damaged and can’t be shown/)
    }
    const original = await shown(w, permit.id, body.id, 'original')
    assert.equal(original.bytes.length, Math.floor(whole.length / 2), 'the original is stored as it was sent')
  })

  test('9.16 a JPEG whose heads aren’t quite right is shown, because every pixel is there', async () => {
    const w = await permitWorld(house)
    const permit = await w.draft()
    const whole = await plain(64, 48).jpeg().toBuffer()
    const at = (marker: number) => whole.indexOf(Buffer.from([0xff, marker]))
    const [frame, scan] = [at(0xc0), at(0xda)]
    const ends = scan + 2 + whole.readUInt16BE(scan + 2)
    const files = {
      // As some phones write it: the last three bytes of the head of a scan are zero.
      zeros: Buffer.concat([whole.subarray(0, ends - 3), Buffer.alloc(3), whole.subarray(ends)]),
      padded: Buffer.concat([whole.subarray(0, frame), Buffer.alloc(3), whole.subarray(frame)]),
    }
    for (const [name, file] of Object.entries(files)) {
      const { status, body, text } = await attach(w, permit.id, file, `${name}.jpg`)
      assert.equal(status, 201, text)
      const { headers, bytes } = await shown(w, permit.id, body.id, 'preview')
      assert.deepEqual([headers['content-type'], (await sharp(bytes).metadata()).width], ['image/webp', 64], name)
    }
  })

  test('9.16 a HEIC picture is decoded upright in another process', async () => {
    const w = await permitWorld(house)
    const permit = await w.draft()
    const { status, body } = await attach(w, permit.id, await heic('landscape'), 'landscape.heic')
    assert.deepEqual([status, body.width, body.height], [201, 1800, 1200])
    const answers = await Promise.all(['preview', 'thumb'].map(variant => shown(w, permit.id, body.id, variant)))
    for (const answer of answers) assert.equal(answer.status, 200)
    const sizes = await Promise.all(answers.map(async answer => (await sharp(answer.bytes).metadata()).width))
    assert.deepEqual(sizes, [1600, 320])
    assert.ok(decoding.starts().length > 0 && !decoding.starts().includes(process.pid))
  })

  test('9.16 the process is replaced after a number of pictures, and when it has grown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-pictures-'))
    const path = join(folder, 'small.jpg')
    await writeFile(path, await plain(40, 30).jpeg().toBuffer())
    const counted = openPictures({ orders: 2 })
    const grown = openPictures({ memory_mb: 1 })
    try {
      for (const [pictures, processes] of [
        [counted, 3],
        [grown, 5],
      ] as const) {
        const sizes = await Promise.all(Array.from({ length: 5 }, () => pictures.ask({ task: 'measure', path })))
        assert.ok(sizes.every(({ width, height }) => width === 40 && height === 30))
        assert.equal(pictures.starts().length, processes)
      }
    } finally {
      counted.close()
      grown.close()
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('9.16 a picture that takes too much memory or time stops its process and nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-pictures-'))
    const path = join(folder, 'large.heic')
    await writeFile(path, await heic('landscape'))
    const order = { task: 'make', path, heic: true, side: 300, as: 'webp', out: join(folder, 'out') } as const
    const small = openPictures({ memory_at_most_mb: 90 })
    const hasty = openPictures({ silence_ms: 1 })
    try {
      for (const pictures of [small, hasty]) {
        const error = await pictures.ask(order).catch(e => e)
        assert.ok(error instanceof Refused && error.refusal.status === 503, String(error))
        for (let tries = 0; tries < 100; tries++) {
          try {
            process.kill(pictures.starts()[0] ?? 0, 0)
            await wait(20)
          } catch {
            break
          }
        }
        assert.throws(() => process.kill(pictures.starts()[0] ?? 0, 0), /ESRCH/)
      }
    } finally {
      small.close()
      hasty.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
