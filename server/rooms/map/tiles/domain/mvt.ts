// Writes Mapbox Vector Tiles 2.1: https://github.com/mapbox/vector-tile-spec/tree/master/2.1. Pure.
import type { Metres } from '../../../../../shared/geometry/plane.ts'
import { EXTENT } from './ground.ts'

type Value = string | number | boolean
/** A property; null and undefined are left out. Bytes are a text in UTF-8: only for the property of a layer that is different for each feature. */
type Property = Value | Buffer | null | undefined
/** A feature: a point, or polygons with open rings whose outer ring is positive. */
export type TileFeature =
  | { point: Metres; properties: Record<string, Property> }
  | { polygons: Metres[][][]; properties: Record<string, Property> }

const [POINT, POLYGON] = [1, 3]
const [MOVE, LINE, CLOSE] = [1, 2, 7]

/** A message of protocol buffers, which grows with what is written. */
type Message = {
  clear(): Message
  varint(value: number): Message
  number(field: number, value: number): Message
  double(field: number, value: number): Message
  raw(content: Buffer, size?: number): Message
  bytes(field: number, content: Buffer): Message
  text(field: number, content: string): Message
  size(): number
  into(other: Message, field: number): Message
  done(): Buffer
}

/** A text of fewer characters is short: its length is one byte. */
const SHORT = 40

/** Starts a message of protocol buffers, which grows with what is written. After `clear`, the same bytes are used again, because a tile has thousands of messages. */
function message(size = 256): Message {
  let bytes = Buffer.allocUnsafe(size)
  let length = 0
  const room = (more: number): void => {
    if (length + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + more))
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }
  /** Writes a short text of ASCII characters with its length, for which two calls cost more; returns false if it has others. */
  const plain = (content: string): boolean => {
    room(SHORT)
    for (let i = 0; i < content.length; i++) {
      const sign = content.charCodeAt(i)
      if (sign > 127) return false
      bytes[length + 1 + i] = sign
    }
    bytes[length] = content.length
    length += content.length + 1
    return true
  }
  const made: Message = {
    clear() {
      length = 0
      return made
    },
    varint(value: number) {
      room(10)
      if (value < 128) {
        bytes[length++] = value
        return made
      }
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
    raw(content: Buffer, size = content.length) {
      room(size)
      // For a few bytes, a call costs more than the copy.
      if (size > 64) content.copy(bytes, length, 0, size)
      else for (let i = 0; i < size; i++) bytes[length + i] = content[i] ?? 0
      length += size
      return made
    },
    bytes: (field: number, content: Buffer) =>
      made
        .varint(field * 8 + 2)
        .varint(content.length)
        .raw(content),
    text(field: number, content: string) {
      made.varint(field * 8 + 2)
      if (content.length < SHORT && plain(content)) return made
      const size = Buffer.byteLength(content)
      made.varint(size)
      room(size)
      length += bytes.write(content, length, size)
      return made
    },
    size: () => length,
    /** Appends what was written to another message, as its field. A view of the bytes for each would take longer than to copy them. */
    into: (other: Message, field: number): Message =>
      other
        .varint(field * 8 + 2)
        .varint(length)
        .raw(bytes, length),
    /** What was written; it changes with what is written next. */
    done: (): Buffer => bytes.subarray(0, length),
  }
  return made
}

/** Returns how many bytes a length takes. */
const sizeOf = (length: number): number => (length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : 4)

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
function writeValue(out: Message, value: Value | Buffer): void {
  if (Buffer.isBuffer(value)) out.bytes(1, value)
  else if (typeof value === 'string') out.text(1, value)
  else if (typeof value === 'boolean') out.number(7, value ? 1 : 0)
  else if (!Number.isSafeInteger(value)) out.double(3, value)
  else if (value >= 0) out.number(5, value)
  else out.number(6, zigzag(value))
}

const NO_TAGS = Buffer.alloc(0)

/** A layer of a tile that is written feature by feature. `own`: a property that is different for each feature, so that nobody has to look for its value among the others. */
export function newLayer(name: string, own?: string) {
  const keys = new Map<string, number>()
  const known = new Map<Value, number>()
  const [features, values] = [message(), message()]
  const [tags, shape, value] = [message(), message(), message()]
  let count = 0
  const keyOf = (key: string): number => {
    const found = keys.get(key)
    if (found === undefined) keys.set(key, keys.size)
    return found ?? keys.size - 1
  }
  const numberOf = (key: string, content: Value | Buffer): number => {
    if (key !== own && !Buffer.isBuffer(content)) {
      const found = known.get(content)
      if (found !== undefined) return found
      known.set(content, count)
    }
    writeValue(value.clear(), content)
    value.into(values, 4)
    return count++
  }
  const tag = (properties: Record<string, Property>): void => {
    for (const key in properties) {
      const content = properties[key]
      if (content !== null && content !== undefined) tags.varint(keyOf(key)).varint(numberOf(key, content))
    }
  }
  const write = (common: Buffer, feature: TileFeature): void => {
    tags.clear().raw(common)
    tag(feature.properties)
    writeCommands(shape.clear(), feature)
    const [about, drawn] = [tags.size(), shape.size()]
    features.varint(2 * 8 + 2).varint(4 + sizeOf(about) + about + sizeOf(drawn) + drawn)
    shape.into(tags.into(features, 2).number(3, 'point' in feature ? POINT : POLYGON), 4)
  }
  return {
    add: (feature: TileFeature): void => write(NO_TAGS, feature),
    /** Returns what adds features that have these properties in common, which are written once. */
    alike(properties: Record<string, Property>): (feature: TileFeature) => void {
      tags.clear()
      tag(properties)
      const common = Buffer.from(tags.done())
      return feature => write(common, feature)
    },
    /** Returns the layer; null if it has no features. */
    done(): Buffer | null {
      const written = features.done()
      if (written.length === 0) return null
      const layer = message().text(1, name).raw(written)
      for (const key of keys.keys()) layer.text(3, key)
      return layer.raw(values.done()).number(5, EXTENT).number(15, 2).done()
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
