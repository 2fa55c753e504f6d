import {
  flag,
  flags,
  geometry,
  id,
  instant,
  integer,
  list,
  name,
  number,
  object,
  oneOf,
  onSite,
  optional,
  optionals,
  orNull,
  Point,
  paging,
  partial,
  ref,
  type Static,
  shape,
  type TSchema,
  text,
} from '../../../base/schema.ts'
import { included } from '../../../kernel/placed/schema.ts'
import { KINDS, ZONE_TYPES } from './domain/features.ts'
import { HIGHEST, LOWEST } from './domain/levels.ts'

const index = (description: string) => integer(description, { min: LOWEST, max: HIGHEST, example: 3 })
const alias = text('Name', { min: 1, max: 200, example: 'BLK A' })

const level = {
  index: index('Index: 0 is the ground, basements are negative'),
  name: text('Name', { min: 1, max: 60, example: 'Level 3' }),
  aliases: list(text('Name', { min: 1, max: 60, example: 'L03' }), 'Other names in drawings and spreadsheets', { max: 20 }),
  floor_elevation_m: orNull(
    number('Finished floor above the site datum, metres; null if unknown', { min: -1000, max: 10_000, example: 10.5 }),
  ),
  height_m: orNull(number('Level height, metres; null if unknown', { min: 0.1, max: 1000, example: 3.5 })),
}
const Level = object(level)
const GivenLevel = object({
  index: level.index,
  name: optional(level.name),
  aliases: optional(level.aliases),
  floor_elevation_m: optional(level.floor_elevation_m),
  height_m: optional(level.height_m),
})
const levels = <T extends TSchema>(item: T) => list(item, 'Levels of a building, from the lowest', { max: HIGHEST - LOWEST + 1 })

const kind = oneOf(KINDS, 'Kind: an area (plot, phase or sector), a building or a zone', { example: 'zone' })
const zoneType = oneOf(ZONE_TYPES, 'Zone’s purpose', { example: 'laydown' })
const code = text('Short code, unique among active features of its kind, ignoring case; null if the feature has none', {
  min: 1,
  max: 60,
  example: 'A',
})

const common = {
  code: orNull(code),
  name: name('Name'),
  aliases: list(alias, 'Other names in drawings and spreadsheets', { max: 20 }),
  zone_type: orNull(oneOf(ZONE_TYPES, 'Zone’s purpose, `work` by default; null for areas and buildings', { example: 'laydown' })),
  building_id: orNull(id('Building of an indoor zone; null for other features')),
  level_from: orNull(index('Lowest level of an indoor zone; null if the zone is on every level of its building, and for other features')),
  level_to: orNull(index('Highest level of an indoor zone; default `level_from`; null if `level_from` is null')),
  contractor_id: orNull(id('Contractor in charge of a zone; null if there is none')),
}

const drawn = {
  outline: geometry('Outline: Polygon or MultiPolygon, 1 m² to 25 km²'),
  geometry: geometry('Another name for `outline` in a request; the outline without its openings in a response'),
}

const effective = (description: string) => instant(description, { example: '2026-03-16T09:00:00.000Z' })

const Overlap = object({
  id: id('Other feature'),
  kind,
  code: orNull(code),
  name: name('Name'),
  overlap_m2: number('Overlap, square metres', { min: 0 }),
  share_of_mine: number('Share of this feature’s area, 0 to 1', { min: 0, max: 1.01, example: 0.1 }),
  share_of_theirs: number('Share of the other feature’s area, 0 to 1', { min: 0, max: 1.01, example: 0.2 }),
})

const Waiting = object({
  kind: text('Kind of record', { max: 60, example: 'permit' }),
  id: id('Record'),
  label: text('Name', { max: 300, example: 'PTW-000123' }),
  location: orNull(text('Location as written in the register; null if there is none')),
  zone: orNull(text('Zone as written in the register; null if there is none')),
  level: orNull(text('Level as written in the register; null if there is none')),
})

