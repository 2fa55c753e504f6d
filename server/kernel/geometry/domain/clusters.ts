// Which of many polygons can touch each other.
import type { Metres } from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'

type Polygon = readonly (readonly Metres[])[]
type Box = { left: number; right: number; bottom: number; top: number }

function boxOf([outline = []]: Polygon): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity }
  for (const [x, y] of outline) {
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.bottom = Math.min(box.bottom, y)
    box.top = Math.max(box.top, y)
  }
  return box
}

/** Divides polygons into groups, so that the boxes around polygons of different groups don't meet. */
export function clustersOf<P extends Polygon>(polygons: readonly P[]): P[][] {
  const boxes = polygons.map(boxOf)
  const heads = polygons.map((_, i) => i)
  const headOf = (i: number): number => {
    let head = i
    while (at(heads, head) !== head) head = at(heads, head)
    heads[i] = head
    return head
  }
  let open: number[] = []
  for (const i of heads.toSorted((a, b) => at(boxes, a).left - at(boxes, b).left)) {
    const { left, bottom, top } = at(boxes, i)
    open = open.filter(k => at(boxes, k).right >= left)
    for (const k of open) if (at(boxes, k).top >= bottom && at(boxes, k).bottom <= top) heads[headOf(k)] = headOf(i)
    open.push(i)
  }
  return [...Map.groupBy(polygons.keys(), headOf).values()].map(group => group.map(i => at(polygons, i)))
}
