// Reads the documents of layers: which format the bytes are, and the features in them.
import { isRecord } from '../../../../shared/narrow.ts'
import { unzip } from '../../../base/zip.ts'
import { decoderFor } from '../domain/codepages.ts'
import { codePageOf, openTable } from '../domain/dbf.ts'
import { type Format, type GeoLine, type GeoProblem, LIMITS, promisedBy } from '../domain/files.ts'
import { gathering } from '../domain/gather.ts'
import { readGeoJson } from '../domain/geojson.ts'
import { gpxReader } from '../domain/gpx.ts'
import { converter, gridInGeoJson, gridNamed, gridOfCode, gridOfWkt, type KnownGrid } from '../domain/grids.ts'
import { kmlReader } from '../domain/kml.ts'
import { readShapes } from '../domain/shapefile.ts'
import { begins, decoderOf, documentsIn, type JsonDocument, parseXml, SEPARATOR } from './text.ts'

/** The features of a document, or why it can't be read. */
export type Read = ReturnType<ReturnType<typeof gathering>['all']> & Pick<KnownGrid, 'accuracy_m'> & { format: Format; crs: string }

const WGS84 = gridOfCode(4326)

/** Returns the format of the bytes by how they begin, or what they look like otherwise. */
function sniffed(bytes: Buffer): 'zip' | 'json' | 'xml' | { looks: string } {
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04) || begins(bytes, 0x50, 0x4b, 0x05, 0x06)) return 'zip'
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) return { looks: 'a PDF' }
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

/** Returns the grid of a file: its own, otherwise the one that a person named; both if they are the same. */
function agreed(own: KnownGrid | null, named: KnownGrid | null): { grid: KnownGrid | null } | GeoProblem {
  if (own !== null && named !== null && own.epsg !== named.epsg) return { problem: 'other_grid', said: `EPSG:${own.epsg}, ${own.name}` }
  return { grid: own ?? named }
}

type Gathering = ReturnType<typeof gathering>

const done = (gathered: Gathering, format: Format, grid: KnownGrid | null): Read | GeoProblem => {
  const problem = gathered.problem()
  if (problem !== null) return problem
  return { ...gathered.all(), format, crs: `EPSG:${grid?.epsg ?? WGS84?.epsg}`, accuracy_m: grid?.accuracy_m ?? null }
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
  const shapes = [...parts.keys()].filter(name => name.endsWith('.shp'))
  if (shapes.length > 1) return { problem: 'several', said: shapes.join(', ').slice(0, 300) }
  const [shape] = shapes
  if (shape !== undefined) return wrongName(filename, 'shapefile') ?? fromShapefile(parts, shape, named, write)
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

function fromShapefile(
  parts: ReadonlyMap<string, Buffer>,
  shape: string,
  named: KnownGrid | null,
  write: (line: GeoLine) => void,
): Read | GeoProblem {
  const beside = (extension: string) => parts.get(shape.replace(/shp$/, extension)) ?? null
  const prj = beside('prj')
  // Such a file has a few hundred bytes.
  // An empty one says as little as none.
  const wkt = (prj && decoderOf(prj).decode(prj.subarray(0, 20_000)).trim()) || null
  const own = wkt === null ? null : gridOfWkt(wkt)
  if (wkt !== null && own === null && named === null)
    return { problem: 'unknown_grid', said: /"([^"]{1,100})"/.exec(wkt)?.[1] ?? 'of an unknown kind' }
  const found = agreed(own, named)
  if ('problem' in found) return found
  const dbf = beside('dbf')
  const page = dbf === null ? 'utf-8' : codePageOf(dbf, beside('cpg')?.subarray(0, 100).toString('latin1') ?? null)
  const decode = decoderFor(page)
  if (decode === null) return { problem: 'damaged', said: `the code page ${page} of its text is unknown` }
  const table = dbf === null ? null : openTable(dbf, decode)
  if (table !== null && 'problem' in table) return table
  const gathered = gathering(converter(found.grid), write)
  const problem = readShapes(parts.get(shape) ?? new Uint8Array(0), beside('shx'), table, gathered.take)
  return gathered.problem() ?? problem ?? done(gathered, 'shapefile', found.grid)
}
