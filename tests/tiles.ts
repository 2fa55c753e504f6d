// Reads vector tiles with readers that aren't ours, and checks them against the rules of the format: https://github.com/mapbox/vector-tile-spec/tree/master/2.1.
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { fieldsIn } from '../shared/narrow.ts'

type RawFeature = { type: number | null; tags: number[]; geometry: number[]; geometries: number }
type RawLayer = { name: string | null; version: number | null; extent: number; keys: string[]; values: number; features: RawFeature[] }

function rawFeature(end: number, pbf: PbfReader): RawFeature {
  const feature: RawFeature = { type: null, tags: [], geometry: [], geometries: 0 }
  while (pbf.pos < end) {
    const word = pbf.readVarint()
    const field = word >> 3
    pbf.type = word & 7
    if (field === 2 && (word & 7) === 2) pbf.readPackedVarint(feature.tags)
    else if (field === 3 && (word & 7) === 0) feature.type = pbf.readVarint()
    else if (field === 4 && (word & 7) === 2) {
      feature.geometries++
      pbf.readPackedVarint(feature.geometry)
    } else if (field >= 1 && field <= 4 && !(field === 1 && (word & 7) === 0))
      throw new Error(`the field ${field} of a feature has another type`)
    else pbf.skip(word)
  }
  return feature
}

/** The wire type of each kind of value. */
const VALUES: Readonly<Record<number, number>> = { 1: 2, 2: 5, 3: 1, 4: 0, 5: 0, 6: 0, 7: 0 }

function rawLayer(end: number, pbf: PbfReader): RawLayer {
  const layer: RawLayer = { name: null, version: null, extent: 4096, keys: [], values: 0, features: [] }
  const types: Readonly<Record<number, number>> = { 1: 2, 2: 2, 3: 2, 4: 2, 5: 0, 15: 0 }
  while (pbf.pos < end) {
    const word = pbf.readVarint()
    const field = word >> 3
    const wanted = types[field]
    if (wanted !== undefined && wanted !== (word & 7)) throw new Error(`the field ${field} of a layer has another type`)
    if (field === 1) layer.name = pbf.readString()
    else if (field === 2) {
      const to = pbf.readVarint() + pbf.pos
      layer.features.push(rawFeature(to, pbf))
    } else if (field === 3) layer.keys.push(pbf.readString())
    else if (field === 4) {
      layer.values++
      const to = pbf.readVarint() + pbf.pos
      let n = 0
      while (pbf.pos < to) {
        const inner = pbf.readVarint()
        if (VALUES[inner >> 3] !== (inner & 7)) throw new Error('a value has another type')
        n++
        pbf.skip(inner)
      }
      if (n !== 1) throw new Error('a value is not one value')
    } else if (field === 5) layer.extent = pbf.readVarint()
    else if (field === 15) layer.version = pbf.readVarint()
    else pbf.skip(word)
  }
  return layer
}

const POINT = 1
const LINE = 2
const POLYGON = 3

