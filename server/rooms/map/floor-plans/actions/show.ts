import { Readable } from 'node:stream'
import { inverse, multiply } from '../../../../../shared/calibration/algebra.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { conflict, enforce, explain, notFound, refuse } from '../../../../base/errors.ts'
import type { FileAnswer } from '../../../../base/files.ts'
import { positionIn, slice } from '../../../../base/paging.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { download, fileOf } from '../../../../kernel/evidence/door.ts'
import { heavy } from '../../kit/actions/process.ts'
import { bytesAt, fetchTo, withScratch } from '../../kit/actions/stored.ts'
import type { Picture } from '../../kit/domain/orders.ts'
import { boundsOnGround, type Laid } from '../../kit/domain/pyramid.ts'
import { type Placement, pixelAtScaleOne, placeableOf } from '../domain/placing.ts'
import { changeVerdict, isOutdated, PREVIEW_SIDE, pixelsOf, redrawVerdict } from '../domain/plans.ts'
import { type FloorPlanRow, plansAt } from '../queries.ts'
import { suspectOf } from './units.ts'

/** Returns the picture of a plan on the ground; null until it is drawn. */
export function laidOf({ width_px, height_px, sheet }: FloorPlanRow, { matrix, origin }: Placement): Laid | null {
  if (width_px === null || height_px === null) return null
  return { width: width_px, height: height_px, matrix: multiply(matrix, inverse(pixelsOf(sheet))), origin }
}

/** Returns floor plans as the API shows them. */
export async function shown(ctx: Ctx, rows: readonly FloorPlanRow[]): Promise<Record<string, unknown>[]> {
  const edits = ctx.actor.lacks('floor_plan_edit')
  const out: Record<string, unknown>[] = []
  for (const row of rows) {
    const laid = row.placement === null ? null : laidOf(row, row.placement)
    const { status, reason = null, source, features, settings } = row.vector
    out.push({
      id: row.id,
      site_id: row.site_id,
      feature_id: row.feature_id,
      level_index: row.level_index,
      name: row.name,
      drawing_number: row.drawing_number,
      revision: row.revision,
      suitability: row.suitability,
      source_kind: row.source_kind,
      start_at: row.start_at,
      end_at: row.end_at,
      status: row.status,
      status_reason: row.status_reason,
      visible: row.visible,
      opacity: row.opacity,
      min_zoom: row.min_zoom,
      capture_visible: row.capture_visible,
      file: { name: row.filename, bytes: row.size, type: row.media_type, sha256: row.sha256, page: row.page },
      width_px: row.width_px,
      height_px: row.height_px,
      sheet_matrix: pixelsOf(row.sheet),
      pixel_m: pixelAtScaleOne(placeableOf(row)),
      placement: row.placement === null ? null : { ...row.placement, epsg: row.placement.epsg ?? null },
      vector: { status, reason, source, features, settings },
      content_version: row.content_version,
      outdated: isOutdated(row),
      bounds: laid === null ? null : boundsOnGround(laid),
      warnings: await suspectOf(ctx, row),
      job_id: row.job_id,
      permissions: flagsFor(ctx.actor, {
        place: explain([edits, changeVerdict(row.status, 'place')]),
        redraw: explain([edits, redrawVerdict(row)]),
        change_visibility: explain([edits]),
        reprocess: explain([edits, changeVerdict(row.status, 'trace')]),
        delete: explain([edits]),
      }),
      version: row.version,
      created_at: row.created_at,
      created_by: row.created_by,
      updated_at: row.updated_at,
    })
  }
  return out
}

/** Returns one floor plan as the API shows it. */
export const showOne = async (ctx: Ctx, row: FloorPlanRow): Promise<Record<string, unknown> & { id: string }> => ({
  ...(await shown(ctx, [row]))[0],
  id: row.id,
})

type Which = Parameters<typeof plansAt>[3]

/** Lists the active plans at an instant, by feature, level and start; with null, all of them. */
export const listPlans = async (ctx: Ctx, site_id: string, at: string | null, which: Which) =>
  shown(ctx, await plansAt(ctx.db, site_id, at, which))

/** Returns a page of all plans of a site, by feature, level and start. */
export async function pageOfPlans(ctx: Ctx, site_id: string, query: Which & { limit?: number; cursor?: string }) {
  const { limit = 200, cursor, ...which } = query
  const all = await plansAt(ctx.db, site_id, null, which)
  const { rows, next } = slice(all, positionIn(cursor), limit)
  return { rows: await shown(ctx, rows), next, total: all.length }
}

/** Returns the plan of a level that is active at an instant. */
export async function planAt(ctx: Ctx, feature: { site_id: string; id: string }, level: string, at: string | undefined) {
  if (!/^-?\d{1,4}$/.test(level)) return refuse(notFound())
  const [row] = await plansAt(ctx.db, feature.site_id, at ?? ctx.now, { feature_id: [feature.id], level_index: [Number(level)] })
  return row === undefined ? refuse(notFound()) : showOne(ctx, row)
}

/** Returns the picture of a plan, as the process that reads plans takes it. A DXF drawing has a rendering, which is a file of its own. */
export const pictureOf = (row: FloorPlanRow, path: string): Picture => ({
  path,
  type: row.picture_sha256 === null ? row.media_type : 'image/png',
  page: row.page ?? 1,
  width: row.width_px ?? 1,
  height: row.height_px ?? 1,
})

/** Returns the key of the file with the picture of a plan. */
export const pictureKey = (row: FloorPlanRow): string => row.picture_sha256 ?? row.sha256
const previewKey = (row: FloorPlanRow): string => `${pictureKey(row)}.plan-${row.page ?? 0}-${PREVIEW_SIDE}.webp`

/** Makes the preview of a plan, unless it exists. */
export async function makePreview(house: House, row: FloorPlanRow, report?: (fraction: number) => void): Promise<void> {
  const key = previewKey(row)
  if (await house.storage.has(key)) return
  await withScratch(house, async path => {
    const [from, out] = [path(), path()]
    await fetchTo(house, pictureKey(row), from)
    await heavy.preview(pictureOf(row, from), PREVIEW_SIDE, out, report)
    await house.storage.keep(key, out, 'image/webp')
  })
}

/** Returns the file of a plan, its rendering if it is a drawing, or its preview. */
export async function imageOf(ctx: Ctx, row: FloorPlanRow, variant: 'original' | 'preview'): Promise<FileAnswer> {
  const unread = row.status === 'processing' || row.status === 'failed'
  const not_ready = conflict('not_ready', 'This floor plan has no picture, because it hasn’t been read yet.', { status: row.status })
  if (row.source_kind === 'dxf' && row.picture_sha256 === null) enforce([not_ready])
  if (variant === 'original') {
    const file = (await fileOf(ctx.db, row.site_id, pictureKey(row))) ?? refuse(notFound())
    return download(ctx, file, row.source_kind === 'dxf' ? row.filename.replace(/\.dxf$/i, '.png') : row.filename)
  }
  if (unread) enforce([not_ready])
  await makePreview(ctx.house, row)
  const bytes = await bytesAt(ctx.house, previewKey(row))
  return {
    name: 'preview.webp',
    type: 'image/webp',
    size: bytes.length,
    etag: `${pictureKey(row).slice(0, 32)}-${row.page ?? 0}-preview`,
    inline: true,
    open: async range => Readable.from(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
  }
}
