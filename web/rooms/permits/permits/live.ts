// Conflicts of a permit that is being written, found in the browser with the same engine as on the server, so that they change while a finger moves
// (`conflict-and-planning.md` §4.6). Pure. The server has the last word, because it also sees permits that this person can’t see.
import { compileRules } from '../../../../shared/conflicts/compile.ts'
import { conflictsOf, shownInFull } from '../../../../shared/conflicts/permit-conflicts.ts'
import type { Rule } from '../../../../shared/conflicts/rules.ts'
import { type Ground, levelsOf, type Side, type Stretch } from '../../../../shared/conflicts/sides.ts'
import { indexOf, type SideIndex, sweepOne } from '../../../../shared/conflicts/sweep.ts'
import type { Areal } from '../../../../shared/geometry/plane.ts'
import { fieldsIn } from '../../../../shared/narrow.ts'
import { ms } from '../../../../shared/time.ts'
import type { Schemas } from '../../../base/api.ts'
import type { Fields } from './drafts.ts'

type Conflict = Schemas['PermitConflict']
type Recognised = NonNullable<Conflict['permit']>

type WrittenSide = Omit<Side, 'footprint'> & { footprint: readonly (Omit<Stretch, 'to'> & { to: number | null })[] }
type Nearby = {
  site: { timezone: string; centre: { lon: number; lat: number }; oversees: Record<string, string[]> }
  rules: readonly Rule[]
  own: WrittenSide
  others: readonly WrittenSide[]
  permits: readonly Recognised[]
}

/** Everything that is needed to find conflicts again. */
export type Around = { index: SideIndex; own: Side; permits: ReadonlyMap<string, Recognised> }

const read = (side: WrittenSide): Side => ({
  ...side,
  footprint: side.footprint.map(stretch => ({ ...stretch, to: stretch.to ?? Number.POSITIVE_INFINITY })),
})

/** Returns whether this is what the server sends about the permits nearby: rules, sides and the facts of the site. */
function isNearby(value: unknown): value is Nearby {
  const { site, rules, own, others, permits } = fieldsIn(value)
  const isSide = (side: unknown) => Array.isArray(fieldsIn(side).footprint)
  return (
    typeof fieldsIn(fieldsIn(site).centre).lon === 'number' &&
    Array.isArray(rules) &&
    isSide(own) &&
    Array.isArray(others) &&
    others.every(isSide) &&
    Array.isArray(permits)
  )
}

/** Reads what the server sent about the permits nearby; null if it isn’t that. */
export function aroundOf(nearby: unknown): Around | null {
  if (!isNearby(nearby)) return null
  const { site, rules, own, others, permits } = nearby
  const facts = { timezone: site.timezone, centre: site.centre, oversees: new Map(Object.entries(site.oversees)), dependents: new Map() }
  return {
    index: indexOf(others.map(read), compileRules(rules), facts),
    own: read(own),
    permits: new Map(permits.map(permit => [permit.id, permit])),
  }
}

/** Returns whether this is an area; the server checks its corners. */
function isAreal(value: unknown): value is Areal {
  const { type, coordinates } = fieldsIn(value)
  return (type === 'Polygon' || type === 'MultiPolygon') && Array.isArray(coordinates)
}

/** Returns the drawn ground of a place; null if it has none. */
function groundOf(place: Fields['place']): Ground | null {
  const { lon, lat } = fieldsIn(place?.point)
  if (typeof lon === 'number' && typeof lat === 'number') return { type: 'Point', coordinates: [lon, lat] }
  return isAreal(place?.polygon) ? place.polygon : null
}

/** Returns where the permit would be with these fields; null if the server has to say, because only its zone or building is known. */
function footprintOf(own: Side, { place, start_at, end_at }: Fields): Stretch[] | null {
  if (start_at == null || end_at == null || start_at >= end_at) return []
  const [from, to] = [ms(start_at), ms(end_at)]
  const linked = own.footprint.flatMap(one => {
    const stretch = { ...one, from: Math.max(one.from, from), to: Math.min(one.to, to) }
    return one.basis === 'entity' && stretch.from < stretch.to ? [stretch] : []
  })
  const ground = groundOf(place)
  if (ground === null) return null
  const { building_id, level_index, zone_id } = place ?? {}
  const drawn: Stretch = {
    ...{ from, to, ground, heights: null, basis: 'own', building_id: building_id ?? null },
    levels: levelsOf({ level_from: level_index ?? null }),
    zone_ids: zone_id == null ? [] : [zone_id],
  }
  return [drawn, ...linked]
}

/** Finds the conflicts with permits that this person can see, for these fields; null if only the server can say. */
export function liveConflicts({ index, own, permits }: Around, fields: Fields, now: number): Conflict[] | null {
  const footprint = footprintOf(own, fields)
  if (footprint === null) return null
  const side: Side = { ...own, footprint, facts: { ...own.facts, permit_types: [...(fields.categories ?? [])] } }
  index.put(side)
  const clashes = sweepOne(index, side.id, { from: now, to: Number.POSITIVE_INFINITY }, now)
  index.remove(side.id)
  return conflictsOf(side.id, clashes, now).map(conflict => {
    const permit = permits.get(conflict.permit_id) ?? null
    return { hidden: false, permit_id: permit?.id ?? null, permit, categories: permit?.categories ?? [], ...shownInFull(conflict) }
  })
}
