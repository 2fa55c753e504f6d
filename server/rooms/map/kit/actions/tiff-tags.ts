// The tags of a TIFF file, classic or BigTIFF, in either byte order.
import type { FileHandle } from 'node:fs/promises'

/** Values of tags by their number; a text is the codes of its characters. */
export type Tags = Map<number, number[]>

const MOST_ENTRIES = 1000
/** Bytes of a value by its type: byte, text, 16, 32, 64 bits, bytes of any kind, and a decimal number. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 12: 8, 16: 8 }
const DECIMAL = 12

/** What a directory says: its tags, where the next directory is (0: there is none), and the byte order of the file. */
export type Directory = { tags: Tags; next: number; little: boolean }

/** Reads some tags of a directory, without those that have more than `most_values`; null if the file has none. `at`: where the directory is; the first one if it isn't given. */
export async function readTags(
  file: FileHandle,
  wanted: readonly number[],
  most_values: number,
  at: number | null = null,
): Promise<Directory | null> {
  const read = async (at: number, length: number) => {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, at)
    return bytesRead === length ? buffer : null
  }
  const head = await read(0, 16)
  if (head === null) return null
  const little = head.toString('latin1', 0, 2) === 'II'
  const number = (buffer: Buffer, at: number, size: number): number => {
    if (size === 1) return buffer.readUInt8(at)
    if (size === 2) return little ? buffer.readUInt16LE(at) : buffer.readUInt16BE(at)
    if (size === 4) return little ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at)
    return Number(little ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at))
  }
  const big = number(head, 2, 2) === 43
  const directory = at ?? (big ? number(head, 8, 8) : number(head, 4, 4))
  const [countSize, entrySize, valueSize] = big ? [8, 20, 8] : [2, 12, 4]
  const counted = await read(directory, countSize)
  const entries = counted === null ? 0 : number(counted, 0, countSize)
  if (entries === 0 || entries > MOST_ENTRIES) return null
  const list = await read(directory + countSize, entries * entrySize)
  if (list === null) return null
  const after = await read(directory + countSize + list.length, valueSize)
  const next = after === null ? 0 : number(after, 0, valueSize)
  const tags: Tags = new Map()
  for (let i = 0; i < entries; i++) {
    const entry = i * entrySize
    const [tag, type] = [number(list, entry, 2), number(list, entry + 2, 2)]
    const count = number(list, entry + 4, big ? 8 : 4)
    const size = SIZES[type]
    if (!wanted.includes(tag) || tags.has(tag) || size === undefined || count > most_values) continue
    const where = entry + entrySize - valueSize
    const bytes = count * size <= valueSize ? list.subarray(where) : await read(number(list, where, valueSize), count * size)
    if (bytes === null) return null
    const value = (k: number) =>
      type === DECIMAL ? (little ? bytes.readDoubleLE(k * 8) : bytes.readDoubleBE(k * 8)) : number(bytes, k * size, size)
    tags.set(
      tag,
      Array.from({ length: count }, (_, k) => value(k)),
    )
  }
  return { tags, next, little }
}
