import { calibrate } from '../../../../../shared/calibration/calibrate.ts'
import { position } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, expectVersion, type FieldFault, invalid, invalidField, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { keepFile } from '../../../../kernel/evidence/door.ts'
import { groundOf, outsideFault } from '../../../../kernel/geometry/door.ts'
import { hold } from '../../../../kernel/records/door.ts'
import type { BroughtPlan } from '../../kit/actions/upload.ts'
import { activateVerdict, calibrateVerdict, leavesNone, pointFaults, redrawVerdict, type StoredCalibration, turnAt } from '../domain.ts'
import {
  activationRow,
  activationsOf,
  calibrationsOf,
  dropActivation,
  endActivation,
  insertActivation,
  insertCalibration,
  insertSiteMap,
  type SiteMapRow,
  saveSiteMap,
  siteMapRow,
} from '../queries.ts'
import type { ActivateSiteMap, CalibrateSiteMap, SiteMapUpload } from '../schema.ts'
import { choiceVersion, nextChoice, shown, shownActivation, shownCalibration } from './show.ts'

/** The job that reads a site map, and makes its tiles. */
export const PROCESS = 'site_map_process'

const oneShown = async (ctx: Ctx, site_id: Id, id: Id): Promise<Record<string, unknown> & { id: Id }> => {
  const row = await siteMapRow(ctx.db, site_id, id, false)
  const [map] = row === null ? [] : await shown(ctx, site_id, [row])
  return { ...map, id }
}

/** Adds a site map; a job reads it. */
export async function uploadSiteMap(ctx: Ctx, site_id: Id, body: SiteMapUpload, brought: BroughtPlan) {
  const { measured, page, ground, ...file } = brought
  await keepFile(ctx, site_id, file)
  const id = ids.next()
  const job_id = await ctx.enqueue(PROCESS, { site_map_id: id, ground }, { site_id, message: `Waiting to read ${file.filename}` })
  await insertSiteMap(ctx.db, {
    site_id,
    id,
    name: body.name,
    captured_on: body.captured_on ?? null,
    status: 'processing',
    filename: file.filename,
    sha256: file.sha256,
    size: file.size,
    media_type: file.media_type,
    page,
    width_px: measured.width,
    height_px: measured.height,
    job_id,
  })
  return oneShown(ctx, site_id, id)
}

/** Calibrates a site map by control points; its tiles are then made by a job. With `dry_run`, only returns the calibration. */
export async function calibrateSiteMap(ctx: Ctx, map: SiteMapRow, body: CalibrateSiteMap): Promise<Record<string, unknown>> {
  const trial = body.dry_run === true
  enforce([calibrateVerdict(map.status, trial)])
  const points = body.points.map(({ used, ...point }) => ({ ...point, used: used ?? true }))
  const ground = await groundOf(ctx.db, map.site_id)
  const outside = points.flatMap((point, i): FieldFault[] => {
    const message = outsideFault(ground, { type: 'Point', coordinates: position(point) })
    return message === null ? [] : [{ path: `points[${i}]`, message }]
  })
  if (outside.length > 0) refuse(invalid(outside))
  const said = calibrate({ width: map.width_px, height: map.height_px }, points, body.model ?? 'auto')
  if ('faults' in said) return refuse(invalid(pointFaults(said.faults)))
  const version = 1 + ((await calibrationsOf(ctx.db, map.site_id, map.id))[0]?.number ?? 0)
  if (trial) return shownCalibration(said.calibration, { version, at: ctx.now, by: ctx.actor.id })
  await startTiling(ctx, map, said.calibration, version)
  return oneShown(ctx, map.site_id, map.id)
}

/** Stores a calibration, and queues the job that makes the tiles. */
export async function startTiling(ctx: Ctx, map: SiteMapRow, calibration: StoredCalibration, number: number): Promise<void> {
  const { site_id } = map
  const calibration_id = ids.next()
  const { origin, ...rest } = calibration
  await insertCalibration(ctx.db, {
    site_id,
    id: calibration_id,
    site_map_id: map.id,
    number,
    origin_lon: origin.lon,
    origin_lat: origin.lat,
    ...rest,
  })
  await queueTiles(ctx, map, calibration_id)
}

async function queueTiles(ctx: Ctx, { site_id, id, name }: SiteMapRow, calibration_id: Id | null): Promise<void> {
  const job_id = await ctx.enqueue(PROCESS, { site_map_id: id, calibration_id }, { site_id, message: `Waiting to make tiles of ${name}` })
  ctx.note(id, { action: 'transition' })
  await saveSiteMap(ctx.db, site_id, id, { status: 'tiling', status_reason: null, calibration_id, job_id })
}

