// Reads KML as it arrives. Placemarks and ground overlays become features; links to other files are only listed.
import type { Raw } from './files.ts'
import { exactNumber, numberIn } from './numbers.ts'

/** Reads the elements of a document, in order. */
export type XmlReader = {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/** A geometry that is being read; `corners` of its rings, `parts` of a collection. */
type Shaping = { kind: string; positions: number[][]; rings: number[][][]; parts: unknown[] }

/** A feature that is being read. */
type Reading = { properties: [string, unknown][]; parts: unknown[]; overlay: Map<string, number> }

const GEOMETRIES = ['Point', 'LineString', 'LinearRing', 'Polygon', 'MultiGeometry', 'Track', 'MultiTrack']
const FEATURES = ['Placemark', 'GroundOverlay']
/** Elements directly below a feature that become properties. */
const FACTS = new Map([
  ['name', 'name'],
  ['description', 'description'],
  ['address', 'address'],
  ['phoneNumber', 'phone'],
])

/** Reads the coordinates of an element: `lon,lat[,height]`, separated by white space; people also write a space after a comma. */
function tuplesOf(text: string): number[][] {
  const list = text.replace(/\s*,\s*/g, ',').trim()
  return list === '' ? [] : list.split(/\s+/).map(tuple => tuple.split(',').slice(0, 3).map(numberIn))
}

const closed = (ring: number[][]): number[][] => {
  const [first, last] = [ring[0], ring.at(-1)]
  return first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1]) ? [...ring, first] : ring
}

/** KML has a height for each position, which is zero unless someone set it. */
const flat = (line: number[][]): number[][] =>
  line.every(([, , z]) => z === undefined || z === 0) ? line.map(([x = NaN, y = NaN]) => [x, y]) : line

/** Joins the parts of a feature into one geometry: of one type if they all are. */
function joined(parts: readonly unknown[]): unknown {
  const [first] = parts
  if (parts.length < 2) return first ?? null
  const each = parts.map(part => (typeof part === 'object' && part !== null && 'type' in part && 'coordinates' in part ? part : null))
  const [head] = each
  if (head != null && each.every(part => part?.type === head.type) && ['Point', 'LineString', 'Polygon'].includes(String(head.type)))
    return { type: `Multi${head.type}`, coordinates: each.map(part => part?.coordinates) }
  return { type: 'GeometryCollection', geometries: parts }
}

function shapeOf({ kind, positions, rings, parts }: Shaping): unknown {
  switch (kind) {
    case 'Point':
      return positions[0] === undefined ? null : { type: 'Point', coordinates: flat([positions[0]])[0] }
    case 'Track': {
      // One recorded position becomes a line from there to there.
      const line = positions.length === 1 ? [...positions, ...positions] : positions
      return line.length === 0 ? null : { type: 'LineString', coordinates: flat(line) }
    }
    case 'LineString':
      return positions.length === 0 ? null : { type: 'LineString', coordinates: flat(positions) }
    case 'LinearRing':
      return positions.length === 0 ? null : { type: 'LineString', coordinates: flat(closed(positions)) }
    case 'Polygon':
      return rings.length === 0 ? null : { type: 'Polygon', coordinates: rings.map(ring => flat(closed(ring))) }
    case 'MultiTrack':
      return parts.length === 0 ? null : joined(parts)
    default:
      return joined(parts)
  }
}

/** Returns the ground of an overlay: a box that is turned about its centre. */
function overlayOf(box: ReadonlyMap<string, number>): unknown {
  const [north, south, east, west] = ['north', 'south', 'east', 'west'].map(side => box.get(side) ?? Number.NaN)
  if (north === undefined || south === undefined || east === undefined || west === undefined) return null
  const angle = ((box.get('rotation') ?? 0) * Math.PI) / 180
  const [x, y] = [(east + west) / 2, (north + south) / 2]
  const narrow = Math.cos((y * Math.PI) / 180)
  const turned = (lon: number, lat: number) => {
    const [dx, dy] = [(lon - x) * narrow, lat - y]
    return [x + (dx * Math.cos(angle) - dy * Math.sin(angle)) / narrow, y + dx * Math.sin(angle) + dy * Math.cos(angle)]
  }
  const ring = [turned(west, south), turned(east, south), turned(east, north), turned(west, north)]
  return { type: 'Polygon', coordinates: [closed(ring)] }
}

const NUMBERS = ['int', 'uint', 'short', 'ushort', 'float', 'double']
const typed = (type: string | undefined, text: string): unknown => {
  if (type === 'bool') return text === '1' || text === 'true'
  if (type === undefined || !NUMBERS.includes(type)) return text
  return text === '' ? null : (exactNumber(text) ?? text)
}

/** Makes a reader. `take` gets each feature, `link` the URL of each file that the document refers to. */
export function kmlReader(take: (raw: Raw) => void, link: (href: string) => void): XmlReader {
  const path: string[] = []
  const shaping: Shaping[] = []
  const types = new Map<string, string>()
  let feature: Reading | null = null
  let data = ''
  let text = ''
  const top = () => shaping.at(-1)
  const parent = (back = 2) => path.at(-back) ?? ''
  const fact = (name: string, value: unknown) => feature?.properties.push([name, value])
  return {
    open(name, attributes) {
      path.push(name)
      text = ''
      if (FEATURES.includes(name)) feature = { properties: [], parts: [], overlay: new Map() }
      else if (name === 'SimpleField') types.set(attributes.name ?? '', attributes.type ?? '')
      else if (name === 'Data' || name === 'SimpleData') data = attributes.name ?? ''
      else if (feature !== null && GEOMETRIES.includes(name) && !(name === 'LinearRing' && top()?.kind === 'Polygon'))
        shaping.push({ kind: name, positions: [], rings: [], parts: [] })
    },
    text(piece) {
      text += piece
    },
    close(name) {
      const said = text.trim()
      const shape = top()
      if (name === 'coordinates' && shape !== undefined) {
        const tuples = tuplesOf(said)
        if (shape.kind === 'Polygon') shape.rings.push(tuples)
        else shape.positions.push(...(shape.kind === 'Point' ? tuples.slice(0, 1) : tuples))
      } else if (name === 'coord' && shape?.kind === 'Track') {
        // An empty position is a gap in the recording.
        if (said !== '') shape.positions.push(said.split(/\s+/).slice(0, 3).map(numberIn))
      } else if (shape !== undefined && shape.kind === name) {
        shaping.pop()
        const made = shapeOf(shape)
        if (made !== null && made !== undefined) (top()?.parts ?? feature?.parts ?? []).push(made)
      } else if (feature !== null && FEATURES.includes(name)) {
        const geometry = name === 'GroundOverlay' ? overlayOf(feature.overlay) : joined(feature.parts)
        take({ geometry, properties: Object.fromEntries(feature.properties) })
        feature = null
      } else if (feature !== null && FEATURES.includes(parent()) && FACTS.has(name)) {
        if (said !== '') fact(FACTS.get(name) ?? name, said)
      } else if (name === 'value' && parent() === 'Data') fact(data, said)
      else if (name === 'SimpleData') fact(data, typed(types.get(data), said))
      else if (feature !== null && parent() === 'TimeStamp' && name === 'when') fact('when', said)
      else if (feature !== null && parent() === 'TimeSpan' && (name === 'begin' || name === 'end')) fact(name, said)
      else if (feature !== null && parent() === 'LatLonBox') feature.overlay.set(name, numberIn(said))
      else if (name === 'href' && (parent() === 'Link' || parent() === 'Url') && parent(3) === 'NetworkLink') link(said)
      path.pop()
      text = ''
    },
  }
}
