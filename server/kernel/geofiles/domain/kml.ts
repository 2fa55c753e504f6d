// Reads KML as it arrives. Placemarks and ground overlays become features; links to other files are only listed.
import type { Raw } from './files.ts'
import { freeName } from './names.ts'
import { exactNumber, numberIn } from './numbers.ts'

/** Reads the elements of a document, in order. */
export type XmlReader = {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/** A geometry that is being read: the outline and the holes of a polygon, the `parts` of a collection. */
type Shaping = { kind: string; positions: number[][]; outline: number[][]; holes: number[][][]; parts: unknown[] }

/** A feature that is being read. */
type Reading = { properties: [string, unknown][]; parts: unknown[]; overlay: Map<string, number>; corners: number[][] }

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

function shapeOf({ kind, positions, outline, holes, parts }: Shaping): unknown {
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
      return outline.length === 0 ? null : { type: 'Polygon', coordinates: [outline, ...holes].map(ring => flat(closed(ring))) }
    case 'MultiTrack':
      return parts.length === 0 ? null : joined(parts)
    default:
      return joined(parts)
  }
}

/** Returns the ground of an overlay: its four corners, or a box that is turned about its centre. */
function overlayOf({ overlay: box, corners }: Reading): unknown {
  if (corners.length > 0) return { type: 'Polygon', coordinates: [flat(closed(corners))] }
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

/** The property with the names of the folders around a feature, from the outermost inwards. */
const FOLDER = { property: 'folder', between: ' / ' }

/** Returns the properties of a feature and its folders. None replaces another with the same name; one that is the same is left out. */
function propertiesOf(properties: readonly [string, unknown][], folders: readonly string[]): Record<string, unknown> {
  const names = folders.filter(name => name !== '')
  const all = names.length === 0 ? properties : [...properties, [FOLDER.property, names.join(FOLDER.between)] as const]
  const known = new Map<string, unknown>()
  const taken = new Map<string, number>()
  for (const [name, value] of all) if (!known.has(name) || known.get(name) !== value) known.set(freeName(name, taken), value)
  return Object.fromEntries(known)
}

/**
 * Makes a reader. `take` gets each feature, `link` the URL of each file that the document refers to, and the folders around the link; `around` are the folders
 * around the document itself.
 */
export function kmlReader(
  take: (raw: Raw) => void,
  link: (href: string, folders: readonly string[]) => void,
  around: readonly string[] = [],
): XmlReader {
  const folders = [...around]
  const path: string[] = []
  const shaping: Shaping[] = []
  // The types of the fields of each schema, and of all of them for data that doesn't say which.
  const schemas = new Map<string, Map<string, string>>()
  const all = new Map<string, string>()
  let types = all
  /** The elements that are placemarks by a schema of KML 2.0, with the types of their fields; and the fields of the one that is being read. */
  const elements = new Map<string, Map<string, string>>()
  let fields: Map<string, string> | null = null
  let schema = ''
  const extends_placemark = (parent: string | undefined) => {
    if (parent === 'Placemark' && schema !== '') elements.set(schema, types)
  }
  let feature: Reading | null = null
  let data = ''
  let text = ''
  /** How deep the name or description that is being read is; 0 outside of one. */
  let within = 0
  const top = () => shaping.at(-1)
  const parent = (back = 2) => path.at(-back) ?? ''
  const isFact = (name: string) => feature !== null && FEATURES.includes(parent()) && FACTS.has(name)
  /** Views have a time of their own. */
  const isTime = (element: string) => feature !== null && parent() === element && FEATURES.includes(parent(3))
  const fact = (name: string, value: unknown) => feature?.properties.push([name, value])
  return {
    open(element, attributes) {
      const own = elements.get(element)
      if (own !== undefined) fields = own
      const name = own === undefined ? element : 'Placemark'
      path.push(name)
      // Some programs write a description as markup, and not as text that contains markup.
      if (within > 0) {
        text += ' '
        return
      }
      text = ''
      if (isFact(name)) within = path.length
      if (name === 'Folder') folders.push('')
      // An update of a tour or a link changes features, and isn't one.
      if (FEATURES.includes(name)) feature = path.includes('Update') ? null : { properties: [], parts: [], overlay: new Map(), corners: [] }
      else if (name === 'Schema') {
        types = new Map()
        for (const id of [attributes.id, attributes.name]) if (id !== undefined && !schemas.has(id)) schemas.set(id, types)
        schema = attributes.name ?? ''
        extends_placemark(attributes.parent)
      } else if (name === 'SimpleField') for (const known of [types, all]) known.set(attributes.name ?? '', attributes.type ?? '')
      else if (name === 'SchemaData') types = schemas.get(attributes.schemaUrl?.replace(/^.*#/, '') ?? '') ?? all
      else if (name === 'Data' || name === 'SimpleData') data = attributes.name ?? ''
      else if (feature !== null && GEOMETRIES.includes(name) && !(name === 'LinearRing' && top()?.kind === 'Polygon'))
        shaping.push({ kind: name, positions: [], outline: [], holes: [], parts: [] })
    },
    text(piece) {
      text += piece
    },
    close(element) {
      const name = elements.has(element) ? 'Placemark' : element
      if (path.length > within && within > 0) {
        path.pop()
        return
      }
      within = 0
      const said = text.trim()
      const shape = top()
      if (name === 'coordinates' && shape !== undefined) {
        const tuples = tuplesOf(said)
        if (shape.kind === 'Polygon') {
          if (shape.outline.length === 0 && !path.includes('innerBoundaryIs')) shape.outline = tuples
          else if (tuples.length > 0) shape.holes.push(tuples)
        } else shape.positions = shape.positions.length === 0 ? tuples : [...shape.positions, ...tuples]
      } else if (name === 'coordinates' && feature !== null && parent() === 'LatLonQuad') feature.corners = tuplesOf(said)
      else if (name === 'coord' && shape?.kind === 'Track') {
        // An empty position is a gap in the recording.
        if (said !== '') shape.positions.push(said.split(/\s+/).slice(0, 3).map(numberIn))
      } else if (shape !== undefined && shape.kind === name) {
        shaping.pop()
        const made = shapeOf(shape)
        if (made !== null && made !== undefined) (top()?.parts ?? feature?.parts ?? []).push(made)
      } else if (feature !== null && FEATURES.includes(name)) {
        const geometry = name === 'GroundOverlay' ? overlayOf(feature) : joined(feature.parts)
        take({ geometry, properties: propertiesOf(feature.properties, folders) })
        feature = null
        fields = null
      } else if (isFact(name)) {
        if (said !== '') fact(FACTS.get(name) ?? name, said)
      } else if (name === 'value' && parent() === 'Data') fact(data, said)
      else if (name === 'SimpleData') fact(data, typed(types.get(data), said))
      else if (fields?.has(name) && parent() === 'Placemark') fact(name, typed(fields.get(name), said))
      else if (name === 'parent' && parent() === 'Schema') extends_placemark(said)
      else if (isTime('TimeStamp') && name === 'when') fact('when', said)
      else if (isTime('TimeSpan') && (name === 'begin' || name === 'end')) fact(name, said)
      else if (feature !== null && parent() === 'LatLonBox') feature.overlay.set(name, numberIn(said))
      else if (name === 'href' && (parent() === 'Link' || parent() === 'Url') && parent(3) === 'NetworkLink') link(said, [...folders])
      else if (name === 'name' && parent() === 'Folder') folders[folders.length - 1] = said
      else if (name === 'Folder') folders.pop()
      path.pop()
      text = ''
    },
  }
}
