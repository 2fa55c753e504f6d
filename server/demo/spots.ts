// Places on the demo site as people draw them when they request a permit: bays between grid lines, edges of a slab, stretches of the trench.
import { type Box, FRAME } from './ground.ts'

/** Where a piece of work can be. `at`: what is drawn on the map, in metres; without it only the level or zone is known, or nothing. */
export type Spot = { says: string; building?: string; level?: number; zone?: string; at?: Box }

const GRIDS: Readonly<Record<string, { across: readonly number[]; along: readonly number[] }>> = {
  A: { across: [24, 32, 40, 60, 68, 76], along: [113, 121, 135, 151] },
  B: { across: [154, 163, 172, 181, 190, 199, 208, 217], along: [113, 123, 135, 147] },
  C: { across: [23, 33, 43, 53, 63, 72], along: [23, 40, 57] },
  EC: { across: [92, 102, 113], along: [22, 36, 48] },
}

/** Strips inside the edges of the slabs. */
const EDGES: Readonly<Record<string, Readonly<Record<string, Box>>>> = {
  A: { south: [24, 110.3, 30, 2], east: [77.7, 111, 2, 26], north: [24, 152.7, 34, 2], west: [20.3, 120, 2, 30] },
  B: { south: [160, 110.3, 54, 2], east: [217.7, 112, 2, 34], north: [170, 147.7, 44, 2], west: [150.3, 111, 2, 26] },
  C: { south: [24, 20.3, 46, 2], east: [72.7, 22, 2, 34], north: [24, 57.7, 46, 2], west: [20.3, 22, 2, 34] },
  EC: { south: [91, 20.3, 22, 2], east: [112.7, 22, 2, 26], north: [91, 47.7, 22, 2], west: [90.3, 22, 2, 26] },
}

/** Manholes of the sewer run: metres east. */
const MANHOLES: Readonly<Record<string, number>> = { MH3: 16, MH4: 40, MH5: 68, MH6: 90, MH7: 112 }
const TRENCH_M = 71

const nameOf = (building: string): string => FRAME.find(one => one.kind === 'building' && one.code === building)?.name ?? building
const floorOf = (level: number): string => (level < 0 ? 'basement' : level === 0 ? 'ground floor' : `level ${level}`)
const known = <T>(found: T | undefined, what: string): T => {
  if (found === undefined) throw new Error(`The demo site has no ${what}.`)
  return found
}

/** Returns the bays between grid lines, such as `1–3/A–B`, on each of these levels. */
export const bays = (building: string, levels: readonly number[], ...between: readonly string[]): Spot[] =>
  levels.flatMap(level =>
    between.map(lines => {
      const { across, along } = known(GRIDS[building], `grid ${building}`)
      const [west = '', east = '', south = '', north = ''] = lines.split(/[–/]/)
      const x = (line: string) => known(across[Number(line) - 1], `grid line ${line} in ${building}`)
      const y = (line: string) => known(along['ABCD'.indexOf(line)], `grid line ${line} in ${building}`)
      const at: Box = [x(west), y(south), x(east) - x(west), y(north) - y(south)]
      return { building, level, at, says: `${nameOf(building)} ${floorOf(level)}, grid ${lines}` }
    }),
  )

/** Returns the edges of a building, such as `east`, on each of these levels. */
export const edges = (building: string, levels: readonly number[], ...sides: readonly string[]): Spot[] =>
  levels.flatMap(level =>
    sides.map(side => ({
      ...{ building, level, at: known(EDGES[building]?.[side], `${side} edge of ${building}`) },
      says: `${nameOf(building)} ${floorOf(level)}, ${side} side`,
    })),
  )

/** Returns stretches of the trench between two manholes, such as `MH3 to MH4`. */
export const runs = (...between: readonly string[]): Spot[] =>
  between.map(says => {
    const [from = 0, to = 0] = says.split(' to ').map(name => known(MANHOLES[name], name))
    return { zone: 'DRN', says, at: [from + 1, TRENCH_M - 1.5, to - from - 2, 3] }
  })

/** Returns manholes. */
export const manholes = (...names: readonly string[]): Spot[] =>
  names.map(says => ({ zone: 'DRN', says, at: [known(MANHOLES[says], says) - 1, TRENCH_M - 1, 2, 2] }))

/** A level of a building, without or with what is drawn on it. */
export const on = (building: string, level: number, says: string, at?: Box): Spot => ({
  ...{ building, level, says },
  ...(at === undefined ? {} : { at }),
})
/** A zone in a building. */
export const inside = (building: string, level: number, zone: string, says: string, at: Box): Spot => ({ building, level, zone, says, at })
/** A zone outdoors, without or with what is drawn in it. */
export const outside = (zone: string, says: string, at?: Box): Spot => ({ zone, says, ...(at === undefined ? {} : { at }) })
/** Somewhere that nobody has pointed at. */
export const somewhere = (says: string): Spot => ({ says })

const FLOOR = /^ (ground floor|basement|level \d+)/
/** Returns what a person adds in words to the place on the map: what is said without the building, level and zone. */
export function detailOf({ says, building, zone }: Spot): string {
  const [named] = [building, zone].flatMap(code => {
    const name = FRAME.find(one => one.code === code && one.kind !== 'area')?.name
    return name !== undefined && says.startsWith(name) ? [name] : []
  })
  const rest = says
    .slice(named?.length ?? 0)
    .replace(FLOOR, '')
    .replace(/^,? /, '')
  return rest === '' ? says : rest.charAt(0).toUpperCase() + rest.slice(1)
}
