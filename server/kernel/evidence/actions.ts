import { createHash } from 'node:crypto'
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileTypeFromFile } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import type { Ctx, House } from '../../base/ctx.ts'
import { refuse, tooLarge, unsupportedMedia } from '../../base/errors.ts'
import type { FileAnswer, Upload } from '../../base/files.ts'
import { type Id, ids } from '../../base/ids.ts'
import { PICTURES, type Sniffed, VARIANTS, type Variant, variantKey } from './domain.ts'
import { type FileRow, holdFile } from './queries.ts'

const PIXELS_AT_MOST = 120_000_000

/** What a file is by its bytes; of a picture also its size, from the header alone. Null when the bytes say nothing. */
export async function sniff(path: string): Promise<Sniffed | null> {
  const found = await fileTypeFromFile(path).catch(() => undefined)
  if (found === undefined) return (await isText(path)) ? { type: 'text/plain', ext: 'txt', width: null, height: null, pages: 1 } : null
  const plain = { type: found.mime as string, ext: found.ext as string, width: null, height: null, pages: 1 }
  if (!found.mime.startsWith('image/')) return plain
  try {
    const { width, height, pages } = await sharp(path, { limitInputPixels: false, sequentialRead: true }).metadata()
    return { ...plain, width: width ?? null, height: height ?? null, pages: pages ?? 1 }
  } catch {
    return plain
  }
}

async function isText(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    if (bytesRead === 0) return false
    const text = new TextDecoder('utf-8', { fatal: false }).decode(buffer.subarray(0, bytesRead))
    return !/[\0\ufffd]/.test(text.slice(0, -4)) && !/^\s*<(!doctype|html|svg|\?xml)/i.test(text)
  } finally {
    await file.close()
  }
}

/** What a call takes of files. */
export type Taking = { types: readonly string[]; said: string; pixels_a_side?: number; still?: boolean }

/** Looks at an upload before anything is decoded, and refuses what the call does not take: 415 by type, 413 by pixels. */
async function accepted(upload: Upload | undefined, take: Taking): Promise<Sniffed> {
  if (upload === undefined || upload.size === 0)
    return refuse(unsupportedMedia('The request carries no file: send it in a part called "file".'))
  const sniffed = await sniff(upload.path)
  if (sniffed === null || !take.types.includes(sniffed.type)) {
    return refuse(
      unsupportedMedia(
        `"${upload.filename}" is ${sniffed === null ? 'nothing that we know' : sniffed.type}, by its bytes. Send ${take.said}.`,
      ),
    )
  }
  const { width, height } = sniffed
  const side = take.pixels_a_side
  if (side !== undefined && ((width ?? 0) > side || (height ?? 0) > side))
    refuse(tooLarge(`The picture has ${width} × ${height} pixels; at most ${side} a side.`))
  if ((width ?? 0) * (height ?? 0) > PIXELS_AT_MOST) refuse(tooLarge(`The picture has ${width} × ${height} pixels, which is too many.`))
  if (PICTURES.includes(sniffed.type) && width === null)
    refuse(unsupportedMedia(`"${upload.filename}" is damaged: it cannot be read as a picture.`))
  if (take.still && sniffed.pages > 1) refuse(unsupportedMedia('An animated picture does not do: send a still one.'))
  return sniffed
}

/** An upload that was looked at, its bytes in the storage already: what a route's `before` gives to its handler. */
export type Brought = FileRow & { filename: string }

/**
 * Looks at the uploads of a request and puts their bytes into the storage, before the transaction begins: no network inside of one. When the
 * write is then refused, bytes without an owner stay behind, nothing worse.
 */
export async function bringIn(house: House, uploads: readonly Upload[], take: Taking): Promise<Brought[]> {
  if (uploads.length === 0) await accepted(undefined, take)
  const brought: Brought[] = []
  for (const upload of uploads) {
    const { type, width, height } = await accepted(upload, take)
    await house.storage.keep(upload.sha256, upload.path, type)
    brought.push({ sha256: upload.sha256, size: upload.size, media_type: type, width, height, filename: upload.filename })
  }
  return brought
}

/** Writes down that the site holds a file whose bytes are in the storage. */
export async function keepFile(ctx: Ctx, site_id: Id, { sha256, size, media_type, width, height }: FileRow): Promise<void> {
  await holdFile(ctx.db, site_id, { sha256, size, media_type, width, height, facts: {} }, ctx.now)
}

