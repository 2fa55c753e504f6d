// World files: six numbers next to a picture that say where it is in a grid, as surveyors send them. Pure.
import type { Matrix } from '../../../../../shared/calibration/algebra.ts'

const PICTURE = /\.(png|jpe?g|webp|tiff?)$/i
const WORLD = /\.(tfw|tifw|tiffw|jgw|jpgw|jpegw|pgw|pngw|wpw|webpw|wld)$/i
const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '').toLowerCase()

/** Returns whether a part of an archive is needed: parts that computers add are not. */
export const isNeeded = (name: string): boolean =>
  !/(^|\/)(__MACOSX|\.[^/]*)(\/|$)/.test(name) && (PICTURE.test(name) || WORLD.test(name) || /\.(prj|aux\.xml)$/i.test(name))

/** The files of an archive with a picture; what isn't there is null. */
export type PictureFiles = { picture: string; world: string | null; grid: string | null }

/** Finds the picture of an archive, its world file, and the file that says its grid; otherwise returns what is wrong, in words that follow "The file". */
export function pictureFiles(names: readonly string[]): PictureFiles | string {
  const pictures = names.filter(name => PICTURE.test(name))
  const [picture] = pictures
  if (picture === undefined)
    return 'is a zip archive without a picture. Send a PNG, JPEG, WebP or TIFF file, alone or in a zip archive with its world file.'
  if (pictures.length > 1) return 'is a zip archive with several pictures. Send an archive for each, with its world file.'
  const own = (name: string) => stemOf(name) === stemOf(picture)
  const prj = names.filter(name => /\.prj$/i.test(name))
  return {
    picture,
    world: names.find(name => WORLD.test(name) && own(name)) ?? null,
    grid: prj.find(own) ?? (prj.length === 1 ? prj[0] : undefined) ?? names.find(name => /\.aux\.xml$/i.test(name)) ?? null,
  }
}

/** Reads a world file: from the centre of a pixel to coordinates of the grid. Null if it doesn't have six numbers. */
export function worldIn(text: string): Matrix | null {
  const numbers = text
    .trim()
    .split(/\s+/)
    .map(word => Number(word.replace(',', '.')))
  const [a = 0, d = 0, b = 0, e = 0, c = 0, f = 0] = numbers
  return numbers.length === 6 && numbers.every(Number.isFinite) && a * e - b * d !== 0
    ? [
        [a, b, c],
        [d, e, f],
        [0, 0, 1],
      ]
    : null
}

const ENTITIES: Readonly<Record<string, string>> = { '&quot;': '"', '&amp;': '&', '&lt;': '<', '&gt;': '>', '&apos;': "'" }

/** Returns the description of a grid in a `.prj` file or in the notes that GDAL writes about a picture. */
export const gridTextIn = (name: string, text: string): string =>
  /\.prj$/i.test(name)
    ? text.trim()
    : (/<SRS[^>]*>([^<]*)<\/SRS>/.exec(text)?.[1] ?? '').replace(/&\w+;/g, entity => ENTITIES[entity] ?? entity).trim()
