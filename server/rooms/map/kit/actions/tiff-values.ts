// The values of TIFF files that aren't pictures of eight bits: heights and other measurements, which decoders of pictures cut off or turn nearly black.
import type { FileHandle } from 'node:fs/promises'
import { constants, inflateSync, zstdDecompressSync } from 'node:zlib'
import { PROBLEMS } from '../domain/orders.ts'
import { addDecimals, addDifferences, unpackedLzw, unpackedRuns } from '../domain/tiff-codes.ts'
import { halfNumbers, unreadKind } from '../domain/tiff-kinds.ts'
import { JPEG_BANDS, unpackedJpeg } from './tiff-jpeg.ts'
import { readTags, type Tags } from './tiff-tags.ts'

const TAGS = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  strip_offsets: 273,
  orientation: 274,
  samples: 277,
  strip_rows: 278,
  strip_counts: 279,
  planar: 284,
  predictor: 317,
  tile_width: 322,
  tile_height: 323,
  tile_offsets: 324,
  tile_counts: 325,
  extra: 338,
  format: 339,
  jpeg_tables: 347,
  no_data: 42113,
}
const SUBFILE = 254
const MOST_BLOCKS = 4_000_000
const MOST_PIXELS = 1e9
const MOST_BLOCK_BYTES = 500 * 1024 * 1024
/** Rows of uncompressed pictures that are one block are read in parts of this size. */
const PART_BYTES = 8 * 1024 * 1024
const [WHITE_IS_ZERO, BLACK_IS_ZERO, RGB] = [0, 1, 2]
const [DIFFERENCES, DECIMAL_DIFFERENCES] = [2, 3]
const COMPRESSIONS = { none: 1, lzw: 5, deflate: 8, packbits: 32773, old_deflate: 32946, zstd: 50000, jpeg: 7 }

/** The values of a block: rows, columns, and in each place one or all bands. */
export type Values = Int8Array | Uint8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array

/** How the values of a file are stored, and what they mean. */
export type ValueLayout = {
  width: number
  height: number
  little: boolean
  bits: number
  format: number
  /** Bands of the file, those that are shown, and the band that says how opaque a place is. */
  bands: number
  shown: 1 | 3
  opacity: number | null
  white_is_zero: boolean
  no_data: number | null
  /** Whether its values are already shades, which aren't stretched. */
  is_picture: boolean
  orientation: number
  block: { width: number; height: number }
  /** Whether each band has blocks of its own. */
  apart: boolean
  offsets: readonly number[]
  counts: readonly number[]
  compression: number
  predictor: number
  /** What all blocks share that are compressed as JPEG; null if they share nothing. */
  tables: Buffer | null
}

const ZSTD_COLOURS = 'has its colours in a palette or for printing, and is compressed by ZSTD. Export it in RGB colours, and send it again.'

const FORMATS = { whole: 1, signed: 2, decimal: 3 }
/** Formats by bits whose values need to be stretched. */
const KINDS: Readonly<Record<number, readonly number[]>> = {
  8: [FORMATS.signed],
  16: [FORMATS.whole, FORMATS.signed, FORMATS.decimal],
  32: [FORMATS.whole, FORMATS.signed, FORMATS.decimal],
  64: [FORMATS.decimal],
}

/** Returns how a TIFF file has its values; null if it is a picture of eight bits, or stored in a way that is unknown here. */
export async function valuesIn(file: FileHandle): Promise<ValueLayout | null> {
  const read = await readTags(file, Object.values(TAGS), MOST_BLOCKS)
  if (read === null) return null
  const { tags, little } = read
  const first = (tag: number, otherwise: number) => tags.get(tag)?.[0] ?? otherwise
  const [width, height] = [first(TAGS.width, 0), first(TAGS.height, 0)]
  const [bits, format] = [first(TAGS.bits, 1), first(TAGS.format, FORMATS.whole)]
  const [bands, photometric] = [first(TAGS.samples, 1), first(TAGS.photometric, BLACK_IS_ZERO)]
  const compression = first(TAGS.compression, COMPRESSIONS.none)
  const unread = unreadKind({ compression, bits, format, photometric })
  if (unread !== null) throw new Error(`${PROBLEMS.unread}: ${unread}`)
  const shown = photometric === RGB ? 3 : 1
  const no_data = numberIn(tags.get(TAGS.no_data))
  const extra = tags.get(TAGS.extra) ?? []
  const opacity = extra.findIndex(kind => kind === 1 || kind === 2)
  // Pictures of eight bits are read here only if some of their values are none, if the decoder of pictures doesn't know their compression, or if it would take a
  // band of something else, such as infrared, for how opaque a place is.
  const misread = photometric === RGB && (extra[0] === 0 || bands > shown + 1 || (compression === COMPRESSIONS.jpeg && bands > shown))
  const is_picture = bits === 8 && format === FORMATS.whole && (no_data !== null || compression === COMPRESSIONS.zstd || misread)
  if (!(is_picture || KINDS[bits]?.includes(format) === true) || width === 0 || height === 0 || bands < shown) return null
  if (photometric > RGB && compression === COMPRESSIONS.zstd) throw new Error(`${PROBLEMS.unread}: ${ZSTD_COLOURS}`)
  if (photometric > RGB || !Object.values(COMPRESSIONS).includes(compression)) return null
  const apart = first(TAGS.planar, 1) === 2 && bands > 1
  // The decoder of pictures reads JPEG with as many bands as colours have, but no tiles with a fourth one.
  if (compression === COMPRESSIONS.jpeg && !apart && bands !== JPEG_BANDS) return null
  const tables = tags.get(TAGS.jpeg_tables)
  const layout: ValueLayout = {
    width,
    height,
    little,
    bits,
    format,
    bands,
    shown,
    opacity: opacity < 0 || shown + opacity >= bands ? null : shown + opacity,
    white_is_zero: photometric === WHITE_IS_ZERO,
    no_data,
    is_picture,
    orientation: first(TAGS.orientation, 1),
    apart,
    ...blocksIn(tags, { width, height }),
    compression,
    predictor: compression === COMPRESSIONS.jpeg ? 1 : first(TAGS.predictor, 1),
    tables: tables === undefined ? null : Buffer.from(tables),
  }
  // An upload that is this large is refused by its size.
  if (width * height > MOST_PIXELS) return layout
  if (!hasBlocks(layout)) throw new Error('Its list of blocks is too short.')
  return inParts(layout)
}

