// Background work of site maps: reading the file, making its tiles, and telling people when a planned map becomes active.
import { lieOf } from '../../../../shared/calibration/calibrate.ts'
import { fieldsIn, itemsIn, textIn } from '../../../../shared/narrow.ts'
import { jobActor } from '../../../base/actor.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { invalidField, refuse } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { keepFile } from '../../../kernel/evidence/door.ts'
import { type Batch, inRounds, type JobKind, type Running, type Schedule } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { FINISHING, LOST, lastingReason } from '../kit/actions/failure.ts'
import { heavy } from '../kit/actions/process.ts'
import { reporter } from '../kit/actions/progress.ts'
import { fetchTo, withScratch } from '../kit/actions/stored.ts'
import type { Tagged } from '../kit/domain/orders.ts'
import { PROCESS, startTiling, TURN, takeEffect } from './actions/change.ts'
import { makePreview, pictureOf } from './actions/picture.ts'
import { planOf, stored } from './actions/show.ts'
import { TAKING } from './domain.ts'
import {
  activationAt,
  activationRow,
  activationsOf,
  calibrationsAmong,
  lostMaps,
  type SiteMapRow,
  saveSiteMap,
  siteMapRow,
  sitesWithLostMaps,
} from './queries.ts'

const actor = jobActor('site maps')

/** Reports the progress of a part of a job. */
function inSteps(job: Running, message: string, from: number, to: number): (fraction: number) => void {
  const report = reporter(job)
  return fraction => report(from + (to - from) * fraction, message)
}

/** Writes to a site map that is still as the job found it. */
const onMap = (job: Running, map: SiteMapRow, work: (ctx: Ctx, row: SiteMapRow) => Promise<void>): Promise<void> =>
  writingOn(
    job.house,
    { actor, cause: 'site_map.process' },
    job.site_id,
    async ctx => {
      const row = await siteMapRow(ctx.db, job.site_id, map.id, true)
      if (row === null || row.status !== map.status || row.calibration_id !== map.calibration_id) return
      await work(ctx, row)
    },
    FINISHING,
  )

/** Reads a site map, or makes its tiles: what its state says. */
async function run(job: Running): Promise<Record<string, unknown> | undefined> {
  const map = await siteMapRow(job.house.database.db, job.site_id, String(job.input.site_map_id), false)
  if (map === null) return undefined
  try {
    if (map.status === 'processing') await readMap(job, map)
    else if (map.status === 'tiling' && map.calibration_id === job.input.calibration_id) await drawMap(job, map)
    return { site_map_id: map.id }
  } catch (error) {
    const reason = lastingReason(job, error)
    if (reason === null) throw error
    await onMap(job, map, async (ctx, row) => {
      ctx.note(row.id, { action: 'transition', reason })
      await saveSiteMap(ctx.db, row.site_id, row.id, { status: 'failed', status_reason: reason })
    })
    return refuse(invalidField('file', reason))
  }
}

async function readMap(job: Running, map: SiteMapRow): Promise<void> {
  const { house } = job
  await makePreview(house, map, { by: heavy, report: inSteps(job, `Reading ${map.filename}`, 0, 0.9) })
  const tagged = groundIn(job.input.ground) ?? (await tagsOf(job, map))
  await onMap(job, map, async (ctx, row) => {
    if (tagged === null) {
      ctx.note(row.id, { action: 'transition' })
      return saveSiteMap(ctx.db, row.site_id, row.id, { status: 'needs_calibration' })
    }
    const { matrix, origin, rmse_m } = tagged
    const lie = lieOf({ width: row.width_px, height: row.height_px }, matrix)
    const exact = { points: [], max_residual_m: rmse_m, redundancy: 0, quality: 'unchecked' as const, suspect: null }
    return startTiling(ctx, row, { model: 'embedded', matrix, origin, rmse_m, ...exact, ...lie }, 1)
  })
}

/** Reads how a GeoTIFF lies on the ground; null for any other file. */
const tagsOf = ({ house }: Running, map: SiteMapRow) =>
  withScratch(house, async path => {
    if (map.media_type !== 'image/tiff') return null
    const from = path()
    await fetchTo(house, map.sha256, from)
    return (await heavy.measure({ path: from, type: map.media_type, page: 1 }, TAKING.pixels)).tagged
  })

/** Returns the ground that an upload found by a world file; null if there was none. */
function groundIn(value: unknown): Tagged | null {
  const { system, matrix, origin, rmse_m } = fieldsIn(value)
  const { lon, lat } = fieldsIn(origin)
  const [a, b, c, d, e, f] = itemsIn(matrix).flatMap(row => itemsIn(row).map(Number))
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined) return null
  const rows: Tagged['matrix'] = [
    [a, b, c],
    [d, e, f],
    [0, 0, 1],
  ]
  return { system: textIn(system), matrix: rows, origin: { lon: Number(lon), lat: Number(lat) }, rmse_m: Number(rmse_m) }
}

