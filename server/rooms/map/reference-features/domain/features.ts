// What a feature can be, and which features can overlap (`map.md` §1 and §10).
import type { Areal, LonLat } from '../../../../../shared/geometry/plane.ts'
import { sortedBy } from '../../../../../shared/text.ts'
import type { Actor } from '../../../../base/actor.ts'
import { type Because, explain, type FieldFault, forbidden, type Verdict } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { caseless, type Level } from './levels.ts'
import type { NamedFeature } from './matching.ts'

export const KINDS = ['area', 'building', 'zone'] as const
export type FeatureKind = (typeof KINDS)[number]

/** Changes of a site's frame lock this name, because codes are unique and areas apart while they are active; writing a place into the frame shares it. */
export const FRAME = 'reference'

export const ZONE_TYPES = [
  'work',
  'laydown',
  'storage',
  'welfare',
  'parking',
  'vehicle_route',
  'pedestrian_route',
  'exclusion',
  'lifting',
  'hazardous_area',
  'restricted',
  'other',
] as const
export type ZoneType = (typeof ZONE_TYPES)[number]

/** The content of one version of a feature. */
export type Content = {
  code: string | null
  name: string
  aliases: string[]
  zone_type: ZoneType | null
  outline: Areal
  geometry: Areal
  area_m2: number
  centre: LonLat
  levels: Level[]
  building_id: Id | null
  level_from: number | null
  level_to: number | null
  contractor_id: Id | null
  cut_id: Id | null
}

/** Where lists show a feature without a code: after all others of its kind. */
export const AFTER_CODES = '\u{10ffff}'

/** A text whose characters are the bytes of another: compared with the like, it has the order of the database. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/** Sorts features as lists show them: by kind, code and id. */
export const inListOrder = <Feature extends { kind: FeatureKind; code_key: string | null; id: Id }>(
  features: readonly Feature[],
): Feature[] => sortedBy(features, ({ kind, code_key, id }) => `${kind}\0${bytesOf(code_key ?? AFTER_CODES)}\0${id}`)

/** Returns a code as uniqueness compares it. */
export const codeKey = caseless

const OF_ZONES = ['zone_type', 'building_id', 'level_from', 'level_to', 'contractor_id'] as const

/** Returns faults in fields that belong to one kind only: levels to buildings; type, building and contractor to zones. */
export function kindFaults(kind: FeatureKind, content: Pick<Content, (typeof OF_ZONES)[number] | 'levels'>): FieldFault[] {
  const faults: FieldFault[] = []
  if (kind !== 'zone')
    for (const field of OF_ZONES)
      if (content[field] !== null) faults.push({ path: field, message: `can only be set for zones, not for ${kind}s.` })
  if (kind !== 'building' && content.levels.length > 0)
    faults.push({ path: 'levels', message: `can only be set for buildings, not for ${kind}s.` })
  return faults
}

/** Returns faults of the levels of an indoor zone; `building` is the one that is active then, or null. */
export function zoneLevelFaults(
  zone: { building_id: Id | null; level_from: number | null; level_to: number | null },
  building: Pick<NamedFeature, 'name' | 'levels'> | null,
): FieldFault[] {
  if (zone.building_id === null) {
    return (['level_from', 'level_to'] as const)
      .filter(field => zone[field] !== null)
      .map(field => ({ path: field, message: 'can only be set together with building_id: outdoor zones have no level.' }))
  }
  if (building === null) return [{ path: 'building_id', message: 'isn’t a building that is active on this site at effective_at.' }]
  const faults: FieldFault[] = []
  if (zone.level_from === null && zone.level_to !== null) faults.push({ path: 'level_from', message: 'is required with level_to.' })
  for (const field of ['level_from', 'level_to'] as const) {
    const index = zone[field]
    if (index !== null && !building.levels.some(level => level.index === index))
      faults.push({ path: field, message: `is ${index}, a level that ${building.name} doesn’t have.` })
  }
  if (faults.length === 0 && zone.level_from !== null && zone.level_to !== null && zone.level_to < zone.level_from)
    faults.push({ path: 'level_to', message: 'is below level_from.' })
  return faults
}

