// What a file of a layer may be, what reading one returns, and the reasons why one is refused.
import type { Box } from '../../../../shared/geometry/plane.ts'
import { invalidField, type Refusal, tooLarge, unsupportedMedia } from '../../../base/errors.ts'
import { NAMED } from './grids.ts'

/** Limits of a file (`map.md` §9). A larger one is refused completely, never cut. */
export const LIMITS = {
  bytes: 50 * 1024 * 1024,
  /** Number of parts in an archive, uncompressed size of one and of all, and the largest compression ratio of a large part. */
  parts: 2000,
  part_bytes: 500 * 1024 * 1024,
  all_bytes: 500 * 1024 * 1024,
  ratio: 100,
  ratio_from_bytes: 64 * 1024,
  features: 100_000,
  vertices: 2_000_000,
  /** Properties of a feature: how many, and how long their text is altogether. */
  properties: 500,
  property_name: 200,
  property_text: 10_000,
  properties_bytes: 100_000,
  /** Text of one element of XML, such as the positions of a line. */
  element_text: 32 * 1024 * 1024,
  /** What is written for the service: all features as JSON. */
  written_bytes: 300 * 1024 * 1024,
  depth: 200,
} as const

/** The formats, with the extensions of their files. */
export const FORMATS = {
  geojson: ['geojson', 'json', 'geojsonl', 'geojsons', 'ndjson', 'jsonl'],
  kml: ['kml'],
  kmz: ['kmz', 'zip'],
  shapefile: ['zip'],
  gpx: ['gpx'],
} as const
export type Format = keyof typeof FORMATS

/** A feature as a reader returns it: a geometry in the form of GeoJSON and in the grid of the file, and its properties; `fault`: why it can't be read; `where`: the part of the file that it is in. */
export type Raw = { geometry: unknown; properties: Record<string, unknown>; fault?: string; where?: string }

/** A feature that was refused: its position in the file, from 0, and the reason. */
export type RefusedFeature = { index: number; reason: string }

/** A property of the features: its kinds of value, and some of them. */
export type PropertyFacts = { name: string; type: 'text' | 'number' | 'boolean' | 'mixed' | 'empty'; samples: unknown[] }

/** What reading a file returned. The features themselves are lines of JSON in a file. */
export type GeoSummary = {
  format: Format
  /** The grid of the file, and how far a position can be off because it was converted; null if that is below a decimetre. */
  crs: string
  accuracy_m: number | null
  accepted: number
  refused: RefusedFeature[]
  refused_count: number
  vertices: number
  bounds: Box | null
  property_schema: PropertyFacts[]
  /** Digest of the features. */
  digest: string
}

/** A line of the file of features: position in the file, geometry, properties, bounds. */
export type GeoLine = { n: number; g: unknown; p: Record<string, unknown>; b: Box }

/** What is wrong with a file; `said` gives a detail. */
export type GeoProblem = {
  problem:
    | 'too_large'
    | 'bomb'
    | 'too_many_features'
    | 'too_many_vertices'
    | 'too_much_text'
    | 'unknown_type'
    | 'wrong_extension'
    | 'loose_shapefile'
    | 'several'
    | 'encrypted'
    | 'damaged'
    | 'document_type'
    | 'unknown_grid'
    | 'other_grid'
    | 'no_grid'
    | 'no_features'
    | 'too_slow'
    | 'reader_died'
  said?: string
}

const KINDS = 'GeoJSON, KML, KMZ, GPX, or a zipped Shapefile (.shp, .shx, .dbf and .prj together in a .zip)'
const ACCEPTED = `Send ${KINDS}.`

/** Makes the refusal of a file: 413 for its size, 415 if it isn't a layer or isn't what its name says, 422 if it can't be read. */
export function refusalOf({ problem, said }: GeoProblem, filename: string): Refusal {
  const file = `“${filename}”`
  const context = { problem }
  switch (problem) {
    case 'too_large':
      return tooLarge(`${file} is larger than ${LIMITS.bytes / 1024 / 1024} MB. Split the layer.`, context)
    case 'bomb':
      return tooLarge(`${file} unpacks to more than is accepted: ${said ?? 'too much'}. Split the layer.`, context)
    case 'too_many_features':
      return tooLarge(`${file} has more than ${LIMITS.features.toLocaleString('en-GB')} features. Split the layer.`, context)
    case 'too_many_vertices':
      return tooLarge(`${file} has more than ${LIMITS.vertices.toLocaleString('en-GB')} positions. Simplify or split the layer.`, context)
    case 'too_much_text':
      return tooLarge(`${file} has too much text. Leave out properties that aren’t needed, and simplify its lines.`, context)
    case 'unknown_type':
      return unsupportedMedia(
        `${file} isn’t a layer that can be read: its contents are ${said ?? 'of an unknown kind'}. ${ACCEPTED}`,
        context,
      )
    case 'wrong_extension':
      return unsupportedMedia(`${file} is really a ${said ?? 'different'} file. Rename the file, or export it again.`, context)
    case 'loose_shapefile':
      return unsupportedMedia(
        `${file} is one part of a Shapefile. Put its .shp, .shx, .dbf and .prj together in a .zip, and send that.`,
        context,
      )
    case 'several':
      return invalidField('file', `${file} contains Shapefiles in different grids: ${said ?? ''}. Send one of them at a time.`, context)
    case 'encrypted':
      return invalidField('file', `${file} is protected by a password. Remove the password and try again.`, context)
    case 'damaged':
      return invalidField('file', `${file} is damaged: ${said ?? 'it can’t be read'}. Export the layer again.`, context)
    case 'document_type':
      return invalidField('file', `${file} contains a document type declaration, which layers don’t need. Export the layer again.`, context)
    case 'unknown_grid':
      return invalidField(
        'crs',
        `${file} is in the grid ${said ?? 'of an unknown kind'}, which can’t be converted. Export the layer in ${NAMED}.`,
        context,
      )
    case 'other_grid':
      return invalidField(
        'crs',
        `differs from the grid of ${file}, which is ${said ?? 'another one'}. Leave out crs, or correct the file.`,
        context,
      )
    case 'no_grid':
      return invalidField(
        'crs',
        `is required, because ${file} doesn’t say which grid it uses, and its coordinates aren’t degrees. Choose ${NAMED}, or add the .prj file.`,
        context,
      )
    case 'no_features':
      return invalidField('file', `${file} has no features${said === undefined ? '' : `: ${said}`}. Export the layer again.`, context)
    case 'too_slow':
      return invalidField('file', `${file} took too long to read. Simplify or split the layer.`, context)
    case 'reader_died':
      return invalidField(
        'file',
        `${file} couldn’t be read: it needs too much memory, or is damaged. Simplify or split the layer.`,
        context,
      )
  }
}

/** Returns the extension of a name in lower case, without the dot; null if it has none. */
export const extensionOf = (filename: string): string | null => /\.([^./\\]{1,10})$/.exec(filename.trim())?.[1]?.toLowerCase() ?? null

/** Returns the format that the name of a file promises; null if it promises another one. */
export function promisedBy(filename: string): readonly Format[] | null {
  const extension = extensionOf(filename)
  const known: Format[] = []
  for (const format of ['geojson', 'kml', 'kmz', 'shapefile', 'gpx'] as const)
    if (FORMATS[format].some(one => one === extension)) known.push(format)
  return known.length === 0 ? null : known
}
