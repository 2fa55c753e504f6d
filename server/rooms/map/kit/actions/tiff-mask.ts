// Masks of TIFF files: which places of a picture are clear, such as the corners around a photograph from the air. The decoder of pictures ignores them.
import { open } from 'node:fs/promises'
import sharp from 'sharp'
import { blocksOf, rowsOf } from './stretched.ts'
import { tiffHead } from './tiff-head.ts'
import { maskIn } from './tiff-values.ts'

const SHOWN = 255
const NO_LIMIT = { limitInputPixels: false, sequentialRead: true, page: 0, failOn: 'error' } as const

/** Writes the mask of a file as a grey picture. Returns false, and writes nothing, if it has none. */
async function writeMask(path: string, out: string): Promise<boolean> {
  const { width, height } = await sharp(path, NO_LIMIT).metadata()
  const file = await open(path)
  try {
    const layout = await maskIn(file)
    if (layout === null) return false
    const target = await open(out, 'w')
    try {
      await target.write(tiffHead({ width, height, channels: 1, orientation: 1 }))
      for (let row = 0; row < rowsOf(layout); row++) {
        const pixels = Buffer.alloc(width * Math.min(layout.block.height, height - row * layout.block.height))
        for await (const { left, columns, rows, value } of blocksOf(file, layout, row))
          for (let y = 0; y < rows; y++)
            for (let x = 0; x < columns; x++) {
              const eight = value(y * layout.block.width + x, 0)
              const from = (left + x) * 8
              for (let k = 0; k < 8 && from + k < width; k++) if ((eight & (128 >> k)) !== 0) pixels[y * width + from + k] = SHOWN
            }
        await target.write(pixels)
      }
    } finally {
      await target.close()
    }
    return true
  } finally {
    await file.close()
  }
}

/** Writes a picture of eight bits with its mask to `out`, and uses `scratch` for the mask. Returns false, and writes nothing, if it has none. */
export async function writeMasked(path: string, out: string, scratch: string): Promise<boolean> {
  const { channels, depth } = await sharp(path, NO_LIMIT).metadata()
  if (depth !== 'uchar' || (channels !== 1 && channels !== 3) || !(await writeMask(path, scratch))) return false
  await sharp(path, NO_LIMIT)
    .toColourspace('srgb')
    .joinChannel(scratch, { limitInputPixels: false })
    .tiff({ compression: 'none', bigtiff: true })
    .toFile(out)
  return true
}
