// Clashes on the map, as plain data: which are shown, where their lines are, and in which order they are read.
import type { Schemas } from '../../../../base/api.ts'
import { onFloor, type Spot } from '../model.ts'

/** Two things that a rule doesn't allow together. */
export type MapClash = Schemas['Clash']
/** How bad a clash is. */
export type Severity = MapClash['severity']
type Floor = Parameters<typeof onFloor>[2]
type Pair = Pick<MapClash, 'a' | 'b'>

const idsOf = ({ a, b }: Pair): string[] => [a.id, b.id].flatMap(id => id ?? [])

/** Returns the clashes on the selected floor: those with a side that is shown there, and those that were found there. Nobody is shown where a hidden side is. */
export function clashesShown(all: readonly MapClash[], floor: Floor, shown: readonly (readonly { id: string }[])[]): readonly MapClash[] {
  if (floor === null) return all
  const there = new Set(shown.flatMap(list => list.map(one => one.id)))
  return all.filter(clash => {
    const { building_id, level_index } = clash.place
    if (idsOf(clash).some(id => there.has(id))) return true
    if (clash.a.hidden || clash.b.hidden) return false
    return onFloor(building_id, level_index === null ? null : [level_index, level_index], floor)
  })
}

/** Returns the line between the closest points of the two sides; null if one of them is hidden, because then nobody is shown where it is. */
export function lineOf({ nearest }: Pick<MapClash, 'nearest'>): readonly [Spot, Spot] | null {
  const [a, b] = nearest ?? []
  return a === undefined || b === undefined
    ? null
    : [
        [a.lon, a.lat],
        [b.lon, b.lat],
      ]
}

/** Returns the middle of the line of a clash; null if it has none. */
export function clashSpot(clash: Pick<MapClash, 'nearest'>): Spot | null {
  const line = lineOf(clash)
  if (line === null) return null
  const [[west, south], [east, north]] = line
  return [(west + east) / 2, (south + north) / 2]
}

/** Returns a clash by its id, or by that of its episode: links from other pages lead to an episode, whichever day the map shows. */
export const clashOf = (clashes: readonly MapClash[], id: string | null): MapClash | undefined =>
  id === null ? undefined : (clashes.find(one => one.id === id) ?? clashes.find(one => one.episode_id === id))

/** Returns whether someone has settled a clash: it is accepted, or isn’t one. A clash that someone resolves isn't settled until it is over. */
export const isSettled = ({ stance }: Pick<MapClash, 'stance'>): boolean => stance !== null && stance !== 'resolving'

const weight = (severity: Severity): number => (severity === 'red' ? 0 : 1)

/** Orders clashes for the list: those that nobody has settled first, and of each the red ones first, then the nearest, then the soonest. */
export const clashesInOrder = (clashes: readonly MapClash[]): MapClash[] =>
  clashes.toSorted(
    (a, b) =>
      Number(isSettled(a)) - Number(isSettled(b)) ||
      weight(a.severity) - weight(b.severity) ||
      a.distance_m - b.distance_m ||
      Date.parse(a.from_at) - Date.parse(b.from_at) ||
      (a.id < b.id ? -1 : 1),
  )

/** How many clashes something has, by its id. */
export type ClashCounts = ReadonlyMap<string, { red: number; amber: number }>

/** Counts the clashes of each thing. */
export function countsOf(clashes: readonly MapClash[]): ClashCounts {
  const counts = new Map<string, { red: number; amber: number }>()
  for (const clash of clashes)
    for (const id of idsOf(clash)) {
      const count = counts.get(id) ?? { red: 0, amber: 0 }
      count[clash.severity] += 1
      counts.set(id, count)
    }
  return counts
}

type Drawn = { type: 'LineString'; coordinates: number[][] } | { type: 'Point'; coordinates: number[] }

/** Returns on which side of a line its sign is, so that the sign covers neither end: to the right of an upright line, above every other. */
export function signSide([[west, south], [east, north]]: readonly [Spot, Spot]): 'above' | 'right' {
  const across = Math.abs(east - west) * Math.cos((south * Math.PI) / 180)
  return Math.abs(north - south) > across ? 'right' : 'above'
}

/** What the map library draws of a line: the line, and its sign. */
type LineShape = { geometry: Drawn; properties: Record<string, string | boolean> }

/** Returns the line between two points, with its sign in the middle. */
export function lineShapes(
  line: readonly [Spot, Spot],
  { id, severity, chosen, settled = false }: { id: string; severity: Severity; chosen: boolean; settled?: boolean },
): LineShape[] {
  const [[west, south], [east, north]] = line
  const properties = { id, severity, chosen, settled, side: signSide(line) }
  return [
    {
      geometry: {
        type: 'LineString',
        coordinates: [
          [west, south],
          [east, north],
        ],
      },
      properties,
    },
    { geometry: { type: 'Point', coordinates: [(west + east) / 2, (south + north) / 2] }, properties },
  ]
}

/** A line between the closest points of two things, outside of the map page. `key`: by what it is selected. */
export type Between = { key?: string; severity: Severity; from: Spot; to: Spot }

/** Lines that are the same, such as those of each day, have the same key. */
const keyOfLine = ({ key, from, to }: Between): string => key ?? [from, to].join(' ')

/** Returns what a small picture draws of some lines: red above amber, the selected one above all, and lines that are the same only once, as the worse of them. */
export function betweenShapes(lines: readonly Between[], chosen: string | null = null): LineShape[] {
  const inOrder = lines.toSorted((one, other) => weight(other.severity) - weight(one.severity))
  const apart = new Map(inOrder.map(one => [keyOfLine(one), one]))
  return [...apart]
    .toSorted(([, one], [, other]) => weight(other.severity) - weight(one.severity))
    .toSorted(([one], [other]) => Number(one === chosen) - Number(other === chosen))
    .flatMap(([id, { from, to, severity }]) => lineShapes([from, to], { id, severity, chosen: id === chosen }))
}

/** Returns what the map draws of clashes: a line and a sign for each, those that nobody has settled above the others, red above amber, the selected one above all. */
export function clashShapes(clashes: readonly MapClash[], chosen: string | null): LineShape[] {
  const own = clashOf(clashes, chosen)
  return clashesInOrder(clashes)
    .toReversed()
    .toSorted((one, other) => Number(one === own) - Number(other === own))
    .flatMap(clash => {
      const line = lineOf(clash)
      return line === null
        ? []
        : lineShapes(line, { id: clash.id, severity: clash.severity, chosen: clash === own, settled: isSettled(clash) })
    })
}

/** What is known about the decision on a clash: someone must settle it, it is settled, it is over, or it is too far ahead for the list. */
export type Settling = 'open' | 'settled' | 'over' | 'ahead'

/** Returns what is known about the decision on an episode; `days`: how far ahead the list of clashes to settle reads. */
export function settlingOf(
  { status, stance, next_at }: Pick<Schemas['ClashEpisode'], 'status' | 'stance' | 'next_at'>,
  now: number,
  days: number,
): Settling {
  if (status === 'ended' || next_at === null) return 'over'
  if (stance !== null && stance.kind !== 'resolving') return 'settled'
  return Date.parse(next_at) > now + days * DAY_MS ? 'ahead' : 'open'
}
const DAY_MS = 86_400_000
