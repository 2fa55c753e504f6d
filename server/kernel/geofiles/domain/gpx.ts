// Reads GPX as it arrives: waypoints, routes and tracks become features.
import type { Raw } from './files.ts'
import type { XmlReader } from './kml.ts'
import { numberIn } from './numbers.ts'

const KINDS = new Map([
  ['wpt', 'waypoint'],
  ['rte', 'route'],
  ['trk', 'track'],
])
const FACTS = ['name', 'cmt', 'desc', 'src', 'type', 'sym', 'number', 'time']

/** One recorded position becomes a line from there to there. */
const lasting = (line: number[][]): number[][] => (line.length === 1 ? [...line, ...line] : line)

/** Makes a reader. `take` gets each feature. */
export function gpxReader(take: (raw: Raw) => void): XmlReader {
  const path: string[] = []
  let properties: [string, unknown][] = []
  let segments: number[][][] = []
  let point: number[] = []
  let text = ''
  return {
    open(name, attributes) {
      path.push(name)
      text = ''
      const kind = KINDS.get(name)
      if (kind !== undefined) {
        properties = [['kind', kind]]
        segments = name === 'trk' ? [] : [[]]
      } else if (name === 'trkseg') segments.push([])
      if (['wpt', 'rtept', 'trkpt'].includes(name)) point = [numberIn(attributes.lon?.trim() ?? ''), numberIn(attributes.lat?.trim() ?? '')]
    },
    text(piece) {
      text += piece
    },
    close(name) {
      path.pop()
      const said = text.trim()
      const inside = path.at(-1) ?? ''
      text = ''
      if (name === 'ele' && ['wpt', 'rtept', 'trkpt'].includes(inside)) point.push(numberIn(said))
      else if (name === 'rtept' || name === 'trkpt') segments.at(-1)?.push(point)
      else if (KINDS.has(inside) && FACTS.includes(name) && said !== '') properties.push([name, said])
      else if (name === 'wpt') take({ geometry: { type: 'Point', coordinates: point }, properties: Object.fromEntries(properties) })
      else if (name === 'rte') {
        const [line = []] = segments
        take({
          geometry: line.length === 0 ? null : { type: 'LineString', coordinates: lasting(line) },
          properties: Object.fromEntries(properties),
        })
      } else if (name === 'trk') {
        const lines = segments.filter(line => line.length > 0).map(lasting)
        const geometry = lines.length === 0 ? null : { type: 'MultiLineString', coordinates: lines }
        take({ geometry, properties: Object.fromEntries(properties) })
      }
    },
  }
}
