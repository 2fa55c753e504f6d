// Active areas as what the map draws.

import type { Ground } from '../model.ts'
import { type Area, areaGround, toneOf } from './areas.ts'
import { tOf } from './says.ts'

/** Returns the text on an area: its name, and what everyone has to respect in words. */
const saysOf = ({ name, area_kind }: Area): string =>
  area_kind === 'work' || area_kind === 'reserved' ? name : `${tOf('active_area_kind', area_kind)}\n${name}`

/** Returns the shapes of active areas with what their look depends on. */
export const activeShapes = (areas: readonly Area[], chosen: string | null): { ground: Ground; properties: Record<string, unknown> }[] =>
  areas.flatMap(area => {
    const ground = areaGround(area)
    if (ground === null) return []
    const { id, colour, exclusive, fill_group_id } = area
    const looks = { tone: toneOf(area.area_kind), says: saysOf(area), filled: fill_group_id !== null, chosen: id === chosen }
    return [{ ground, properties: { id, colour, exclusive, ...looks } }]
  })
