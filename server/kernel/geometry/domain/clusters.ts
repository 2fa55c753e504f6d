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
  // Groups of polygons that a line from south to north still crosses. One member that is met is enough for a group, so that thousands on top of each other take no longer.
  let open: number[][] = []
  for (const i of heads.toSorted((a, b) => at(boxes, a)[0] - at(boxes, b)[0])) {
    const box = at(boxes, i)
    let mine = [i]
    const apart: number[][] = []
    for (const group of open) {
      const met = group.findLast(k => boxesMeet(at(boxes, k), box))
      if (met === undefined) {
        const left = group.filter(k => at(boxes, k)[2] >= box[0])
        if (left.length > 0) apart.push(left)
        continue
      }
      heads[headOf(met)] = headOf(i)
      const [long, short] = group.length > mine.length ? [group, mine] : [mine, group]
      for (const k of short) long.push(k)
      mine = long
    }
    open = [...apart, mine]
  }
  return [...Map.groupBy(polygons.keys(), headOf).values()].map(group => group.map(i => at(polygons, i)))
}
