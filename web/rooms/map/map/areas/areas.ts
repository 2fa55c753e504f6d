// Active areas as plain data: who has which patch of ground at an instant, how it looks, and what a form sends.
import { centreOf, holds, metresTo } from '../../../../../shared/geometry/plane.ts'
import type { Schemas } from '../../../../base/api.ts'
import { type Feature, type Frame, type Ground, groundIn, levelsOf, middleOf, onFloor, type Place, type Spot, spotOf } from '../model.ts'
import { arealOf } from './areal.ts'

/** An active area. */
export type Area = Schemas['ActiveArea']
/** What an active area is for. */
export type AreaKind = Area['area_kind']

/** The kinds, in the order in which people choose them. */
export const AREA_KINDS: readonly AreaKind[] = [
  'work',
  'exclusion',
  'lifting',
  'laydown',
  'route_closed',
  'hot_work',
  'delivery_bay',
  'reserved',
]
/** Kinds that only coordinators draw, because everyone has to respect them. */
export const COORDINATED: readonly AreaKind[] = ['exclusion', 'lifting', 'route_closed']
const EXCLUSIVE: readonly AreaKind[] = ['exclusion', 'lifting', 'hot_work']

/** Returns whether nobody else can be in an area of this kind, unless a person says otherwise. */
export const isExclusive = (kind: AreaKind): boolean => EXCLUSIVE.includes(kind)

/** Returns the colour family of a kind: red stops everyone, yellow warns, the rest is in the contractor's colour. */
export function toneOf(kind: AreaKind): 'stop' | 'warn' | 'own' {
  if (kind === 'exclusion' || kind === 'route_closed') return 'stop'
  return kind === 'lifting' || kind === 'hot_work' ? 'warn' : 'own'
}

/** Returns the ground of an area: what is left of it after cuts. */
export const areaGround = (area: Pick<Area, 'geometry' | 'place'>): Ground | null => groundIn(area.geometry) ?? groundIn(area.place.polygon)

/** Returns the areas on the selected floor. */
export const areasShown = (all: readonly Area[], floor: Parameters<typeof onFloor>[2]): readonly Area[] =>
  all.filter(({ place: { building_id, level_index } }) =>
    onFloor(building_id, level_index == null ? null : [level_index, level_index], floor),
  )

/** Orders areas for the list: exclusive ones first, then by kind, then by name. */
export const areasInOrder = (areas: readonly Area[]): Area[] =>
  areas.toSorted(
    (a, b) =>
      Number(b.exclusive) - Number(a.exclusive) ||
      AREA_KINDS.indexOf(a.area_kind) - AREA_KINDS.indexOf(b.area_kind) ||
      a.name.localeCompare(b.name),
  )

/** Returns the position where the panel of an area opens. */
export function areaSpot(area: Pick<Area, 'geometry' | 'place'>): Spot | null {
  const ground = areaGround(area)
  return ground === null ? null : middleOf(ground)
}

type At = { place: Place | null }
/** Returns the permits whose place is in an area, on its level: those whose own position is there, and those for a zone or a building that surrounds the area. */
export function permitsIn<T extends At>(area: Area, permits: readonly T[], frame: Frame): T[] {
  const ground = areaGround(area)
  if (ground === null) return []
  const areal = arealOf(ground)
  return permits.filter(({ place }) => {
    if (place === null || !meets(area.place, place, frame)) return false
    const drawn = groundIn(place.polygon)
    if (drawn !== null) return holds(areal, centreOf(arealOf(drawn))) || metresTo(arealOf(drawn), centreOf(areal)) === 0
    const spot = spotOf(place, frame)
    if (spot !== null && holds(areal, { lon: spot[0], lat: spot[1] })) return true
    return place.zone_id != null && place.zone_id === area.place.zone_id
  })
}

function meets(mine: Area['place'], place: Place, frame: Frame): boolean {
  const building = place.building_id ?? frame.get(place.zone_id ?? '')?.building_id ?? null
  if (building !== (mine.building_id ?? null)) return building === null
  const levels = levelsOf(place, frame)
  return levels === null || mine.level_index == null || (levels[0] <= mine.level_index && mine.level_index <= levels[1])
}

