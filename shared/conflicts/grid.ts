// A grid over the site in which pieces of ground are found by where they are: the spatial index of conflicts (`conflict-and-planning.md` §4.3). It is kept in flat
// arrays: for each cell the first entry of a list, and for each entry its piece and the next entry. Pure.
import type { Shape } from './shapes.ts'

/** The box of a shape, in metres of the plane of the site. */
type Box = Pick<Shape, 'west' | 'south' | 'east' | 'north'>

/** A grid of items, each a small whole number, with cells of some metres. */
export type Grid = {
  add(item: number, box: Box): void
  remove(item: number, box: Box): void
  /** Calls `visit` once with every item that may be within a distance of a box; an item for which `isOver` is true is forgotten instead. */
  near(box: Box, metres: number, visit: (item: number) => void, isOver?: (item: number) => boolean): void
}

/** An item over more cells than this is kept apart and always met: there are few of them. */
const MOST_CELLS = 64
const NONE = -1

/** Returns a copy of a list with twice the room. */
function doubled(list: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(list.length * 2)
  grown.set(list)
  return grown
}

/**
 * Makes an empty grid for about this many items. Cells are found by a hash of their position; two cells with one hash only make a search meet more items than it
 * needs.
 */
export function gridOf(cell_m: number, expected: number): Grid {
  const size = 1 << Math.max(6, Math.ceil(Math.log2(expected * 2 + 1)))
  const heads = new Int32Array(size).fill(NONE)
  let nexts = new Int32Array(size)
  let items = new Int32Array(size)
  // The search that met each item last, because an item can be in several cells.
  let seen = new Int32Array(size)
  let wide: number[] = []
  let free = NONE
  let entries = 0
  let searches = 0

  const column = (metres: number): number => Math.floor(metres / cell_m)
  const slotOf = (x: number, y: number): number => {
    const mixed = Math.imul(Math.imul(x, 0x9e3779b1) ^ y, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & (size - 1)
  }
  const next = (entry: number): number => nexts[entry] ?? NONE
  const isWide = (box: Box): boolean => cellsOf(box, 0) > MOST_CELLS
  const cellsOf = ({ west, south, east, north }: Box, more: number): number =>
    (column(east + more) - column(west - more) + 1) * (column(north + more) - column(south - more) + 1)

  function link(item: number, slot: number): void {
    let entry = free
    if (entry === NONE) entry = entries++
    else free = next(entry)
    if (entry >= nexts.length) {
      nexts = doubled(nexts)
      items = doubled(items)
    }
    items[entry] = item
    nexts[entry] = heads[slot] ?? NONE
    heads[slot] = entry
  }

  /** Goes over the list of a cell; an entry for which `isKept` is false is taken out. */
  function scan(slot: number, isKept: (item: number) => boolean): void {
    let before = NONE
    let entry = heads[slot] ?? NONE
    while (entry !== NONE) {
      const after = next(entry)
      if (isKept(items[entry] ?? NONE)) before = entry
      else {
        if (before === NONE) heads[slot] = after
        else nexts[before] = after
        nexts[entry] = free
        free = entry
      }
      entry = after
    }
  }

  function eachSlot({ west, south, east, north }: Box, more: number, work: (slot: number) => void): void {
    const [x1, x2, y1, y2] = [column(west - more), column(east + more), column(south - more), column(north + more)]
    for (let x = x1; x <= x2; x++) for (let y = y1; y <= y2; y++) work(slotOf(x, y))
  }

  function scanWide(isKept: (item: number) => boolean): void {
    wide = wide.filter(isKept)
  }

  return {
    add(item, box) {
      while (item >= seen.length) seen = doubled(seen)
      if (isWide(box)) wide.push(item)
      else eachSlot(box, 0, slot => link(item, slot))
    },
    remove(item, box) {
      const isOther = (one: number) => one !== item
      if (isWide(box)) scanWide(isOther)
      else eachSlot(box, 0, slot => scan(slot, isOther))
    },
    near(box, metres, visit, isOver) {
      const search = ++searches
      const meet = (item: number): boolean => {
        if (seen[item] === search) return true
        if (isOver?.(item)) return false
        seen[item] = search
        visit(item)
        return true
      }
      if (wide.length > 0) scanWide(meet)
      if (cellsOf(box, metres) > size) for (let slot = 0; slot < size; slot++) scan(slot, meet)
      else eachSlot(box, metres, slot => scan(slot, meet))
    },
  }
}
