// From the pixels of a drawing to lines: threshold, thin, trace, join, straighten, simplify (`map.md` §8). Pure.
import { at } from '../../../../../shared/narrow.ts'
import { simplified } from './lines.ts'

/** How pixels become lines; lengths in pixels. */
export type Tracing = { threshold: number | 'auto'; least: number; simplify: number; straighten: boolean }

/** Returns the value that divides pixels best into dark and light ones (Otsu). */
export function otsu(grey: Uint8Array): number {
  const counts = new Array<number>(256).fill(0)
  for (const value of grey) counts[value] = at(counts, value) + 1
  const total = grey.length
  const sum = counts.reduce((all, count, value) => all + count * value, 0)
  let [below, belowSum, best, found] = [0, 0, -1, 128]
  for (let value = 0; value < 256; value++) {
    below += at(counts, value)
    if (below === 0 || below === total) continue
    belowSum += value * at(counts, value)
    const [a, b] = [belowSum / below, (sum - belowSum) / (total - below)]
    const between = below * (total - below) * (a - b) ** 2
    if (between > best) [best, found] = [between, value]
  }
  return found
}

const THINNINGS_AT_MOST = 200

/** For each pattern of the eight neighbours, clockwise from the north: whether a pixel can go in the first and in the second half of a round. */
const CAN_GO: readonly [Uint8Array, Uint8Array] = (() => {
  const [first, second] = [new Uint8Array(256), new Uint8Array(256)]
  for (let pattern = 0; pattern < 256; pattern++) {
    const bit = (k: number) => (pattern >> (k % 8)) & 1
    let [neighbours, turns] = [0, 0]
    for (let k = 0; k < 8; k++) {
      neighbours += bit(k)
      if (bit(k) === 0 && bit(k + 1) === 1) turns++
    }
    if (neighbours < 2 || neighbours > 6 || turns !== 1) continue
    const [north, east, south, west] = [bit(0), bit(2), bit(4), bit(6)]
    if (north * east * south === 0 && east * south * west === 0) first[pattern] = 1
    if (north * east * west === 0 && north * south * west === 0) second[pattern] = 1
  }
  return [first, second]
})()

/** Thins what is drawn to lines of one pixel (Zhang and Suen). The outermost pixels are cleared. Only the edge of what is drawn is looked at. */
function thin(ink: Uint8Array, width: number, height: number): void {
  for (let i = 0; i < width; i++) ink[i] = ink[(height - 1) * width + i] = 0
  for (let i = 0; i < height; i++) ink[i * width] = ink[i * width + width - 1] = 0
  const [n, e, s, w] = [-width, 1, width, -1]
  const pattern = (i: number) =>
    (ink[i + n] ?? 0) |
    ((ink[i + n + e] ?? 0) << 1) |
    ((ink[i + e] ?? 0) << 2) |
    ((ink[i + s + e] ?? 0) << 3) |
    ((ink[i + s] ?? 0) << 4) |
    ((ink[i + s + w] ?? 0) << 5) |
    ((ink[i + w] ?? 0) << 6) |
    ((ink[i + n + w] ?? 0) << 7)
  const listed = new Uint8Array(ink.length)
  let edge: number[] = []
  const list = (i: number) => {
    if (ink[i] !== 1 || listed[i] === 1) return
    listed[i] = 1
    edge.push(i)
  }
  for (let i = 0; i < ink.length; i++) if (ink[i] === 1 && pattern(i) !== 255) list(i)
  for (let round = 0; round < THINNINGS_AT_MOST; round++) {
    let changed = false
    for (const can of CAN_GO) {
      const gone = edge.filter(i => can[pattern(i)] === 1)
      for (const i of gone) ink[i] = 0
      if (gone.length === 0) continue
      changed = true
      edge = edge.filter(i => ink[i] === 1)
      for (const i of gone) for (const step of [n, n + e, e, s + e, s, s + w, w, n + w]) list(i + step)
    }
    if (!changed) return
  }
}

/** Follows thin lines from their ends and crossings, then those that are closed. */
function follow(ink: Uint8Array, width: number): number[][] {
  // Straight neighbours come first, so that corners aren't cut.
  const around = [-width, 1, width, -1, -width + 1, width + 1, width - 1, -width - 1]
  const degree = (i: number) => around.reduce((sum, step) => sum + (ink[i + step] === 0 || ink[i + step] === undefined ? 0 : 1), 0)
  const used = new Uint8Array(ink.length)
  const lines: number[][] = []
  const walk = (from: number, first: number) => {
    const line = [from, first]
    used[first] = 1
    for (let [before, here] = [from, first]; degrees[here] === 2; ) {
      const next = around.map(step => here + step).find(i => ink[i] === 1 && i !== before && (used[i] === 0 || degrees[i] !== 2))
      if (next === undefined) break
      line.push(next)
      if (degrees[next] !== 2) break
      used[next] = 1
      ;[before, here] = [here, next]
    }
    lines.push(line.flatMap(i => [(i % width) + 0.5, Math.floor(i / width) + 0.5]))
  }
  const degrees = new Uint8Array(ink.length)
  for (let i = 0; i < ink.length; i++) if (ink[i] === 1) degrees[i] = degree(i)
  for (let i = 0; i < ink.length; i++) {
    if (ink[i] !== 1 || degrees[i] === 2) continue
    for (const step of around) {
      const next = i + step
      if (ink[next] === 1 && used[next] === 0 && degrees[next] === 2) walk(i, next)
    }
  }
  for (let i = 0; i < ink.length; i++) {
    if (degrees[i] !== 2 || used[i] === 1) continue
    used[i] = 1
    const next = around.map(step => i + step).find(k => ink[k] === 1 && used[k] === 0)
    if (next !== undefined) walk(i, next)
  }
  return lines
}