export const FEATURE_ACTIONS = ['edit', 'delete', 'edit_past', 'force'] as const

export const ReferenceFeature = shape('ReferenceFeature', 'An area, building or zone at a point in time', {
  id: id('Feature'),
  site_id: id('Site'),
  kind,
  ...common,
  ...drawn,
  area_m2: number('Geodesic area of the geometry, square metres', { min: 0 }),
  centre: ref(Point, 'Centroid'),
  levels: levels(Level),
  parent_area_id: orNull(id('Area that contains most of the feature; null if there is none')),
  valid_from: instant('Start of this version'),
  valid_to: orNull(instant('End (exclusive); null when no end is known')),
  feature_version: integer('Number of the version that is shown', { min: 1 }),
  ended: optional(flag('Whether the feature has ended; its last version is then shown')),
  source_layer_id: orNull(id('Geodata layer that the feature came from; null if a person drew it')),
  source_key: orNull(text('Key of the feature in its geodata layer; null without a layer', { max: 200 })),
  overlap_warnings: optional(
    list(
      Overlap,
      'Overlaps with features of the same kind, largest first; returned when the feature is created, or when its outline, levels or zone type change',
      { max: 5000 },
    ),
  ),
  unresolved_permit_locations: optional(
    list(Waiting, 'Imported permits whose place can now be matched with the map; returned when a feature is created', { max: 20_000 }),
  ),
  permissions: optional(
    flags(
      FEATURE_ACTIONS,
      { edit_past: 'backdate changes', force: 'end the feature even if other records use it' },
      'Actions available to the caller; GET /reference-features/features/at-time returns them only if `include` asks for them',
    ),
  ),
  version: integer('Version of the record'),
  created_at: instant('Creation time'),
  created_by: orNull(id('Person who created the feature; null if no person did')),
  updated_at: instant('Time of the last change'),
  updated_by: orNull(id('Person who last changed the feature; null if no person did')),
})

export const NewFeature = shape('NewReferenceFeature', 'A feature to create', {
  ...onSite,
  ...optionals(common),
  name: common.name,
  kind: optional(kind),
  outline: optional(drawn.outline),
  geometry: optional(drawn.geometry),
  levels: optional(levels(GivenLevel)),
  effective_at: optional(effective('Start; default now')),
})

export const FeatureChange = partial('ReferenceFeatureChange', 'Changes to a feature, saved as a new version', {
  ...common,
  ...drawn,
  levels: levels(GivenLevel),
  effective_at: effective('Start of the change; default now, or the start of the feature if later'),
})

const ending = {
  effective_at: optional(effective('End; default now, or the start of the feature if later')),
  force: optional(flag('Whether to end the feature even if other records use it')),
}
export const EndFeature = shape('EndReferenceFeature', 'The end of a feature', ending)
export const EndQuery = object(ending)

const filters = {
  ...onSite,
  at: optional(effective('Point in time; default now')),
  kind: optional(list(kind, 'Kinds', { max: 3 })),
  zone_type: optional(list(zoneType, 'Zone types', { max: ZONE_TYPES.length })),
  building_id: optional(list(id('Building'), 'Zones of these buildings', { max: 500 })),
  level_index: optional(list(index('Level'), 'Levels; returns only buildings with one of them, and zones on one of them', { max: 100 })),
  parent_area_id: optional(list(id('Area'), 'Areas that contain most of the feature', { max: 500 })),
  contractor_id: optional(list(id('Contractor'), 'Contractors in charge of a zone', { max: 200 })),
  id: optional(list(id('Feature'), 'Ids', { max: 500 })),
  q: optional(text('Text to search for in names, codes and aliases', { max: 200, example: 'block' })),
  bbox: optional(text('Bounding box in degrees: minlon,minlat,maxlon,maxlat', { max: 200, example: '-0.1,51.4,0.1,51.6' })),
  updated_since: optional(instant('Earliest time of the last change')),
}
export const FeatureFilter = object({ ...filters, ...paging })
export const FrameFilter = object({ ...filters, include: included })
export const AtTime = object({ at: optional(effective('Point in time; default now')) })

