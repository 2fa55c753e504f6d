import { CHOICES, QUALITIES } from '../../../../../shared/calibration/calibrate.ts'
import { MODELS } from '../../../../../shared/calibration/fit.ts'
import {
  changedSince,
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  matching,
  name,
  number,
  object,
  oneOf,
  onSite,
  optional,
  orNull,
  Point,
  paging,
  ref,
  type Static,
  shape,
  Type,
  text,
} from '../../../../base/schema.ts'
import { bbox } from '../../../../kernel/placed/schema.ts'
import { bounds, distances, onTheGround, usedInFit } from '../../site-maps/schema.ts'
import { MODES } from '../domain/placing.ts'
import { SOURCE_KINDS, STATUSES, VECTOR_STATUSES } from '../domain/plans.ts'

const level = integer('Level of the building; 0 is the ground, and where there are no levels', { min: -100, max: 300, example: 0 })
const matrixRow = list(number('Element'), 'Row', { min: 3, max: 3 })

// A drawing has its origin anywhere: inside it, or far away at that of a national grid.
const onSheet = {
  x: number('Position on the sheet, to the right: pixels, or the units of a DXF drawing', { min: -1e12, max: 1e12, example: 812.5 }),
  y: number('Position on the sheet: pixels downwards, or the units of a DXF drawing upwards', { min: -1e12, max: 1e12, example: 440 }),
}
export const SheetPoint = shape('SheetPoint', 'A position on the sheet of a floor plan, and its place on the ground', {
  ...onSheet,
  ...onTheGround,
  ...usedInFit,
})
export const MeasuredSheetPoint = shape(
  'MeasuredSheetPoint',
  'A control point of a floor plan with its distances, in metres on the ground',
  {
    ...onSheet,
    ...onTheGround,
    ...distances,
  },
)

const EPSG = { min: 1, max: 999_999, example: 27700 }

export const GivenPlacement = shape('GivenPlacement', 'Where the sheet of a floor plan lies', {
  mode: oneOf(
    MODES,
    'points: control points; affine: an anchor, a rotation and a scale; corners: the four corners; grid: a DXF drawn in a national grid; fit: roughly onto the outline of the feature',
  ),
  points: optional(
    list(ref(SheetPoint), 'Control points, for the mode points; x and y are those of the sheet: pixels, or the units of a DXF drawing', {
      max: 200,
    }),
  ),
  model: optional(oneOf(CHOICES, 'How the sheet can lie on the ground, for the mode points; default auto')),
  anchor: optional(ref(Point, 'Place of the anchor, for the mode affine')),
  anchor_sheet: optional(
    object(
      {
        x: number('Position on the sheet, to the right', { example: 120 }),
        y: number('Position on the sheet: downwards in pixels, upwards in a DXF drawing', { example: 80 }),
      },
      'Position of the anchor on the sheet, for the mode affine',
    ),
  ),
  rotation_deg: optional(
    number('Direction of the upper edge of the sheet, degrees clockwise from north; default 0', { min: -360, max: 360 }),
  ),
  scale: optional(
    number(
      'Scale, for the mode affine: that of the drawing for a PDF (100 for 1:100); metres a pixel for a picture, and for a PDF below 1; for a DXF a factor, default 1',
      {
        min: 1e-6,
        max: 1e6,
        example: 100,
      },
    ),
  ),
  corners: optional(list(ref(Point), 'Top left, top right, bottom right and bottom left, for the mode corners', { max: 4 })),
  epsg: optional(integer('EPSG code of the grid: of the drawing for the mode grid, otherwise of the coordinates as they were typed', EPSG)),
})

export const PlanPlacement = shape('PlanPlacement', 'Where the sheet of a floor plan lies, and how well that is known', {
  mode: oneOf(MODES, 'How it was placed'),
  approximate: flag('Whether it only lies roughly where it should'),
  matrix: list(matrixRow, 'Matrix from the units of the sheet to metres east and north of the origin', { min: 3, max: 3 }),
  origin: ref(Point, 'Origin of the metres'),
  model: orNull(oneOf(MODELS, 'How the sheet lies on the ground; null if it wasn’t placed by points or corners')),
  points: list(ref(MeasuredSheetPoint), 'Control points; empty if it wasn’t placed by points or corners', { max: 200 }),
  rmse_m: orNull(number('Root mean square of the residuals, metres; null if it wasn’t placed by points', { min: 0, example: 0.03 })),
  max_residual_m: orNull(number('Largest residual, metres; null if it wasn’t placed by points', { min: 0, example: 0.05 })),
  redundancy: orNull(integer('How many more coordinates there are than needed; null if it wasn’t placed by points', { example: 4 })),
  quality: orNull(oneOf(QUALITIES, 'Quality of the fit; null if it wasn’t placed by points')),
  epsg: orNull(integer('EPSG code of the grid of the drawing, or of the typed coordinates; null if it was placed without a grid', EPSG)),
  ground_resolution_m: number('Size of a pixel at the centre, metres', { min: 0, example: 0.01 }),
  rotation_deg: number('Direction of the upper edge of the sheet, degrees clockwise from north', { min: 0, max: 360 }),
  scale_ratio: number('Larger over smaller scale of the two axes', { min: 1, example: 1 }),
})

