import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileTypeFromFile } from 'file-type'
import { ChildProblem } from '../../../base/child/open.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import { notFound, refuse, tooLarge, unsupportedMedia } from '../../../base/errors.ts'
import type { FileAnswer, Upload } from '../../../base/files.ts'
import { isFull } from '../../../base/full.ts'
import { type Id, ids } from '../../../base/ids.ts'
import {
  PICTURES,
  PIXELS_AT_MOST,
  type PictureFacts,
  PREVIEW_PROBLEMS,
  type PreviewProblem,
  placeholder,
  type Sniffed,
  VARIANTS,
  type Variant,
  variantKey,
} from '../domain.ts'
import { type FileRow, fileOf, holdFile } from '../queries.ts'
import { decoding, measuring } from './pictures.ts'

/** Determines the type of a file from its bytes and, for a picture, its displayed size from the header. Returns null if the bytes don't show a type. */
export async function sniff(path: string): Promise<Sniffed | null> {
  const found = await fileTypeFromFile(path).catch(() => undefined)
  if (found === undefined)
    return (await isText(path)) ? { type: 'text/plain', ext: 'txt', width: null, height: null, pages: 1, facts: null } : null
  const plain: Sniffed = { type: found.mime, ext: found.ext, width: null, height: null, pages: 1, facts: null }
  if (!found.mime.startsWith('image/')) return plain
  try {
    return { ...plain, facts: null, ...(await measuring.ask({ task: 'measure', path })) }
  } catch (error) {
    if (error instanceof ChildProblem) return plain
    throw error
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

/** What a call accepts as a file. */
export type Taking = {
  types: readonly string[]
  said: string
  pixels_a_side?: number
  /** The most pixels of a picture, where that is less than what is decoded. */
  pixels?: number
  still?: boolean
  /** The largest size of some types in bytes, where it is less than the route's. */
  most?: Readonly<Record<string, number>>
}

/** Names of files that are never plain text: such a file is damaged, or was renamed. */
const NEVER_TEXT = /\.(png|jpe?g|gif|webp|hei[cf]|avif|tiff?|bmp|pdf|docx?|xlsx?|pptx?|zip|mp[34]|mov|m4a)$/i

/** Checks an upload before anything is decoded, and refuses what the call doesn't accept: 415 by type, 413 by pixels. */
async function accepted(upload: Upload, take: Taking): Promise<Sniffed> {
  if (upload.size === 0) return refuse(unsupportedMedia(`“${upload.filename}” is empty. Send ${take.said}.`))
  const sniffed = await sniff(upload.path)
  if (sniffed === null || !take.types.includes(sniffed.type)) {
    return refuse(unsupportedMedia(`“${upload.filename}” is ${sniffed === null ? 'an unknown type' : sniffed.type}. Send ${take.said}.`))
  }
  if (sniffed.type === 'text/plain' && NEVER_TEXT.test(upload.filename))
    refuse(
      unsupportedMedia(
        `“${upload.filename}” contains plain text, which isn’t what its name says. Send the original file, or rename it to .txt.`,
      ),
    )
  const most = take.most?.[sniffed.type]
  if (most !== undefined && upload.size > most)
    refuse(
      tooLarge(
        `“${upload.filename}” is larger than ${Math.round(most / 1024 / 1024)} MB, the limit for this type of file. Send a smaller file.`,
      ),
    )
  const { width, height } = sniffed
  const side = take.pixels_a_side
  if (side !== undefined && ((width ?? 0) > side || (height ?? 0) > side))
    refuse(tooLarge(`The picture has ${width} × ${height} pixels; at most ${side} × ${side} are accepted. Send a smaller picture.`))
  if ((width ?? 0) * (height ?? 0) > (take.pixels ?? PIXELS_AT_MOST))
    refuse(tooLarge(`The picture has ${width} × ${height} pixels, which is too many. Send a smaller picture.`))
  if (PICTURES.includes(sniffed.type) && width === null)
    refuse(unsupportedMedia(`“${upload.filename}” is damaged and can’t be read as a picture. Send another file.`))
  if (take.still && sniffed.pages > 1) refuse(unsupportedMedia('Animated pictures aren’t accepted. Send a still picture.'))
  return sniffed
}

/** An upload that was checked and whose bytes are in the storage: what a route's `before` passes to its handler. */
export type Brought = FileRow & { filename: string; facts: PictureFacts | null }

/**
 * Checks the uploads of a request and stores their bytes before the transaction begins, because a transaction must not wait for the network. If the
 * write is then refused, unused bytes stay in the storage, which does no harm.
 */
export async function bringIn(house: House, uploads: readonly Upload[], take: Taking): Promise<Brought[]> {
  const brought: Brought[] = []
  for (const upload of uploads) {
    const { type, width, height, facts } = await accepted(upload, take)
    await house.storage.keep(upload.sha256, upload.path, type)
    brought.push({ sha256: upload.sha256, size: upload.size, media_type: type, width, height, filename: upload.filename, facts })
  }
  return brought
}

/** Records that a file belongs to the site. Its bytes are already in the storage. */
export async function keepFile(ctx: Ctx, site_id: Id, file: FileRow & { facts?: PictureFacts | null }): Promise<void> {
  const { sha256, size, media_type, width, height, facts } = file
  await holdFile(ctx.db, site_id, { sha256, size, media_type, width, height, facts: facts ?? {} }, ctx.now)
}

/** Returns the download of a file of a site, or a smaller picture of it. */
export async function readFileOf(
  ctx: Ctx,
  site_id: Id,
  file: { sha256: string; filename: string },
  variant: Variant | 'original',
): Promise<FileAnswer> {
  const stored = (await fileOf(ctx.db, site_id, file.sha256)) ?? refuse(notFound())
  return variant === 'original' ? download(ctx, stored, file.filename) : variantOf(ctx, stored, variant)
}

/** Returns the download of a stored file. */
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

/** Reads all bytes of a stored file and returns what is wrong with them; null if they match their hash. */
export async function bytesFault(house: Pick<House, 'storage'>, file: Pick<FileRow, 'sha256' | 'size'>): Promise<string | null> {
  if (!(await house.storage.has(file.sha256))) return 'The file is missing.'
  const hash = createHash('sha256')
  let size = 0
  for await (const part of await house.storage.open(file.sha256)) {
    const bytes = Buffer.from(part)
    size += bytes.length
    hash.update(bytes)
  }
  if (size !== file.size) return `The file has ${size} bytes instead of ${file.size}.`
  return hash.digest('hex') === file.sha256 ? null : 'The file was altered.'
}

/** Returns a smaller picture as upright WebP without metadata, made on the first call and stored. If it can't be read, returns a placeholder with the reason. */
export async function smaller(
  ctx: Pick<Ctx, 'house'>,
  file: Pick<FileRow, 'sha256' | 'media_type'>,
  side: number,
  label: string,
  how: { immutable?: boolean } = {},
): Promise<FileAnswer> {
  const key = variantKey(file.sha256, label)
  const made = await madeSmaller(ctx.house, file, key, { side, as: 'webp' })
  if (made !== 'made') {
    const bytes = Buffer.from(placeholder(made, side))
    return { ...answerOf(bytes, `${label}.svg`, 'image/svg+xml', `${file.sha256.slice(0, 32)}-${label}-${made}`), problem: made }
  }
  const bytes = await bytesOf(await ctx.house.storage.open(key))
  return { ...answerOf(bytes, `${label}.webp`, 'image/webp', `${file.sha256.slice(0, 32)}-${label}`), ...how }
}

const answerOf = (bytes: Buffer, name: string, type: string, etag: string): FileAnswer => ({
  name,
  type,
  size: bytes.length,
  etag,
  inline: true,
  open: async range => Readable.from(Buffer.from(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))),
})

/** Returns a picture for a document: upright JPEG without metadata, at most `side` pixels a side; null if it can't be read. Made once and stored. */
export async function pictureForPaper(house: House, file: Pick<FileRow, 'sha256' | 'media_type'>, side: number): Promise<Buffer | null> {
  const key = variantKey(file.sha256, `paper-${side}`)
  if (!(await house.storage.has(key)) && !PICTURES.includes(file.media_type)) return null
  const made = await madeSmaller(house, file, key, { side, as: 'jpeg' })
  return made === 'made' ? bytesOf(await house.storage.open(key)) : null // a damaged picture is listed among the files
}

/** Makes a smaller version of a stored picture under `key`, unless it exists already; returns why if that isn't possible. */
async function madeSmaller(
  house: House,
  file: Pick<FileRow, 'sha256' | 'media_type'>,
  key: string,
  how: { side: number; as: 'webp' | 'jpeg' },
): Promise<'made' | PreviewProblem> {
  const { storage, data_dir } = house
  if (await storage.has(key)) return 'made'
  // A picture that could not be decoded before is not decoded again.
  const known = `${key}.damaged`
  if (await storage.has(known)) return 'damaged'
  if (!(await storage.has(file.sha256))) return 'missing'
  const folder = join(data_dir, 'tmp')
  await mkdir(folder, { recursive: true })
  const [path, out] = [join(folder, ids.next()), join(folder, ids.next())]
  const heic = file.media_type === 'image/heic' || file.media_type === 'image/heif'
  try {
    await pipeline(await storage.open(file.sha256), createWriteStream(path))
    await decoding.ask({ task: 'make', path, heic, ...how, out })
    await storage.keep(key, out, `image/${how.as}`)
    return 'made'
  } catch (error) {
    if (!(error instanceof ChildProblem) || isFull(error)) throw error
    await writeFile(out, PREVIEW_PROBLEMS.damaged)
    await storage.keep(known, out, 'text/plain')
    return 'damaged'
  } finally {
    await rm(path, { force: true })
    await rm(out, { force: true })
  }
}

/** Returns `variant=preview` or `thumb` of a picture. */
const variantOf = (ctx: Pick<Ctx, 'house'>, file: FileRow, variant: Variant): Promise<FileAnswer> => {
  if (!PICTURES.includes(file.media_type)) refuse(unsupportedMedia('Only pictures have a preview. Download the original file instead.'))
  return smaller(ctx, file, VARIANTS[variant], variant)
}

async function bytesOf(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
