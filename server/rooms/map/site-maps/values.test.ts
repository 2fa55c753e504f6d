import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import sharp from 'sharp'
import { upload } from '../../../../tests/plans.ts'
import { maskedTiff, noData, type TiffValues, tiffOf } from '../../../../tests/tiff.ts'
import { useHouse } from '../../../../tests/world.ts'
import { runJob } from '../../../kernel/jobs/door.ts'
import { sizeOfValues, writeStretched } from '../kit/actions/stretched.ts'
import { writeMasked } from '../kit/actions/tiff-mask.ts'

describe('pictures of measurements', () => {
  const folder = mkdtempSync(join(tmpdir(), 'values-'))
  after(() => rmSync(folder, { recursive: true }))
  const [path, out] = [join(folder, 'in.tif'), join(folder, 'out.tif')]

  /** Returns the pixels of a file: grey or three colours, and how opaque each is. */
  async function shown(file: Buffer): Promise<number[][]> {
    writeFileSync(path, file)
    assert.ok(await writeStretched(path, out, () => undefined))
    const { data, info } = await sharp(out).raw().toBuffer({ resolveWithObject: true })
    assert.equal(info.channels, 4)
    return Array.from({ length: info.width * info.height }, (_, i) => {
      const [red = 0, green = 0, blue = 0, opaque = 0] = data.subarray(i * 4, i * 4 + 4)
      return red === green && green === blue ? [red, opaque] : [red, green, blue, opaque]
    })
  }
  const row = (given: Omit<TiffValues, 'width' | 'height'>) =>
    tiffOf({ width: given.values.length / (given.bands ?? 1), height: 1, ...given })

  test('§7 values of more than eight bits are stretched between the lowest and the highest valid one', async () => {
    const stretched = [
      [0, 255],
      [51, 255],
      [255, 255],
    ]
    for (const big_endian of [false, true]) {
      assert.deepEqual(await shown(row({ bits: 32, format: 3, values: [-2, -1, 3], big_endian })), stretched)
      assert.deepEqual(await shown(row({ bits: 64, format: 3, values: [1000, 1000.1, 1000.5], big_endian })), stretched)
      assert.deepEqual(await shown(row({ bits: 32, format: 2, values: [-100_000, 0, 400_000], big_endian })), stretched)
      assert.deepEqual(await shown(row({ bits: 16, format: 2, values: [-300, -280, -200], big_endian })), stretched)
      assert.deepEqual(await shown(row({ bits: 16, format: 1, values: [100, 120, 200], big_endian })), stretched)
    }
    assert.deepEqual(await shown(row({ bits: 8, format: 2, values: [-100, -60, 100] })), stretched)
    assert.deepEqual(await shown(row({ bits: 32, format: 3, values: [-2, -1, 3], differences: true })), stretched)
    assert.deepEqual(await shown(row({ bits: 16, format: 1, values: [200, 180, 100], photometric: 0 })), stretched, 'white is zero')
    assert.deepEqual(await shown(row({ bits: 16, format: 1, values: [7, 7] })), [
      [128, 255],
      [128, 255],
    ])
  })

  test('§7 missing values are left out and clear: those of the tag, those that are no numbers, and the most extreme ones', async () => {
    const values = [-9999, 10, Number.NaN, 20, -3.4e38, Infinity]
    const clear = [0, 0]
    const expected = [clear, [0, 255], clear, [255, 255], clear, clear]
    assert.deepEqual(await shown(row({ bits: 32, format: 3, values, tags: [noData('-9999')] })), expected)
    assert.deepEqual(await shown(row({ bits: 64, format: 3, values, tags: [noData('-9999 ')] })), expected)
    // Programs write the number of 32 bits with more digits than it has.
    const rounded = [Math.fround(-1.7), 10, 20]
    assert.deepEqual(await shown(row({ bits: 32, format: 3, values: rounded, tags: [noData('-1.7')] })), [clear, [0, 255], [255, 255]])
    assert.deepEqual(await shown(row({ bits: 16, format: 2, values: [-32768, 5, 6], tags: [noData('-32768')] })), [
      clear,
      [0, 255],
      [255, 255],
    ])
  })

  test('§7 bands are stretched alike, and a band that says how opaque a place is stays as it is', async () => {
    const values = [100, 200, 300, 65_535, 200, 300, 600, 32_768, 9999, 0, 9999, 0]
    const extra = { tag: 338, type: 3, values: [2] } as const
    assert.deepEqual(await shown(row({ bands: 4, bits: 16, format: 1, values, photometric: 2, tags: [extra] })), [
      [0, 51, 102, 255],
      [51, 102, 255, 128],
      // What is clear doesn't count.
      [0, 0],
    ])
    const many = [1, 7, 7, 7, 7, 2, 7, 7, 7, 7]
    const others = { tag: 338, type: 3, values: [0, 0, 0, 0] } as const
    assert.deepEqual(await shown(row({ bands: 5, bits: 16, format: 1, values: many, tags: [others] })), [
      [0, 255],
      [255, 255],
    ])
  })

  test('§7 files that other programs compress are read: strips and tiles, by any method', async () => {
    const [width, height] = [300, 200]
    const values = Uint16Array.from({ length: width * height }, (_, i) => 1000 + (i % width) * 10 + Math.floor(i / width) * 3)
    const high = 1000 + 299 * 10 + 199 * 3
    for (const compression of ['lzw', 'deflate', 'none'] as const)
      for (const tile of [false, true])
        for (const predictor of ['none', 'horizontal'] as const) {
          const file = await sharp(values, { raw: { width, height, channels: 1 } })
            .toColourspace('grey16')
            .tiff({ compression, predictor, tile, tileWidth: 64, tileHeight: 64 })
            .toBuffer()
          const pixels = await shown(file)
          const wrong = pixels.findIndex(([grey = 0], i) => Math.abs(grey - (((values[i] ?? 0) - 1000) / (high - 1000)) * 255) > 0.51)
          assert.equal(wrong, -1, `${compression} ${tile} ${predictor}`)
        }
  })

  test('§7 missing values of a picture of eight bits are clear, and the others stay as they are', async () => {
    const values = [0, 0, 0, 0, 90, 200, 10, 0, 0]
    assert.deepEqual(await shown(row({ bands: 3, bits: 8, format: 1, values, photometric: 2, tags: [noData('0')] })), [
      [0, 0],
      [0, 90, 200, 255],
      [10, 0, 0, 255],
    ])
  })

  test('§7 a fourth band of something else than opacity, such as infrared, doesn’t make a picture clear', async () => {
    const extra = (...values: number[]) => ({ tag: 338, type: 3, values }) as const
    const values = [9, 90, 250, 0, 1, 2, 3, 100]
    const seen = [
      [9, 90, 250, 255],
      [1, 2, 3, 255],
    ]
    assert.deepEqual(await shown(row({ bands: 4, bits: 8, format: 1, values, photometric: 2, tags: [extra(0)] })), seen)
    const five = [9, 90, 250, 0, 255, 1, 2, 3, 100, 255]
    assert.deepEqual(await shown(row({ bands: 5, bits: 8, format: 1, values: five, photometric: 2, tags: [extra(0, 2)] })), seen)
    writeFileSync(path, row({ bands: 4, bits: 8, format: 1, values, photometric: 2, tags: [extra(2)] }))
    assert.equal(await sizeOfValues(path), null, 'the decoder of pictures reads a band that says how opaque')
  })

  test('§7 tiles of JPEG with a fourth band are read: one that says how opaque a place is, or another that doesn’t', async () => {
    // One tile of red 200, green 150, blue 100 and 20 in its fourth band, as GDAL writes it.
    const infrared = Buffer.from(
      'SUkqAAgAAAAOAAABAwABAAAAEAAAAAEBAwABAAAAEAAAAAIBAwAEAAAAtgAAAAMBAwABAAAABwAAAAYBAwABAAAAAgAAABUBAwABAAAABAAAABwBAwABAAAAAQAAAEIBAwABAAAAEAAAAEMBAwABAAAAEAAAAEQBBAABAAAADwEAAEUBBAABAAAAYwAAAFIBAwABAAAAAAAAAFMBAwAEAAAAvgAAAFsBBwBJAAAAxgAAAAAAAAAIAAgACAAIAAEAAQABAAEA/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2f/Y/8AAFAgAEAAQBAARAAERAAIRAAMRAP/EABgAAQADAQAAAAAAAAAAAAAAAAAGBwgJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EAAABAAIAAwAAPwDYCdq0c3wAAAH/2Q==',
      'base64',
    )
    const opacity = Buffer.from(infrared)
    opacity[infrared.indexOf(Buffer.from([0x52, 1, 3, 0, 1, 0, 0, 0])) + 8] = 2
    const near = (pixels: number[][]) => [pixels.length, pixels[0]?.map(value => Math.round(value / 10) * 10)]
    assert.deepEqual(near(await shown(infrared)), [256, [200, 150, 100, 260]])
    assert.deepEqual(near(await shown(opacity)), [256, [200, 150, 100, 20]])
    await assert.rejects(shown(infrared.subarray(0, 340)))
  })

  test('§7 the mask of a picture makes places clear, and leaves its colours as they are', async () => {
    const [width, height] = [11, 3]
    const isShown = Array.from({ length: width * height }, (_, i) => i % width > 2 && i >= width)
    const pixel = (i: number) => [i * 7, 90, 250]
    for (const bands of [1, 3]) {
      const values = isShown.flatMap((_, i) => pixel(i).slice(0, bands))
      writeFileSync(path, maskedTiff({ width, height, bands, values, photometric: bands === 3 ? 2 : 1 }, isShown))
      assert.ok(await writeMasked(path, out, `${out}.mask`))
      const { data, info } = await sharp(out).raw().toBuffer({ resolveWithObject: true })
      assert.equal(info.channels, 4)
      for (const [i, is_shown] of isShown.entries()) {
        const [red = 0, green = 0, blue = 0] = bands === 3 ? pixel(i) : [i * 7, i * 7, i * 7]
        assert.deepEqual([...data.subarray(i * 4, i * 4 + 4)], [red, green, blue, is_shown ? 255 : 0], `${bands}: ${i}`)
      }
    }
    writeFileSync(path, row({ bits: 8, format: 1, values: [1, 2] }))
    assert.equal(await writeMasked(path, out, `${out}.mask`), false)
  })

  test('§7 values compressed by ZSTD are read, of pictures too, and so are decimal numbers of 16 bits', async () => {
    const compressed = { method: 50_000, by: (bytes: Buffer) => zstdCompressSync(bytes) }
    const stretched = [
      [0, 255],
      [51, 255],
      [255, 255],
    ]
    assert.deepEqual(await shown(row({ bits: 32, format: 3, values: [-2, -1, 3], compressed })), stretched)
    assert.deepEqual(await shown(row({ bits: 16, format: 1, values: [100, 120, 200], compressed })), stretched)
    assert.deepEqual(await shown(row({ bands: 3, bits: 8, format: 1, values: [9, 90, 250, 1, 2, 3], photometric: 2, compressed })), [
      [9, 90, 250, 255],
      [1, 2, 3, 255],
    ])
    // 1, 1.5 and 3.5; the smallest number; a quarter below zero; what isn't a number.
    assert.deepEqual(await shown(row({ bits: 16, format: 3, values: [0x3c00, 0x3e00, 0x4300] })), stretched)
    assert.deepEqual(await shown(row({ bits: 16, format: 3, values: [0xb400, 0x0001, 0x7e00] })), [
      [0, 255],
      [255, 255],
      [0, 0],
    ])
  })

  test('§7 pictures of eight bits are no measurements, and what is cut off or wholly missing is refused', async () => {
    writeFileSync(path, row({ bits: 8, format: 1, values: [1, 2] }))
    assert.deepEqual([await sizeOfValues(path), await writeStretched(path, out, () => undefined)], [null, false])
    const whole = row({ bits: 32, format: 3, values: [1, 2, 3] })
    writeFileSync(path, whole.subarray(0, whole.length - 2))
    await assert.rejects(
      writeStretched(path, out, () => undefined),
      /cut off/,
    )
    writeFileSync(path, row({ bits: 32, format: 3, values: [Number.NaN, 0], tags: [noData('0')] }))
    await assert.rejects(
      writeStretched(path, out, () => undefined),
      /no valid values/,
    )
  })

  describe('as site maps', () => {
    const house = useHouse()

    test('§7 a model of heights is shown from black to white, also of 64 bits, upright, and clear where nothing was measured', async () => {
      const w = await house.world()
      const [width, height] = [160, 80]
      const values = Array.from({ length: width * height }, (_, i) => (i % width < 40 ? -9999 : i % width < 80 ? 20.5 : 21))
      for (const bits of [32, 64]) {
        const turned = { tag: 274, type: 3, values: [6] } as const
        const file = tiffOf({ width, height, bits, format: 3, values, tags: [noData('-9999'), turned] })
        const made = await w
          .as('hse')
          .send('POST', '/site-maps/upload', upload(file, 'dem.tif', { site_id: w.site_id, name: `Heights ${bits}` }))
        assert.equal(made.status, 201, made.text)
        assert.deepEqual([made.body.width_px, made.body.height_px], [height, width])
        await runJob(house.house, made.body.job_id)
        const preview = await house.edge.app.inject({
          url: `/api/site-maps/${made.body.id}/image?variant=preview`,
          headers: { authorization: `Bearer ${w.as('viewer').token}` },
        })
        const { data, info } = await sharp(preview.rawPayload).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
        const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
        assert.equal(at(40, 20)[3], 0)
        for (const [y, grey] of [
          [60, 0],
          [120, 255],
        ] as const) {
          const pixel = at(40, y)
          assert.ok(Math.abs((pixel[0] ?? 0) - grey) < 8 && pixel[3] === 255, `${bits}: ${pixel}`)
        }
      }
    })

    test('§7 a TIFF file of a kind that isn’t read is refused by its true reason, and not as damaged', async () => {
      const w = await house.world()
      const same = (bytes: Buffer) => bytes
      const why = async (given: Partial<TiffValues>) => {
        const file = tiffOf({ width: 20, height: 20, bits: 8, format: 1, values: Array<number>(400).fill(7), ...given })
        const no = await w.as('hse').send('POST', '/site-maps/upload', upload(file, 'a.tif', { site_id: w.site_id, name: 'Odd' }))
        assert.deepEqual([no.status, no.body.error.fields?.[0]?.path], [422, 'file'], no.text)
        return no.body.error.fields[0].message
      }
      assert.match(
        await why({ compressed: { method: 34_887, by: same } }),
        /^is compressed by LERC, which can’t be read\. Export it with LZW/,
      )
      assert.match(await why({ compressed: { method: 34_925, by: same } }), /^is compressed by LZMA/)
      assert.match(await why({ bits: 12 }), /^has 12 bits in each value/)
      assert.match(await why({ photometric: 8, bands: 3, values: Array<number>(1200).fill(7) }), /^is in Lab colours\. Export it in RGB/)
      const zstd = { method: 50_000, by: (bytes: Buffer) => zstdCompressSync(bytes) }
      assert.match(
        await why({ photometric: 3, compressed: zstd }),
        /^has its colours in a palette or for printing, and is compressed by ZSTD/,
      )
    })

    test('§7 heights of which all are missing are refused when they are read', async () => {
      const w = await house.world()
      const file = tiffOf({ width: 20, height: 20, bits: 32, format: 3, values: Array<number>(400).fill(-1), tags: [noData('-1')] })
      const made = await w.as('hse').send('POST', '/site-maps/upload', upload(file, 'dem.tif', { site_id: w.site_id, name: 'Nothing' }))
      await runJob(house.house, made.body.job_id)
      const { body } = await w.as('viewer').get(`/site-maps/${made.body.id}`)
      assert.deepEqual(
        [body.status, body.status_reason],
        ['failed', 'The file has no valid values: all of them are marked as missing. Export it once more.'],
      )
    })
  })
})
