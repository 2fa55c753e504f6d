// Writes Mapbox Vector Tiles 2.1: https://github.com/mapbox/vector-tile-spec/tree/master/2.1. Pure.
import type { Metres } from '../../../../../shared/geometry/plane.ts'
import { EXTENT } from './ground.ts'

/** A property; null and undefined are left out. */
export type Property = string | number | boolean | null | undefined
/** A feature: a point, or polygons with open rings whose outer ring is positive. */
export type TileFeature =
  | { point: Metres; properties: Record<string, Property> }
  | { polygons: Metres[][][]; properties: Record<string, Property> }

const [POINT, POLYGON] = [1, 3]
const [MOVE, LINE, CLOSE] = [1, 2, 7]

/** Starts a message of protocol buffers, which grows with what is written. */
function message() {
  let bytes = Buffer.allocUnsafe(256)
  let length = 0
  const room = (more: number): void => {
    if (length + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + more))
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }
  const made = {
    varint(value: number) {
      room(10)
      let rest = value
      while (rest > 127) {
        bytes[length++] = (rest % 128) | 128
        rest = Math.floor(rest / 128)
      }
      bytes[length++] = rest
      return made
    },
    number: (field: number, value: number) => made.varint(field * 8).varint(value),
    double(field: number, value: number) {
      made.varint(field * 8 + 1)
      room(8)
      length = bytes.writeDoubleLE(value, length)
      return made
    },
    bytes(field: number, content: Buffer) {
      made.varint(field * 8 + 2).varint(content.length)
      room(content.length)
      length += content.copy(bytes, length)
      return made
    },
    text: (field: number, content: string) => made.bytes(field, Buffer.from(content)),
    packed(field: number, values: readonly number[]) {
      const packed = message()
      for (const value of values) packed.varint(value)
      return made.bytes(field, packed.done())
    },
    done: (): Buffer => bytes.subarray(0, length),
  }
  return made
}

const zigzag = (value: number): number => (value < 0 ? -value * 2 - 1 : value * 2)

/** Returns the commands of a geometry; a ring is closed by its own command. */
function commandsOf(feature: TileFeature): number[] {
  const out: number[] = []
  let [x, y] = [0, 0]
  const to = ([px, py]: Metres) => {
    out.push(zigzag(px - x), zigzag(py - y))
    ;[x, y] = [px, py]
  }
  if ('point' in feature) {
    out.push(MOVE + 8)
    to(feature.point)
    return out
  }
  for (const ring of feature.polygons.flat()) {
    const [first, ...others] = ring
    if (first === undefined) continue
    out.push(MOVE + 8)
    to(first)
    out.push(LINE + 8 * others.length)
    for (const corner of others) to(corner)
    out.push(CLOSE + 8)
  }
  return out
}

/** Writes a value of a layer. */
function written(value: string | number | boolean): Buffer {
  if (typeof value === 'string') return message().text(1, value).done()
  if (typeof value === 'boolean')
    return message()
      .number(7, value ? 1 : 0)
      .done()
  if (!Number.isSafeInteger(value)) return message().double(3, value).done()
  return value >= 0 ? message().number(5, value).done() : message().number(6, zigzag(value)).done()
}

/** A layer of a tile that is written feature by feature. */
export function newLayer(name: string) {
  const keys = new Map<string, number>()
  const values = new Map<string | number | boolean, number>()
  const features: Buffer[] = []
  const numberOf = <T>(all: Map<T, number>, one: T): number => {
    const found = all.get(one)
    if (found !== undefined) return found
    all.set(one, all.size)
    return all.size - 1
  }
  return {
    add(feature: TileFeature): void {
      const tags: number[] = []
      for (const key in feature.properties) {
        const value = feature.properties[key]
        if (value !== null && value !== undefined) tags.push(numberOf(keys, key), numberOf(values, value))
      }
      const type = 'point' in feature ? POINT : POLYGON
      features.push(message().packed(2, tags).number(3, type).packed(4, commandsOf(feature)).done())
    },
    /** Returns the layer; null if it has no features. */
    done(): Buffer | null {
      if (features.length === 0) return null
      const layer = message().text(1, name)
      for (const feature of features) layer.bytes(2, feature)
      for (const key of keys.keys()) layer.text(3, key)
      for (const value of values.keys()) layer.bytes(4, written(value))
      return layer.number(5, EXTENT).number(15, 2).done()
    },
  }
}

/** Returns a tile; null if it is empty. */
export function tileOfLayers(layers: readonly (Buffer | null)[]): Buffer | null {
  const there = layers.filter(layer => layer !== null)
  if (there.length === 0) return null
  const tile = message()
  for (const layer of there) tile.bytes(3, layer)
  return tile.done()
}