/** A download of a stored file. */
export const download = (
  ctx: Pick<Ctx, 'house'>,
  file: FileRow,
  name: string,
  how: { inline?: boolean; immutable?: boolean } = {},
): FileAnswer => ({
  name,
  type: file.media_type,
  size: file.size,
  etag: file.sha256,
  ...how,
  open: range => ctx.house.storage.open(file.sha256, range),
})

/** What is wrong with the bytes of a stored file, in words; null when they are what their hash says. Reads them all. */
export async function bytesFault(house: Pick<House, 'storage'>, file: Pick<FileRow, 'sha256' | 'size'>): Promise<string | null> {
  if (!(await house.storage.has(file.sha256))) return 'Its bytes are not there.'
  const hash = createHash('sha256')
  let size = 0
  for await (const part of await house.storage.open(file.sha256)) {
    const bytes = Buffer.from(part as Buffer)
    size += bytes.length
    hash.update(bytes)
  }
  if (size !== file.size) return `It has ${size} bytes, and had ${file.size}.`
  return hash.digest('hex') === file.sha256 ? null : 'Its bytes were altered.'
}

/** A picture made smaller, as WebP without metadata and the right way up; made on the first call and kept. */
export async function smaller(
  ctx: Pick<Ctx, 'house'>,
  file: Pick<FileRow, 'sha256' | 'media_type'>,
  side: number,
  label: string,
  how: { immutable?: boolean } = {},
): Promise<FileAnswer> {
  const key = variantKey(file.sha256, label)
  const { storage, data_dir } = ctx.house
  if (!(await storage.has(key))) {
    const original = await bytesOf(await storage.open(file.sha256))
    const made = await (await pixelsOf(original, file.media_type))
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer()
    const path = join(data_dir, 'tmp', ids.next())
    await writeFile(path, made)
    await storage.keep(key, path, 'image/webp')
    await rm(path, { force: true })
  }
  const bytes = await bytesOf(await storage.open(key))
  return {
    name: `${label}.webp`,
    type: 'image/webp',
    size: bytes.length,
    etag: `${file.sha256.slice(0, 32)}-${label}`,
    inline: true,
    ...how,
    open: async range => Readable.from(Buffer.from(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))),
  }
}

/** A picture for a paper: JPEG, the right way up, without metadata, at most so many pixels a side; null when its bytes cannot be read. Made once and kept. */
export async function pictureForPaper(house: House, file: Pick<FileRow, 'sha256' | 'media_type'>, side: number): Promise<Buffer | null> {
  const key = variantKey(file.sha256, `paper-${side}`)
  const { storage, data_dir } = house
  if (await storage.has(key)) return bytesOf(await storage.open(key))
  if (!PICTURES.includes(file.media_type) || !(await storage.has(file.sha256))) return null
  let made: Buffer
  try {
    made = await (await pixelsOf(await bytesOf(await storage.open(file.sha256)), file.media_type))
      .rotate()
      .flatten({ background: '#ffffff' })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .jpeg({ quality: 80 })
      .toBuffer()
  } catch {
    return null // a damaged picture is named among the files
  }
  const path = join(data_dir, 'tmp', ids.next())
  await writeFile(path, made)
  await storage.keep(key, path, 'image/jpeg')
  await rm(path, { force: true })
  return made
}

/** `variant=preview` or `thumb` of a picture. */
export const variantOf = (ctx: Pick<Ctx, 'house'>, file: FileRow, variant: Variant): Promise<FileAnswer> => {
  if (!PICTURES.includes(file.media_type)) refuse(unsupportedMedia('Only pictures have a preview.'))
  return smaller(ctx, file, VARIANTS[variant], variant, { immutable: true })
}

/** Pixels that sharp can work on; HEIC is decoded first, for sharp lacks its codec. */
async function pixelsOf(bytes: Buffer, type: string): Promise<Sharp> {
  if (type !== 'image/heic' && type !== 'image/heif')
    return sharp(bytes, { limitInputPixels: PIXELS_AT_MOST, sequentialRead: true, pages: 1 })
  const { default: decode } = await import('heic-decode')
  const { width, height, data } = await decode({ buffer: new Uint8Array(bytes) })
  return sharp(Buffer.from(data), { raw: { width, height, channels: 4 }, limitInputPixels: PIXELS_AT_MOST })
}

async function bytesOf(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
