// Reads the documents of layers: which format the bytes are, and the features in them.
import { isRecord } from '../../../../shared/narrow.ts'
import { unzip } from '../../../base/zip.ts'
import { type Format, type GeoLine, type GeoProblem, LIMITS, promisedBy } from '../domain/files.ts'
import { gathering } from '../domain/gather.ts'
import { otherJson, readGeoJson } from '../domain/geojson.ts'
import { gpxReader } from '../domain/gpx.ts'
import { converter, gridInGeoJson, gridNamed, type KnownGrid } from '../domain/grids.ts'
import { kmlReader } from '../domain/kml.ts'
import { agreed, done, type Gathering, type Read, WGS84 } from './result.ts'
import { readShapefiles } from './shapefiles.ts'
import { begins, decoderOf, documentsIn, type JsonDocument, parseXml, SEPARATOR } from './text.ts'

/** Files that people have of a site and take for layers, by how they begin. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^%PDF/, 'a PDF'],
  [/^SQLite format 3\0/, 'a GeoPackage, or another SQLite database'],
  [/^AC10\d\d/, 'a DWG drawing'],
  [/^(AutoCAD Binary DXF|(\xef\xbb\xbf)?\s*999[ \t]*[\r\n]|(\xef\xbb\xbf)?\s*0\s+SECTION\s)/, 'a DXF drawing'],
  [/^ISO-10303-21/, 'a building model (IFC)'],
  [/^(II[*+]\0|MM\0[*+]|\xff\xd8\xff|\x89PNG)/, 'a picture'],
]

/** Returns the format of the bytes by how they begin, or what they look like otherwise. */
function sniffed(bytes: Buffer): 'zip' | 'json' | 'xml' | { looks: string } {
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04) || begins(bytes, 0x50, 0x4b, 0x05, 0x06)) return 'zip'
  const other = OTHERS.find(([head]) => head.test(bytes.toString('latin1', 0, 100)))
  if (other !== undefined) return { looks: other[1] }
  const head = decoderOf(bytes).decode(bytes.subarray(0, 400), { stream: true }).trimStart()
  if (head === '') return { looks: 'empty' }
  if (/^[{[]/.test(head) || head.startsWith(SEPARATOR)) return 'json'
  if (/^<(!doctype html|html|head|body)/i.test(head)) return { looks: 'a web page' }
  if (head.startsWith('<')) return 'xml'
  return { looks: 'of an unknown kind' }
}

/** Reads a document. `crs`: the grid that a person named for it. */
export async function readDocument(
  bytes: Buffer,
  filename: string,
  crs: string | null,
  write: (line: GeoLine) => void,
): Promise<Read | GeoProblem> {
  if (begins(bytes, 0, 0, 0x27, 0x0a) || /\.(shp|shx|dbf|prj)$/i.test(filename)) return { problem: 'loose_shapefile' }
  const kind = sniffed(bytes)
  if (typeof kind !== 'string') return { problem: 'unknown_type', said: kind.looks }
  const named = crs === null ? null : gridNamed(crs)
  if (crs !== null && named === null) return { problem: 'unknown_grid', said: crs.slice(0, 100) }
  if (kind === 'json') return wrongName(filename, 'geojson') ?? fromJson(bytes, named, write)
  if (kind === 'xml') return fromXml(bytes, filename, named, write)
  return fromZip(bytes, filename, named, write)
}

/** Returns the problem of a file whose name promises another format. */
function wrongName(filename: string, format: Format): GeoProblem | null {
  const promised = promisedBy(filename)
  const SAYS: Record<Format, string> = { geojson: 'GeoJSON', kml: 'KML', kmz: 'KMZ', shapefile: 'zipped Shapefile', gpx: 'GPX' }
  return promised === null || promised.includes(format) ? null : { problem: 'wrong_extension', said: SAYS[format] }
}

/** Returns the grid that a document of JSON names, or its name if we don't convert it; null if there is none. */
const gridIn = (value: unknown): KnownGrid | string | null => (isRecord(value) ? gridInGeoJson(value.crs) : null)

function fromJson(bytes: Buffer, named: KnownGrid | null, write: (line: GeoLine) => void): Read | GeoProblem {
  let text: string
  try {
    text = decoderOf(bytes, 'utf-8', true).decode(bytes)
  } catch {
    return { problem: 'damaged', said: 'it isn’t UTF-8 text' }
  }
  const documents = documentsIn(text)
  if ('problem' in documents) return documents
  const first = documents.find(one => 'value' in one)
  const other = documents.length === 1 ? otherJson(first?.value) : null
  if (other !== null) return { problem: 'unknown_type', said: other }
  const crs = gridIn(first?.value)
  // A person who names a grid knows what a name that we don't know means.
  if (typeof crs === 'string' && named === null) return { problem: 'unknown_grid', said: crs }
  const found = agreed(typeof crs === 'string' ? null : crs, named)
  if ('problem' in found) return found
  const gathered = gathering(converter(found.grid), write)
  for (const document of documents) {
    const fault = takeDocument(document, crs, gathered)
    if (fault === null) continue
    if (documents.length === 1) return { problem: 'damaged', said: fault }
    gathered.take({ geometry: null, properties: {}, fault: `${document.where}: ${fault}.` })
  }
  return done(gathered, 'geojson', found.grid)
}

/** Takes the features of a document; returns what is wrong with it. All documents of a file are in the grid of the first. */
function takeDocument(document: JsonDocument, crs: KnownGrid | string | null, gathered: Gathering): string | null {
  if ('fault' in document) return document.fault
  if (keyOf(gridIn(document.value)) !== keyOf(crs)) return 'it is in another grid than the documents before it'
  return readGeoJson(document.value, gathered.take)
}

/** Returns a grid in a form that can be compared. A document without one is in degrees. */
const keyOf = (grid: KnownGrid | string | null) => (typeof grid === 'string' ? grid : (grid?.epsg ?? WGS84?.epsg))

function fromXml(bytes: Buffer, filename: string, named: KnownGrid | null, write: (line: GeoLine) => void): Read | GeoProblem {
  const gathered = gathering(converter(WGS84), write)
  const links: string[] = []
  const root = parseXml(
    bytes,
    name => (name === 'kml' ? kmlReader(gathered.take, href => links.push(href)) : name === 'gpx' ? gpxReader(gathered.take) : null),
    gathered.problem,
  )
  if (typeof root !== 'string') return root
  if (root !== 'kml' && root !== 'gpx') return { problem: 'unknown_type', said: `XML with the root element ${root.slice(0, 40)}` }
  const wrong = wrongName(filename, root)
  if (wrong !== null) return wrong
  return refusedGrid(named) ?? linked(done(gathered, root, WGS84), links)
}

/** KML and GPX are always in degrees. */
const refusedGrid = (named: KnownGrid | null): GeoProblem | null =>
  named === null || named.epsg === WGS84?.epsg ? null : { problem: 'other_grid', said: `EPSG:4326, ${WGS84?.name}` }

/** Says why a document is empty that only refers to others. */
const linked = (read: Read | GeoProblem, links: readonly string[]): Read | GeoProblem =>
  'problem' in read || read.accepted + read.refused_count > 0 || links.length === 0
    ? read
    : { problem: 'no_features', said: 'it only links to another file, which isn’t fetched' }

async function fromZip(
  bytes: Buffer,
  filename: string,
  named: KnownGrid | null,
  write: (line: GeoLine) => void,
): Promise<Read | GeoProblem> {
  const parts = new Map<string, Buffer>()
  const names = await unzip<GeoProblem>(bytes, LIMITS, 'layers', (name, part) => {
    if (/(^|\/)(__MACOSX|\.[^/]*)(\/|$)/.test(name) || !/\.(shp|shx|dbf|prj|cpg|kml)$/i.test(name)) return null
    if (parts.has(name.toLowerCase())) return { problem: 'damaged', said: `it contains “${name.slice(0, 100)}” twice` }
    parts.set(name.toLowerCase(), part)
    return null
  })
  if (!Array.isArray(names)) return names
  const shapes = names.filter(name => name.toLowerCase().endsWith('.shp') && parts.has(name.toLowerCase()))
  if (shapes.length > 0) return wrongName(filename, 'shapefile') ?? readShapefiles(parts, shapes, named, write)
  const documents = [...parts.keys()].filter(name => name.endsWith('.kml'))
  if (documents.length === 0) return { problem: 'unknown_type', said: 'a zip archive without a Shapefile or KML document' }
  return wrongName(filename, 'kmz') ?? refusedGrid(named) ?? fromKmz(parts, documents, write)
}

/** Reads the first document of a KMZ archive, and those in the archive that it links to. */
function fromKmz(parts: ReadonlyMap<string, Buffer>, documents: readonly string[], write: (line: GeoLine) => void): Read | GeoProblem {
  const gathered = gathering(converter(WGS84), write)
  const first = documents.find(name => name === 'doc.kml') ?? documents.find(name => !name.includes('/')) ?? documents[0] ?? ''
  const waiting: { name: string; folders: readonly string[] }[] = [{ name: first, folders: [] }]
  const seen = new Set([first])
  const outside: string[] = []
  for (const { name, folders: around } of waiting) {
    const folder = name.slice(0, name.lastIndexOf('/') + 1)
    const root = parseXml(
      parts.get(name) ?? Buffer.alloc(0),
      element =>
        element === 'kml'
          ? kmlReader(
              gathered.take,
              (href, folders) => {
                const target = pathIn(folder, href)
                if (target === null || !parts.has(target)) outside.push(href)
                else if (!seen.has(target)) {
                  seen.add(target)
                  waiting.push({ name: target, folders })
                }
              },
              around,
            )
          : null,
      gathered.problem,
    )
    if (typeof root !== 'string') return root
    if (root !== 'kml') return { problem: 'damaged', said: `its document ${name.slice(0, 100)} isn’t KML` }
  }
  return linked(done(gathered, 'kmz', WGS84), outside)
}

/** Returns the name of the part that a link refers to; null if it leads out of the archive. */
function pathIn(folder: string, href: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return null
  const path: string[] = []
  for (const step of `${folder}${decoded(href.split(/[?#]/)[0] ?? '')}`.toLowerCase().split(/[/\\]/)) {
    if (step === '..') {
      if (path.pop() === undefined) return null
    } else if (step !== '.' && step !== '') path.push(step)
  }
  return path.join('/')
}

/** Returns a path without its escapes, such as `%20` for a space. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