/** A form of an active area, as it is typed. */
export type AreaTyped = {
  name: string
  area_kind: AreaKind
  /** Null until the person decides: it follows from the kind. */
  exclusive: boolean | null
  contractor_id: string
  building_id: string
  level_index: string
  start_at: string | null
  end_at: string | null
  base_m: string
  top_m: string
  notes: string
  repeats: boolean
  weekdays: number[]
  last_day: string
  /** Days that a permit leaves out of its schedule. */
  skip_dates: string[]
}

const SHIFT_MS = 8 * 3_600_000
const QUARTER_MS = 15 * 60_000
const textOf = (value: number | string | null | undefined): string => (value == null ? '' : String(value))
const numberIn = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Returns what a form starts with: an area; or a new one from the last quarter of an hour on, on the floor that is shown. */
export function typedOf(area: Area | null, now: number, floor: Parameters<typeof onFloor>[2]): AreaTyped {
  const start = Math.floor(now / QUARTER_MS) * QUARTER_MS
  return {
    name: area?.name ?? '',
    area_kind: area?.area_kind ?? 'work',
    exclusive: area?.exclusive ?? null,
    contractor_id: textOf(area?.contractor_id),
    building_id: textOf(area === null ? floor?.building : area.place.building_id),
    level_index: textOf(area === null ? floor?.level : area.place.level_index),
    start_at: area?.start_at ?? new Date(start).toISOString(),
    end_at: area === null ? new Date(start + SHIFT_MS).toISOString() : area.end_at,
    base_m: textOf(area?.base_m),
    top_m: textOf(area?.top_m),
    notes: textOf(area?.notes),
    repeats: false,
    weekdays: [1, 2, 3, 4, 5],
    last_day: '',
    skip_dates: [],
  }
}

/** Returns what is sent from a form. `anyones`: the person chooses the contractor. */
export function areaBody(typed: AreaTyped, ground: Ground, anyones: boolean) {
  const { name, area_kind, exclusive, contractor_id, building_id, level_index, start_at, end_at, base_m, top_m, notes } = typed
  const level = building_id === '' ? null : numberIn(level_index)
  return {
    name: name.trim(),
    area_kind,
    exclusive: exclusive ?? isExclusive(area_kind),
    place: {
      polygon: ground,
      ...(building_id === '' ? {} : { building_id }),
      ...(level === null ? {} : { level_index: level }),
    },
    ...(start_at === null ? {} : { start_at }),
    end_at,
    base_m: numberIn(base_m),
    top_m: numberIn(top_m),
    notes: notes.trim() === '' ? null : notes.trim(),
    ...(anyones ? { contractor_id: contractor_id === '' ? null : contractor_id } : {}),
  }
}

/** Returns the body of a change: only what differs from the area, so that a new name never counts as a new shape. */
export function changeBody(area: Area, body: ReturnType<typeof areaBody>): Partial<ReturnType<typeof areaBody>> {
  const { polygon, building_id, level_index } = body.place
  const drawn = JSON.stringify(polygon) !== JSON.stringify(area.place.polygon)
  const moved =
    drawn ||
    (building_id !== undefined && building_id !== area.place.building_id) ||
    (level_index !== undefined && level_index !== area.place.level_index)
  const now: Record<string, unknown> = { ...area, notes: area.notes ?? null }
  const { place, ...others } = body
  return {
    ...Object.fromEntries(Object.entries(others).filter(([field, value]) => (now[field] ?? null) !== (value ?? null))),
    ...(moved ? { place } : {}),
  }
}

/** Lists what a fill can fill, by name: zones and areas first, then buildings. */
export const containersIn = (frame: Frame): Feature[] =>
  [...frame.values()].toSorted(
    (a, b) => Number(a.kind === 'building') - Number(b.kind === 'building') || a.name.localeCompare(b.name, undefined, { numeric: true }),
  )
