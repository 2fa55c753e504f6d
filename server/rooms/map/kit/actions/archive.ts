// A picture in a zip archive with its world file, in the process that reads plans.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path/posix'
import sharp from 'sharp'
import { unzip, type ZipLimits } from '../../../../base/zip.ts'
import { decoderFor } from '../../../../kernel/geofiles/domain/codepages.ts'
import { gridOfWkt, NAMED } from '../../../../kernel/geofiles/domain/grids.ts'
import { PROBLEMS, type Tagged, type Unpacked } from '../domain/orders.ts'
import { gridTextIn, isNeeded, pictureFiles, worldIn } from '../domain/world-file.ts'
import { groundOfWorld, readGround } from './geotiff.ts'

const MEGABYTE = 1024 * 1024
const LIMITS: ZipLimits = {
  parts: 100,
  part_bytes: 400 * MEGABYTE,
  all_bytes: 450 * MEGABYTE,
  ratio: 1000,
  ratio_from_bytes: 10 * MEGABYTE,
}
/** Such files have a few hundred bytes. */
const MOST_TEXT = 20_000
const SAYS = {
  bomb: 'is a zip archive whose contents are too large. Send the picture alone.',
  encrypted: 'is a zip archive with a password. Send it without one.',
  damaged: 'is a zip archive that is damaged. Zip it again, and send that.',
}

const no = (said: string): never => {
  throw new Error(`${PROBLEMS.unread}: ${said}`)
}

/** Writes the picture of an archive to `out`, and reads where its world file puts it. */
export async function unpackPicture(path: string, out: string): Promise<Unpacked> {
  const parts = new Map<string, Buffer>()
  const names = await unzip<never>(await readFile(path), LIMITS, 'programs for maps', (name, part) => {
    if (isNeeded(name)) parts.set(name, part)
    return null
  })
  if (!Array.isArray(names)) return no(SAYS[names.problem])
  const found = pictureFiles([...parts.keys()])
  if (typeof found === 'string') return no(found)
  const picture = parts.get(found.picture) ?? Buffer.alloc(0)
  await writeFile(out, picture)
  const text = (name: string | null): string => {
    const bytes = name === null ? undefined : parts.get(name)?.subarray(0, MOST_TEXT)
    return bytes === undefined ? '' : (decoderFor('utf-8')?.(bytes) ?? '')
  }
  const ground = found.world === null ? null : await groundIn(out, text(found.world), gridTextIn(found.grid ?? '', text(found.grid)))
  const sha256 = createHash('sha256').update(picture).digest('hex')
  return { filename: basename(found.picture).slice(-200), sha256, size: picture.length, ground }
}

/** Returns where a world file puts a picture; null if its own tags say that, or if it is turned while it is shown. */
async function groundIn(path: string, numbers: string, wkt: string): Promise<Tagged | null> {
  const world = worldIn(numbers)
  if (world === null) return no('has a world file that doesn’t consist of six numbers. Export it again.')
  const { width, height, orientation = 1, format } = await sharp(path, { limitInputPixels: false, page: 0 }).metadata()
  const size = { width, height }
  if (orientation !== 1 || (format === 'tiff' && (await readGround(path, size)) !== null)) return null
  if (wkt === '')
    return no(
      'has a world file, but nothing says which grid it is in. Add its .prj file, or send the picture alone and calibrate it by points.',
    )
  const grid = gridOfWkt(wkt)
  if (grid === null) {
    const name = /"([^"]{1,100})"/.exec(wkt)?.[1] ?? 'unknown'
    return no(
      `has a world file in the grid “${name}”, which can’t be converted. Export it in ${NAMED}, or send the picture alone and calibrate it by points.`,
    )
  }
  return (
    groundOfWorld(world, grid, size) ?? no(`has a world file that puts it nowhere in its grid, ${grid.name}. Check which grid it is in.`)
  )
}