/** Returns the permission that changing a feature needs: buildings and their levels need manage, everything else edit. */
export const permissionFor = (kind: FeatureKind): 'reference_edit' | 'reference_manage' =>
  kind === 'building' ? 'reference_manage' : 'reference_edit'

/** Decides whether the caller can write a feature from `at` on; backdated writes need manage. */
export function writing(actor: Actor, kind: FeatureKind, at: string, now: string): Verdict {
  const lacks = actor.lacks(permissionFor(kind))
  if (lacks !== null)
    return kind === 'building'
      ? forbidden('reference_manage', 'Only H&S, site managers, administrators and superadmins can change buildings and their levels.')
      : lacks
  if (at >= now || actor.lacks('reference_manage') === null) return null
  return forbidden(
    'reference_manage',
    'Only H&S, site managers, administrators and superadmins can backdate changes to features. Let the change start now or later.',
    [{ code: 'past', detail: at }],
  )
}

/** Returns `permissions` of a feature. */
export function featureFlags(actor: Actor, kind: FeatureKind): Record<string, { allowed: boolean; because: Because[] }> {
  const edit = explain([actor.lacks(permissionFor(kind))])
  const manage = explain([actor.lacks('reference_manage')])
  return { edit, delete: edit, edit_past: manage, force: manage }
}

/** What decides whether one feature can overlap another. */
export type Lying = {
  kind: FeatureKind
  area_m2: number
  zone_type: ZoneType | null
  levels: readonly Pick<Level, 'index'>[]
  building_id: Id | null
  level_from: number | null
  level_to: number | null
}

/** Two shapes that meet at a wall can share less than this because of how they were drawn. */
export const MIN_OVERLAP_M2 = 0.5
const MOST_AREA_OVERLAP_M2 = 1
const MOST_BUILDING_SHARE = 0.9

const shareLevels = (a: readonly { index: number }[], b: readonly { index: number }[]): boolean =>
  a.length === 0 || b.length === 0 || a.some(one => b.some(other => other.index === one.index))

const rangesMeet = (a: Lying, b: Lying): boolean =>
  a.level_from === null ||
  b.level_from === null ||
  (a.level_from <= (b.level_to ?? b.level_from) && b.level_from <= (a.level_to ?? a.level_from))

/** Returns whether two features of one kind can share this much ground. A building without levels counts as present on every level. */
export function lyingOver(a: Lying, b: Lying, shared_m2: number): 'allow' | 'warn' | 'refuse' {
  if (a.kind !== b.kind) return 'allow'
  switch (a.kind) {
    case 'area':
      return shared_m2 > MOST_AREA_OVERLAP_M2 ? 'refuse' : 'allow'
    case 'building':
      if (!shareLevels(a.levels, b.levels) || shared_m2 < MIN_OVERLAP_M2) return 'allow'
      return shared_m2 > MOST_BUILDING_SHARE * Math.min(a.area_m2, b.area_m2) ? 'refuse' : 'warn'
    case 'zone':
      return a.zone_type === b.zone_type && a.building_id === b.building_id && rangesMeet(a, b) && shared_m2 >= MIN_OVERLAP_M2
        ? 'warn'
        : 'allow'
  }
}

/** An area contains a feature if more than this share of the feature lies inside ("most of it"). Areas don't overlap, so there is at most one. */
export const MOST_OF_IT = 0.5

/** The fields of a feature whose changes the history lists. */
export const FIELDS = [
  'code',
  'name',
  'aliases',
  'zone_type',
  'outline',
  'geometry',
  'levels',
  'building_id',
  'level_from',
  'level_to',
  'contractor_id',
] as const

/** Returns which fields differ between two versions. `geometry` is included only if it changed without the outline. */
export function changedFields(before: Content, after: Content): string[] {
  const differ = (field: (typeof FIELDS)[number]) => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  const changed = FIELDS.filter(differ)
  return changed.filter(field => field !== 'geometry' || !changed.includes('outline'))
}
