// Pictures and PDF files that are unusual or hostile.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { pdfOf, upload } from '../../../../tests/plans.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { Refused, unavailable } from '../../../base/errors.ts'
import { runJob } from '../../../kernel/jobs/door.ts'
import { ENDED, heavy } from '../kit/actions/process.ts'
import { endedText } from '../kit/actions/upload.ts'

describe('unusual pictures', () => {
  const house = useHouse()
  const send = (w: World, bytes: Buffer, filename: string) =>
    w.as('hse').send('POST', '/site-maps/upload', upload(bytes, filename, { site_id: w.site_id, name: 'Layout' }))

  test('§7 a PDF with a few lines before its head is read, and a file without a head isn’t one', async () => {
    const w = await house.world()
    const made = await send(w, Buffer.concat([Buffer.from('\ufeff\r\nX-Printed-By: desk\r\n\r\n'), pdfOf(1)]), 'plan.pdf')
    assert.deepEqual([made.status, made.body.file?.type], [201, 'application/pdf'], made.text)
    await runJob(house.house, made.body.job_id)
    assert.equal((await w.as('viewer').get(`/site-maps/${made.body.id}`)).body.status, 'needs_calibration')
    const late = await send(w, Buffer.concat([Buffer.alloc(2000, 32), pdfOf(1)]), 'plan.pdf')
    assert.equal(late.status, 415)
  })

  test('§7 a TIFF file that is cut off is refused as damaged, also if its list of contents was at its end', async () => {
    const whole = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#123456' } })
      .tiff({ compression: 'none' })
      .toBuffer()
    const no = await send(await house.world(), whole.subarray(0, 9000), 'plan.tif')
    assert.deepEqual([no.status, no.body.error.fields?.[0]?.path], [422, 'file'], no.text)
    assert.match(no.body.error.detail, /is damaged/)
  })

  test('§7 the preview of a large page is drawn at twice its size, and not at that of the tiles', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'preview-'))
    try {
      const [path, out] = [join(folder, 'a.pdf'), join(folder, 'a.webp')]
      writeFileSync(path, pdfOf(1))
      const parts: number[] = []
      const page = { path, type: 'application/pdf', page: 1, width: 9000, height: 12_000 }
      const { height } = await heavy.preview(page, 512, out, fraction => void parts.push(fraction))
      // In its full size, it would be drawn in three parts, because of its memory.
      assert.deepEqual([height, parts], [512, [1]])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('§7 a GIF is refused as what it is, because it needn’t be animated', async () => {
    const gif = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
      .gif()
      .toBuffer()
    const no = await send(await house.world(), gif, 'plan.gif')
    assert.deepEqual([no.status, no.body.error.detail], [415, '“plan.gif” is image/gif. Send a PNG, JPEG, WebP, TIFF or PDF file.'])
  })

  test('§7 a file whose reading hung or needed too much memory is at fault itself; a busy service isn’t the fault of a file', () => {
    assert.match(endedText(new Refused(unavailable(ENDED.gone))) ?? '', /^couldn’t be read\. It may be damaged/)
    assert.match(endedText(new Refused(unavailable(ENDED.late))) ?? '', /^took too long to read\./)
    assert.equal(endedText(new Refused(unavailable('Too many plans are being read at the moment. Try again in a moment.'))), null)
    assert.equal(endedText(new Error(ENDED.gone)), null)
  })
})
