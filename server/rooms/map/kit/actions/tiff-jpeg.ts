// Blocks of TIFF files that are compressed as JPEG, each of which is a picture without the tables that all of them share.
import sharp from 'sharp'

const MARKER = 2
/** How many bands a block has whose bands aren't only those of colours. */
export const JPEG_BANDS = 4
/** Says that a JPEG with four bands has them as they are, turned around as programs for printing do: then the decoder turns them around, and we do it once more. */
const AS_THEY_ARE = Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0])

/** Returns the values of a block of this width: those of one band, or of four. */
export async function unpackedJpeg(
  packed: Buffer,
  tables: Buffer | null,
  { width, bands }: { width: number; bands: number },
): Promise<Buffer> {
  const shared = tables === null ? [] : [tables.subarray(MARKER, -MARKER)]
  const head = bands === JPEG_BANDS ? [AS_THEY_ARE] : []
  const whole = Buffer.concat([packed.subarray(0, MARKER), ...head, ...shared, packed.subarray(MARKER)])
  const colours = bands === JPEG_BANDS ? 'cmyk' : 'b-w'
  const { data, info } = await sharp(whole, { failOn: 'error' })
    .pipelineColourspace(colours)
    .toColourspace(colours)
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.width !== width || info.channels !== bands) throw new Error('Its blocks have another size.')
  if (bands === JPEG_BANDS) for (let i = 0; i < data.length; i++) data[i] = ~(data[i] ?? 0)
  return data
}
