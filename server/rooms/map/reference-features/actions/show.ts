import { type Box, boundsOf, type LonLat, metresTo, position, widened } from '../../../../../shared/geometry/plane.ts'
import { type Instant, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { type Ground, outsideJudge, readBox } from '../../../../kernel/geometry/door.ts'
import { during, inOrder, shownVersion } from '../../../../kernel/versions/domain.ts'
import { changedFields, featureFlags, inListOrder } from '../domain/features.ts'
import {
  type FeatureRecord,
  type FeatureRow,
  type FrameRow,
  featuresAt,
  featureVersion,
  frameRows,
  geometriesAt,
  type Narrowed,
  orderOf,
  type TreeRow,
  treeAt,
} from '../queries/features.ts'
import { contentsOf, versionsOf } from '../queries/versions.ts'
import type { FeatureFilter, FrameFilter, PointQuery } from '../schema.ts'

/** Returns a row as the API shows it, without the caller's flags. What its shape doesn't have isn't written: to remove it here takes longer than to read the row. */
const shownBare = (row: FrameRow): Record<string, unknown> => ({
  ...row,
  outline: row.outline ?? row.geometry,
  centre: { lon: row.centre_lon, lat: row.centre_lat },
  valid_from: row.shown_from,
  valid_to: row.shown_to,
  feature_version: row.shown_number,
})

/** Returns rows as the API shows them, with the caller's flags. */
function shown(ctx: Ctx, rows: readonly FrameRow[]): Record<string, unknown>[] {
  const flags = {
    area: flagsFor(ctx.actor, featureFlags(ctx.actor, 'area')),
    building: flagsFor(ctx.actor, featureFlags(ctx.actor, 'building')),
    zone: flagsFor(ctx.actor, featureFlags(ctx.actor, 'zone')),
  }
  return rows.map(row => ({ ...shownBare(row), permissions: flags[row.kind] }))
}

function narrowed(filter: FrameFilter): Narrowed {
  const { site_id: _site, at: _at, bbox, ...rest } = filter
  return { ...rest, ...(bbox === undefined ? {} : { box: readBox(bbox) }) }
}

/** Lists the features that are active at an instant: kind, code, id. */
export async function listFeatures(ctx: Ctx, filter: FeatureFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const { limit: asked, cursor, ...frame } = filter
  const limit = asked ?? PAGE
  const found = await featuresAt(ctx.db, filter.site_id, filter.at ?? ctx.now, narrowed(frame), { limit, after: readCursor(cursor, 3) })
  const { rows, next } = cut(found, limit, orderOf)
  return { rows: shown(ctx, rows), next }
}

/** For more rows than this the caller has to give a box. */
const WHOLE = 20_000

/** Returns the whole frame at an instant. */
export async function frameAt(ctx: Ctx, filter: FrameFilter): Promise<unknown[]> {
  const rows = await frameRows(ctx.db, filter.site_id, filter.at ?? ctx.now, narrowed(filter), WHOLE + 1)
  if (rows.length > WHOLE)
    refuse(
      invalidField(
        'bbox',
        `${filter.bbox === undefined ? 'is required' : 'must be smaller'}, because more than ${WHOLE} features match at this point in time.`,
      ),
    )
  const ordered = inListOrder(rows)
  return filter.include?.includes('permissions') === true ? shown(ctx, ordered) : ordered.map(shownBare)
}

/** Returns a feature as it is now; before its start the first version, after its end the last one. */
export async function showFeature(
  ctx: Ctx,
  feature: Pick<FeatureRecord, 'site_id' | 'id'>,
  at: Instant = ctx.now,
): Promise<Record<string, unknown>> {
  const found = shownVersion(await versionsOf(ctx.db, feature.site_id, feature.id), at)
  if (found === null) return refuse(notFound())
  return { ...(await showVersion(ctx, feature.site_id, found.version, at)), ...(found.ended ? { ended: true } : {}) }
}

/** Returns one version. The area that contains it is looked up at an instant at which the version was active. */
export async function showVersion(
  ctx: Ctx,
  site_id: Id,
  version: { id: Id; valid_from: Instant; valid_to: Instant | null },
  at: Instant,
): Promise<Record<string, unknown>> {
  const then = during(version, at)
    ? at
    : at < version.valid_from || version.valid_to === null
      ? version.valid_from
      : later(version.valid_to, -1)
  const row = await featureVersion(ctx.db, site_id, version.id, then)
  const [one] = row === null ? [] : shown(ctx, [row])
  return one ?? refuse(notFound())
}

/** Returns a feature at an instant; 404 if it didn't exist then. */
export async function showFeatureAt(ctx: Ctx, feature: FeatureRecord, at: Instant = ctx.now): Promise<Record<string, unknown>> {
  const version = (await versionsOf(ctx.db, feature.site_id, feature.id)).find(v => during(v, at))
  return version === undefined ? refuse(notFound()) : showVersion(ctx, feature.site_id, version, at)
}

/** Lists the versions of a feature, newest first, each compared with the one before it. */
export async function showHistory(ctx: Ctx, feature: FeatureRecord): Promise<unknown[]> {
  const ordered = inOrder(await contentsOf(ctx.db, feature.site_id, feature.id))
  return ordered
    .map((version, i) => {
      const before = ordered[i - 1]
      return {
        feature_version: version.number,
        valid_from: version.valid_from,
        valid_to: version.valid_to,
        written_at: version.written_at,
        written_by: version.written_by,
        written_by_name: version.written_by_name,
        fields: before === undefined ? [] : changedFields(before, version),
        area_m2: version.area_m2,
        area_difference_m2: before === undefined ? null : thousandths(version.area_m2 - before.area_m2),
        cut_id: version.cut_id,
      }
    })
    .reverse()
}

const thousandths = (value: number) => Math.round(value * 1000) / 1000 + 0

const collator = new Intl.Collator('en', { numeric: true })
const byCode = (a: TreeRow, b: TreeRow) =>
  Number(a.code === null) - Number(b.code === null) ||
  collator.compare(a.code ?? '', b.code ?? '') ||
  collator.compare(a.name, b.name) ||
  (a.id < b.id ? -1 : 1)

/** Returns areas with the buildings and zones in them, then those in no area: every place picker uses this. */
export async function placeTree(ctx: Ctx, site_id: Id, at: Instant = ctx.now): Promise<unknown[]> {
  const rows = (await treeAt(ctx.db, site_id, at)).sort(byCode)
  const inside = Map.groupBy(
    rows.filter(row => row.kind !== 'area'),
    row => row.parent_area_id,
  )
  const filled = (area_id: Id | null) => {
    const own = inside.get(area_id) ?? []
    return { buildings: own.filter(row => row.kind === 'building'), zones: own.filter(row => row.kind === 'zone') }
  }
  return [
    ...rows.filter(row => row.kind === 'area').map(({ id, code, name, aliases }) => ({ id, code, name, aliases, ...filled(id) })),
    { id: null, code: null, name: 'Rest of site', aliases: [], ...filled(null) },
  ]
}

/** Lists the buildings that contain a point, the smallest first, then those within the tolerance, the nearest first. */
export async function buildingsAt(
  ctx: Ctx,
  site_id: Id,
  point: LonLat,
  options: { at?: Instant; tolerance_m?: number },
): Promise<{ row: FeatureRow; inside: boolean; distance_m: number }[]> {
  const tolerance = options.tolerance_m ?? 0
  // A little more than the tolerance: the box only preselects, the distance decides.
  const box: Box = widened(boundsOf({ type: 'Point', coordinates: position(point) }), tolerance + 1)
  const rows = await featuresAt(ctx.db, site_id, options.at ?? ctx.now, { kind: ['building'], box }, { limit: WHOLE, after: null })
  return rows
    .map(row => {
      const metres = metresTo(row.geometry, point)
      const inside = metres <= ON_THE_EDGE
      return { row, inside, distance_m: inside ? 0 : thousandths(metres) }
    })
    .filter(found => found.inside || found.distance_m <= tolerance)
    .sort(
      (a, b) =>
        Number(b.inside) - Number(a.inside) ||
        a.distance_m - b.distance_m ||
        a.row.area_m2 - b.row.area_m2 ||
        (a.row.id < b.row.id ? -1 : 1),
    )
}

const ON_THE_EDGE = 0.001

/** Returns the buildings at a point as the API shows them: those that contain it, then those within the tolerance. */
export async function buildingsAtPoint(ctx: Ctx, query: PointQuery): Promise<{ building: unknown; inside: boolean; distance_m: number }[]> {
  const { site_id, lon, lat, at, tolerance_m } = query
  const found = await buildingsAt(
    ctx,
    site_id,
    { lon, lat },
    { ...(at === undefined ? {} : { at }), ...(tolerance_m === undefined ? {} : { tolerance_m }) },
  )
  const buildings = shown(
    ctx,
    found.map(f => f.row),
  )
  return found.map(({ inside, distance_m }, i) => ({ building: buildings[i], inside, distance_m }))
}

/** Counts the active features that are too far outside a boundary. */
export async function featuresOutside(ctx: Ctx, site_id: Id, ground: Ground): Promise<number> {
  const first = outsideJudge(ground)
  return (await geometriesAt(ctx.db, site_id, ctx.now)).filter(geometry => first(geometry) !== null).length
}
