// Files of layers: read before the transaction, and stored in one.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Box, boundsOf, boxesMeet, type Geometry, position, widened } from '../../../../../shared/geometry/plane.ts'
import { isOneOf, isRecord, itemsIn, textIn } from '../../../../../shared/narrow.ts'
import { counted, listed } from '../../../../../shared/text.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalid, invalidField, notFound, refuse, tooLarge } from '../../../../base/errors.ts'
import { onlyFile, type Upload } from '../../../../base/files.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import type { GeoSummary, RefusedFeature } from '../../../../kernel/geofiles/domain/files.ts'
import { batchesIn, featuresIn, readGeoFile } from '../../../../kernel/geofiles/door.ts'
import { REACH_M } from '../../../../kernel/geometry/domain/outside.ts'
import { groundOf } from '../../../../kernel/geometry/door.ts'
import { tableRow } from '../../../../kernel/records/door.ts'
import { KINDS } from '../../reference-features/domain/features.ts'
import { type FeatureOfLayer, type SavedLayer, saveFromLayer } from '../../reference-features/door.ts'
import { mappedBy, ROLES, standardStyle, UTILITIES } from '../domain.ts'
import { dropFeatures, insertFeatures } from '../queries.ts'
import { type Layer, layers } from './layers.ts'

/** A file that was read: its features are in a file of the service. Null if a layer is created without features. */
export type Taken = { out: string; summary: GeoSummary } | null

/** What is said about an upload. */
export type Said = Readonly<Record<string, unknown>>

const INLINE_FEATURES = 5000
/** Most areas, buildings and zones of a layer. */
const REFERENCE_FEATURES = 5000

const scratch = (ctx: Ctx) => join(ctx.house.data_dir, 'tmp', ids.next())

/** Reads the only file of an upload. */
export async function takeFile(ctx: Ctx, files: readonly Upload[], crs: string | undefined): Promise<Taken> {
  const file = onlyFile(files)
  const out = scratch(ctx)
  return { out, summary: await readGeoFile({ path: file.path, filename: file.filename, crs }, out) }
}

/** Reads features that were sent in the body. */
export async function takeInline(ctx: Ctx, features: unknown, crs: string | undefined): Promise<Taken> {
  if (features === undefined) return null
  if (!isRecord(features) || features.type !== 'FeatureCollection')
    return refuse(invalidField('features', 'must be a GeoJSON FeatureCollection.'))
  const count = itemsIn(features.features).length
  if (count > INLINE_FEATURES)
    return refuse(tooLarge(`The request has ${count} features; at most ${INLINE_FEATURES} are accepted. Upload a file instead.`))
  if (count === 0) return null
  const [path, out] = [scratch(ctx), scratch(ctx)]
  await writeFile(path, JSON.stringify(features), { mode: 0o600 })
  try {
    return { out, summary: await readGeoFile({ path, filename: 'features.geojson', crs }, out) }
  } finally {
    await rm(path, { force: true })
  }
}

/** Forgets a file that was read. */
export async function leaveFile(taken: Taken): Promise<void> {
  if (taken !== null) await rm(taken.out, { force: true })
}

/** Returns a new layer with defaults for what the caller left out. */
function completed(said: Said): Record<string, unknown> {
  const role = isOneOf(ROLES, said.role) ? said.role : 'overlay'
  const services = role === 'utilities'
  const utility = said.utility ?? (services ? 'unknown' : null)
  return {
    source: null,
    surveyed_on: null,
    reference_kind: null,
    map: null,
    ...said,
    role,
    utility,
    quality_level: said.quality_level ?? (services ? 'QL-D' : null),
    style: said.style ?? standardStyle(role, isOneOf(UTILITIES, utility) ? utility : null),
    visible: said.visible ?? true,
    sort: said.sort ?? 0,
    status: 'ready',
  }
}