// One field with two types: the pattern only concerns text, the limits only numbers, and a response is written without a validator.
const threshold = Type.Unsafe<number | 'auto'>({
  type: ['string', 'integer'],
  ...matching(['^auto$', 'must be auto or a whole number from 0 to 255.']),
  minimum: 0,
  maximum: 255,
  description: 'Grey value up to which a pixel belongs to a line, or auto',
  examples: ['auto'],
})
const settings = {
  threshold,
  min_length_m: number('Length of the shortest line, metres', { min: 0, max: 100, example: 0.3 }),
  simplify_m: number('How far a line can be from the drawn one, metres', { min: 0, max: 10, example: 0.02 }),
  straighten: flag('Whether lines are turned into the two main directions'),
  layers: orNull(
    list(text('Layer', { max: 300 }), 'Layers of a DXF drawing; null for those that are neither off nor frozen', { max: 5000 }),
  ),
}

export const PlanVector = shape('PlanVector', 'The line work of a floor plan', {
  status: oneOf(VECTOR_STATUSES, 'State'),
  reason: orNull(text('Why its lines couldn’t be found; null otherwise', { max: 1000 })),
  source: oneOf(['picture', 'pdf', 'dxf'], 'What the lines were taken from'),
  features: integer('Number of lines and texts'),
  settings: object(settings, 'How the lines were found'),
})

export const FLOOR_PLAN_ACTIONS = ['place', 'redraw', 'change_visibility', 'reprocess', 'delete'] as const

const described = {
  name: name('Name', { example: 'Level 3 general arrangement' }),
  drawing_number: orNull(text('Drawing number', { max: 100, example: 'A-100-03' })),
  revision: orNull(text('Revision', { max: 20, example: 'C01' })),
  suitability: orNull(text('Suitability code; it is shown and not enforced', { max: 20, example: 'S2' })),
}
const shownOnMap = {
  visible: flag('Whether it is shown on the map', { example: true }),
  opacity: number('Opacity on the map', { min: 0, max: 1, example: 0.7 }),
  min_zoom: integer('Zoom from which it is shown', { max: 24, example: 16 }),
  capture_visible: flag('Whether people with a capture link see it', { example: true }),
}

export const PlanWarning = shape('FloorPlanWarning', 'Something to check in a floor plan', {
  kind: oneOf(['units_suspect'], 'Kind'),
  message: text('What it means, and what to do', { max: 500 }),
})

export const FloorPlan = shape('FloorPlan', 'The drawing of a level', {
  id: id('Floor plan'),
  ...onSite,
  feature_id: id('Building, zone or area'),
  level_index: level,
  ...described,
  source_kind: oneOf(SOURCE_KINDS, 'What it was made from'),
  start_at: instant('From when it is active'),
  end_at: orNull(instant('Until when it is active, exclusive; null if it has no end')),
  status: oneOf(STATUSES, 'State'),
  status_reason: orNull(text('Why it couldn’t be used, or why the work on it was stopped; null otherwise', { max: 1000 })),
  ...shownOnMap,
  file: object(
    {
      name: text('Name of the file', { max: 200, example: 'A-100-03.pdf' }),
      bytes: integer('Size, bytes', { max: 2 ** 31 }),
      type: text('Media type', { max: 100, example: 'application/pdf' }),
      sha256: text('SHA-256 of the bytes, hexadecimal', { max: 64 }),
      page: orNull(integer('Page of the PDF, from 1; null for anything else', { min: 1 })),
    },
    'The uploaded file',
  ),
  width_px: orNull(integer('Width of the picture, pixels; null until a DXF drawing has been drawn', { min: 1 })),
  height_px: orNull(integer('Height of the picture, pixels; null until a DXF drawing has been drawn', { min: 1 })),
  sheet_matrix: list(
    matrixRow,
    'Matrix from positions on the sheet to pixels of its picture: it changes nothing unless the plan is a DXF drawing',
    {
      min: 3,
      max: 3,
    },
  ),
  pixel_m: number('Metres on the ground of a pixel of its picture at the scale 1 of the mode affine', { min: 0, example: 0.00008467 }),
  placement: orNull(ref(PlanPlacement, 'Where it lies; null until it is placed')),
  vector: ref(PlanVector, 'Its line work'),
  content_version: integer('How often its tiles have been replaced; 0 until there are any'),
  outdated: flag('Whether its tiles are from before it was last placed', { example: false }),
  bounds: orNull(bounds),
  warnings: list(ref(PlanWarning), 'What to check', { max: 10 }),
  job_id: orNull(id('Job that reads it or makes its tiles')),
  permissions: flags(FLOOR_PLAN_ACTIONS),
  version: integer('Version'),
  created_at: instant('Creation time'),
  created_by: orNull(id('Person who uploaded it')),
  updated_at: instant('Time of the last change'),
})

