// Background work of floor plans: reading the file, finding its lines, and making its tiles.
import { lieOf } from '../../../../shared/calibration/calibrate.ts'
import { jobActor } from '../../../base/actor.ts'
import type { ChildProblem } from '../../../base/child/open.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { invalidField, refuse } from '../../../base/errors.ts'
import { keepFile } from '../../../kernel/evidence/door.ts'
import { type Asked, inRounds, type JobKind, type Running, type Schedule } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { FINISHING, fileProblem, lastingReason } from '../kit/actions/failure.ts'
import { heavy } from '../kit/actions/process.ts'
import { reporter } from '../kit/actions/progress.ts'
import { fetchTo, withScratch } from '../kit/actions/stored.ts'
import type { Vectors } from '../kit/domain/orders.ts'
import { tilesOf } from '../kit/domain/pyramid.ts'
import { holdLevels, IMPORT, PROCESS, told, VECTORISE } from './actions/change.ts'
import { endLost, fail, stop } from './actions/failing.ts'
import { laidOf, makePreview, pictureKey, pictureOf } from './actions/show.ts'
import { type PlanVector, settingsIn, type VectorSettings } from './domain/plans.ts'
import { type FloorPlanRow, planRow, savePlan, sitesWithLostPlans } from './queries.ts'

const actor = jobActor('floor plans')
const LINES = 'application/x-ndjson'
const TILES = 'application/octet-stream'

type Report = ReturnType<typeof reporter>

/** Writes to a plan that still exists. `level`: a plan of the level to lock first. */
const write = (
  job: Running,
  id: string,
  work: (ctx: Ctx, row: FloorPlanRow) => Promise<void>,
  level: FloorPlanRow | null = null,
): Promise<void> =>
  writingOn(
    job.house,
    { actor, cause: 'floor_plan.process' },
    job.site_id,
    async ctx => {
      if (level !== null) await holdLevels(ctx, [level])
      const row = await planRow(ctx.db, job.site_id, id, true)
      if (row !== null) await work(ctx, row)
    },
    FINISHING,
  )

/** Returns in words what is wrong with a plan; the reader of drawings says so itself. */
function problemOf(error: ChildProblem): string {
  const own = /^The drawing |^(is|has|would|nests|can’t)\b/.test(error.message)
  return own ? `The drawing ${error.message.replace(/^The drawing /, '')}` : fileProblem(error)
}

/** Reads a plan that was uploaded, and makes the tiles of one that is placed. */
async function process(job: Running): Promise<Record<string, unknown> | undefined> {
  const id = String(job.input.floor_plan_id)
  const report = reporter(job)
  const row = await planRow(job.house.database.db, job.site_id, id, false)
  if (row === null) return undefined
  try {
    if (row.status === 'processing') await readPlan(job, row, report)
    else if (row.status === 'ready') await drawPlan(job, row, report)
    return { floor_plan_id: id }
  } catch (error) {
    const reason = lastingReason(job, error, problemOf)
    if (reason === null) throw error
    await write(job, id, (ctx, now) => (now.status === 'processing' ? fail(ctx, now, reason) : stop(ctx, now, undrawn(now, reason))), row)
    return refuse(invalidField('file', reason))
  }
}

/** Returns in words what became of a plan whose new tiles couldn't be made. */
const undrawn = ({ content_version }: FloorPlanRow, reason: string): string =>
  `${reason} ${content_version > 0 ? 'Until its tiles are made again, the map shows it as it was placed before.' : 'Place it again.'}`

async function readPlan(job: Running, row: FloorPlanRow, report: Report): Promise<void> {
  const found = row.source_kind === 'dxf' ? await readDrawing(job, row, report) : await readPicture(job, row, report)
  await write(job, row.id, async (ctx, now) => {
    if (now.status !== 'processing') return
    const next = { ...now, ...found }
    const { placement } = now
    const laid = placement === null ? null : laidOf(next, placement)
    const lie = placement === null || laid === null ? null : { ...placement, ...lieOf(laid, laid.matrix) }
    if (lie === null) ctx.note(now.id, { action: 'transition' })
    // A plan that is placed is ready once it has tiles.
    const status = lie === null ? 'needs_placement' : 'processing'
    await savePlan(ctx.db, now.site_id, now.id, { ...found, ...(lie === null ? {} : { placement: lie }), status })
    ctx.redraw(now.site_id, 'plans')
  })
  const read = await planRow(job.house.database.db, job.site_id, row.id, false)
  if (read?.status !== 'processing') return
  await drawPlan(job, read, report)
  await write(job, row.id, async (ctx, now) => {
    if (now.status !== 'processing') return
    ctx.note(now.id, { action: 'transition' })
    await savePlan(ctx.db, now.site_id, now.id, { status: 'ready' })
    told(ctx, now, 'floor_plan.ready')
  })
}

