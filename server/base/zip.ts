// Unpacks zip archives that anyone may have made: counts, sizes and checksums are checked, and every part is inflated to no more than its declared size. Only what
// was checked is returned, so that a reader can't be given other parts (two directories that disagree, entries that overlap).
import { constants, crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise } from 'yauzl'

/** What an archive may contain. */
export type ZipLimits = {
  /** Number of parts, uncompressed size of one and of all, and the largest compression ratio of a part that is larger than `ratio_from_bytes`. */
  parts: number
  part_bytes: number
  all_bytes: number
  ratio: number
  ratio_from_bytes: number
}

/** What is wrong with an archive. */
export type ZipProblem = { problem: 'bomb' | 'encrypted' | 'damaged'; said?: string }

const STORED = 0
const DEFLATED = 8

/**
 * Unpacks an archive part by part. `each` gets every part, and stops with a problem of its own. Returns the names of all parts, or the first problem. `users`:
 * who writes such archives, for the message about an unusual compression.
 */
export async function unzip<Problem>(
  packed: Buffer,
  limits: ZipLimits,
  users: string,
  each: (name: string, part: Buffer) => Problem | null,
): Promise<string[] | ZipProblem | Problem> {
  const names: string[] = []
  let total = 0
  try {
    // No absolute paths, no ‘..’. Backslashes, which some programs on Windows write, become slashes first.
    const zip = await fromBufferPromise(packed, { lazyEntries: true, validateEntrySizes: true, strictFileNames: false })
    if (zip.entryCount > limits.parts) return { problem: 'bomb', said: `${zip.entryCount} parts` }
    for await (const entry of zip.eachEntry()) {
      if (names.push(entry.fileName) > limits.parts) return { problem: 'bomb', said: `over ${limits.parts} parts` }
      if (entry.fileName.endsWith('/')) continue
      const said = tooBig(entry, total, limits)
      if (said !== null) return { problem: 'bomb', said }
      if ((entry.generalPurposeBitFlag & 1) !== 0) return { problem: 'encrypted' }
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
      const part = inflated(entry, packed.subarray(fileDataStart, fileDataStart + entry.compressedSize), users)
      if (!Buffer.isBuffer(part)) return part
      total += part.length
      const problem = each(entry.fileName, part)
      if (problem !== null) return problem
    }
  } catch (error) {
    return { problem: 'damaged', said: saidOf(error) }
  }
  return names
}

/** Returns what is wrong with the sizes that the directory gives for an entry, before anything is uncompressed. */
function tooBig(entry: Entry, before: number, limits: ZipLimits): string | null {
  const { uncompressedSize, compressedSize } = entry
  const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
  if (uncompressedSize > limits.part_bytes) return `a part of ${mb(uncompressedSize)}`
  if (before + uncompressedSize > limits.all_bytes) return `over ${mb(limits.all_bytes)} in all`
  if (uncompressedSize > limits.ratio_from_bytes && uncompressedSize > compressedSize * limits.ratio)
    return `a part that is ${Math.round(uncompressedSize / Math.max(1, compressedSize))} times its compressed size`
  return null
}

/** Uncompresses an entry to no more than its declared size, and compares its checksum. */
function inflated(entry: Entry, data: Buffer, users: string): Buffer | ZipProblem {
  const wrong = (said: string): ZipProblem => ({ problem: 'damaged', said: `its part "${entry.fileName.slice(0, 100)}" ${said}` })
  let part: Buffer
  if (entry.compressionMethod === STORED) part = data
  else if (entry.compressionMethod !== DEFLATED) return wrong(`uses a compression method that ${users} don’t use`)
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

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Shortens the message of an error about a file to plain characters. */
export const saidOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  const said = text.replace(/[^\x20-\x7e]+/g, ' ').trim()
  return said === '' ? 'it can’t be read' : said.slice(0, 160).replace(/\.$/, '')
}