const { name: givenName, ...others } = described
const given = {
  feature_id: id('Building, zone or area that is active on this site at the start'),
  level_index: optional(level),
  drawing_number: optional(others.drawing_number),
  revision: optional(others.revision),
  suitability: optional(others.suitability),
  start_at: optional(instant('From when it is active; default now')),
  end_at: optional(orNull(instant('Until when it is active; default until the next plan of the level'))),
  visible: optional(shownOnMap.visible),
  opacity: optional(shownOnMap.opacity),
  min_zoom: optional(shownOnMap.min_zoom),
  capture_visible: optional(shownOnMap.capture_visible),
  inherit_placement: optional(
    flag('Whether it takes over the placement of the plan before it, if its sheet has the same size; default true', { example: true }),
  ),
}

export const UploadQuery = object({ site_id: optional(id('Site. Required if the body doesn’t contain it')) })
const siteInBody = { site_id: optional(id('Site. Required if the query doesn’t contain it')) }

export const PlanUpload = shape('FloorPlanUpload', 'A floor plan to upload, next to its file', {
  ...siteInBody,
  name: optional(givenName),
  ...given,
  page: optional(integer('Page of a PDF, from 1; default 1', { min: 1, max: 100_000, example: 1 })),
  placement: optional(ref(GivenPlacement, 'Where it lies')),
})

export const DrawingUpload = shape('DrawingUpload', 'A DXF file to inspect', siteInBody)

export const ImportDrawing = shape('ImportDrawing', 'A drawing to import that was inspected before', {
  ...onSite,
  session_id: id('Inspected drawing'),
  name: optional(givenName),
  ...given,
  layers: optional(orNull(list(text('Layer', { max: 300 }), 'Layers; default those that are neither off nor frozen', { max: 5000 }))),
  units: optional(
    integer('Units, as in $INSUNITS: 1 inches, 2 feet, 4 millimetres, 5 centimetres, 6 metres; default those of the drawing', {
      max: 24,
      example: 4,
    }),
  ),
  placement: optional(ref(GivenPlacement, 'Where it lies')),
})

export const PlacePlan = shape('PlaceFloorPlan', 'Where a floor plan lies', {
  ...GivenPlacement.properties,
  dry_run: optional(flag('Whether to return the result without storing it; default false')),
})

export const PlanVisibility = shape('FloorPlanVisibility', 'How a floor plan is shown', {
  visible: optional(shownOnMap.visible),
  opacity: optional(shownOnMap.opacity),
  min_zoom: optional(shownOnMap.min_zoom),
  capture_visible: optional(shownOnMap.capture_visible),
})

export const ReprocessVector = shape('ReprocessVector', 'How to find the lines of a floor plan', {
  threshold: optional(threshold),
  min_length_m: optional(settings.min_length_m),
  simplify_m: optional(settings.simplify_m),
  ...{ straighten: optional(settings.straighten), layers: optional(settings.layers) },
})
export const QueuedPlan = shape('QueuedFloorPlan', 'A queued job', { job_id: id('Job') })

const filters = {
  id: optional(list(id('Floor plan'), 'Floor plans', { max: 200 })),
  status: optional(list(oneOf(STATUSES, 'State'), 'States', { max: STATUSES.length })),
  source_kind: optional(list(oneOf(SOURCE_KINDS, 'Source'), 'Sources', { max: SOURCE_KINDS.length })),
  feature_id: optional(list(id('Building, zone or area'), 'Buildings, zones and areas', { max: 200 })),
  level_index: optional(list(level, 'Levels', { max: 100 })),
}
export const PlansAtTime = object({ ...onSite, at: optional(instant('Point in time; default now')), ...filters })
export const PlansBySite = object({ ...onSite, ...filters, ...changedSince, limit: paging.limit, cursor: paging.cursor })
export const PlansOfFeature = object({
  at: optional(instant('Point in time; default now')),
  include_history: optional(flag('Whether to include plans that are no longer or not yet active; default false')),
})
export const PlanAtTime = object({ at: optional(instant('Point in time; default now')) })
const variant = oneOf(['original', 'preview'], 'preview: WebP of at most 2,048 pixels a side; default original')
export const ImageQuery = object({ variant: optional(variant) })
export const LinesQuery = object({
  bbox: optional(bbox),
  simplify_m: optional(number('How far a line can be from the stored one, metres; default 0', { min: 0, max: 100, example: 0.1 })),
})
export const ActiveImports = object(onSite)

export type GivenPlacement = Static<typeof GivenPlacement>
export type PlanUpload = Static<typeof PlanUpload>
export type ImportDrawing = Static<typeof ImportDrawing>
export type PlacePlan = Static<typeof PlacePlan>
export type PlanVisibility = Static<typeof PlanVisibility>
export type ReprocessVector = Static<typeof ReprocessVector>
