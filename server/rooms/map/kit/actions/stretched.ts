// Turns a TIFF file of measurements into a picture: its values are stretched between the lowest and the highest valid one, and those that are missing are clear.
import { type FileHandle, open } from 'node:fs/promises'
import { PROBLEMS } from '../domain/orders.ts'
import { tiffHead } from './tiff-head.ts'
import { readValues, type ValueLayout, type Values, valuesIn } from './tiff-values.ts'

/** Programs mark missing decimal numbers with the most extreme ones, too. */
const MOST = 1e38
/** Which share of the work finds the lowest and the highest value. */
const MEASURING = 0.4

/** Returns the size of a TIFF file of measurements; null if it isn't one. */
export async function sizeOfValues(path: string): Promise<{ width: number; height: number; orientation: number } | null> {
  const file = await open(path)
  try {
    return await valuesIn(file)
  } finally {
    await file.close()
  }
}

/** Writes a TIFF file of measurements as a picture to `out`. Returns false, and writes nothing, if it isn't one. */
export async function writeStretched(path: string, out: string, report: (fraction: number) => void): Promise<boolean> {
  const file = await open(path)
  try {
    const layout = await valuesIn(file)
    if (layout === null) return false
    const found = await rangeOf(file, layout, fraction => report(fraction * MEASURING))
    if (found.low > found.high) throw new Error(PROBLEMS.no_values)
    if (layout.is_picture) [found.low, found.high] = [0, OPAQUE]
    const target = await open(out, 'w')
    try {
      await writePicture(file, layout, found, target, fraction => report(MEASURING + fraction * (1 - MEASURING)))
    } finally {
      await target.close()
    }
    return true
  } finally {
    await file.close()
  }
}

type Range = { low: number; high: number }

/** Reads the blocks of a row of blocks, one after the other, each with all of its bands. */
export async function* blocksOf(file: FileHandle, layout: ValueLayout, row: number) {
  const across = Math.ceil(layout.width / layout.block.width)
  const each = across * Math.ceil(layout.height / layout.block.height)
  for (let column = 0; column < across; column++) {
    const index = row * across + column
    const bands: (Values | null)[] = []
    for (let band = 0; band < (layout.apart ? layout.bands : 1); band++)
      bands.push(isNeeded(layout, band) ? await readValues(file, layout, index + band * each) : null)
    const left = column * layout.block.width
    const top = row * layout.block.height
    yield {
      left,
      top,
      columns: Math.min(layout.block.width, layout.width - left),
      rows: Math.min(layout.block.height, layout.height - top),
      /** The value at a place of the block; not a number if the file leaves the block out. */
      value: (i: number, band: number): number =>
        layout.apart ? (bands[band]?.[i] ?? Number.NaN) : (bands[0]?.[i * layout.bands + band] ?? Number.NaN),
    }
  }
}

const isNeeded = ({ apart, shown, opacity }: ValueLayout, band: number) => !apart || band < shown || band === opacity

/** Returns how many rows of blocks a file has. */
export const rowsOf = ({ height, block }: ValueLayout) => Math.ceil(height / block.height)

/** Makes a test whether a value was measured. */
function validity({ no_data, bits, format }: ValueLayout): (value: number) => boolean {
  const missing = no_data !== null && bits === 32 && format === 3 ? Math.fround(no_data) : no_data
  return value => value !== missing && value > -MOST && value < MOST
}

/** Finds the lowest and the highest valid value of what is shown, where it isn't fully clear. */
async function rangeOf(file: FileHandle, layout: ValueLayout, report: (fraction: number) => void): Promise<Range> {
  const isValid = validity(layout)
  let [low, high] = [Infinity, -Infinity]
  for (let row = 0; row < rowsOf(layout); row++) {
    for await (const { columns, rows, value } of blocksOf(file, layout, row)) {
      for (let y = 0; y < rows; y++)
        for (let i = y * layout.block.width; i < y * layout.block.width + columns; i++) {
          if (layout.opacity !== null && value(i, layout.opacity) === 0) continue
          for (let band = 0; band < layout.shown; band++) {
            const found = value(i, band)
            if (!isValid(found)) continue
            if (found < low) low = found
            if (found > high) high = found
          }
        }
    }
    report((row + 1) / rowsOf(layout))
  }
  return { low, high }
}

const CHANNELS = 4
const OPAQUE = 255
/** A picture of which all values are the same is grey. */
const GREY = 128

async function writePicture(
  file: FileHandle,
  layout: ValueLayout,
  { low, high }: Range,
  target: FileHandle,
  report: (fraction: number) => void,
): Promise<void> {
  const isValid = validity(layout)
  const [from, step] = layout.white_is_zero ? [high, -255 / (high - low)] : [low, 255 / (high - low)]
  const shade = (value: number) => (low === high ? GREY : Math.round((value - from) * step))
  const full = layout.format === 3 ? 1 : 2 ** (layout.bits - (layout.format === 2 ? 1 : 0)) - 1
  const { width, shown, opacity } = layout
  await target.write(tiffHead({ width, height: layout.height, channels: CHANNELS, orientation: layout.orientation }))
  for (let row = 0; row < rowsOf(layout); row++) {
    const high = Math.min(layout.block.height, layout.height - row * layout.block.height)
    const pixels = Buffer.alloc(width * high * CHANNELS)
    for await (const { left, columns, rows, value } of blocksOf(file, layout, row)) {
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < columns; x++) {
          const i = y * layout.block.width + x
          const to = (y * width + left + x) * CHANNELS
          const opaque = opacity === null ? OPAQUE : Math.min(OPAQUE, Math.round((value(i, opacity) / full) * OPAQUE))
          if (opaque === 0) continue
          for (let k = 0; k < 3; k++) {
            const found = value(i, shown === 3 ? k : 0)
            if (!isValid(found)) continue
            pixels[to + k] = shade(found)
            pixels[to + 3] = opaque
          }
        }
    }
    await target.write(pixels)
    report((row + 1) / rowsOf(layout))
  }
}
