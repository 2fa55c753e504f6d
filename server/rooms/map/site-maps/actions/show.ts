import type { Ctx } from '../../../../base/ctx.ts'
import { explain } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { filters, listing } from '../../../../kernel/listing/door.ts'
import { lastNumber, nextNumber } from '../../../../kernel/site/door.ts'
import { type TilePlan, tilesOf } from '../../kit/domain/pyramid.ts'
import { activateVerdict, calibrateVerdict, isOutdated, redrawVerdict, STATUSES, type StoredCalibration, warningsOf } from '../domain.ts'
import {
  type ActivationRow,
  activationAt,
  activationsOf,
  type CalibrationRow,
  calibrationsAmong,
  calibrationsOf,
  type SiteMapRow,
  siteMapRow,
} from '../queries.ts'

/** Returns a calibration as it is stored. */
export const stored = ({ origin_lon, origin_lat, ...row }: CalibrationRow): StoredCalibration & { id: Id } => ({
  ...row,
  origin: { lon: origin_lon, lat: origin_lat },
})

/** Returns a calibration as the API shows it. */
export const shownCalibration = (calibration: StoredCalibration, about: { version: number; at: string; by: Id | null }) => ({
  model: calibration.model,
  points: calibration.points,
  matrix: calibration.matrix,
  origin: calibration.origin,
  rmse_m: calibration.rmse_m,
  max_residual_m: calibration.max_residual_m,
  redundancy: calibration.redundancy,
  quality: calibration.quality,
  suspect: calibration.suspect,
  ground_resolution_m: calibration.ground_resolution_m,
  rotation_deg: calibration.rotation_deg,
  scale_ratio: calibration.scale_ratio,
  warnings: warningsOf(calibration),
  ...about,
})

const shownRow = (row: CalibrationRow) =>
  shownCalibration(stored(row), { version: row.number, at: row.created_at, by: row.model === 'embedded' ? null : row.created_by })

/** Returns the tiles that a site map has by a calibration. */
export const planOf = ({ width_px, height_px }: SiteMapRow, { matrix, origin, ground_resolution_m }: StoredCalibration): TilePlan =>
  tilesOf({ width: width_px, height: height_px, matrix, origin }, ground_resolution_m)

/** Returns site maps as the API shows them. */
export async function shown(ctx: Ctx, site_id: Id, rows: readonly SiteMapRow[]): Promise<Record<string, unknown>[]> {
  const calibrations = await calibrationsAmong(
    ctx.db,
    site_id,
    rows.flatMap(row => row.calibration_id ?? []),
  )
  return rows.map(row => {
    const calibration = row.calibration_id === null ? null : (calibrations.get(row.calibration_id) ?? null)
    const plan = calibration === null ? null : planOf(row, stored(calibration))
    const manages = ctx.actor.lacks('site_map_manage')
    return {
      id: row.id,
      site_id: row.site_id,
      name: row.name,
      captured_on: row.captured_on,
      status: row.status,
      status_reason: row.status_reason,
      file: { name: row.filename, bytes: row.size, type: row.media_type, sha256: row.sha256, page: row.page },
      width_px: row.width_px,
      height_px: row.height_px,
      content_version: row.content_version,
      outdated: isOutdated(row),
      bounds: plan?.bounds ?? null,
      min_zoom: plan?.min_zoom ?? null,
      max_zoom: plan?.max_zoom ?? null,
      calibration: calibration === null ? null : shownRow(calibration),
      job_id: row.job_id,
      permissions: flagsFor(ctx.actor, {
        calibrate: explain([manages, calibrateVerdict(row.status, false)]),
        redraw: explain([manages, redrawVerdict(row)]),
        activate: explain([manages, activateVerdict({ name: row.name, status: row.status, quality: row.served?.quality ?? null }, true)]),
      }),
      version: row.version,
      created_at: row.created_at,
      created_by: row.created_by,
      updated_at: row.updated_at,
    }
  })
}

/** Returns a site map with all its calibrations. */
export async function showSiteMap(ctx: Ctx, row: SiteMapRow): Promise<Record<string, unknown>> {
  const [map] = await shown(ctx, row.site_id, [row])
  return { ...map, calibrations: (await calibrationsOf(ctx.db, row.site_id, row.id)).map(shownRow) }
}

/** The list of site maps of a site. */
export const siteMaps = listing('site_map', {
  order: ['-created_at'],
  filters: { status: filters.oneOf(STATUSES, 'States') },
})

/** Returns an activation as the API shows it. */
export const shownActivation = ({ site_map_id, from_at, to_at, created_by }: ActivationRow, version: number) => ({
  site_map_id,
  from: from_at,
  to: to_at,
  by: created_by,
  version,
})

const CHOICES = 'active site map'

/** Returns the version of the choice of site maps: how often it was changed. */
export const choiceVersion = (ctx: Ctx, site_id: Id): Promise<number> => lastNumber(ctx.db, site_id, CHOICES)

/** Counts a change of the choice of site maps. */
export const nextChoice = (ctx: Ctx, site_id: Id): Promise<number> => nextNumber(ctx.db, site_id, CHOICES)

/** Lists when which site map was active, newest first. */
export async function listActivations(ctx: Ctx, site_id: Id) {
  // The version first: a change in between is then newer than the version, and refused.
  const version = await choiceVersion(ctx, site_id)
  return (await activationsOf(ctx.db, site_id)).map(row => shownActivation(row, version))
}

/** Returns the site map that is active at an instant (default now); null if none is. */
export async function activeAt(ctx: Ctx, site_id: Id, at: string = ctx.now): Promise<SiteMapRow | null> {
  const id = (await activationAt(ctx.db, site_id, at))?.site_map_id ?? null
  return id === null ? null : siteMapRow(ctx.db, site_id, id, false)
}

/** Returns the active site map as the API shows it. */
export async function showActive(ctx: Ctx, site_id: Id, at: string | undefined) {
  const row = await activeAt(ctx, site_id, at)
  return { site_map: row === null ? null : ((await shown(ctx, site_id, [row]))[0] ?? null) }
}
