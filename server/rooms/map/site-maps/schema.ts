import { CHOICES, QUALITIES } from '../../../../shared/calibration/calibrate.ts'
import {
  flag,
  flags,
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
  orNull,
  Point,
  ref,
  type Static,
  shape,
  text,
  workDate,
} from '../../../base/schema.ts'
import { CALIBRATION_MODELS, STATUSES } from './domain.ts'

/** Bounds of a picture on the ground. */
export const bounds = list(number('Degrees', { min: -180, max: 180 }), 'West, south, east and north, degrees', { min: 4, max: 4 })

/** Where a control point is on the ground. */
export const onTheGround = {
  lon: number('Degrees east', { min: -180, max: 180, example: -0.0877 }),
  lat: number('Degrees north', { min: -85.05, max: 85.05, example: 51.5079 }),
  label: optional(text('Name of the point', { max: 60, example: 'Crane base' })),
}
const inPicture = {
  x: number('Pixels from the left edge of the upright picture', { min: 0, max: 1e6, example: 812.5 }),
  y: number('Pixels from the upper edge of the upright picture', { min: 0, max: 1e6, example: 440 }),
}
/** Whether the fit uses a control point. */
export const usedInFit = { used: optional(flag('Whether the fit uses the point; a point that isn’t used is only measured; default true')) }

export const ControlPoint = shape('ControlPoint', 'A pixel of a picture, and its place on the ground', {
  ...inPicture,
  ...onTheGround,
  ...usedInFit,
})

/** How far a control point is from where the fit puts it. */
export const distances = {
  used: flag('Whether the fit uses the point'),
  residual_m: number('Distance between where the fit puts the point and where it is', { min: 0, example: 0.04 }),
  east_m: number('How much further east the fit puts the point', { example: 0.03 }),
  north_m: number('How much further north the fit puts the point', { example: -0.02 }),
  leave_one_out_m: orNull(
    number('Distance between where a fit to all other points puts the point and where it is; null if they don’t determine a fit', {
      min: 0,
      example: 0.07,
    }),
  ),
}

export const MeasuredControlPoint = shape('MeasuredControlPoint', 'A control point with its distances, in metres on the ground', {
  ...inPicture,
  ...onTheGround,
  ...distances,
})

const matrixRow = list(number('Element'), 'Row', { min: 3, max: 3 })

export const Warning = shape('CalibrationWarning', 'Something to look at in a calibration', {
  kind: oneOf(['scale_ratio'], 'Kind'),
  message: text('What it means, and what to do', { max: 500 }),
})

/** What a calibration says about a picture on the ground, with the models that it can have. */
export const calibrationFields = <const T extends readonly string[]>(models: T) => ({
  model: oneOf(models, 'How the picture lies on the ground'),
  points: list(ref(MeasuredControlPoint), 'Control points', { max: 200 }),
  matrix: list(matrixRow, 'Matrix from pixels to metres east and north of the origin', { min: 3, max: 3 }),
  origin: ref(Point, 'Origin of the metres'),
  rmse_m: number('Root mean square of the residuals of the points in use, metres', { min: 0, example: 0.05 }),
  max_residual_m: number('Largest residual of a point in use, metres', { min: 0, example: 0.11 }),
  redundancy: integer('How many more coordinates there are than the model needs; at 0 the fit is exact and proves nothing', { example: 6 }),
  quality: oneOf(QUALITIES, 'good: rmse up to 0.25 m; fair: up to 1 m; poor: more; unchecked: no redundancy'),
  suspect: orNull(
    integer('Index of the point that is most likely wrong; null if none is, or if it can’t be known', { max: 199, example: 2 }),
  ),
  ground_resolution_m: number('Size of a pixel at the centre of the picture, metres', { min: 0, example: 0.1 }),
  rotation_deg: number('Direction of the upper edge of the picture, degrees clockwise from north', { min: 0, max: 360, example: 33 }),
  scale_ratio: number('Larger over smaller scale of the two axes', { min: 1, example: 1.01 }),
  warnings: list(ref(Warning), 'What to look at', { max: 10 }),
})

export const SiteMapCalibration = shape('SiteMapCalibration', 'A calibration of a site map', {
  ...calibrationFields(CALIBRATION_MODELS),
  version: integer('Number of the calibration, from 1', { min: 1 }),
  at: instant('When it was made'),
  by: orNull(id('Person who made it; null if the file’s own tags did')),
})