/** Returns where the blocks of a directory are, and their size. */
function blocksIn(tags: Tags, { width, height }: { width: number; height: number }): Pick<ValueLayout, 'block' | 'offsets' | 'counts'> {
  const first = (tag: number, otherwise: number) => tags.get(tag)?.[0] ?? otherwise
  const tiled = tags.has(TAGS.tile_offsets)
  return {
    block: tiled
      ? { width: first(TAGS.tile_width, 0), height: first(TAGS.tile_height, 0) }
      : { width, height: Math.min(height, first(TAGS.strip_rows, height)) },
    offsets: tags.get(tiled ? TAGS.tile_offsets : TAGS.strip_offsets) ?? [],
    counts: tags.get(tiled ? TAGS.tile_counts : TAGS.strip_counts) ?? [],
  }
}

function hasBlocks({ width, height, block, offsets, counts, apart, bands }: ValueLayout): boolean {
  const needed = Math.ceil(width / block.width) * Math.ceil(height / block.height) * (apart ? bands : 1)
  return block.width > 0 && block.height > 0 && offsets.length >= needed && counts.length >= needed
}

const [MASK, MASK_COLOURS] = [4, 4]
/** Directories that are looked through for a mask: smaller copies can come before it. */
const MOST_DIRECTORIES = 50

/** Returns how a picture of eight bits has its mask, eight places in each byte; null if it has none that is read here. A place that isn't set is clear. */
export async function maskIn(file: FileHandle): Promise<ValueLayout | null> {
  const { width: wide, height: high, bits, photometric, orientation, samples } = TAGS
  const looks = (at: number | null) => readTags(file, [SUBFILE, wide, high, bits, photometric, orientation, samples], 1, at)
  let found = await looks(null)
  const first = (tag: number, otherwise: number) => found?.tags.get(tag)?.[0] ?? otherwise
  const [width, height] = [first(wide, 0), first(high, 0)]
  if (width === 0 || height === 0 || width * height > MOST_PIXELS || first(orientation, 1) !== 1) return null
  for (let n = 0; n < MOST_DIRECTORIES && found !== null && found.next !== 0; n++) {
    const at = found.next
    found = await looks(at)
    const is_mask = first(SUBFILE, 0) === MASK && first(photometric, 0) === MASK_COLOURS && first(bits, 1) === 1 && first(samples, 1) === 1
    if (is_mask && first(wide, 0) === width && first(high, 0) === height) return maskAt(file, at, { width, height })
  }
  return null
}

async function maskAt(file: FileHandle, at: number, size: { width: number; height: number }): Promise<ValueLayout | null> {
  const found = await readTags(file, Object.values(TAGS), MOST_BLOCKS, at)
  if (found === null) return null
  const { block, ...blocks } = blocksIn(found.tags, size)
  const compression = found.tags.get(TAGS.compression)?.[0] ?? COMPRESSIONS.none
  const packed = (pixels: number) => Math.ceil(pixels / 8)
  const layout: ValueLayout = {
    ...{ width: packed(size.width), height: size.height, little: found.little },
    ...{ bits: 8, format: FORMATS.whole, bands: 1, shown: 1, opacity: null, white_is_zero: false },
    ...{ no_data: null, is_picture: true, orientation: 1, apart: false, compression, predictor: 1, tables: null },
    ...blocks,
    block: { width: packed(block.width), height: block.height },
  }
  return compression !== COMPRESSIONS.jpeg && Object.values(COMPRESSIONS).includes(compression) && hasBlocks(layout)
    ? inParts(layout)
    : null
}

