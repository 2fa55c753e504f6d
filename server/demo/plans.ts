// The plans of the demo site: a picture of the yard from above, and the drawings of some levels of Block A. All of it is drawn by the code below.
import { planeAt } from '../../shared/geometry/plane.ts'
import type { House } from '../base/ctx.ts'
import type { Id } from '../base/ids.ts'
import { formOf } from '../base/multipart.ts'
import { runJob } from '../kernel/jobs/door.ts'
import { blockDrawing, CORNERS } from './drawing.ts'
import { CORNER } from './ground.ts'
import type { Row } from './reply.ts'
import { pixelOf, siteFromAbove } from './yard.ts'

type Call = (by: string, method: 'POST' | 'PUT', path: string, body?: unknown, type?: string) => Promise<Row>

const plane = planeAt(CORNER)
const degreesAt = (x: number, y: number) => {
  const [lon, lat] = plane.degrees([x, y])
  return { lon, lat }
}

/** Marks of the surveyor on the ground, in metres, with what they were off in the picture: nobody hits a mark exactly. */
const MARKS = [
  { label: 'SM1, Gate 1', at: [250, 66], off: [0.06, -0.04] },
  { label: 'SM2, Gate 2', at: [3, 90], off: [-0.05, 0.05] },
  { label: 'SM3, north hoarding', at: [130, 179], off: [0.04, 0.06] },
  { label: 'SM4, south hoarding', at: [120, 1], off: [-0.07, 0.02] },
  { label: 'SM5, Block C', at: [20, 20], off: [0.03, -0.06] },
] as const

/** The levels of Block A that have a drawing, with their revisions. */
const DRAWN = [
  { level: 0, revision: 'C02' },
  { level: 3, revision: 'C01' },
  { level: 5, revision: 'P04' },
] as const

/**
 * Adds the plans, as document control and the engineer do: upload, calibrate, place. Other processes read the pictures, so that it
 * takes little time next to other work; the drawings are read by a job once the service runs.
 */
export async function addPlans(past: House, call: Call, { site_id, at }: { site_id: Id; at: ReadonlyMap<string, Id> }): Promise<void> {
  await Promise.all([addYard(past, call, site_id), ...DRAWN.map(one => addLevel(call, site_id, at.get('building A') ?? '', one))])
}

async function addYard(past: House, call: Call, site_id: Id): Promise<void> {
  const { type, payload } = formOf('yard-from-above.jpg', await siteFromAbove(), { site_id, name: 'Yard from above, week 1' })
  const map = await call('max', 'POST', '/site-maps/upload', payload, type)
  await runJob(past, String(map.job_id))
  const points = MARKS.map(({ label, at: [x, y], off: [east, north] }) => {
    const [px, py] = pixelOf(x + east, y + north)
    return { x: px, y: py, ...degreesAt(x, y), label }
  })
  const calibrated = await call('max', 'POST', `/site-maps/${map.id}/calibrate`, { points })
  await runJob(past, String(calibrated.job_id))
  await call('max', 'PUT', `/site-maps/sites/${site_id}/active-map`, { site_map_id: map.id })
}

async function addLevel(call: Call, site_id: Id, feature_id: Id, { level, revision }: (typeof DRAWN)[number]): Promise<void> {
  const number = `QYD-A-10${String(level).padStart(2, '0')}`
  const { type, payload } = formOf(`${number}-${revision}.dxf`, blockDrawing(level), { site_id })
  const { session_id } = await call('cora', 'POST', '/floor-plans/import-dxf/inspect', payload, type)
  const points = CORNERS.map(([x, y]) => ({ x: x * 1000, y: y * 1000, ...degreesAt(x, y) }))
  await call('cora', 'POST', '/floor-plans/import-dxf', {
    ...{ site_id, session_id, feature_id, level_index: level, opacity: 1, revision, drawing_number: number },
    ...{
      name: `${level === 0 ? 'Ground floor' : `Level ${level}`} general arrangement`,
      suitability: revision.startsWith('C') ? 'A4' : 'S2',
    },
    placement: { mode: 'points', points },
  })
}

/** Waits until all of this work has ended, and then throws the first error. */
export async function ended(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}
