import {
  flag,
  flags,
  geometry,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  onSite,
  optional,
  optionals,
  orNull,
  Point,
  record,
  ref,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { ZONE_TYPES } from '../reference-features/domain/features.ts'
import { GROUND_KINDS, PENDING, RELATIONS, RESULTS, SOURCES, STATES, STEPS, VERDICTS } from './domain.ts'

const metres = (description: string, max: number, example: number) => number(`${description}, metres`, { min: 0, max, example })
const squareMetres = (description: string, example: number) => number(`${description}, square metres`, { min: 0, max: 10_000, example })

const sizes = {
  worker_radius_m: number('Radius of a worker or gang that is placed as a point, metres', { min: 0.5, max: 100, example: 2 }),
  delivery_radius_m: number('Radius of a delivery that is placed as a point, metres', { min: 0.5, max: 100, example: 5 }),
  slew_clearance_m: metres('Distance kept from the tail of a machine that slews', 20, 0.5),
  plant_margin_m: metres('Distance kept beyond the working radius of plant', 50, 1),
  per_category: record(metres('Distance kept beyond the working radius', 50, 2), 'Margins of single categories of plant, by category'),
  snap_m: metres('Distance at which drawing snaps to what is there', 10, 0.2),
  hole_buffer_m: number('Distance by which a shape is enlarged before it is cut out, metres; negative makes it smaller', {
    min: -5,
    max: 50,
    example: 0,
  }),
  min_part_m2: squareMetres('Parts of a cut feature that are smaller are left out', 1),
  min_width_m: metres('Parts of a cut feature that are narrower are left out', 20, 0.5),
  fill_min_part_m2: squareMetres('Parts of a fill that are smaller are left out', 5),
  fill_min_width_m: metres('Parts of a fill that are narrower are left out', 20, 1),
  simplify_m: metres('How far a simplified line can be from the drawn one', 5, 0.02),
}

export const GeometryDefaults = shape('GeometryDefaults', 'Sizes to start with when something is drawn on a site', {
  site_id: id('Site'),
  ...sizes,
  permissions: flags(['edit']),
  version: number('Version; 0 before the first save', { min: 0, example: 1 }),
  updated_at: orNull(instant('Time of the last save; null before the first')),
})
export const ChangeDefaults = shape('ChangeGeometryDefaults', 'Sizes to change', {
  site_id: optional(id('Site. Required if the query doesn’t contain it')),
  ...optionals(sizes),
})
export const MaybeSite = object({ site_id: optional(id('Site. Required if the body doesn’t contain it')) })
export const OfSite = object({ site_id: id('Site') })

const area = (description: string) => number(`${description}, square metres`, { min: 0, example: 9600 })
const effective = instant('When it takes effect; default now, or the start of the feature if later', {
  example: '2026-03-16T09:00:00.000Z',
})

const cut = {
  id: id('Cut'),
  history_id: id('Cut, as the steps name it; the same as `id`'),
  site_id: id('Site'),
  feature_id: id('Feature that was cut'),
  feature_kind: text('Kind of record of the feature', { max: 60, example: 'reference_feature' }),
  source: oneOf(SOURCES, 'Whether the shape comes from another feature or was drawn', { example: 'feature' }),
  cutter_id: orNull(id('Feature whose shape was cut out; null if it was drawn')),
  cutter_kind: orNull(text('Kind of record of that feature; null if the shape was drawn', { max: 60, example: 'reference_feature' })),
  buffer_m: number('Distance by which the shape was enlarged, metres; negative if it was made smaller', { min: -5, max: 50, example: 0 }),
  polygon: geometry('Shape that was cut out'),
  state: oneOf(STATES, 'Whether the cut is applied'),
  result: oneOf(RESULTS, 'What it did: a hole inside, a notch across the edge, or a split into parts'),
  area_before_m2: area('Area of the feature before the last step'),
  area_after_m2: area('Area of the feature after the last step'),
  at: instant('When the last step took effect'),
  by: orNull(id('Person who took the last step; null if no person did')),
  feature_version: integer('Version of the feature that the last step made', { min: 1 }),
  version: integer('Version'),
  created_at: instant('Creation time'),
  created_by: orNull(id('Person who made the cut; null if no person did')),
  updated_at: instant('Time of the last change'),
  updated_by: orNull(id('Person who last changed it; null if no person did')),
}

export const Cut = shape('GeometryCut', 'A shape that was cut out of a feature', cut)
export const PendingCut = shape('PendingGeometryCut', 'A cut that a person should decide on', {
  ...cut,
  reason: oneOf(PENDING, 'Why: it is undone, it no longer touches the outline, or what it comes from has ended or has another shape'),
  area_if_applied_m2: area('Area that the feature would have if the cut were applied now'),
})

export const CutFeature = shape('CutFeature', 'A feature as a cut leaves it', {
  id: id('Id'),
  site_id: id('Site'),
  kind: cut.feature_kind,
  name: text('Name', { max: 200, example: 'North yard' }),
  contractor_id: orNull(id('Contractor; null if it belongs to none')),
  outline: geometry('Shape as it was drawn'),
  geometry: geometry('What is left of the outline after cuts'),
  area_m2: area('Area of what is left'),
  feature_version: integer('Number of its version that the step made', { min: 1 }),
  version: integer('Version of its record'),
})
export const CutDone = shape('GeometryCutDone', 'A step of a cut, and the feature after it', {
  cut: ref(Cut),
  feature: ref(CutFeature),
  dropped: list(
    object({ area_m2: area('Area'), centre: ref(Point, 'Centroid') }),
    'Parts that were left out because they are smaller or narrower than the geometry defaults allow',
    { max: 20_000 },
  ),
})

const asked = {
  ...onSite,
  target_id: id('Feature to cut'),
  buffer_m: optional(cut.buffer_m),
  allow_split: optional(flag('Whether the feature can be split into parts')),
  scope: optional(oneOf(['this', 'future'], 'Whether later occurrences of the same schedule are cut, too; default this')),
  effective_at: optional(effective),
}
export const CutHole = shape('CutHole', 'A shape of the map to cut out of a feature', {
  ...asked,
  cutter_id: id('Feature, active area or plant whose ground is cut out'),
})
export const CutFreeform = shape('CutHoleFreeform', 'A drawn shape to cut out of a feature', {
  ...asked,
  polygon: geometry('Shape to cut out'),
})
export const Reapply = shape('ReapplyCut', 'How a cut is applied again', {
  refresh: optional(flag('Whether to use the present shape of what the cut comes from; default true', { example: true })),
})

export const CutStep = shape('GeometryCutStep', 'A step of a cut, or an outline that was drawn again', {
  step: oneOf(STEPS, 'What was done'),
  history_id: orNull(id('Cut; null for an outline')),
  at: instant('When it took effect'),
  written_at: instant('When it was done'),
  by: orNull(id('Person who took the step; null if no person did')),
  by_name: orNull(text('Name of that person; null if no person did it', { max: 200, example: 'Ana Ruiz' })),
  area_before_m2: area('Area of the feature before'),
  area_after_m2: area('Area of the feature after'),
  feature_version: integer('Version of the feature that it made', { min: 1 }),
})

const groundKind = oneOf(GROUND_KINDS, 'Kind', { example: 'zone' })
export const CheckOverlaps = shape('CheckOverlaps', 'A shape to compare with what is on its ground', {
  ...onSite,
  geometry: optional(geometry('Shape; without it, feature_id is required')),
  feature_id: optional(id('Feature whose shape is compared')),
  kind: optional(oneOf(GROUND_KINDS, 'What the shape will be; default the only one of `kinds`, otherwise a zone', { example: 'zone' })),
  zone_type: optional(oneOf(ZONE_TYPES, 'Type of the zone that the shape will be; default work', { example: 'laydown' })),
  level_index: optional(integer('Level; only things on it are compared', { min: -50, max: 300, example: 0 })),
  building_id: optional(id('Building; only things in it, or outside all buildings, are compared')),
  start_at: optional(instant('Start of the time that is compared; default now')),
  end_at: optional(orNull(instant('End (exclusive); null for no end; default the start alone'))),
  kinds: optional(list(groundKind, 'Kinds to compare with; default all', { max: GROUND_KINDS.length })),
  exclude_ids: optional(list(id('Id'), 'Things that aren’t compared', { max: 500 })),
  min_overlap_m2: optional(area('Smallest overlap that counts; default 0.5')),
})
export const FoundOverlap = shape('FoundOverlap', 'Something on the same ground', {
  kind: text('Kind', { max: 60, example: 'zone' }),
  id: id('Id'),
  name: text('Name', { max: 200, example: 'Crane zone' }),
  overlap_m2: area('Overlap'),
  share_of_mine: number('Share of the compared shape, 0 to 1', { min: 0, max: 1, example: 0.1 }),
  share_of_theirs: number('Share of the other one, 0 to 1', { min: 0, max: 1, example: 0.2 }),
  relation: oneOf(RELATIONS, 'How the compared shape lies to the other one: the same, inside it, around it, or across its edge'),
  from: instant('Start of the time during which both are there'),
  to: orNull(instant('End (exclusive); null without an end')),
  verdict: oneOf(VERDICTS, 'Whether the overlap is allowed, needs a warning, or is refused'),
})

const inGrid = (description: string, example: number) => number(description, { min: -1e8, max: 1e8, example })
export const ConvertPoints = shape('ConvertPoints', 'Positions in a grid', {
  ...onSite,
  epsg: integer('EPSG code of the grid', { min: 1, max: 999_999, example: 27700 }),
  points: list(
    object({
      east: inGrid('Easting; a longitude if the grid is in degrees', 530_000),
      north: inGrid('Northing; a latitude if the grid is in degrees', 180_000),
    }),
    'Positions',
    { min: 1, max: 500 },
  ),
})
export const ConvertedPoints = shape('ConvertedPoints', 'Positions in degrees', {
  grid: text('Name of the grid', { max: 100, example: 'OSGB36 / British National Grid' }),
  accuracy_m: orNull(
    number('How far a position can be off because of the conversion, metres; null if that is less than a decimetre', {
      min: 0,
      example: 5,
    }),
  ),
  points: list(ref(Point), 'Positions in WGS84, in the same order', { max: 500 }),
})

export const GeometryRules = shape('GeometryRules', 'What can be drawn, and what can overlap', {
  limits: object(
    {
      ring_vertices: integer('Most corners of a ring'),
      vertices: integer('Most corners of a shape'),
      holes: integer('Most holes of a shape'),
      least_m2: number('Smallest area, square metres', { min: 0, example: 1 }),
      most_m2: number('Largest area, square metres', { min: 0, example: 25_000_000 }),
      outside_m: integer('How far outside the site boundary a position can be, metres'),
      decimals: integer('Decimals of stored degrees'),
    },
    'Limits of positions and polygons',
  ),
  pairs: list(
    object({
      kind: groundKind,
      other_kind: oneOf(GROUND_KINDS, 'The kind on the same ground', { example: 'zone' }),
      verdict: oneOf(VERDICTS, 'The strictest verdict'),
      warn_over_m2: orNull(number('Overlap from which there is a warning, square metres; null if there is none', { min: 0, example: 0.5 })),
      refuse_over_m2: orNull(number('Overlap from which it is refused, square metres; null if none is', { min: 0, example: 1 })),
      refuse_over_share: orNull(
        number('Share of the smaller one from which it is refused; null if none is', { min: 0, max: 1, example: 0.9 }),
      ),
      says: text('The rule in words', { max: 500, example: 'Areas can’t overlap by more than 1 m².' }),
    }),
    'What applies to each pair of kinds',
    { max: 20 },
  ),
})

export type CheckOverlaps = Static<typeof CheckOverlaps>