export const FeatureVersion = shape('ReferenceFeatureVersion', 'A version of a feature', {
  feature_version: integer('Version number', { min: 1 }),
  valid_from: instant('Version start'),
  valid_to: orNull(instant('Version end (exclusive); null if it has none')),
  written_at: instant('Creation time'),
  written_by: orNull(id('Author; null if no person wrote the version')),
  written_by_name: orNull(text('Author’s name; null without an author', { max: 200, example: 'Ana Ruiz' })),
  fields: list(text('Field', { max: 60, example: 'outline' }), 'Fields that differ from the previous version; empty for the first', {
    max: 20,
  }),
  area_m2: number('Area, square metres', { min: 0 }),
  area_difference_m2: orNull(number('Difference from the area of the previous version, square metres; null for the first')),
  cut_id: orNull(id('Opening that caused this version; null if none did')),
})

const PlaceBuilding = object({
  id: id('Building'),
  code: common.code,
  name: common.name,
  aliases: common.aliases,
  levels: levels(Level),
})
const PlaceZone = object({
  id: id('Zone'),
  code: common.code,
  name: common.name,
  aliases: common.aliases,
  zone_type: zoneType,
  building_id: common.building_id,
  level_from: common.level_from,
  level_to: common.level_to,
  contractor_id: common.contractor_id,
})
export const PlaceArea = shape('PlaceArea', 'An area with its contents; without an id, everything outside all areas', {
  id: orNull(id('Area; null for the rest of the site')),
  code: common.code,
  name: common.name,
  aliases: common.aliases,
  buildings: list(PlaceBuilding, 'Buildings in the area', { max: 5000 }),
  zones: list(PlaceZone, 'Zones in the area', { max: 5000 }),
})
export const TreeQuery = object({ ...onSite, at: filters.at })

export const PointQuery = object({
  ...onSite,
  lon: number('Degrees east', { min: -180, max: 180, example: -0.0877 }),
  lat: number('Degrees north', { min: -85.05, max: 85.05, example: 51.5079 }),
  at: filters.at,
  tolerance_m: optional(number('Largest distance of a building that doesn’t contain the point, metres; default 0', { min: 0, max: 50 })),
})
const inside = flag('Whether the building contains the point', { example: true })
const distance = number('Distance from the point, metres; 0 inside', { min: 0 })
export const BuildingNear = shape('BuildingNear', 'A building at or near a point', {
  building: ref(ReferenceFeature),
  inside,
  distance_m: distance,
})
export const BuildingAtPoint = shape('BuildingAtPoint', 'The building at a point', {
  building: orNull(ref(ReferenceFeature, 'Building; null if there is none within the tolerance')),
  distance_m: orNull(number('Distance from the point, metres; 0 inside; null without a building', { min: 0 })),
  inside: optional(inside),
})

export const CleanUp = shape('CleanUpVersions', 'A clean-up of feature versions', {
  ...onSite,
  dry_run: optional(flag('Whether to only count the versions; default true', { example: true })),
})
export const CleanedUp = shape('CleanedUpVersions', 'Result of the clean-up', {
  removed: integer('Number of zero-length versions removed, or to remove in a dry run'),
  joined: integer('Number of versions merged with an identical previous version, or to merge in a dry run'),
})

export type NewFeature = Static<typeof NewFeature>
export type FeatureChange = Static<typeof FeatureChange>
export type EndFeature = Static<typeof EndFeature>
export type FeatureFilter = Static<typeof FeatureFilter>
export type FrameFilter = Static<typeof FrameFilter>
export type PointQuery = Static<typeof PointQuery>
