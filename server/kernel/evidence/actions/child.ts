// Entry of the picture process, which measures and decodes uploaded pictures. A decoder can't be interrupted: it may take seconds or a gigabyte, or a
// hostile file may crash it. It therefore runs in a process of its own, which can be stopped.
import { readFile, writeFile } from 'node:fs/promises'
import exifReader from 'exif-reader'
import sharp, { type Sharp } from 'sharp'
import { serveOrders } from '../../../base/child/serve.ts'
import { factsFrom, PIXELS_AT_MOST, type PictureAnswer, type PictureFacts, type PictureOrder } from '../domain.ts'

sharp.cache(false)
sharp.concurrency(1)

/** Phones write heads that decoders warn about although every pixel is there, so warnings don't make a picture damaged. */
const READING = { limitInputPixels: PIXELS_AT_MOST, sequentialRead: true, failOn: 'error' } as const

/** Returns the pixels for sharp. HEIC is decoded first, because sharp lacks its codec; the result is upright, and its EXIF orientation no longer counts. */
async function pixelsOf(path: string, heic: boolean): Promise<Sharp> {
  if (!heic) return sharp(path, { ...READING, pages: 1 }).autoOrient()
  const { default: decode } = await import('heic-decode')
  const { width, height, data } = await decode({ buffer: new Uint8Array(await readFile(path)) })
  return sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels: 4 },
    limitInputPixels: PIXELS_AT_MOST,
  })
}

/** Returns what EXIF says; null if it can't be read: a picture with broken metadata is still a picture. */
function readExif(bytes: Buffer): PictureFacts | null {
  try {
    return factsFrom(exifReader(bytes))
  } catch {
    return null
  }
}

serveOrders<PictureOrder, PictureAnswer>(async order => {
  if (order.task === 'measure') {
    const { pages, autoOrient, exif } = await sharp(order.path, { limitInputPixels: false, sequentialRead: true }).metadata()
    return { width: autoOrient.width, height: autoOrient.height, pages: pages ?? 1, facts: exif === undefined ? null : readExif(exif) }
  }
  const { path, heic, side, as, out } = order
  const picture = (await pixelsOf(path, heic)).resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  const made =
    as === 'webp' ? picture.webp({ quality: 82 }) : picture.flatten({ background: '#ffffff' }).toColourspace('srgb').jpeg({ quality: 80 })
  const { data, info } = await made.toBuffer({ resolveWithObject: true })
  // We write the file ourselves, so that a full disk is reported as such, and not as a fault of the picture.
  await writeFile(out, data)
  return { width: info.width, height: info.height, pages: 1 }
})