const GAP = 3
const BEND = Math.cos((15 * Math.PI) / 180)

/** Joins lines whose ends meet and go on in the same direction. */
function join(lines: number[][]): number[][] {
  const cell = (x: number, y: number) => `${Math.round(x / GAP)} ${Math.round(y / GAP)}`
  const ends = new Map<string, Set<number>>()
  const alive = lines.map((line): number[] | null => line)
  const put = (index: number, line: readonly number[], add: boolean) => {
    for (const k of [0, line.length - 2]) {
      const key = cell(at(line, k), at(line, k + 1))
      const found = ends.get(key) ?? new Set()
      if (add) found.add(index)
      else found.delete(index)
      ends.set(key, found)
    }
  }
  for (const [index, line] of lines.entries()) put(index, line, true)
  const direction = (line: readonly number[]) => {
    const k = Math.max(0, line.length - 12)
    const [dx, dy] = [at(line, line.length - 2) - at(line, k), at(line, line.length - 1) - at(line, k + 1)]
    const length = Math.hypot(dx, dy) || 1
    return [dx / length, dy / length] as const
  }
  const turned = (line: readonly number[]) =>
    Array.from({ length: line.length / 2 }, (_, i) => i).flatMap(i => [
      at(line, line.length - 2 - i * 2),
      at(line, line.length - 1 - i * 2),
    ])
  const successor = (index: number, line: readonly number[]): [number, number[]] | null => {
    const [x, y] = [at(line, line.length - 2), at(line, line.length - 1)]
    const [ux, uy] = direction(line)
    for (const dx of [0, -GAP, GAP])
      for (const dy of [0, -GAP, GAP])
        for (const other of ends.get(cell(x + dx, y + dy)) ?? []) {
          const found = alive[other]
          if (other === index || found === null || found === undefined) continue
          for (const next of [found, turned(found)]) {
            if (Math.hypot(at(next, 0) - x, at(next, 1) - y) > GAP) continue
            const [vx, vy] = direction(turned(next))
            if (-(ux * vx + uy * vy) > BEND) return [other, next]
          }
        }
    return null
  }
  for (const [index] of lines.entries()) {
    for (let tries = 0; tries < lines.length; tries++) {
      const line = alive[index]
      if (line === null || line === undefined) break
      const forward = successor(index, line)
      const backward = forward === null ? successor(index, turned(line)) : null
      const found = forward ?? backward
      if (found === null) break
      const joined = [...(forward === null ? turned(line) : line), ...found[1]]
      put(index, line, false)
      put(found[0], alive[found[0]] ?? [], false)
      alive[found[0]] = null
      alive[index] = joined
      put(index, joined, true)
    }
  }
  return alive.filter(line => line !== null)
}

const lengthOf = (line: readonly number[]) => {
  let sum = 0
  for (let i = 2; i + 1 < line.length; i += 2) sum += Math.hypot(at(line, i) - at(line, i - 2), at(line, i + 1) - at(line, i - 1))
  return sum
}

const SNAP_DEG = 4

/** Turns straight lines that nearly have one of the two main directions of the drawing into it. */
function straightened(lines: readonly number[][]): number[][] {
  const bins = new Array<number>(90).fill(0)
  const angle = (line: readonly number[]) => (Math.atan2(at(line, 3) - at(line, 1), at(line, 2) - at(line, 0)) * 180) / Math.PI
  const straight = (line: readonly number[]) => line.length === 4
  for (const line of lines) {
    if (!straight(line)) continue
    const bin = Math.round(((angle(line) % 90) + 90) % 90) % 90
    bins[bin] = at(bins, bin) + lengthOf(line)
  }
  const weight = (bin: number) => at(bins, (bin + 89) % 90) + at(bins, bin) + at(bins, (bin + 1) % 90)
  const main = bins.reduce((best, _, bin) => (weight(bin) > weight(best) ? bin : best), 0)
  return lines.map(line => {
    if (!straight(line)) return [...line]
    const off = ((((angle(line) - main) % 90) + 135) % 90) - 45
    if (Math.abs(off) > SNAP_DEG) return [...line]
    const turn = (-off * Math.PI) / 180
    const [cx, cy] = [(at(line, 0) + at(line, 2)) / 2, (at(line, 1) + at(line, 3)) / 2]
    const [c, s] = [Math.cos(turn), Math.sin(turn)]
    const place = (x: number, y: number) => [cx + (x - cx) * c - (y - cy) * s, cy + (x - cx) * s + (y - cy) * c]
    return [...place(at(line, 0), at(line, 1)), ...place(at(line, 2), at(line, 3))]
  })
}

/** Traces a picture in grey values. Returns lines in its pixels. */
export function trace(grey: Uint8Array, width: number, height: number, how: Tracing): number[][] {
  const limit = how.threshold === 'auto' ? otsu(grey) : how.threshold
  const ink = new Uint8Array(grey.length)
  for (let i = 0; i < grey.length; i++) if ((grey[i] ?? 255) <= limit) ink[i] = 1
  thin(ink, width, height)
  const lines = join(follow(ink, width))
    .map(line => simplified(line, Math.max(0.75, how.simplify)))
    .filter(line => line.length >= 4 && lengthOf(line) >= how.least)
  return how.straighten ? straightened(lines) : lines
}
