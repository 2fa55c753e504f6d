// Draws a picture onto tiles and onto the card of a site, in the process that reads plans.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import sharp from 'sharp'
import { apply, divisorAt, inverse } from '../../../../../shared/calibration/algebra.ts'
import { placeAt, TILE } from '../../../../../shared/geometry/mercator.ts'
import { type Box, planeAt } from '../../../../../shared/geometry/plane.ts'
import { at } from '../../../../../shared/narrow.ts'
import { CARD, type Window, windowOf } from '../domain/card.ts'
import type { Laid, Span, TilePlan } from '../domain/pyramid.ts'
import { type Placed, writeIndex } from '../domain/tileset.ts'

/** Tiles on a side of the blocks that are drawn at once. */
const BLOCK = 4
/** Positions are calculated exactly at every sixteenth pixel, and between them by interpolation. */
const STEP = 16

/** Positions in the picture for a grid of pixels of a window; not a number where the ground isn't in front of the camera. */
type Lattice = { columns: number; rows: number; u: Float64Array; v: Float64Array }

function latticeOf(window: Window, laid: Laid): Lattice {
  const plane = planeAt(laid.origin)
  const back = inverse(laid.matrix)
  const front = Math.sign(divisorAt(back, apply(laid.matrix, [laid.width / 2, laid.height / 2])))
  const [columns, rows] = [Math.ceil(window.width / STEP) + 1, Math.ceil(window.height / STEP) + 1]
  const [u, v] = [new Float64Array(columns * rows), new Float64Array(columns * rows)]
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const { lon, lat } = placeAt([window.left + column * STEP * window.pixel, window.top + row * STEP * window.pixel])
      const metres = plane.metres([lon, lat])
      const seen = Math.sign(divisorAt(back, metres)) === front
      const [x, y] = seen ? apply(back, metres) : [Number.NaN, Number.NaN]
      u[row * columns + column] = x
      v[row * columns + column] = y
    }
  }
  return { columns, rows, u, v }
}

/** A picture that parts can be taken of at several scales, each half the one before: a tiled TIFF file. */
type Levels = { path: string; sizes: { width: number; height: number }[] }

/** Reads the sizes of the scales of a tiled TIFF file. */
async function levelsOf(path: string): Promise<Levels> {
  const { pages = 1 } = await sharp(path, { limitInputPixels: false }).metadata()
  const sizes = await Promise.all(
    Array.from({ length: pages }, async (_, page) => {
      const { width, height } = await sharp(path, { page, limitInputPixels: false }).metadata()
      return { width, height }
    }),
  )
  return { path, sizes }
}

/** Draws a window; null if nothing of the picture is in it. */
async function drawWindow(window: Window, laid: Laid, levels: Levels): Promise<Buffer | null> {
  const lattice = latticeOf(window, laid)
  const around = extentOf(lattice, laid)
  if (around === null) return null
  const level = levelFor(lattice, levels)
  const size = at(levels.sizes, level)
  const [kx, ky] = [size.width / laid.width, size.height / laid.height]
  const left = Math.max(0, Math.floor(around.left * kx) - 1)
  const top = Math.max(0, Math.floor(around.top * ky) - 1)
  const width = Math.min(size.width, Math.ceil(around.right * kx) + 2) - left
  const height = Math.min(size.height, Math.ceil(around.bottom * ky) + 2) - top
  const { data, info } = await sharp(levels.path, { page: level, limitInputPixels: false })
    .extract({ left, top, width, height })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sampled(window, lattice, laid, { data, channels: info.channels, left, top, width, height, kx, ky })
}

/** Returns the part of the picture that a window shows, in its pixels; null if none. */
function extentOf({ u, v }: Lattice, { width, height }: Laid) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < u.length; i++) {
    const [x, y] = [u[i] ?? Number.NaN, v[i] ?? Number.NaN]
    if (Number.isNaN(x)) continue
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (!(right > 0 && bottom > 0 && left < width && top < height)) return null
  return { left: Math.max(0, left), top: Math.max(0, top), right: Math.min(width, right), bottom: Math.min(height, bottom) }
}

