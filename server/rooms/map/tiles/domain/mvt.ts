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

/** Starts a message of protocol buffers, which grows with what is written. After `clear`, the same bytes are used again, because a tile has thousands of messages. */
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
    clear() {
      length = 0
      return made
    },
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
    raw(content: Buffer) {
      room(content.length)
      length += content.copy(bytes, length)
      return made
    },
    bytes: (field: number, content: Buffer) =>
      made
        .varint(field * 8 + 2)
        .varint(content.length)
        .raw(content),
    text(field: number, content: string) {
      const size = Buffer.byteLength(content)
      made.varint(field * 8 + 2).varint(size)
      room(size)
      length += bytes.write(content, length, size)
      return made
    },
    /** What was written; it changes with what is written next. */
    done: (): Buffer => bytes.subarray(0, length),
  }
  return made
}
type Message = ReturnType<typeof message>

const zigzag = (value: number): number => (value < 0 ? -value * 2 - 1 : value * 2)

/** Writes the commands of a geometry; a ring is closed by its own command. */
function writeCommands(out: Message, feature: TileFeature): void {
  let [x, y] = [0, 0]
  const to = (position: Metres) => {
    out.varint(zigzag(position[0] - x)).varint(zigzag(position[1] - y))
    x = position[0]
    y = position[1]
  }
  if ('point' in feature) {
    out.varint(MOVE + 8)
    to(feature.point)
    return
  }
  for (const polygon of feature.polygons)
    for (const ring of polygon) {
      const [first] = ring
      if (first === undefined) continue
      out.varint(MOVE + 8)
      to(first)
      out.varint(LINE + 8 * (ring.length - 1))
      for (const [i, corner] of ring.entries()) if (i > 0) to(corner)
      out.varint(CLOSE + 8)
    }
}

/** Writes a value of a layer. */
function writeValue(out: Message, value: string | number | boolean): void {
  if (typeof value === 'string') out.text(1, value)
  else if (typeof value === 'boolean') out.number(7, value ? 1 : 0)
  else if (!Number.isSafeInteger(value)) out.double(3, value)
  else if (value >= 0) out.number(5, value)
  else out.number(6, zigzag(value))
}

/** A layer of a tile that is written feature by feature. `own`: a property that is different for each feature, so that nobody has to look for its value among the others. */
export function newLayer(name: string, own?: string) {
  const keys = new Map<string, number>()
  const values: (string | number | boolean)[] = []
  const known = new Map<string | number | boolean, number>()
  const features = message()
  const [whole, part] = [message(), message()]
  const keyOf = (key: string): number => {
    const found = keys.get(key)
    if (found === undefined) keys.set(key, keys.size)
    return found ?? keys.size - 1
  }
  const numberOf = (key: string, value: string | number | boolean): number => {
    const found = key === own ? undefined : known.get(value)
    if (found !== undefined) return found
    if (key !== own) known.set(value, values.length)
    return values.push(value) - 1
  }
  return {
    add(feature: TileFeature): void {
      part.clear()
      for (const key in feature.properties) {
        const value = feature.properties[key]
        if (value !== null && value !== undefined) part.varint(keyOf(key)).varint(numberOf(key, value))
      }
      whole
        .clear()
        .bytes(2, part.done())
        .number(3, 'point' in feature ? POINT : POLYGON)
      part.clear()
      writeCommands(part, feature)
      features.bytes(2, whole.bytes(4, part.done()).done())
    },
    /** Returns the layer; null if it has no features. */
    done(): Buffer | null {
      const written = features.done()
      if (written.length === 0) return null
      const layer = message().text(1, name).raw(written)
      for (const key of keys.keys()) layer.text(3, key)
      for (const value of values) {
        part.clear()
        writeValue(part, value)
        layer.bytes(4, part.done())
      }
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
