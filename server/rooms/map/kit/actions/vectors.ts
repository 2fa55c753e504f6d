// The line work of plans, in the process that reads them: written to a file, one line of JSON each.
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { checkBlocks, type Drawn, flatten, layerTest } from '../domain/dxf-flatten.ts'
import { readDrawing } from '../domain/dxf-read.ts'
import { classOf, type DrawingReport, describe, type Extents, extentsOf } from '../domain/dxf-report.ts'
import { viewOf } from '../domain/dxf-view.ts'
import { LINE_CLASSES, type LineClass, type PlanLine } from '../domain/lines.ts'
import type { Picture, SheetView, Vectors } from '../domain/orders.ts'
import { halfOf, stroke } from '../domain/stroke.ts'
import { type Tracing, trace } from '../domain/trace.ts'
import { linesOfPdf } from './pdf-lines.ts'

const CHUNK = 1_000_000

/** Writes lines to a file. `decimals`: of their coordinates. */
function writer(out: string, decimals: number) {
  const file = openSync(out, 'w')
  const hash = createHash('sha256')
  const counts: Partial<Record<LineClass, number>> = {}
  const factor = 10 ** decimals
  let [text, size, features] = ['', 0, 0]
  const flush = () => {
    const bytes = Buffer.from(text)
    text = ''
    hash.update(bytes)
    writeSync(file, bytes)
    size += bytes.length
  }
  return {
    add([layer, shows, points, label]: PlanLine) {
      const round = points.map(value => Math.round(value * factor) / factor)
      text += `${JSON.stringify(label === undefined ? [layer, shows, round] : [layer, shows, round, label])}\n`
      counts[shows] = (counts[shows] ?? 0) + 1
      features++
      if (text.length > CHUNK) flush()
    },
    end(): Vectors {
      flush()
      return { sha256: hash.digest('hex'), size, features, counts }
    },
    close: () => closeSync(file),
  }
}

/** Writes the line work of a PDF page. */
export async function pdfVectors(picture: Picture, out: string): Promise<Vectors> {
  const lines = writer(out, 2)
  try {
    await linesOfPdf(picture, line => lines.add(line))
    return lines.end()
  } finally {
    lines.close()
  }
}

/** Most pixels that are traced; a larger picture is traced at a smaller size. */
const TRACED_AT_MOST = 12_000_000

/** Returns how large a picture is when it is traced, as a share of its size. */
export const tracedShare = ({ width, height }: Picture): number => Math.min(1, Math.sqrt(TRACED_AT_MOST / (width * height)))

/** Traces a picture and writes its lines, in pixels of the whole picture. */
export async function tracedVectors(picture: Picture, source: Sharp, how: Tracing, out: string): Promise<Vectors> {
  const share = tracedShare(picture)
  const { data, info } = await source
    .flatten({ background: '#ffffff' })
    .resize({ width: Math.max(1, Math.round(picture.width * share)), height: Math.max(1, Math.round(picture.height * share)), fit: 'fill' })
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [kx, ky] = [picture.width / info.width, picture.height / info.height]
  const found = trace(new Uint8Array(data), info.width, info.height, { ...how, least: how.least / kx, simplify: how.simplify / kx })
  const lines = writer(out, 2)
  try {
    for (const line of found) lines.add(['picture', 'line', line.map((value, i) => value * (i % 2 === 0 ? kx : ky))])
    return lines.end()
  } finally {
    lines.close()
  }
}

/** Reads what a drawing contains. */
export const inspectDrawing = async (path: string): Promise<DrawingReport> => describe(readDrawing(await readFile(path)))

/** Largest distance between a curve and its chords on the ground, metres. */
const CHORD_M = 0.004
const INK = { r: 0x20, g: 0x26, b: 0x2b }

/** Writes the lines of a drawing, in drawing units, and its picture. */
export async function drawingVectors(
  order: { path: string; layers: readonly string[] | null; metres: number; out: string; picture_out: string },
  report: (fraction: number) => void,
): Promise<{ vectors: Vectors; view: SheetView; extents: Extents; picture: { sha256: string; size: number } }> {
  const drawing = readDrawing(await readFile(order.path))
  report(0.3)
  checkBlocks(drawing)
  const shows = layerTest(drawing, order.layers)
  const { extents, strays } = extentsOf(drawing, shows, order.metres)
  if (extents === null) throw new Error('Nothing of the drawing is on these layers.')
  const view = viewOf(extents, order.metres)
  const ink = { width: view.width, height: view.height, cover: new Uint8Array(view.width * view.height) }
  const lines = writer(order.out, Math.max(0, Math.ceil(-Math.log10(0.0001 / order.metres))))
  const add = ({ layer, points, text }: Drawn) => {
    if (text !== null) return lines.add([layer, 'text', points, text])
    const shown = LINE_CLASSES.find(one => one === classOf(layer)) ?? 'line'
    lines.add([layer, shown, points])
    stroke(
      ink,
      points.map((value, i) => (i % 2 === 0 ? (value - view.left) * view.scale : (view.top - value) * view.scale)),
      halfOf(view, shown),
    )
  }
  try {
    flatten(drawing, { tolerance: CHORD_M / order.metres, shows, near: strays?.near ?? null }, add)
    report(0.8)
    const pixels = Buffer.alloc(ink.cover.length * 4)
    for (const [i, cover] of ink.cover.entries()) {
      if (cover === 0) continue
      pixels[i * 4] = INK.r
      pixels[i * 4 + 1] = INK.g
      pixels[i * 4 + 2] = INK.b
      pixels[i * 4 + 3] = cover
    }
    await sharp(pixels, { raw: { width: view.width, height: view.height, channels: 4 } })
      .png({ compressionLevel: 3 })
      .toFile(order.picture_out)
    const bytes = await readFile(order.picture_out)
    const picture = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
    return { vectors: lines.end(), view, extents, picture }
  } finally {
    lines.close()
  }
}