async function drawMap(job: Running, map: SiteMapRow): Promise<void> {
  const { house, site_id } = job
  const found = (await calibrationsAmong(house.database.db, site_id, [map.calibration_id ?? ''])).get(map.calibration_id ?? '')
  if (found === undefined) return
  const calibration = stored(found)
  const plan = planOf(map, calibration)
  const laid = { width: map.width_px, height: map.height_px, matrix: calibration.matrix, origin: calibration.origin }
  await withScratch(house, async path => {
    const [from, out] = [path(), path()]
    await fetchTo(house, map.sha256, from)
    const set = await heavy.tiles(pictureOf(map, from), laid, plan, out, inSteps(job, `Making tiles of ${map.name}`, 0, 0.95))
    const media_type = 'application/octet-stream'
    await house.storage.keep(set.sha256, out, media_type)
    await onMap(job, map, async (ctx, row) => {
      await keepFile(ctx, site_id, { sha256: set.sha256, size: set.size, media_type, width: null, height: null })
      const { bounds, min_zoom, max_zoom } = plan
      const { ground_resolution_m, rmse_m, quality } = calibration
      ctx.note(row.id, { action: 'transition' })
      await saveSiteMap(ctx.db, site_id, row.id, {
        status: 'ready',
        content_version: row.content_version + 1,
        served: { ...set, bounds, min_zoom, max_zoom, calibration_id: found.id, laid, ground_resolution_m, rmse_m, quality },
      })
      if ((await activationAt(ctx.db, site_id, ctx.now))?.site_map_id === row.id) ctx.redraw(site_id, 'site_map')
    })
  })
}

/** Tells people that a planned site map is active now, unless something else was decided in the meantime. */
async function turn(job: Running): Promise<undefined> {
  await writingOn(job.house, { actor, cause: 'site_map.turn' }, job.site_id, async ctx => {
    const planned = await activationRow(ctx.db, job.site_id, String(job.input.activation_id))
    if (planned === null || (planned.to_at !== null && planned.to_at <= ctx.now)) return
    const before = (await activationsOf(ctx.db, job.site_id)).find(one => one.to_at === planned.from_at)
    if ((before?.site_map_id ?? null) === planned.site_map_id) return // the same map stays active
    const map = planned.site_map_id === null ? null : await siteMapRow(ctx.db, job.site_id, planned.site_map_id, false)
    takeEffect(ctx, job.site_id, { ...planned, name: map?.name ?? null })
  })
  return undefined
}

/** Site maps in one transaction. */
const AT_ONCE = 50

/** Ends the wait of site maps that no job will finish: one that was never read has failed, and one with control points can be calibrated again. */
async function endLost(ctx: Ctx, site_id: Id): Promise<Batch> {
  const rows = await lostMaps(ctx.db, site_id, AT_ONCE)
  const found = await calibrationsAmong(
    ctx.db,
    site_id,
    rows.flatMap(row => row.calibration_id ?? []),
  )
  for (const row of rows) {
    // A picture that was calibrated by its own tags has no points to start from, so it is read again.
    const again = row.status === 'tiling' && found.get(row.calibration_id ?? '')?.model !== 'embedded'
    const reason = !again ? LOST.read : row.content_version > 0 ? LOST.recalibrated : LOST.calibrated
    ctx.note(row.id, { action: 'transition', reason })
    await saveSiteMap(ctx.db, site_id, row.id, { status: again ? 'needs_calibration' : 'failed', status_reason: reason })
  }
  return { done: rows.length, more: rows.length === AT_ONCE }
}

export const schedules: Schedule[] = [
  {
    kind: 'lost_site_maps',
    says: 'Ends the wait of site maps whose job was cancelled, or failed at every attempt.',
    every_minutes: 10,
    run: async house => ({
      ended: await inRounds(house, {
        due: () => sitesWithLostMaps(house.database.db),
        batch: site_id => writingOn(house, { actor, cause: 'site_map.lost' }, site_id, ctx => endLost(ctx, site_id), FINISHING),
      }),
    }),
  },
]

export const jobs: JobKind[] = [
  {
    kind: PROCESS,
    says: 'Reads an uploaded site map, or makes its tiles.',
    asked: {
      name: 'Processing of a site map',
      link: '/sites/{site_id}/map',
      about: async (db, site_id, { site_map_id }) => (await siteMapRow(db, site_id, String(site_map_id), false))?.name ?? null,
    },
    run,
    seconds: 3600,
  },
  { kind: TURN, says: 'Tells people when a planned site map becomes active.', run: turn },
]