type Found = Partial<Pick<FloorPlanRow, 'picture_sha256' | 'width_px' | 'height_px' | 'sheet'>> & { vector: PlanVector }

async function readPicture(job: Running, row: FloorPlanRow, report: Report): Promise<Found> {
  await makePreview(job.house, row, fraction => report(fraction * 0.3, `Reading ${row.filename}`))
  return { vector: await lines(job, row, row.vector.settings) }
}

/** Finds the lines of a picture or a page. Without them, a plan can still be used. */
async function lines(job: Running, row: FloorPlanRow, settings: VectorSettings): Promise<PlanVector> {
  const { house } = job
  try {
    return await withScratch(house, async path => {
      const [from, out] = [path(), path()]
      await fetchTo(house, row.sha256, from)
      const picture = pictureOf(row, from)
      const metres = row.placement?.ground_resolution_m ?? USUAL_PIXEL_M
      const { threshold, straighten } = settings
      const how = { threshold, straighten, least: settings.min_length_m / metres, simplify: settings.simplify_m / metres }
      const drawn = row.source_kind === 'pdf' ? await heavy.pdfLines(picture, out) : null
      // A page that was scanned has no lines of its own: it is a picture.
      const is_picture = drawn === null || drawn.features === 0
      const vectors = is_picture ? await heavy.trace(picture, how, out) : drawn
      return stored(job, vectors, out, { settings, source: is_picture ? 'picture' : 'pdf' })
    })
  } catch (error) {
    const reason = lastingReason(job, error, problemOf)
    if (reason === null) throw error
    return { ...row.vector, settings, status: 'failed', reason }
  }
}

/** Size of a pixel of a picture that isn't placed yet, metres: that of an A1 sheet of 1:100 with 200 dots per inch. */
const USUAL_PIXEL_M = 0.0127

async function stored(job: Running, found: Vectors, path: string, how: Pick<PlanVector, 'source' | 'settings'>): Promise<PlanVector> {
  await keepBytes(job, found, path, LINES)
  const { sha256, size, features, counts } = found
  return { status: 'ready', ...how, sha256, size, features, counts }
}

async function keepBytes(job: Running, file: { sha256: string; size: number }, path: string, media_type: string): Promise<void> {
  await job.house.storage.keep(file.sha256, path, media_type)
  await writingOn(
    job.house,
    { actor, cause: 'floor_plan.process' },
    job.site_id,
    ctx => keepFile(ctx, job.site_id, { sha256: file.sha256, size: file.size, media_type, width: null, height: null }),
    FINISHING,
  )
}

async function readDrawing(job: Running, row: FloorPlanRow, report: Report, layers = row.sheet?.layers ?? null): Promise<Found> {
  const { house } = job
  const { sheet } = row
  if (sheet === null) throw new Error('A drawing has no sheet.')
  return withScratch(house, async path => {
    const [from, out, picture_out] = [path(), path(), path()]
    await fetchTo(house, row.sha256, from)
    const order = { path: from, layers, metres: sheet.metres, out, picture_out }
    const { vectors, view, extents, picture } = await heavy.drawing(order, fraction =>
      report(fraction * 0.6, fraction < 0.4 ? `Reading ${row.filename}` : `Drawing ${row.filename}`),
    )
    await keepBytes(job, picture, picture_out, 'image/png')
    const vector = await stored(job, vectors, out, { source: 'dxf', settings: { ...row.vector.settings, layers } })
    return {
      vector,
      picture_sha256: picture.sha256,
      width_px: view.width,
      height_px: view.height,
      sheet: { ...sheet, layers, extents, view },
    }
  })
}

