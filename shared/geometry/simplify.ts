// Which points of a line matter (Douglas and Peucker). Pure.
import { at } from '../narrow.ts'
import { type Metres, metresToStretch } from './plane.ts'

/** Returns for each point of a line in a plane whether it stays: the others are at most this far away from the line through those. Both ends stay. */
export function pointsThatStay(line: readonly Metres[], tolerance: number): boolean[] {
  const stays = line.map((_, i) => i === 0 || i === line.length - 1)
  const waiting: [number, number][] = [[0, line.length - 1]]
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    const [from, to] = span
    let [far, index] = [tolerance, -1]
    for (let i = from + 1; i < to; i++) {
      const distance = metresToStretch(at(line, i), at(line, from), at(line, to))
      if (distance > far) [far, index] = [distance, i]
    }
    if (index < 0) continue
    stays[index] = true
    waiting.push([from, index], [index, to])
  }
  return stays
}