/** Returns the scale whose pixels are just finer than those of a window. */
function levelFor({ columns, u, v }: Lattice, levels: Levels): number {
  let least = Infinity
  for (let i = 0; i + 1 < u.length; i++) {
    if ((i + 1) % columns === 0) continue
    const step = Math.hypot((u[i + 1] ?? 0) - (u[i] ?? 0), (v[i + 1] ?? 0) - (v[i] ?? 0))
    if (step < least) least = step
  }
  const pixels = Number.isFinite(least) ? least / STEP : 1
  return Math.max(0, Math.min(levels.sizes.length - 1, Math.floor(Math.log2(Math.max(1, pixels)))))
}

type Part = { data: Buffer; channels: number; left: number; top: number; width: number; height: number; kx: number; ky: number }

/** Draws a window from a part of the picture: bilinear, and transparent outside the picture. */
function sampled(window: Window, { columns, u, v }: Lattice, laid: Laid, part: Part): Buffer | null {
  const out = Buffer.alloc(window.width * window.height * 4)
  let drawn = false
  for (let y = 0; y < window.height; y++) {
    const row = Math.floor((y + 0.5) / STEP)
    const fy = (y + 0.5) / STEP - row
    for (let x = 0; x < window.width; x++) {
      const column = Math.floor((x + 0.5) / STEP)
      const fx = (x + 0.5) / STEP - column
      const i = row * columns + column
      const px = between(u, i, columns, fx, fy)
      const py = between(v, i, columns, fx, fy)
      if (!(px >= 0 && py >= 0 && px <= laid.width && py <= laid.height)) continue
      drawn = pixelInto(out, (y * window.width + x) * 4, part, px * part.kx - 0.5 - part.left, py * part.ky - 0.5 - part.top) || drawn
    }
  }
  return drawn ? out : null
}

const between = (values: Float64Array, i: number, columns: number, fx: number, fy: number): number =>
  ((values[i] ?? Number.NaN) * (1 - fx) + (values[i + 1] ?? Number.NaN) * fx) * (1 - fy) +
  ((values[i + columns] ?? Number.NaN) * (1 - fx) + (values[i + columns + 1] ?? Number.NaN) * fx) * fy

const within = (value: number, count: number): number => (value < 0 ? 0 : value < count ? value : count - 1)

/**
 * Writes one pixel, weighted by the transparency of its four neighbours. Returns whether anything of it can be seen. Written without lists and loops, because
 * this is where most of the time for tiles goes.
 */
function pixelInto(out: Buffer, to: number, { data, channels, width, height }: Part, x: number, y: number): boolean {
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const left = within(x0, width) * channels
  const right = within(x0 + 1, width) * channels
  const upper = within(y0, height) * width * channels
  const lower = within(y0 + 1, height) * width * channels
  const a = upper + left
  const b = upper + right
  const c = lower + left
  const d = lower + right
  let wa = (1 - x + x0) * (1 - y + y0)
  let wb = (x - x0) * (1 - y + y0)
  let wc = (1 - x + x0) * (y - y0)
  let wd = (x - x0) * (y - y0)
  if (channels === 4) {
    wa *= (data[a + 3] ?? 0) / 255
    wb *= (data[b + 3] ?? 0) / 255
    wc *= (data[c + 3] ?? 0) / 255
    wd *= (data[d + 3] ?? 0) / 255
  }
  const alpha = wa + wb + wc + wd
  if (alpha <= 0) return false
  // Bytes are cut off after the point.
  for (let k = 0; k < 3; k++)
    out[to + k] = (wa * (data[a + k] ?? 0) + wb * (data[b + k] ?? 0) + wc * (data[c + k] ?? 0) + wd * (data[d + k] ?? 0)) / alpha + 0.5
  const opaque = Math.floor(alpha * 255 + 0.5)
  out[to + 3] = opaque
  return opaque !== 0
}