/** Makes the tiles of a plan where it is placed now. */
async function drawPlan(job: Running, row: FloorPlanRow, report: Report): Promise<void> {
  const { house, site_id } = job
  const { placement, placed_times } = row
  const laid = placement === null ? null : laidOf(row, placement)
  if (placement === null || laid === null || row.served?.placed_times === placed_times) return
  const plan = tilesOf(laid, lieOf(laid, laid.matrix).ground_resolution_m)
  await withScratch(house, async path => {
    const [from, out] = [path(), path()]
    await fetchTo(house, pictureKey(row), from)
    const set = await heavy.tiles(pictureOf(row, from), laid, plan, out, fraction =>
      report(0.65 + fraction * 0.3, `Making tiles of ${row.name}`),
    )
    await keepBytes(job, set, out, TILES)
    await write(job, row.id, async (ctx, now) => {
      if (now.placed_times !== placed_times) return
      const { bounds, min_zoom, max_zoom } = plan
      await savePlan(ctx.db, site_id, now.id, {
        content_version: now.content_version + 1,
        status_reason: null,
        served: { ...set, bounds, min_zoom, max_zoom, laid, placed_times },
      })
      ctx.redraw(site_id, 'plans')
    })
  })
}

/** Finds the lines of a plan again; the old ones are served until then. */
async function vectorise(job: Running): Promise<Record<string, unknown> | undefined> {
  const row = await planRow(job.house.database.db, job.site_id, String(job.input.floor_plan_id), false)
  if (row === null || (row.status !== 'ready' && row.status !== 'needs_placement')) return undefined
  const settings = settingsIn(job.input.settings)
  const report = reporter(job)
  try {
    if (row.source_kind === 'dxf') {
      const found = await readDrawing(job, row, report, settings.layers)
      // The lines change and the picture with them, but not where the sheet lies: its matrix is that of the drawing's own units.
      await write(job, row.id, async (ctx, now) => {
        await savePlan(ctx.db, now.site_id, now.id, {
          ...found,
          placed_times: now.placed_times + 1,
          status_reason: null,
          job_id: job.run_id,
        })
      })
      const next = await planRow(job.house.database.db, job.site_id, row.id, false)
      if (next?.status === 'ready') await drawPlan(job, next, report)
      return { features: found.vector.features }
    }
    const vector = await lines(job, row, settings)
    if (vector.status === 'failed') refuse(invalidField('file', vector.reason ?? 'has no lines that can be found with these settings.'))
    await write(job, row.id, async (ctx, now) => {
      await savePlan(ctx.db, now.site_id, now.id, { vector })
      ctx.redraw(now.site_id, 'plans')
    })
    return { features: vector.features }
  } catch (error) {
    const reason = lastingReason(job, error, problemOf)
    if (reason === null) throw error
    return refuse(invalidField('file', reason))
  }
}

/**
 * What the ends of these jobs have in common. A plan that couldn’t be read has an event of its own, of which its uploader is notified. One that nothing
 * has read when its job failed gets that event from the schedule that ends such plans (`actions/failing.ts`).
 */
const ofPlan: Omit<Asked, 'name'> = {
  link: '/sites/{site_id}/map',
  about: async (db, site_id, { floor_plan_id }) => (await planRow(db, site_id, String(floor_plan_id), false))?.name ?? null,
  announced: async (db, site_id, { floor_plan_id }, requested_by) => {
    const row = await planRow(db, site_id, String(floor_plan_id), false)
    return (row?.status === 'failed' || row?.status === 'processing') && row.created_by === requested_by
  },
}

export const jobs: JobKind[] = [
  {
    kind: PROCESS,
    says: 'Reads an uploaded floor plan, and makes its tiles.',
    asked: { name: 'Processing of a floor plan', ...ofPlan },
    run: process,
    seconds: 3600,
  },
  {
    kind: IMPORT,
    says: 'Imports a floor plan from a drawing.',
    asked: { name: 'Import of a drawing', ...ofPlan },
    run: process,
    seconds: 3600,
  },
  {
    kind: VECTORISE,
    says: 'Finds the lines of a floor plan.',
    asked: { name: 'Line detection of a floor plan', ...ofPlan },
    run: vectorise,
    seconds: 3600,
  },
]

export const schedules: Schedule[] = [
  {
    kind: 'lost_floor_plans',
    says: 'Ends the wait of floor plans whose job was cancelled, or failed at every attempt.',
    every_minutes: 10,
    run: async house => ({
      ended: await inRounds(house, {
        due: () => sitesWithLostPlans(house.database.db),
        batch: site_id => writingOn(house, { actor, cause: 'floor_plan.lost' }, site_id, ctx => endLost(ctx, site_id), FINISHING),
      }),
    }),
  },
]