/** Returns the columns that follow from the content of a file. */
const contentOf = (taken: Taken): Record<string, unknown> => ({
  crs: taken?.summary.crs ?? null,
  accuracy_m: taken?.summary.accuracy_m ?? null,
  feature_count: taken?.summary.accepted ?? 0,
  bounds: taken?.summary.bounds ?? null,
  property_schema: taken?.summary.property_schema ?? [],
  content_digest: taken?.summary.digest ?? null,
})

/** Returns the name of a file without its extension. */
export const titleOf = (filename: string): string =>
  filename
    .replace(/\.[^.]{1,10}$/, '')
    .trim()
    .slice(0, 200) || 'Layer'

/** Refuses a file of which features were refused, unless the others are wanted. */
function refuseAny(refused: readonly RefusedFeature[], count: number, accepted: number, skip: boolean): void {
  if (count === 0 || (skip && accepted > 0)) return
  const faults = refused.slice(0, 100).map(({ index, reason }) => ({ path: `features[${index}]`, message: reason }))
  refuse(invalid(faults, { refused, refused_count: count, accepted }))
}

/** Creates a layer. */
export async function createLayer(ctx: Ctx, site_id: Id, said: Said, taken: Taken, options: Said = {}): Promise<Record<string, unknown>> {
  const skip = options.skip_refused === true
  if (taken !== null) refuseAny(taken.summary.refused, taken.summary.refused_count, taken.summary.accepted, skip)
  const made = await layers.create(ctx, site_id, { ...completed(said), ...contentOf(taken), content_version: taken === null ? 0 : 1 })
  const row = await rowOf(ctx, site_id, textIn(made.id))
  if (taken === null) return made
  await writeFeatures(ctx, row, taken)
  return finished(ctx, row, taken, await asReference(ctx, row, taken, skip, false))
}

/** Replaces the features of a layer, and what is said about them. */
export async function replaceLayer(
  ctx: Ctx,
  site_id: Id,
  layer_id: Id,
  said: Said,
  taken: Exclude<Taken, null>,
  options: Said,
): Promise<Record<string, unknown>> {
  const skip = options.skip_refused === true
  const before = await tableRow(ctx.db, 'geodata_layer', site_id, layer_id, true)
  if (before === null || before.deleted_at !== null) return refuse(invalidField('layer_id', 'isn’t a layer on this site.'))
  for (const field of ['role', 'reference_kind'] as const)
    if (said[field] !== undefined && said[field] !== before[field])
      refuse(invalidField(field, `can’t be changed: ${before.name} has ${before[field] ?? 'none'}. Upload the file as a new layer.`))
  refuseAny(taken.summary.refused, taken.summary.refused_count, taken.summary.accepted, skip)
  const renewed = taken.summary.digest !== before.content_digest
  const content = renewed ? { ...contentOf(taken), content_version: before.content_version + 1 } : {}
  const row = await layers.put(ctx, before, { ...said, ...content })
  if (renewed) {
    await dropFeatures(ctx.db, site_id, layer_id)
    await writeFeatures(ctx, row, taken)
  }
  return finished(ctx, row, taken, await asReference(ctx, row, taken, skip, options.end_missing === true))
}

async function rowOf(ctx: Ctx, site_id: Id, id: Id): Promise<Layer> {
  return (await tableRow(ctx.db, 'geodata_layer', site_id, id, false)) ?? refuse(notFound())
}

async function writeFeatures(ctx: Ctx, row: Layer, { out }: Exclude<Taken, null>): Promise<void> {
  for await (const lines of batchesIn(out)) await insertFeatures(ctx.db, row.site_id, row.id, lines)
}