/** Makes the tiles of a site map again by its newest calibration, after the work on them was stopped. */
export async function redrawSiteMap(ctx: Ctx, map: SiteMapRow): Promise<Record<string, unknown>> {
  enforce([redrawVerdict(map)])
  await queueTiles(ctx, map, map.calibration_id)
  return oneShown(ctx, map.site_id, map.id)
}

/** Makes a site map the active one from an instant on, or none. */
export async function activate(ctx: Ctx, site_id: Id, body: ActivateSiteMap, if_match: string | undefined) {
  // Two people who activate a map at the same time do so one after the other.
  await hold(ctx, 'active site map', site_id)
  const known = await choiceVersion(ctx, site_id)
  expectVersion(if_match, known)
  const { site_map_id } = body
  const map = site_map_id === null ? null : await siteMapRow(ctx.db, site_id, site_map_id, true)
  if (site_map_id !== null && map === null) return refuse(invalidField('site_map_id', 'isn’t a site map of this site.'))
  const from_at = body.effective_at ?? ctx.now
  const all = await activationsOf(ctx.db, site_id)
  const turn = turnAt(all, site_map_id, from_at)
  // What was active before a plan that is cancelled was accepted then.
  if (map !== null && turn.goes_on === null)
    enforce([activateVerdict({ ...map, quality: map.served?.quality ?? null }, body.accept_poor === true)])
  if (turn.same !== null)
    return shownActivation((await activationRow(ctx.db, site_id, turn.same.id)) ?? refuse(invalidField('site_map_id', 'has gone.')), known)
  const version = await nextChoice(ctx, site_id)
  if (turn.replaces !== null) await dropActivation(ctx.db, site_id, turn.replaces.id)
  if (turn.ends !== null) await endActivation(ctx.db, site_id, turn.ends.id, from_at)
  if (turn.goes_on !== null || leavesNone(all, site_map_id, turn)) {
    const { id, from_at: from } = turn.goes_on ?? { id: turn.replaces?.id ?? ids.next(), from_at }
    if (turn.goes_on !== null) await endActivation(ctx.db, site_id, id, turn.to_at)
    announce(ctx, site_id, { id, site_map_id, name: map?.name ?? null, from_at, to_at: turn.to_at })
    const kept = turn.goes_on === null ? null : await activationRow(ctx.db, site_id, id)
    return kept === null ? { site_map_id, from, to: turn.to_at, by: ctx.actor.id, version } : shownActivation(kept, version)
  }
  const id = ids.next()
  await insertActivation(ctx.db, { site_id, id, site_map_id, from_at, to_at: turn.to_at })
  announce(ctx, site_id, { id, site_map_id, name: map?.name ?? null, from_at, to_at: turn.to_at })
  if (from_at > ctx.now)
    await ctx.enqueue(TURN, { activation_id: id }, { site_id, after: from_at, message: 'Waiting for the next site map' })
  return { site_map_id, from: from_at, to: turn.to_at, by: ctx.actor.id, version }
}

/** Tells people what is active now, if this changed it; and open apps what is planned. */
function announce(ctx: Ctx, site_id: Id, { to_at, ...one }: Taking & { to_at: string | null }): void {
  if (one.from_at > ctx.now) ctx.emit(eventOf('site_map.planned', site_id, one))
  // It was active for a time that is over.
  else if (to_at !== null && to_at <= ctx.now) ctx.redraw(site_id, 'site_map')
  else takeEffect(ctx, site_id, one)
}

/** The job that tells people when a planned site map becomes active. */
export const TURN = 'site_map_turn'

/** A site map that becomes active. */
type Taking = { id: Id; site_map_id: Id | null; name: string | null; from_at: string }

/** Tells people, and open maps, that another site map is active. */
export function takeEffect(ctx: Ctx, site_id: Id, one: Taking): void {
  ctx.redraw(site_id, 'site_map')
  ctx.emit(eventOf('site_map.activated', site_id, one))
}

const eventOf = (kind: string, site_id: Id, one: Taking) => ({
  kind,
  site_id,
  subject:
    one.site_map_id === null
      ? { kind: 'site_map_activation', id: one.id, label: 'No site map' }
      : { kind: 'site_map', id: one.site_map_id, label: one.name ?? '' },
  payload: { site_map_id: one.site_map_id, from: one.from_at },
})
