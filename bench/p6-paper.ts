// P6: the PDF of a live permit, two or more pages with QR code, signatures and photos, as the service prints it (facts, pictures, statement, PDF), compared
// with Chromium printing an equivalent page: the same words and pictures as HTML, in a browser that is already running.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import QRCode from 'qrcode'
import sharp from 'sharp'
import { safe } from '../server/base/docs.ts'
import { runJob } from '../server/kernel/jobs/door.ts'
import { readPdf } from '../tests/pdf.ts'
import { permitWorld } from '../tests/permits.ts'
import { type Bench, median } from './kit.ts'

/** Medians in milliseconds. `kept_ms` is the time to serve the snapshot that was stored at issue; `peer_ms` is null without Chromium. */
export type PaperBench = {
  pages: number
  bytes: number
  ms: number
  kept_ms: number
  peer_ms: number | null
  ratio: number | null
  same_bytes: boolean
}

const CHROMIUM = '/usr/bin/chromium'

/** Prints a permit this many times, alternating with the browser. */
export async function paperBench(bench: Bench, runs = 15): Promise<PaperBench> {
  const w = await permitWorld(bench.house)
  const start_at = new Date(Date.now() + 3_600_000).toISOString()
  const end_at = new Date(Date.now() + 9 * 3_600_000).toISOString()
  const made = await w.draft({ start_at, end_at, hazards: ['sparks', 'fumes'], ppe: ['welding mask'], limitations: 'No cutting.' })
  const photos: Buffer[] = []
  for (const colour of ['#a04020', '#204060']) {
    const photo = await sharp({
      create: { width: 2000, height: 1500, channels: 3, background: colour, noise: { type: 'gaussian', mean: 128, sigma: 30 } },
    })
      .jpeg()
      .toBuffer()
    photos.push(await sharp(photo).resize(1000).jpeg({ quality: 80 }).toBuffer())
    await w
      .as('member')
      .send('POST', `/permits/applications/${made.id}/attachments`, [{ name: 'file', value: photo, filename: 'place.jpg' }])
  }
  for (const [verb, by] of [
    ['submit', w.as('member')],
    ['endorse', w.as('coordinator')],
    ['approve', w.as('hse')],
    ['issue', w.issuer],
    ['countersign', w.receiver],
  ] as const)
    await w.step(made, verb, by)
  const print = async (): Promise<Buffer> => {
    const answer = await bench.house.edge.app.inject({
      method: 'GET',
      url: `/api/permits/applications/${made.id}/document`,
      headers: { authorization: `Bearer ${w.receiver.token}` },
    })
    if (answer.statusCode !== 200) throw new Error(answer.payload)
    return answer.rawPayload
  }
  const first = await print()
  const paper = readPdf(first)
  const browser = existsSync(CHROMIUM) ? await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] }) : null
  const svg = await QRCode.toString(`http://walkdown.test/verify#${'x'.repeat(300)}`, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  const html = `<!doctype html><meta charset="utf-8"><style>@page { size: A4; margin: 15mm } body { font: 10pt sans-serif } svg { width: 38mm } img { width: 48% }</style>${svg}${paper.text
    .split(/\n|\f/)
    .map(line => `<p>${safe(line)}</p>`)
    .join('')}${photos.map(photo => `<img src="data:image/jpeg;base64,${photo.toString('base64')}">`).join('')}`
  const ours: number[] = []
  const theirs: number[] = []
  let same_bytes = true
  for (let run = 0; run < runs; run++) {
    let began = performance.now()
    const pdf = await print()
    ours.push(performance.now() - began)
    same_bytes &&= pdf.equals(first)
    if (browser === null) continue
    began = performance.now()
    const page = await browser.newPage()
    await page.setContent(html)
    await page.pdf({ format: 'A4', preferCSSPageSize: true, tagged: true })
    theirs.push(performance.now() - began)
    await page.close()
  }
  await browser?.close()
  const ms = median(ours)
  // Once the worker has printed it, the document of an unchanged permit is not printed again.
  const { rows } = await bench.house.house.database.pool.query("select id from job_run where kind = 'make_paper' order by queued_at, id")
  for (const { id } of rows) await runJob(bench.house.house, id)
  const kept: number[] = []
  for (let run = 0; run < runs; run++) {
    const began = performance.now()
    same_bytes &&= (await print()).equals(first)
    kept.push(performance.now() - began)
  }
  const peer_ms = theirs.length === 0 ? null : median(theirs)
  return {
    pages: paper.pages,
    bytes: first.length,
    ms,
    kept_ms: median(kept),
    peer_ms,
    ratio: peer_ms === null ? null : peer_ms / ms,
    same_bytes,
  }
}