/** Draws all tiles of a picture into one file, and returns what its record needs to know. */
export async function drawTiles(path: string, laid: Laid, plan: TilePlan, out: string, report: (fraction: number) => void) {
  const levels = await levelsOf(path)
  const file = await open(out, 'w')
  const hash = createHash('sha256')
  const placed: Placed[] = []
  let offset = 0
  const append = async (bytes: Uint8Array) => {
    hash.update(bytes)
    await file.write(bytes)
    offset += bytes.length
  }
  const blocks = plan.spans.flatMap(blocksOf)
  try {
    for (const [done, block] of blocks.entries()) {
      for (const { x, y, bytes } of await drawBlock(block, laid, levels)) {
        placed.push({ z: block.z, x, y, offset, length: bytes.length })
        await append(bytes)
      }
      report((done + 1) / blocks.length)
    }
    const index_at = offset
    await append(writeIndex(placed))
    return { sha256: hash.digest('hex'), size: offset, index_at, tiles: placed.length }
  } finally {
    await file.close()
  }
}

/** Divides the tiles of a zoom into blocks. */
function blocksOf({ z, west, east, north, south }: Span): Span[] {
  const blocks: Span[] = []
  for (let y = north; y <= south; y += BLOCK)
    for (let x = west; x <= east; x += BLOCK)
      blocks.push({ z, west: x, east: Math.min(east, x + BLOCK - 1), north: y, south: Math.min(south, y + BLOCK - 1) })
  return blocks
}

async function drawBlock({ z, west, east, north, south }: Span, laid: Laid, levels: Levels) {
  const [columns, rows] = [east - west + 1, south - north + 1]
  const n = 2 ** z
  const window: Window = { left: west / n, top: north / n, pixel: 1 / n / TILE, width: columns * TILE, height: rows * TILE }
  const pixels = await drawWindow(window, laid, levels)
  if (pixels === null) return []
  const tiles = Array.from({ length: columns * rows }, async (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)]
    const bytes = await tileFrom(pixels, window.width, column * TILE, row * TILE)
    return bytes === null ? [] : [{ x: west + column, y: north + row, bytes }]
  })
  return (await Promise.all(tiles)).flat()
}

/** Cuts a tile out of a block; null if it is wholly transparent. */
async function tileFrom(pixels: Buffer, width: number, left: number, top: number): Promise<Buffer | null> {
  const tile = Buffer.alloc(TILE * TILE * 4)
  for (let row = 0; row < TILE; row++) {
    const from = ((top + row) * width + left) * 4
    pixels.copy(tile, row * TILE * 4, from, from + TILE * 4)
  }
  let seen = false
  for (let i = 3; i < tile.length && !seen; i += 4) seen = tile[i] !== 0
  if (!seen) return null
  return sharp(tile, { raw: { width: TILE, height: TILE, channels: 4 } })
    .webp({ quality: 85, effort: 1 })
    .toBuffer()
}

const GROUND = '#e9e6e0'

/** Draws the card of a site: the picture if there is one, with lines above it (SVG). */
export async function drawCard(picture: { path: string; laid: Laid } | null, box: Box, lines: string): Promise<Buffer> {
  const { width, height } = CARD
  const ground = sharp({ create: { width, height, channels: 4, background: GROUND } })
  const layers: { input: Buffer; raw?: { width: number; height: number; channels: 4 } }[] = []
  if (picture !== null) {
    const { width: w, height: h } = await sharp(picture.path).metadata()
    const pixels = await drawWindow(windowOf(box), picture.laid, { path: picture.path, sizes: [{ width: w, height: h }] })
    if (pixels !== null) layers.push({ input: pixels, raw: { width, height, channels: 4 } })
  }
  layers.push({ input: Buffer.from(lines) })
  return ground.composite(layers).webp({ quality: 82 }).toBuffer()
}