/** Divides the rows of an uncompressed picture that is a single block. */
function inParts(layout: ValueLayout): ValueLayout {
  const row = layout.width * rowWidth(layout) * (layout.bits / 8)
  const [from] = layout.offsets
  if (layout.offsets.length !== 1 || from === undefined || layout.compression !== COMPRESSIONS.none || layout.block.width !== layout.width)
    return layout
  const rows = Math.max(1, Math.floor(PART_BYTES / row))
  const tops = Array.from({ length: Math.ceil(layout.height / rows) }, (_, i) => i * rows)
  return {
    ...layout,
    block: { width: layout.width, height: rows },
    offsets: tops.map(top => from + top * row),
    counts: tops.map(top => Math.min(rows, layout.height - top) * row),
  }
}

const rowWidth = ({ apart, bands }: ValueLayout) => (apart ? 1 : bands)

/** Reads the number that a text says; null if it says none. What isn't a number never equals one. */
function numberIn(codes: readonly number[] | undefined): number | null {
  const text =
    codes === undefined
      ? ''
      : String.fromCharCode(...codes)
          .replace(/\0.*$/s, '')
          .trim()
  const value = Number(text)
  return text === '' || Number.isNaN(value) ? null : value
}

/** Reads a block; null if the file leaves it out because it has no values. */
export async function readValues(file: FileHandle, layout: ValueLayout, index: number): Promise<Values | null> {
  const { block, bits } = layout
  const [offset, count] = [layout.offsets[index] ?? 0, layout.counts[index] ?? 0]
  if (count === 0) return null
  const row = block.width * rowWidth(layout) * (bits / 8)
  const size = row * block.height
  if (size > MOST_BLOCK_BYTES || count > MOST_BLOCK_BYTES) throw new Error(PROBLEMS.large_block)
  const packed = Buffer.alloc(count)
  const { bytesRead } = await file.read(packed, 0, count, offset)
  if (bytesRead !== count) throw new Error('The file is cut off.')
  const of = { width: block.width, bands: rowWidth(layout) }
  const values =
    layout.compression === COMPRESSIONS.jpeg
      ? await unpackedJpeg(packed, layout.tables, of)
      : uncompressed(packed, layout.compression, size)
  const bytes = aligned(values, size)
  const rows = { row, stride: rowWidth(layout), sample: bits / 8 }
  if (layout.predictor === DECIMAL_DIFFERENCES) addDecimals(bytes, rows)
  else {
    if (!layout.little) swap(bytes, rows.sample)
    if (layout.predictor === DIFFERENCES) addDifferences(bytes, rows)
  }
  return typed(bytes, layout)
}

/** Returns bytes that numbers of any size can be taken from, as many as a block has; what the file leaves out is zero. */
function aligned(found: Buffer, size: number): Buffer {
  if (found.length === size && found.byteOffset % 8 === 0) return found
  const bytes = Buffer.alloc(size)
  found.copy(bytes)
  return bytes
}

function uncompressed(packed: Buffer, compression: number, size: number): Buffer {
  switch (compression) {
    case COMPRESSIONS.none:
      return packed.subarray(0, size)
    case COMPRESSIONS.lzw:
      return unpackedLzw(packed, size)
    case COMPRESSIONS.packbits:
      return unpackedRuns(packed, size)
    case COMPRESSIONS.zstd:
      return zstdDecompressSync(packed, { maxOutputLength: size })
    default:
      return inflateSync(packed, { maxOutputLength: size, finishFlush: constants.Z_SYNC_FLUSH })
  }
}

/** Turns the bytes of values around. */
function swap(bytes: Buffer, sample: number): void {
  if (sample === 2) bytes.swap16()
  else if (sample === 4) bytes.swap32()
  else if (sample === 8) bytes.swap64()
}

function typed(bytes: Buffer, { bits, format }: ValueLayout): Values {
  const { buffer, byteOffset, length } = bytes
  const of = length / (bits / 8)
  if (bits === 8) return format === FORMATS.signed ? new Int8Array(buffer, byteOffset, of) : new Uint8Array(buffer, byteOffset, of)
  if (bits === 64) return new Float64Array(buffer, byteOffset, of)
  if (bits === 16 && format === FORMATS.decimal) return halfNumbers(new Uint16Array(buffer, byteOffset, of))
  if (bits === 16) return format === FORMATS.signed ? new Int16Array(buffer, byteOffset, of) : new Uint16Array(buffer, byteOffset, of)
  if (format === FORMATS.decimal) return new Float32Array(buffer, byteOffset, of)
  return format === FORMATS.signed ? new Int32Array(buffer, byteOffset, of) : new Uint32Array(buffer, byteOffset, of)
}
