// What an upload of a plan must be: checked by its header before anything is decoded.
import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { ChildProblem } from '../../../../base/child/open.ts'
import type { House } from '../../../../base/ctx.ts'
import { invalidField, Refused, refuse, tooLarge, unsupportedMedia } from '../../../../base/errors.ts'
import { onlyFile, type Upload } from '../../../../base/files.ts'
import type { Brought } from '../../../../kernel/evidence/door.ts'
import { ARCHIVE_TYPE, type Measured, PDF_TYPE, PROBLEMS, type Tagged, TIFF_TYPE } from '../domain/orders.ts'
import { ENDED, quick } from './process.ts'
import { withScratch } from './stored.ts'

/** What a call accepts. `archives`: whether a picture can be in a zip archive with its world file. */
export type PlanTaking = { types: readonly string[]; said: string; pixels: number; archives?: boolean }

/** A plan that was checked, with its bytes in the storage. `page` is null unless it is a PDF, and `ground` unless it has a world file. */
export type BroughtPlan = Brought & { measured: Measured; page: number | null; ground: Tagged | null }

/** Checks an upload and stores its bytes before the transaction begins. `page` is the page of a PDF, from 1. */
export async function bringPlan(house: House, uploads: readonly Upload[], take: PlanTaking, page: number): Promise<BroughtPlan> {
  const upload = onlyFile(uploads)
  if (upload.size === 0) refuse(invalidField('file', 'is empty. Send the whole file.'))
  const type = await typeOf(upload.path)
  if (type !== ARCHIVE_TYPE || take.archives !== true) return { ...(await bringPicture(house, upload, type, take, page)), ground: null }
  return withScratch(house, async scratch => {
    const path = scratch()
    const { ground, ...file } = await orRefused(quick.unpack(upload.path, path), page)
    return { ...(await bringPicture(house, { ...upload, ...file, path }, await typeOf(path), take, page)), ground }
  })
}

async function bringPicture(
  house: House,
  upload: Upload,
  type: string | undefined,
  take: PlanTaking,
  page: number,
): Promise<Omit<BroughtPlan, 'ground'>> {
  if (type === 'image/apng') refuse(unsupportedMedia('Animated pictures aren’t accepted. Send a still picture.'))
  if (type === undefined || !take.types.includes(type))
    return refuse(unsupportedMedia(`“${upload.filename}” is ${type ?? 'an unknown type of file'}. Send ${take.said}.`))
  const measured = await orRefused(quick.measure({ path: upload.path, type, page }, take.pixels), page)
  const { width, height } = measured
  if (type !== PDF_TYPE && measured.pages > 1) refuse(unsupportedMedia('Animated pictures aren’t accepted. Send a still picture.'))
  if (width * height > take.pixels)
    refuse(
      tooLarge(
        `The picture has ${width} × ${height} pixels; at most ${take.pixels / 1e6} megapixels are accepted. Send a smaller picture.`,
      ),
    )
  await house.storage.keep(upload.sha256, upload.path, type)
  const file = { sha256: upload.sha256, size: upload.size, media_type: type, filename: upload.filename }
  return { ...file, width, height, facts: null, measured, page: type === PDF_TYPE ? page : null }
}

/** Bytes in which the head of a PDF can be: mail programs and printers write lines of their own before it. */
const PDF_HEAD = 1024

/** Returns the type of a file by its first bytes. */
async function typeOf(path: string): Promise<string | undefined> {
  const known = await fileTypeFromFile(path).catch(() => undefined)
  if (known !== undefined) return known.mime
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(PDF_HEAD), 0, PDF_HEAD, 0).finally(() => file.close())
  if (buffer.includes('%PDF-')) return PDF_TYPE
  // The list of what a TIFF file contains is often at its end, and missing if it is cut off.
  return /^(II[*+]\0|MM\0[*+])/.test(buffer.toString('latin1', 0, 4)) ? TIFF_TYPE : undefined
}

/** Refuses a file that the process can't read. */
async function orRefused<T>(reading: Promise<T>, page: number): Promise<T> {
  try {
    return await reading
  } catch (error) {
    const ended = endedText(error)
    if (ended !== null) return refuse(invalidField('file', ended))
    if (!(error instanceof ChildProblem)) throw error
    if (error.message.includes(PROBLEMS.no_page)) return refuse(invalidField('page', `is not in this PDF. It has no page ${page}.`))
    return refuse(invalidField('file', problemText(error)))
  }
}

/** Returns what is wrong with a file if the process that read it hung, crashed or needed too much memory, and would again; null for another failure. */
export const endedText = (error: unknown): string | null =>
  error instanceof Refused && [ENDED.late, ENDED.gone].includes(error.refusal.detail)
    ? error.refusal.detail.replace(/^This file /, '')
    : null

const DAMAGED = 'is damaged and can’t be read. Send it again, or export it once more.'
/** What is wrong with a file, by what the process that reads plans says. */
const SAYS: readonly (readonly [string, string])[] = [
  [PROBLEMS.encrypted, 'is protected by a password. Remove the protection, and send it again.'],
  [PROBLEMS.large_block, 'stores its values in pieces that are too large to read. Export it with tiles, and send it again.'],
  [PROBLEMS.no_values, 'has no valid values: all of them are marked as missing. Export it once more.'],
]

/** Returns what is wrong with a file that could not be read, in words. */
export const problemText = (error: ChildProblem): string =>
  error.message.split(`${PROBLEMS.unread}: `)[1] ?? SAYS.find(([problem]) => error.message.includes(problem))?.[1] ?? DAMAGED
