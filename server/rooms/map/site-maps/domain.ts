// Site maps: what can be done with one, and which is active when (`map.md` §7). Pure.
import { type Calibration, type Fault, type Quality, RATIO_AT_MOST } from '../../../../shared/calibration/calibrate.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type FieldFault, guard, type Verdict, wrongStep } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { PDF_TYPE, PICTURE_TYPES } from '../kit/domain/orders.ts'
import type { Laid } from '../kit/domain/pyramid.ts'
import type { TileSet } from '../kit/domain/tileset.ts'

export const STATUSES = ['processing', 'needs_calibration', 'tiling', 'ready', 'failed'] as const
export type Status = (typeof STATUSES)[number]

/** Types of files that a site map can be made of, and the most pixels. */
export const TAKING = {
  types: [...PICTURE_TYPES, PDF_TYPE],
  said: 'a PNG, JPEG, WebP, TIFF or PDF file',
  pixels: 400_000_000,
  archives: true,
}
export const BYTES_AT_MOST = 200 * 1024 * 1024
/** Longest side of the preview in pixels. */
export const PREVIEW_SIDE = 2048

/** How a calibration was found: by a fit to points, or by the tags of the file. */
export const CALIBRATION_MODELS = ['similarity', 'affine', 'projective', 'embedded'] as const

/** A calibration as it is stored. */
export type StoredCalibration = Omit<Calibration, 'model'> & { model: (typeof CALIBRATION_MODELS)[number] }

/** The tiles that are served, and the calibration that they were drawn by. */
export type Served = TileSet & { calibration_id: Id; laid: Laid; ground_resolution_m: number; rmse_m: number; quality: Quality }

const STATE_WORDS: Record<Status, string> = {
  processing: 'it is still being read',
  needs_calibration: 'it has no calibration yet',
  tiling: 'its tiles are still being made',
  ready: 'it is ready',
  failed: 'it couldn’t be read',
}

/** Returns why a site map can't be calibrated in this state. A trial needs only the size of the picture. */
export function calibrateVerdict(status: Status, trial: boolean): Verdict {
  if (status === 'needs_calibration' || status === 'ready' || (trial && status === 'tiling')) return null
  return wrongStep(
    status,
    [],
    `You can’t calibrate this site map, because ${STATE_WORDS[status]}. ${status === 'failed' ? 'Upload it again.' : 'Try again in a moment.'}`,
  )
}

/** Returns whether the map shows tiles from before a site map was last calibrated. */
export const isOutdated = ({ served, calibration_id }: { served: Served | null; calibration_id: Id | null }): boolean =>
  served !== null && served.calibration_id !== calibration_id

/** Returns why the tiles of a site map can't be made again: only those whose work was stopped are. */
export const redrawVerdict = ({ status, calibration_id }: { status: Status; calibration_id: Id | null }): Verdict =>
  status === 'needs_calibration' && calibration_id !== null
    ? null
    : wrongStep(status, [], `You can’t make the tiles of this site map again, because ${STATE_WORDS[status]}.`)

/** Returns why a site map can't become the active one. */
export function activateVerdict(map: { name: string; status: Status; quality: Quality | null }, accept_poor: boolean): Verdict {
  if (map.status !== 'ready')
    return wrongStep(
      map.status,
      map.status === 'needs_calibration' ? ['calibrate'] : [],
      `You can’t make ${map.name} the active map, because ${STATE_WORDS[map.status]}.`,
    )
  if (map.quality !== 'poor' || accept_poor) return null
  return guard(
    'accept_poor',
    `The calibration of ${map.name} is poor: places on it can be more than 1 m off. Calibrate it again, or send accept_poor to use it all the same.`,
  )
}

/** Returns what a person should look at in a calibration that was accepted. */
export const warningsOf = ({ scale_ratio }: Pick<StoredCalibration, 'scale_ratio'>): { kind: 'scale_ratio'; message: string }[] =>
  scale_ratio > RATIO_AT_MOST
    ? [
        {
          kind: 'scale_ratio',
          message: `The picture is stretched: one direction is ${scale_ratio.toFixed(2)} times as long as the other. Check the points.`,
        },
      ]
    : []

/** Returns the faults of control points as those of fields. */
export const pointFaults = (faults: readonly Fault[]): FieldFault[] =>
  faults.map(({ index, message }) => ({ path: index === null ? 'points' : `points[${index}]`, message }))

/** When a site map was active; without a map, none was. */
export type Activation = { id: Id; site_map_id: Id | null; from_at: Instant; to_at: Instant | null }

/** What a new activation changes: the one that it ends or replaces, and its own end. `same`: this map is active already. `goes_on`: it was active just before, and stays so. */
export type Turn = {
  same: Activation | null
  ends: Activation | null
  replaces: Activation | null
  goes_on: Activation | null
  to_at: Instant | null
}

/**
 * Finds the place of a new activation among those of a site. The one before ends at its start; a later one stays, and ends it.
 * Activating from the start of a planned one what is active before it cancels the plan: the one before goes on.
 */
export function turnAt(all: readonly Activation[], site_map_id: Id | null, from_at: Instant): Turn {
  const before = all.find(one => one.from_at <= from_at && (one.to_at === null || one.to_at > from_at)) ?? null
  const later = all.filter(one => one.from_at > from_at).map(one => one.from_at)
  const to_at = later.reduce<Instant | null>((first, at) => (first === null || at < first ? at : first), null)
  if (before !== null && before.site_map_id === site_map_id) return { same: before, ends: null, replaces: null, goes_on: null, to_at }
  const replaces = before?.from_at === from_at ? before : null
  const until = replaces === null ? null : (all.find(one => one.to_at === from_at) ?? null)
  const goes_on = until?.site_map_id === site_map_id ? until : null
  return { same: null, ends: replaces === null ? before : null, replaces, goes_on, to_at }
}

/** Returns whether cancelling a plan leaves no activation in its place, because there was none before it. */
export const leavesNone = (all: readonly Activation[], site_map_id: Id | null, { replaces }: Turn): boolean =>
  site_map_id === null && replaces !== null && all.every(one => one.to_at !== replaces.from_at)
