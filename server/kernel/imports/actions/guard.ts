// Checks a zip package before anything reads it as a workbook: counts, sizes, checksums, names, document types. It returns exactly the parts that were
// checked, so that the workbook reader can't be given other ones (two directories that disagree, entries that overlap).
import { constants, crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise } from 'yauzl'
import { LIMITS } from '../domain/cells.ts'
import type { Problem } from '../domain/refusals.ts'

/** The parts of a package by name, uncompressed. */
export type Parts = Map<string, Buffer>

/** Parts that no sheet needs; nothing reads them. */
const UNREAD = /(^|\/)(media|theme|comments\d*|threadedComments|customXml|docProps|externalLinks)(\/|\.xml$)|(^|\/)calcChain\.xml$/i
const STORED = 0
const DEFLATED = 8
const OTHERS: [RegExp, string][] = [
  [/(^|\/)workbook\d*\.bin$/i, 'a binary workbook (.xlsb)'],
  [/^word\//i, 'a Word document'],
  [/^ppt\//i, 'a PowerPoint presentation'],
  [/^content\.xml$/i, 'an OpenDocument file'],
  [/\.iwa$/i, 'a Numbers document'],
]

/** Returns the parts of a workbook package, each uncompressed and checked; or what is wrong with the package. */
export async function guarded(packed: Buffer): Promise<Parts | Problem> {
  const parts: Parts = new Map()
  const names: string[] = []
  let total = 0
  try {
    const zip = await fromBufferPromise(packed, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true })
    if (zip.entryCount > LIMITS.parts) return { problem: 'bomb', said: `${zip.entryCount} parts` }
    for await (const entry of zip.eachEntry()) {
      if (names.push(entry.fileName) > LIMITS.parts) return { problem: 'bomb', said: `over ${LIMITS.parts} parts` }
      if (entry.fileName.endsWith('/')) continue
      const said = tooBig(entry, total)
      if (said !== null) return { problem: 'bomb', said }
      if ((entry.generalPurposeBitFlag & 1) !== 0) return { problem: 'encrypted' }
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
      const part = inflated(entry, packed.subarray(fileDataStart, fileDataStart + entry.compressedSize))
      if (!Buffer.isBuffer(part)) return part
      total += part.length
      if (isXml(entry.fileName) && hasDocumentType(part)) return { problem: 'document_type' }
      if (isXml(entry.fileName) && !UNREAD.test(entry.fileName)) {
        if (parts.has(entry.fileName.toLowerCase())) return { problem: 'damaged', said: `it contains "${entry.fileName}" twice` }
        parts.set(entry.fileName.toLowerCase(), part)
      }
    }
  } catch (error) {
    return { problem: 'damaged', said: saidOf(error) }
  }
  if ([...parts.keys()].some(name => /(^|\/)workbook\d*\.xml$/.test(name)) && parts.has('[content_types].xml')) return parts
  const other = OTHERS.find(([pattern]) => names.some(name => pattern.test(name)))
  return { problem: 'other_document', said: other?.[1] ?? 'a zip archive without a workbook' }
}

const isXml = (name: string) => /\.(xml|rels)$/i.test(name)

/** Returns what is wrong with the sizes that the directory gives for an entry, before anything is uncompressed. */
function tooBig(entry: Entry, before: number): string | null {
  const { uncompressedSize, compressedSize } = entry
  const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
  if (uncompressedSize > LIMITS.part_bytes) return `a part of ${mb(uncompressedSize)}`
  if (before + uncompressedSize > LIMITS.all_bytes) return `over ${mb(LIMITS.all_bytes)} in all`
  if (uncompressedSize > LIMITS.ratio_from_bytes && uncompressedSize > compressedSize * LIMITS.ratio)
    return `a part that is ${Math.round(uncompressedSize / Math.max(1, compressedSize))} times its compressed size`
  return null
}

/** Uncompresses an entry to no more than its declared size, and compares its checksum. */
function inflated(entry: Entry, data: Buffer): Buffer | Problem {
  const wrong = (said: string): Problem => ({ problem: 'damaged', said: `its part "${entry.fileName.slice(0, 100)}" ${said}` })
  let part: Buffer
  if (entry.compressionMethod === STORED) part = data
  else if (entry.compressionMethod !== DEFLATED) return wrong('uses a compression method that workbooks don’t use')
  else {
    try {
      part = inflateRawSync(data, { maxOutputLength: Math.max(1, entry.uncompressedSize), finishFlush: constants.Z_FINISH })
    } catch (error) {
      return wrong(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'is longer than the file says' : 'can’t be unpacked')
    }
  }
  if (part.length !== entry.uncompressedSize) return wrong('is shorter than the file says')
  // yauzl doesn't compare checksums.
  return crc32(part) === entry.crc32 ? part : wrong('has a wrong checksum')
}

const UTF16_DOCTYPE = Buffer.from('!DOCTYPE', 'utf16le').subarray(0, 15)

/** Returns whether a document type or entity declaration appears anywhere in a part, in UTF-8 or either UTF-16. */
const hasDocumentType = (part: Buffer) => part.includes('<!DOCTYPE') || part.includes('<!ENTITY') || part.includes(UTF16_DOCTYPE)

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Shortens the message of an error about a file to plain characters. */
export const saidOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  const said = text.replace(/[^\x20-\x7e]+/g, ' ').trim()
  return said === '' ? 'it can’t be read' : said.slice(0, 160).replace(/\.$/, '')
}
