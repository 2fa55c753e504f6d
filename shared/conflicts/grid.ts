// A grid over the site in which pieces of ground are found by where they are: the spatial index of conflicts (`conflict-and-planning.md` §4.3). Pure.
import type { Shape } from './shapes.ts'

/** Something that can be in a grid. `seen`: the search that met it last, because it can be in several cells. */
export type Gridded = { shape: Shape; seen: number }

/** A grid with cells of some metres. */
export type Grid<T extends Gridded> = {
  add(item: T): void
  remove(item: T): void
  /** Calls `visit` once with every item that may be within a distance of a shape; an item for which `isOver` is true is forgotten instead. */
  near(shape: Shape, metres: number, visit: (item: T) => void, isOver?: (item: T) => boolean): void
}

/** An item over more cells than this is kept apart and always met: there are few of them. */
const MOST_CELLS = 256
const COLUMNS = 1 << 15

let searches = 0

/** Makes an empty grid. */
export function gridOf<T extends Gridded>(cell_m: number): Grid<T> {
  const cells = new Map<number, T[]>()
  const wide: T[] = []
  const column = (metres: number) => Math.floor(metres / cell_m)

  const isWide = ({ west, south, east, north }: Shape) =>
    (column(east) - column(west) + 1) * (column(north) - column(south) + 1) > MOST_CELLS

  function eachCell({ west, south, east, north }: Shape, more: number, work: (key: number) => void): void {
    const [x1, x2, y1, y2] = [column(west - more), column(east + more), column(south - more), column(north + more)]
    for (let x = x1; x <= x2; x++) for (let y = y1; y <= y2; y++) work(x * COLUMNS + y)
  }

  function scan(list: T[], search: number, visit: (item: T) => void, isOver: ((item: T) => boolean) | undefined): void {
    let kept = 0
    for (let i = 0; i < list.length; i++) {
      const item = list[i]
      if (item === undefined) continue
      if (isOver?.(item)) continue
      if (kept !== i) list[kept] = item
      kept++
      if (item.seen === search) continue
      item.seen = search
      visit(item)
    }
    list.length = kept
  }

  return {
    add(item) {
      if (isWide(item.shape)) {
        wide.push(item)
        return
      }
      eachCell(item.shape, 0, key => {
        const list = cells.get(key)
        if (list === undefined) cells.set(key, [item])
        else list.push(item)
      })
    },
    remove(item) {
      const drop = (list: T[] | undefined) => {
        const at = list?.indexOf(item) ?? -1
        if (at >= 0) list?.splice(at, 1)
      }
      if (isWide(item.shape)) drop(wide)
      else
        eachCell(item.shape, 0, key => {
          const list = cells.get(key)
          drop(list)
          if (list?.length === 0) cells.delete(key)
        })
    },
    near(shape, metres, visit, isOver) {
      const search = ++searches
      scan(wide, search, visit, isOver)
      const across = column(shape.east + metres) - column(shape.west - metres) + 1
      const up = column(shape.north + metres) - column(shape.south - metres) + 1
      if (across * up > cells.size) for (const list of cells.values()) scan(list, search, visit, isOver)
      else
        eachCell(shape, metres, key => {
          const list = cells.get(key)
          if (list !== undefined) scan(list, search, visit, isOver)
        })
    },
  }
}