/** Saves the features of a layer as areas, buildings or zones; null if the layer is only shown. */
async function asReference(
  ctx: Ctx,
  row: Layer,
  taken: Exclude<Taken, null>,
  skip: boolean,
  end_missing: boolean,
): Promise<SavedLayer | null> {
  const { map, reference_kind } = row
  if (row.role !== 'reference' || map === null || !isOneOf(KINDS, reference_kind)) return null
  if (taken.summary.accepted > REFERENCE_FEATURES)
    refuse(tooLarge(`A layer can have at most ${REFERENCE_FEATURES} ${reference_kind}s; this one has ${taken.summary.accepted}.`))
  const refused: RefusedFeature[] = []
  const features: FeatureOfLayer[] = []
  const seen = new Map<string, number>()
  for await (const { index, geometry, properties } of featuresIn(taken.out)) {
    const mapped = mappedBy(map, properties)
    const reason =
      typeof mapped === 'string'
        ? mapped
        : seen.has(mapped.key)
          ? `Its key “${mapped.key}” is also that of feature ${seen.get(mapped.key)}.`
          : null
    if (typeof mapped === 'string' || reason !== null) refused.push({ index, reason: reason ?? '' })
    else {
      seen.set(mapped.key, index)
      features.push({ index, outline: geometry, ...mapped })
    }
  }
  const saved = await saveFromLayer(ctx, row.site_id, row.id, reference_kind, features, end_missing)
  refused.push(...saved.refused)
  refused.sort((a, b) => a.index - b.index)
  refuseAny(refused, refused.length, taken.summary.accepted - refused.length, skip)
  if (refused.length > 0)
    await dropFeatures(
      ctx.db,
      row.site_id,
      row.id,
      refused.map(({ index }) => index),
    )
  return { ...saved, refused }
}

/** Returns the layer as it is now, with what became of the file. */
async function finished(
  ctx: Ctx,
  row: Layer,
  { summary }: Exclude<Taken, null>,
  saved: SavedLayer | null,
): Promise<Record<string, unknown>> {
  const left_out = saved?.refused ?? []
  const now = left_out.length === 0 ? row : await layers.put(ctx, row, { feature_count: summary.accepted - left_out.length })
  return {
    ...(await layers.show(ctx, now)),
    accepted: summary.accepted - left_out.length,
    refused: [...summary.refused, ...left_out].slice(0, 1000),
    ...(saved === null
      ? {}
      : { saved: { created: saved.created, changed: saved.changed, unchanged: saved.unchanged, ended: saved.ended } }),
    warnings: [...accuracyWarning(summary), ...(await outsideWarning(ctx, row.site_id, summary)), ...doubledWarning(row, saved)],
  }
}

function accuracyWarning({ accuracy_m, crs }: GeoSummary): { code: string; detail: string }[] {
  if (accuracy_m === null || accuracy_m < 2) return []
  return [
    { code: 'accuracy', detail: `Positions were converted from ${crs} without a local grid, so they can be off by about ${accuracy_m} m.` },
  ]
}

/** Warns if features are on the map twice now: the file was probably uploaded before, as another layer. */
function doubledWarning({ reference_kind }: Layer, saved: SavedLayer | null): { code: string; detail: string }[] {
  if (saved === null || saved.doubled.length === 0) return []
  const what = `${counted(saved.doubled.length, `new ${reference_kind}`)} (${listed(saved.doubled, 3)})`
  const advice = 'If you have uploaded this file before, delete what is there twice. Next time, replace the content of its layer.'
  return [{ code: 'already_there', detail: `There was already a ${reference_kind} on the same ground as ${what}. ${advice}` }]
}

/** Warns if nothing of a layer is near the site: swapped coordinates, or the wrong site. */
async function outsideWarning(ctx: Ctx, site_id: Id, { bounds }: GeoSummary): Promise<{ code: string; detail: string }[]> {
  const { boundary, location } = await groundOf(ctx.db, site_id)
  const ground: Geometry | null = boundary ?? (location === null ? null : { type: 'Point', coordinates: position(location) })
  if (ground === null || bounds === null) return []
  const around = widened(boundsOf(ground), REACH_M)
  if (boxesMeet(bounds, around)) return []
  const swapped: Box = [bounds[1], bounds[0], bounds[3], bounds[2]]
  const hint = boxesMeet(swapped, around) ? ' With longitude and latitude swapped they would be: longitude comes first.' : ''
  return [{ code: 'outside_site', detail: `No feature of this layer is within ${REACH_M / 1000} km of the site.${hint}` }]
}
