// Members of a smart group as what the map draws: one sign for those at one position, and the ground of those that have a drawn place.
import type { Schemas } from '../../../base/api.ts'
import { type Shape, shape } from './collections.ts'
import { type Frame, isGround, type Spot, spotOf } from './model.ts'

/** A member of a group with its place. */
export type PlacedMember = Schemas['SmartGroupPreview']['members'][number]

/** What is at one position. */
type Together = { spot: Spot; members: readonly PlacedMember[] }

/** Returns the positions of members: their own, else the middle of their zone or building; and how many have none. */
export function positionsOf(members: readonly PlacedMember[], frame: Frame): { positions: Together[]; without: number } {
  const positions = new Map<string, { spot: Spot; members: PlacedMember[] }>()
  let without = 0
  for (const member of members) {
    const spot = spotOf(member.place, frame)
    if (spot === null) {
      without++
      continue
    }
    const key = `${spot[0].toFixed(6)} ${spot[1].toFixed(6)}`
    const known = positions.get(key) ?? { spot, members: [] }
    known.members.push(member)
    positions.set(key, known)
  }
  return { positions: [...positions.values()], without }
}

/** Returns the signs of members. `many`: what is said of several at one position. `colour`: that of the group. */
export const memberSigns = (positions: readonly Together[], colour: string | null, many: (n: number) => string): Shape[] =>
  positions.map(({ spot, members }) => {
    const [first, ...others] = members
    const kinds = new Set(members.map(one => one.kind))
    return shape(
      { type: 'Point', coordinates: [...spot] },
      {
        id: first?.id ?? '',
        token: kinds.size === 1 ? (first?.kind ?? 'several') : 'several',
        says: others.length === 0 ? (first?.label ?? '') : many(members.length),
        ...{ colour, alarm: false, from: 0, chosen: false },
      },
    )
  })

/** Returns the ground of members whose place is an area. */
export const memberGrounds = (members: readonly PlacedMember[], colour: string | null): Shape[] =>
  members.flatMap(({ id, place }) =>
    isGround(place?.polygon) ? [shape(place.polygon, { key: id, id, part: 'area', from: 0, colour, chosen: false })] : [],
  )
