// A tile set is one file: the tiles one after another, then an index. Written whole and stored once, it replaces the one before in a single step. Pure.
import type { Box } from '../../../../../shared/geometry/plane.ts'

/** What a record remembers of its tile set. */
export type TileSet = {
  sha256: string
  size: number
  /** Where the index begins in the file. */
  index_at: number
  tiles: number
  min_zoom: number
  max_zoom: number
  bounds: Box
  /** The picture has no transparent pixels: outside it, a JPEG tile is white. */
  opaque: boolean
}

/** Where a tile is in the file. */
export type Placed = { z: number; x: number; y: number; offset: number; length: number }

const NUMBERS = 6
const BYTES = NUMBERS * 4
const HIGH = 2 ** 32

/** Writes the index of a tile set. */
export function writeIndex(tiles: readonly Placed[]): Uint8Array {
  const bytes = new Uint8Array(tiles.length * BYTES)
  const view = new DataView(bytes.buffer)
  for (const [i, { z, x, y, offset, length }] of tiles.entries())
    for (const [k, value] of [z, x, y, Math.floor(offset / HIGH), offset % HIGH, length].entries()) view.setUint32(i * BYTES + k * 4, value)
  return bytes
}

/** Name of a tile in an index. */
export const tileName = (z: number, x: number, y: number): string => `${z}/${x}/${y}`

/** Reads the index of a tile set: where each tile is, by its name. */
export function readIndex(bytes: Uint8Array): Map<string, { start: number; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Map<string, { start: number; end: number }>()
  for (let at = 0; at + BYTES <= bytes.byteLength; at += BYTES) {
    const [z, x, y] = [view.getUint32(at), view.getUint32(at + 4), view.getUint32(at + 8)]
    const start = view.getUint32(at + 12) * HIGH + view.getUint32(at + 16)
    found.set(tileName(z, x, y), { start, end: start + view.getUint32(at + 20) - 1 })
  }
  return found
}
