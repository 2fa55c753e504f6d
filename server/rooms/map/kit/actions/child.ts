// Entry of the process that reads plans: measures, decodes and draws pictures and PDF pages. A decoder can't be interrupted, and a hostile file may crash it or
// fill the memory, so it runs in a process of its own, which can be stopped.
import { rm, writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { serveOrders } from '../../../../base/child/serve.ts'
import { type Measured, PDF_TYPE, type Picture, type PlanAnswer, type PlanOrder, type Source, TIFF_TYPE } from '../domain/orders.ts'
import { unpackPicture } from './archive.ts'
import { drawCard, drawTiles } from './draw.ts'
import { readGround } from './geotiff.ts'
import { drawPdf, measurePdf } from './pdf.ts'
import { sizeOfValues, writeStretched } from './stretched.ts'
import { writeMasked } from './tiff-mask.ts'
import { drawingVectors, inspectDrawing, pdfVectors, tracedShare, tracedVectors } from './vectors.ts'

sharp.cache(false)

const TILE_SIDE = 256
const NO_LIMIT = { limitInputPixels: false, sequentialRead: true, page: 0 } as const

async function measure(source: Source, most_pixels: number): Promise<Measured> {
  if (source.type === PDF_TYPE) return { ...(await measurePdf(source.path, source.page, most_pixels)), tagged: null }
  if (source.type === TIFF_TYPE) return measureTiff(source.path)
  const { autoOrient, pages } = await sharp(source.path, { limitInputPixels: false, sequentialRead: true }).metadata()
  return { ...autoOrient, pages: pages ?? 1, tagged: null }
}

/** Measures the first directory of a TIFF file. The others are smaller copies or further sheets. */
async function measureTiff(path: string): Promise<Measured> {
  const values = await sizeOfValues(path)
  const { width, height, orientation = 1 } = values ?? (await sharp(path, NO_LIMIT).metadata())
  const lying = orientation > 4
  const size = lying ? { width: height, height: width } : { width, height }
  return { ...size, pages: 1, tagged: orientation === 1 ? await readGround(path, size) : null }
}

/** Opens a picture, upright and in the colours of screens; a PDF page and measurements are drawn into a file first. */
async function opened(picture: Picture, scratch: string, report: (fraction: number) => void): Promise<Sharp> {
  if (picture.type === PDF_TYPE) {
    await drawPdf(picture, scratch, report)
    return sharp(scratch, NO_LIMIT)
  }
  if (picture.type === TIFF_TYPE && (await writeStretched(picture.path, scratch, report))) return sharp(scratch, NO_LIMIT).autoOrient()
  if (picture.type === TIFF_TYPE && (await masked(picture.path, scratch))) return sharp(scratch, NO_LIMIT)
  return sharp(picture.path, { ...NO_LIMIT, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb')
}

/** Writes a picture that has a mask into a file. */
async function masked(path: string, scratch: string): Promise<boolean> {
  const mask = `${scratch}.mask`
  try {
    return await writeMasked(path, scratch, mask)
  } finally {
    await rm(mask, { force: true })
  }
}

async function work(order: PlanOrder, report: (fraction: number) => void): Promise<PlanAnswer> {
  switch (order.task) {
    case 'measure':
      return { measured: await measure(order.source, order.most_pixels) }
    case 'unpack':
      return { unpacked: await unpackPicture(order.path, order.out) }
    case 'preview':
      return preview(order, report)
    case 'tiles':
      return tiles(order, report)
    case 'recode': {
      const tile = sharp(order.bytes)
      const coded = order.as === 'png' ? tile.png() : tile.flatten({ background: '#ffffff' }).jpeg({ quality: 85 })
      return { bytes: await coded.toBuffer() }
    }
    case 'pdf_lines':
      return { vectors: await pdfVectors(order.picture, order.out) }
    case 'trace': {
      const scratch = `${order.out}.page`
      try {
        const page = pageOf(order.picture, tracedShare(order.picture))
        return { vectors: await tracedVectors(order.picture, await opened(page, scratch, report), order.how, order.out) }
      } finally {
        await rm(scratch, { force: true })
      }
    }
    case 'inspect':
      return { report: await inspectDrawing(order.path) }
    case 'drawing':
      return drawingVectors(order, report)
    case 'card':
      return { bytes: await drawCard(order.picture, order.box, order.lines) }
  }
}

/** Returns a picture with its page as large as it is needed: drawing it as large as for its tiles would take seconds longer. */
function pageOf(picture: Picture, scale: number): Picture {
  if (picture.type !== PDF_TYPE || scale >= 1) return picture
  const shorter = (pixels: number) => Math.max(1, Math.round(pixels * scale))
  return { ...picture, width: shorter(picture.width), height: shorter(picture.height) }
}

async function preview({ picture, side, out }: PlanOrder & { task: 'preview' }, report: (fraction: number) => void): Promise<PlanAnswer> {
  const scratch = `${out}.page`
  try {
    const page = pageOf(picture, (2 * side) / Math.max(picture.width, picture.height))
    const small = (await opened(page, scratch, report)).resize({
      width: side,
      height: side,
      fit: 'inside',
      withoutEnlargement: true,
    })
    const { data, info } = await small.webp({ quality: 82 }).toBuffer({ resolveWithObject: true })
    // We write the file ourselves, so that a full disk is reported as such, and not as a fault of the picture.
    await writeFile(out, data)
    return { width: info.width, height: info.height }
  } finally {
    await rm(scratch, { force: true })
  }
}

const DECODED = 0.2

async function tiles({ picture, laid, plan, out }: PlanOrder & { task: 'tiles' }, report: (fraction: number) => void): Promise<PlanAnswer> {
  const [scratch, levels] = [`${out}.page`, `${out}.tif`]
  try {
    const source = await opened(picture, scratch, fraction => report((fraction * DECODED) / 2))
    const info = await source
      .tiff({ tile: true, tileWidth: TILE_SIDE, tileHeight: TILE_SIDE, pyramid: true, compression: 'none', bigtiff: true })
      .toFile(levels)
    await rm(scratch, { force: true })
    report(DECODED)
    const opaque = info.channels !== 4 || (await sharp(levels, { page: 0, limitInputPixels: false }).stats()).isOpaque
    const drawn = await drawTiles(levels, laid, plan, out, fraction => report(DECODED + fraction * (1 - DECODED)))
    return { ...drawn, opaque }
  } finally {
    await rm(scratch, { force: true })
    await rm(levels, { force: true })
  }
}

serveOrders<PlanOrder, PlanAnswer>(work)
