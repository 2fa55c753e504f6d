// The grids in which uploaded layers can be: WGS84 and its near relatives in degrees, Web Mercator, UTM, and the British National Grid (`map.md` §9). Any
// other one is refused and never guessed.
import proj4 from 'proj4'
import { isRecord } from '../../../../shared/narrow.ts'
import type { Grid } from './shapes.ts'

/** A grid: its EPSG code, what proj4 needs to know, and how far a position can be off because of the conversion; null if that is below a decimetre. */
export type KnownGrid = { epsg: number; name: string; definition: string | null; accuracy_m: number | null }

type Datum = 'WGS84' | 'NAD83' | 'ETRS89' | 'OSGB36'

// NAD83 and ETRS89 stay with their continents and WGS84 doesn't: about 2 m and 1 m by now. OSGB36 is bent; one shift for the whole country is off by metres.
const OFF: Record<Datum, number | null> = { WGS84: null, NAD83: 2, ETRS89: 1, OSGB36: 5 }
const SHIFT: Record<Datum, string> = {
  WGS84: '+datum=WGS84',
  NAD83: '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0',
  ETRS89: '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0',
  // EPSG 1314.
  OSGB36: '+ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489',
}
const GEOGRAPHIC: Record<Datum, number> = { WGS84: 4326, NAD83: 4269, ETRS89: 4258, OSGB36: 4277 }
const WEB_MERCATOR = '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs'

function degrees(datum: Datum): KnownGrid {
  const definition = datum === 'OSGB36' ? `+proj=longlat ${SHIFT[datum]} +no_defs` : null
  return { epsg: GEOGRAPHIC[datum], name: `${datum}, degrees`, definition, accuracy_m: OFF[datum] }
}

/** UTM zones by datum: the first code of the north, of the south, and the zones that have one. */
const UTM: Partial<Record<Datum, { north: number; south: number | null; from: number; to: number }>> = {
  WGS84: { north: 32600, south: 32700, from: 1, to: 60 },
  NAD83: { north: 26900, south: null, from: 1, to: 23 },
  ETRS89: { north: 25800, south: null, from: 28, to: 38 },
}

function utm(datum: Datum, zone: number, south: boolean): KnownGrid | null {
  const codes = UTM[datum]
  const base = south ? codes?.south : codes?.north
  if (codes === undefined || base == null || zone < codes.from || zone > codes.to) return null
  return {
    epsg: base + zone,
    name: `${datum} / UTM zone ${zone}${south ? 'S' : 'N'}`,
    definition: `+proj=utm +zone=${zone}${south ? ' +south' : ''} ${SHIFT[datum]} +units=m +no_defs`,
    accuracy_m: OFF[datum],
  }
}

const BRITISH: KnownGrid = {
  epsg: 27700,
  name: 'OSGB36 / British National Grid',
  definition: `+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 ${SHIFT.OSGB36} +units=m +no_defs`,
  accuracy_m: OFF.OSGB36,
}
const MERCATOR: KnownGrid = { epsg: 3857, name: 'WGS84 / Web Mercator', definition: WEB_MERCATOR, accuracy_m: null }

/** The grids that can be named, for the message of a refusal. */
export const NAMED =
  'WGS84 (EPSG:4326), Web Mercator (EPSG:3857), a UTM zone (such as EPSG:32630) or the British National Grid (EPSG:27700)'

/** Returns the grid of an EPSG code; null if it isn't one that we convert. */
export function gridOfCode(epsg: number): KnownGrid | null {
  for (const datum of ['WGS84', 'NAD83', 'ETRS89', 'OSGB36'] as const) {
    if (epsg === GEOGRAPHIC[datum]) return degrees(datum)
    const codes = UTM[datum]
    if (codes === undefined) continue
    if (epsg > codes.north && epsg <= codes.north + 60) return utm(datum, epsg - codes.north, false)
    if (codes.south !== null && epsg > codes.south && epsg <= codes.south + 60) return utm(datum, epsg - codes.south, true)
  }
  if (epsg === 27700) return BRITISH
  return [3857, 900913, 102100, 3785].includes(epsg) ? MERCATOR : null
}

