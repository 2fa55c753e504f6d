// Small TIFF files of measurements: any type of value, in strips or tiles, in either byte order.
import { deflateSync } from 'node:zlib'

/** A tag: its number, its type (2 text, 3 16 bits, 4 32 bits, 12 decimal) and its values. */
export type TiffTag = { tag: number; type: 2 | 3 | 4 | 12; values: readonly number[] }

/** What a file contains: its values in rows, each with all bands. `write` puts one into a buffer, in little-endian order. */
export type TiffValues = {
  width: number
  height: number
  bands?: number
  bits: number
  format: 1 | 2 | 3
  values: readonly number[]
  photometric?: number
  big_endian?: boolean
  /** Compresses decimal numbers of 32 bits by the differences of their bytes. */
  differences?: boolean
  /** The number of another compression, and how it packs the values. */
  compressed?: { method: number; by: (bytes: Buffer) => Buffer }
  tags?: readonly TiffTag[]
}

const SIZES = { 2: 1, 3: 2, 4: 4, 12: 8 } as const

function bytesOf({ bits, format, values, big_endian = false }: TiffValues): Buffer {
  const out = Buffer.alloc((values.length * bits) / 8)
  const view = new DataView(out.buffer, out.byteOffset)
  for (const [i, value] of values.entries()) {
    const at = (i * bits) / 8
    if (bits === 64) view.setFloat64(at, value, !big_endian)
    else if (bits === 32 && format === 3) view.setFloat32(at, value, !big_endian)
    else if (bits === 32) view.setInt32(at, value, !big_endian)
    else if (bits === 16) view.setInt16(at, value, !big_endian)
    else view.setInt8(at, value)
  }
  return out
}

/** Sorts the bytes of each row by their place in a value, and writes the differences between them. */
function differencesOf(bytes: Buffer, row: number, sample: number): Buffer {
  const out = Buffer.alloc(bytes.length)
  const columns = row / sample
  for (let start = 0; start < bytes.length; start += row) {
    for (let k = 0; k < columns; k++)
      for (let b = 0; b < sample; b++) out[start + b * columns + k] = bytes[start + k * sample + sample - 1 - b] ?? 0
    for (let i = start + row - 1; i > start; i--) out[i] = (out[i] ?? 0) - (out[i - 1] ?? 0)
  }
  return out
}

/** Makes a TIFF file with one strip. */
export function tiffOf(given: TiffValues): Buffer {
  const { width, height, bands = 1, bits, format, photometric = 1, big_endian = false, differences = false, compressed } = given
  const plain = bytesOf(given)
  const data = differences ? deflateSync(differencesOf(plain, (width * bands * bits) / 8, bits / 8)) : (compressed?.by(plain) ?? plain)
  const short = (tag: number, ...values: number[]): TiffTag => ({ tag, type: 3, values })
  const own: TiffTag[] = [
    short(256, width),
    short(257, height),
    short(258, ...Array<number>(bands).fill(bits)),
    short(259, differences ? 8 : (compressed?.method ?? 1)),
    short(262, photometric),
    { tag: 273, type: 4, values: [0] },
    short(277, bands),
    short(278, height),
    { tag: 279, type: 4, values: [data.length] },
    short(317, differences ? 3 : 1),
    short(339, ...Array<number>(bands).fill(format)),
  ]
  const tags = [...own, ...(given.tags ?? [])].toSorted((a, b) => a.tag - b.tag)
  const head = Buffer.alloc(8 + 2 + tags.length * 12 + 4 + tags.reduce((sum, { type, values }) => sum + SIZES[type] * values.length + 8, 0))
  const view = new DataView(head.buffer, head.byteOffset)
  const little = !big_endian
  head.write(little ? 'II' : 'MM', 'latin1')
  view.setUint16(2, 42, little)
  view.setUint32(4, 8, little)
  view.setUint16(8, tags.length, little)
  let end = 8 + 2 + tags.length * 12 + 4
  for (const [i, { tag, type, values }] of tags.entries()) {
    const at = 10 + i * 12
    view.setUint16(at, tag, little)
    view.setUint16(at + 2, type, little)
    view.setUint32(at + 4, values.length, little)
    const long = SIZES[type] * values.length > 4
    const to = long ? end : at + 8
    if (long) {
      view.setUint32(at + 8, end, little)
      end += SIZES[type] * values.length
    }
    for (const [k, value] of (tag === 273 ? [head.length] : values).entries()) {
      if (type === 2) view.setUint8(to + k, value)
      else if (type === 3) view.setUint16(to + k * 2, value, little)
      else if (type === 4) view.setUint32(to + k * 4, value, little)
      else view.setFloat64(to + k * 8, value, little)
    }
  }
  return Buffer.concat([head, data])
}

/** Returns the tag in which programs say which value marks a missing one. */
export const noData = (text: string): TiffTag => ({ tag: 42113, type: 2, values: [...Buffer.from(`${text}\0`)] })

/** Returns a picture with a mask, as programs write it for photographs from the air: a second directory, with a bit for each place. */
export function maskedTiff(picture: Omit<TiffValues, 'bits' | 'format'>, shown: readonly boolean[]): Buffer {
  const { width, height } = picture
  const whole = tiffOf({ ...picture, bits: 8, format: 1 })
  const bytes = Math.ceil(width / 8)
  const mask = Buffer.alloc(bytes * height)
  for (const [i, is_shown] of shown.entries()) {
    const at = Math.floor(i / width) * bytes + ((i % width) >> 3)
    if (is_shown) mask[at] = (mask[at] ?? 0) | (128 >> ((i % width) & 7))
  }
  const data = deflateSync(mask)
  const start = whole.length + (whole.length % 2)
  const list = [
    ...[254, 4, 4, 256, 3, width, 257, 3, height, 258, 3, 1, 259, 3, 8, 262, 3, 4],
    ...[273, 4, start + 2 + 10 * 12 + 4, 277, 3, 1, 278, 3, height, 279, 4, data.length],
  ]
  const directory = Buffer.alloc(2 + 10 * 12 + 4)
  directory.writeUInt16LE(10, 0)
  for (let i = 0; i < 10; i++) {
    const [tag = 0, type = 0, value = 0] = list.slice(i * 3)
    directory.writeUInt16LE(tag, 2 + i * 12)
    directory.writeUInt16LE(type, 4 + i * 12)
    directory.writeUInt32LE(1, 6 + i * 12)
    directory.writeUInt32LE(value, 10 + i * 12)
  }
  whole.writeUInt32LE(start, 10 + whole.readUInt16LE(8) * 12)
  return Buffer.concat([whole, Buffer.alloc(start - whole.length), directory, data])
}
