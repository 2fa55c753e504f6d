// Permits as sides of conflicts (`conflict-and-planning.md` §4.2). Pure.
import { type EffectiveTime, effectiveTime } from '../../../../../shared/conflicts/effective.ts'
import { type PermitPlaces, type Place, permitFootprint } from '../../../../../shared/conflicts/footprints.ts'
import { type Ground, levelsOf, type Side } from '../../../../../shared/conflicts/sides.ts'
import type { Areal, Geometry } from '../../../../../shared/geometry/plane.ts'
import { NO_FACTS } from '../../../../../shared/predicates/entity.ts'
import { type Instant, ms } from '../../../../../shared/time.ts'
import type { Id } from '../../../../base/ids.ts'
import { type EnvelopeRow, envelopesOf } from './envelopes.ts'

/** A permit with everything that its conflicts depend on, besides its linked things. */
export type PermitSideRow = {
  id: Id
  permit_number: string | null
  title: string | null
  status: string
  source: 'requested' | 'imported'
  categories: string[]
  contractor_id: Id | null
  start_at: Instant | null
  end_at: Instant | null
  fire_watch_until: Instant | null
  /** When it was handed back with its work complete. */
  handed_back_complete_at: Instant | null
  building_id: Id | null
  level_index: number | null
  zone_id: Id | null
  place_geometry: Geometry | null
  reissued_from_id: Id | null
  /** Its parent, the parent of that, and so on. */
  ancestor_ids: Id[]
}

/** A linked thing, while it is there. */
export type LinkedRow = EnvelopeRow & {
  permit_id: Id
  id: Id
  start_at: Instant
  end_at: Instant | null
  building_id: Id | null
  level_index: number | null
  zone_id: Id | null
}

/** The shape of a zone or building. */
export type ShapeRow = { geometry: Areal; building_id: Id | null; level_from: number | null; level_to: number | null }

const msOrNull = (at: Instant | null): number | null => (at === null ? null : ms(at))

/** Returns when a permit counts; null if it doesn't. */
export const timeOf = (row: PermitSideRow): EffectiveTime | null =>
  effectiveTime({
    status: row.status,
    source: row.source,
    start_at: msOrNull(row.start_at),
    end_at: msOrNull(row.end_at),
    fire_watch_until: msOrNull(row.fire_watch_until),
    handed_back_complete_at: msOrNull(row.handed_back_complete_at),
  })

type Where = { building_id: Id | null; level_index: number | null; zone_id: Id | null }
type Shapes = ReadonlyMap<Id, ShapeRow>

/** Returns a place without its ground. A level that nobody gave is unknown, because a missing level must never hide a conflict; a zone can have levels of its own. */
function around({ building_id, level_index, zone_id }: Where, shapes: Shapes): Omit<Place, 'ground'> {
  const zone = zone_id === null ? undefined : shapes.get(zone_id)
  return {
    levels: levelsOf(
      level_index === null ? { level_from: zone?.level_from ?? null, level_to: zone?.level_to ?? null } : { level_from: level_index },
    ),
    heights: null,
    building_id: building_id ?? zone?.building_id ?? null,
    zone_ids: zone_id === null ? [] : [zone_id],
  }
}

/** Returns the ground of a drawn place. A permit has a point or a polygon. */
const groundOf = (geometry: Geometry | null): Ground | null => (geometry === null || geometry.type === 'LineString' ? null : geometry)

/** Returns where a permit is, as far as anybody knows. */
function placesOf(row: PermitSideRow, linked: readonly LinkedRow[], shapes: Shapes): PermitPlaces {
  const own = groundOf(row.place_geometry)
  const { zone_id, building_id, level_index } = row
  const zone = zone_id === null ? undefined : shapes.get(zone_id)
  const building = building_id === null ? undefined : shapes.get(building_id)
  const where = around(row, shapes)
  return {
    own: own === null ? null : { ...where, ground: own },
    linked: linked.flatMap(one =>
      envelopesOf(one).map(ground => ({
        ...around(one, shapes),
        ground,
        from: ms(one.start_at),
        to: one.end_at === null ? Number.POSITIVE_INFINITY : ms(one.end_at),
      })),
    ),
    coarse: [
      ...(zone === undefined ? [] : [{ ...where, ground: zone.geometry, basis: 'zone' as const }]),
      ...(building === undefined
        ? []
        : [{ ...where, ground: building.geometry, basis: level_index === null ? ('building' as const) : ('level' as const) }]),
    ],
    end_at: row.end_at === null ? Number.POSITIVE_INFINITY : ms(row.end_at),
    is_expired: row.status === 'expired',
  }
}

/** Makes the side of a permit. Its footprint is empty if it doesn't count, or if no place is known: then it can't be checked. */
export function permitSide(row: PermitSideRow, linked: readonly LinkedRow[], shapes: Shapes): Side {
  const time = timeOf(row)
  return {
    id: row.id,
    kind: 'permit',
    lineage_id: row.id,
    facts: {
      ...NO_FACTS,
      id: row.id,
      kind: 'permit',
      label: row.permit_number ?? row.title ?? 'A draft',
      start_at: row.start_at,
      end_at: row.end_at,
      contractor_id: row.contractor_id,
      building_id: row.building_id,
      level_index: row.level_index,
      zone_ids: row.zone_id === null ? [] : [row.zone_id],
      permit_types: row.categories,
      permit_statuses: [row.status],
      has_live_permit: row.status === 'issued',
    },
    footprint: time === null ? [] : permitFootprint(time, placesOf(row, linked, shapes)),
    ancestor_ids: row.ancestor_ids,
    reissued_from_id: row.reissued_from_id,
    linked_ids: linked.map(one => one.id),
  }
}

/** Returns the features whose shapes the places of these permits and things need. */
export function namedBy(permits: readonly PermitSideRow[], linked: readonly LinkedRow[]): Id[] {
  const named = new Set<Id>()
  for (const { zone_id, building_id, place_geometry } of permits) {
    if (zone_id !== null) named.add(zone_id)
    if (building_id !== null && place_geometry === null) named.add(building_id)
  }
  for (const { zone_id } of linked) if (zone_id !== null) named.add(zone_id)
  return [...named]
}
