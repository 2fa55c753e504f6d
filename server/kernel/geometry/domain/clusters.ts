// Which of many polygons can touch each other.
import { boundsOfAll, boxesMeet, type Metres } from '../../../../shared/geometry/plane.ts'
import { at } from '../../../../shared/narrow.ts'

type Polygon = readonly (readonly Metres[])[]

/** Divides polygons into groups, so that the boxes around polygons of different groups don't meet. */
export function clustersOf<P extends Polygon>(polygons: readonly P[]): P[][] {
  const boxes = polygons.map(([outline = []]) => boundsOfAll(outline))
  const heads = polygons.map((_, i) => i)
  const headOf = (i: number): number => {
    let head = i
    while (at(heads, head) !== head) head = at(heads, head)
    heads[i] = head
    return head
  }
  let open: number[] = []
  for (const i of heads.toSorted((a, b) => at(boxes, a)[0] - at(boxes, b)[0])) {
    const box = at(boxes, i)
    open = open.filter(k => at(boxes, k)[2] >= box[0])
    for (const k of open) if (boxesMeet(at(boxes, k), box)) heads[headOf(k)] = headOf(i)
    open.push(i)
  }
  return [...Map.groupBy(polygons.keys(), headOf).values()].map(group => group.map(i => at(polygons, i)))
}
