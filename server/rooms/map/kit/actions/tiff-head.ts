// The head of the TIFF files that plans are drawn into.

/** Rows of a strip. */
export const ROWS = 16
const [SHORT, LONG] = [3, 4]

/** A picture of eight bits: grey, or red, green and blue; a fourth channel says how opaque a pixel is. */
export type TiffPicture = { width: number; height: number; channels: 1 | 3 | 4; orientation: number }

/** Makes everything of an uncompressed TIFF file that comes before its pixels. */
export function tiffHead({ width, height, channels, orientation }: TiffPicture): Buffer {
  const strips = Math.ceil(height / ROWS)
  const stripSize = (i: number) => Math.min(ROWS, height - i * ROWS) * width * channels
  const tags = channels === 4 ? 12 : 11
  const directory = 8
  const lists = directory + 2 + tags * 12 + 4
  const offsets = lists + channels * 2
  const counts = offsets + strips * 4
  const pixels = counts + strips * 4
  const head = Buffer.alloc(pixels)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(directory, 4)
  head.writeUInt16LE(tags, directory)
  const entries: [number, number, number, number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, channels === 1 ? 8 : lists],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, channels === 1 ? 1 : 2],
    [273, LONG, strips, strips === 1 ? pixels : offsets],
    [274, SHORT, 1, orientation],
    [277, SHORT, 1, channels],
    [278, LONG, 1, ROWS],
    [279, LONG, strips, strips === 1 ? stripSize(0) : counts],
    [284, SHORT, 1, 1],
  ]
  // The fourth channel isn't multiplied into the others.
  if (channels === 4) entries.push([338, SHORT, 1, 2])
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = directory + 2 + i * 12
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    head.writeUInt32LE(value, at + 8)
  }
  for (let i = 0; i < channels; i++) head.writeUInt16LE(8, lists + i * 2)
  for (let i = 0; i < strips; i++) {
    head.writeUInt32LE(pixels + i * ROWS * width * channels, offsets + i * 4)
    head.writeUInt32LE(stripSize(i), counts + i * 4)
  }
  return head
}