/** Reads a name of a grid: `EPSG:27700`, `urn:ogc:def:crs:EPSG::27700` (some programs leave out one colon), `urn:ogc:def:crs:OGC:1.3:CRS84`, a URL of opengis.net. */
export function gridNamed(name: string): KnownGrid | null {
  if (/\bCRS:?84$/i.test(name.trim())) return degrees('WGS84')
  const code =
    /^(?:EPSG:|urn:(?:x-)?ogc:def:crs:EPSG:(?:[\d.]*:)?|https?:\/\/www\.opengis\.net\/(?:def\/crs\/EPSG\/[\d.]+\/|gml\/srs\/epsg\.xml#))?(\d{4,6})$/i.exec(
      name.trim(),
    )?.[1]
  return code === undefined ? null : gridOfCode(Number(code))
}

/** A node of a WKT text: its keyword, its texts and numbers, and its nodes. */
type Node = { word: string; values: (string | number)[]; nodes: Node[] }

const DEEPEST = 20

/** Reads WKT (`PROJCS["…",GEOGCS[…],…]`); null if it isn't such a text. */
function wktOf(text: string): Node | null {
  const tokens = text.match(/"(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_]*|[-+]?[\d.]+(?:[eE][-+]?\d+)?|[[\](),]/g) ?? []
  let at = 0
  const read = (depth: number): Node | null => {
    const word = tokens[at++]
    if (word === undefined || !/^[A-Za-z_]/.test(word) || depth > DEEPEST) return null
    const node: Node = { word: word.toUpperCase(), values: [], nodes: [] }
    if (tokens[at] !== '[' && tokens[at] !== '(') return node
    at++
    for (;;) {
      const token = tokens[at]
      if (token === undefined) return null
      if (token === ']' || token === ')') {
        at++
        return node
      }
      if (token === ',') at++
      else if (token.startsWith('"')) {
        node.values.push(token.slice(1, -1).replaceAll('""', '"'))
        at++
      } else if (/^[-+\d.]/.test(token)) {
        node.values.push(Number(token))
        at++
      } else {
        const inner = read(depth + 1)
        if (inner === null) return null
        node.nodes.push(inner)
      }
    }
  }
  return read(0)
}

const plain = (value: unknown) =>
  String(value ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
const child = (node: Node | undefined, ...words: string[]) => node?.nodes.find(({ word }) => words.includes(word))

const DATUMS: [RegExp, Datum][] = [
  [/^(d|gcs)?(wgs1984|wgs84|worldgeodeticsystem1984(ensemble)?)$/, 'WGS84'],
  [/^(d|gcs)?(northamerican1983|northamericandatum1983|nad83|nad1983)$/, 'NAD83'],
  [/^(d|gcs)?(etrs1989|etrs89|europeanterrestrialreferencesystem1989(ensemble)?)$/, 'ETRS89'],
  [/^(d|gcs)?(osgb1936|osgb36|ordnancesurveyofgreatbritain1936|ordnancesurvey1936)$/, 'OSGB36'],
]

function datumOf(geographic: Node | undefined): Datum | null {
  // Longitudes can be counted from Paris or Rome, too.
  const meridian = child(geographic, 'PRIMEM')
  if (meridian !== undefined && !near(Number(meridian.values[1]), 0)) return null
  const name = plain(child(geographic, 'DATUM', 'ENSEMBLE')?.values[0])
  return DATUMS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

const near = (a: number | undefined, b: number, by = 1e-6) => a !== undefined && Math.abs(a - b) <= by

/** Returns the EPSG code that a WKT text gives itself. */
function codeOf(root: Node): number | null {
  const authority = child(root, 'AUTHORITY', 'ID')
  if (authority === undefined || plain(authority.values[0]) !== 'epsg') return null
  const code = Number(authority.values[1])
  return Number.isInteger(code) ? code : null
}

/** Returns the grid that a `.prj` file describes; null if it isn't one that we convert. */
export function gridOfWkt(text: string): KnownGrid | null {
  const read = wktOf(text.trim())
  const whole = read?.word === 'BOUNDCRS' ? child(child(read, 'SOURCECRS'), 'PROJCRS', 'GEOGCRS', 'GEODCRS', 'COMPOUNDCRS') : read
  // Of a system with heights, such as British National Grid with Ordnance Datum Newlyn, what says where things are; heights stay as they are.
  const level = whole?.word === 'COMPD_CS' || whole?.word === 'COMPOUNDCRS'
  const root = whole != null && level ? child(whole, 'PROJCS', 'PROJCRS', 'GEOGCS', 'GEOGCRS', 'GEODCRS') : whole
  if (root == null) return null
  const code = codeOf(root)
  if (code !== null) return gridOfCode(code)
  if (['GEOGCS', 'GEOGCRS', 'GEODCRS'].includes(root.word)) {
    const datum = datumOf(root)
    return datum !== null && near(unitOf(root), Math.PI / 180, 1e-8) ? degrees(datum) : null
  }
  if (root.word !== 'PROJCS' && root.word !== 'PROJCRS') return null
  const conversion = child(root, 'CONVERSION') ?? root
  const datum = datumOf(child(root, 'GEOGCS', 'BASEGEOGCRS', 'BASEGEODCRS'))
  const projection = plain(child(conversion, 'PROJECTION', 'METHOD')?.values[0])
  const given = new Map(conversion.nodes.filter(isParameter).map(({ values }) => [parameterOf(values[0]), Number(values[1])]))
  if (datum === null || !near(unitOf(root), 1)) return null
  if (['mercatorauxiliarysphere', 'popularvisualisationpseudomercator'].includes(projection)) return datum === 'WGS84' ? MERCATOR : null
  if (projection === 'mercator1sp' && /web.?mercator|pseudo.?mercator/i.test(String(root.values[0])))
    return datum === 'WGS84' ? MERCATOR : null
  if (projection !== 'transversemercator') return null
  const [east, north] = [given.get('falseeasting'), given.get('falsenorthing')]
  const [middle, origin, scale] = [given.get('centralmeridian'), given.get('latitudeoforigin'), given.get('scalefactor')]
  if (datum === 'OSGB36')
    return near(east, 400_000) && near(north, -100_000) && near(middle, -2) && near(origin, 49) && near(scale, 0.9996012717, 1e-8)
      ? BRITISH
      : null
  const zone = ((middle ?? 0) + 183) / 6
  if (!Number.isInteger(zone) || !near(east, 500_000) || !near(origin, 0) || !near(scale, 0.9996)) return null
  return near(north, 0) || near(north, 10_000_000) ? utm(datum, zone, near(north, 10_000_000)) : null
}

const isParameter = ({ word }: Node) => word === 'PARAMETER'

/** Names of parameters in WKT 2, and in WKT 1. */
const PARAMETERS: Readonly<Record<string, string>> = {
  latitudeofnaturalorigin: 'latitudeoforigin',
  longitudeofnaturalorigin: 'centralmeridian',
  scalefactoratnaturalorigin: 'scalefactor',
}
const parameterOf = (name: unknown) => PARAMETERS[plain(name)] ?? plain(name)

/** Returns the unit of a system in metres or radians. WKT 2 can say it for each axis. */
function unitOf(node: Node): number | undefined {
  const units = ['UNIT', 'LENGTHUNIT', 'ANGLEUNIT'] as const
  const unit = child(node, ...units) ?? child(child(node, 'AXIS'), ...units)
  return unit === undefined ? undefined : Number(unit.values[1])
}

/** Returns the grid that the `crs` of an old GeoJSON file names, or of an older one gives the code of: a grid, its name if we don't convert it, or null if there is none. */
export function gridInGeoJson(crs: unknown): KnownGrid | string | null {
  if (crs == null) return null
  const properties = isRecord(crs) && isRecord(crs.properties) ? crs.properties : {}
  const said = isRecord(crs) && crs.type === 'EPSG' ? `EPSG:${properties.code}` : properties.name
  const name = typeof said === 'string' ? said : JSON.stringify(crs).slice(0, 100)
  return gridNamed(name) ?? name
}

/** Returns how positions in a grid become degrees. */
export function converter(grid: KnownGrid | null): Grid {
  if (grid === null) return { project: null }
  if (grid.definition === null) return { project: (x, y) => [x, y] }
  const to = proj4(grid.definition, 'WGS84')
  return {
    project: (x, y) => {
      const [lon = Number.NaN, lat = Number.NaN] = to.forward([x, y])
      return [lon, lat]
    },
  }
}