/** Checks the commands of a geometry, and returns its rings or lines. */
function linesOf({ type, geometry }: RawFeature): [number, number][][] {
  const lines: [number, number][][] = []
  let [i, x, y] = [0, 0, 0]
  let line: [number, number][] = []
  const next = () => {
    const value = geometry[i++]
    if (value === undefined) throw new Error('a geometry ends within a command')
    return value % 2 === 1 ? -((value + 1) / 2) : value / 2
  }
  let first = true
  while (i < geometry.length) {
    const word = geometry[i++] ?? 0
    const [command, count] = [word & 7, Math.floor(word / 8)]
    if (first && command !== 1) throw new Error('a geometry doesn’t begin with MoveTo')
    first = false
    if (command === 1) {
      if (count === 0 || count * 2 > geometry.length) throw new Error('MoveTo has a wrong count')
      if (type !== POINT && count !== 1) throw new Error('MoveTo has a wrong count')
      for (let n = 0; n < count; n++) {
        x += next()
        y += next()
        line = [[x, y]]
        lines.push(line)
      }
    } else if (command === 2) {
      if (type === POINT || count === 0 || count * 2 > geometry.length) throw new Error('LineTo has a wrong count')
      for (let n = 0; n < count; n++) {
        const [dx, dy] = [next(), next()]
        if (dx === 0 && dy === 0) throw new Error('a point is repeated')
        x += dx
        y += dy
        line.push([x, y])
      }
    } else if (command === 7) {
      if (type !== POLYGON || count !== 1) throw new Error('ClosePath has a wrong count, or closes what isn’t a polygon')
      const [start] = line
      if (line.length < 3) throw new Error('a ring has fewer than three points')
      if (start !== undefined && start[0] === x && start[1] === y) throw new Error('a ring repeats its first point')
    } else throw new Error(`unknown command ${command}`)
  }
  if (lines.length === 0) throw new Error('a geometry is empty')
  if (type === LINE && lines.some(one => one.length < 2)) throw new Error('a line has one point')
  return lines
}

const area = (ring: readonly [number, number][]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [px, py] = ring.at(i - 1) ?? [0, 0]
    return sum + px * y - x * py
  }, 0) / 2

/** Returns what is wrong with a tile; an empty list if it is valid. Rings of polygons are `rings`. */
export function faultsOf(tile: Uint8Array): { faults: string[]; layers: RawLayer[]; rings: [number, number][][][] } {
  const faults: string[] = []
  const layers: RawLayer[] = []
  const rings: [number, number][][][] = []
  try {
    const pbf = new PbfReader(tile)
    while (pbf.pos < pbf.length) {
      const word = pbf.readVarint()
      if (word >> 3 === 3 && (word & 7) === 2) {
        const to = pbf.readVarint() + pbf.pos
        layers.push(rawLayer(to, pbf))
      } else pbf.skip(word)
    }
  } catch (error) {
    return { faults: [String(error)], layers, rings }
  }
  if (new Set(layers.map(({ name }) => name)).size < layers.length) faults.push('two layers have one name')
  for (const layer of layers) {
    if (layer.name === null || layer.name === '') faults.push('a layer has no name')
    if (layer.version !== 2 && layer.version !== 1) faults.push(`version ${layer.version}`)
    for (const feature of layer.features) {
      if (feature.geometries !== 1) faults.push(`${feature.geometries} geometries`)
      if (feature.tags.length % 2 === 1) faults.push('an odd number of tags')
      feature.tags.forEach((tag, i) => {
        if (tag >= (i % 2 === 0 ? layer.keys.length : layer.values)) faults.push('a tag of nothing')
      })
      if (feature.type === null || feature.type > 3) faults.push(`type ${feature.type}`)
      if (feature.type === 0 || feature.type === null) continue
      try {
        const lines = linesOf(feature)
        if (feature.type !== POLYGON) continue
        if (area(lines[0] ?? []) <= 0) faults.push('the first ring isn’t an outer one')
        if (lines.some(line => area(line) === 0)) faults.push('a ring without area')
        rings.push(lines)
      } catch (error) {
        faults.push(String(error))
      }
    }
  }
  return { faults, layers, rings }
}

/** A feature of a tile, as the reader of map libraries sees it. */
export type ReadFeature = { properties: Record<string, unknown>; type: number; points: { x: number; y: number }[][] }

/** Reads a tile with the reader that map libraries use. */
export function readTile(tile: Uint8Array): Record<string, { version: number; extent: number; features: ReadFeature[] }> {
  const { layers } = new VectorTile(new PbfReader(tile))
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      {
        version: layer.version,
        extent: layer.extent,
        features: Array.from({ length: layer.length }, (_, i) => {
          const feature = layer.feature(i)
          return { properties: fieldsIn(feature.properties), type: feature.type, points: feature.loadGeometry() }
        }),
      },
    ]),
  )
}