export const SITE_MAP_ACTIONS = ['calibrate', 'redraw', 'activate'] as const

export const SiteMap = shape('SiteMap', 'A picture of the site that lies under everything on the map', {
  id: id('Site map'),
  ...onSite,
  name: name('Name', { example: 'Layout, March' }),
  captured_on: orNull(workDate('Day on which the picture was taken; null if unknown')),
  status: oneOf(STATUSES, 'State'),
  status_reason: orNull(text('Why it couldn’t be used, or why the work on it was stopped; null otherwise', { max: 1000 })),
  file: object(
    {
      name: text('Name of the file', { max: 200, example: 'layout.pdf' }),
      bytes: integer('Size, bytes', { max: 2 ** 31 }),
      type: text('Media type', { max: 100, example: 'application/pdf' }),
      sha256: text('SHA-256 of the bytes, hexadecimal', { max: 64 }),
      page: orNull(integer('Page of the PDF, from 1; null for a picture', { min: 1 })),
    },
    'The uploaded file',
  ),
  width_px: integer('Width of the upright picture, pixels', { min: 1 }),
  height_px: integer('Height of the upright picture, pixels', { min: 1 }),
  content_version: integer('How often its tiles have been replaced; 0 until there are any'),
  outdated: flag('Whether its tiles are from before it was last calibrated', { example: false }),
  bounds: orNull(bounds),
  min_zoom: orNull(integer('Zoom at which the picture fits one tile; null without a calibration', { max: 24 })),
  max_zoom: orNull(integer('Zoom at which its pixels are shown; null without a calibration', { max: 24 })),
  calibration: orNull(ref(SiteMapCalibration, 'Newest calibration; null if there is none')),
  calibrations: optional(list(ref(SiteMapCalibration), 'All calibrations, newest first', { max: 1000 })),
  job_id: orNull(id('Job that reads the file or makes the tiles')),
  permissions: flags(SITE_MAP_ACTIONS),
  version: integer('Version'),
  created_at: instant('Creation time'),
  created_by: orNull(id('Person who uploaded it')),
  updated_at: instant('Time of the last change'),
})

export const UploadQuery = object({ site_id: optional(id('Site. Required if the body doesn’t contain it')) })

export const SiteMapUpload = shape('SiteMapUpload', 'A site map to upload, next to its file', {
  site_id: optional(id('Site. Required if the query doesn’t contain it')),
  name: name('Name', { example: 'Layout, March' }),
  captured_on: optional(orNull(workDate('Day on which the picture was taken'))),
  page: optional(integer('Page of a PDF, from 1; default 1', { min: 1, max: 100_000, example: 1 })),
})

export const CalibrateSiteMap = shape('CalibrateSiteMap', 'Control points of a site map', {
  points: list(ref(ControlPoint), 'Control points', { max: 200 }),
  model: optional(oneOf(CHOICES, 'How the picture can lie on the ground; default auto')),
  dry_run: optional(flag('Whether to return the calibration without storing it; default false')),
})

export const ImageQuery = object({
  variant: optional(oneOf(['original', 'preview'], 'preview: WebP of at most 2,048 pixels a side; default original')),
})

export const ActivateSiteMap = shape('ActivateSiteMap', 'The site map to activate', {
  site_map_id: orNull(id('Site map; null for none')),
  effective_at: optional(instant('From when; default now')),
  accept_poor: optional(flag('Whether to accept a poor calibration; default false')),
})

export const SiteMapActivation = shape('SiteMapActivation', 'When a site map was active', {
  site_map_id: orNull(id('Site map; null if none was')),
  from: instant('Start'),
  to: orNull(instant('End, exclusive; null if it has none')),
  by: orNull(id('Person who activated it')),
  version: integer(
    'Version of the choice of site maps on this site: it grows with each activation. Send it as `If-Match` with the next one',
    {
      min: 0,
    },
  ),
})

export const ActiveAtTime = object({ at: optional(instant('Point in time; default now')) })

export const ActiveSiteMap = shape('ActiveSiteMap', 'The site map that is active at a point in time', {
  site_map: orNull(ref(SiteMap, 'The site map; null if none is active')),
})

export type SiteMapUpload = Static<typeof SiteMapUpload>
export type CalibrateSiteMap = Static<typeof CalibrateSiteMap>
export type ActivateSiteMap = Static<typeof ActivateSiteMap>
