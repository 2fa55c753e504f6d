import { type Areal, type Box, boundsOf } from '../../../../../shared/geometry/plane.ts'
import { type Instant, spoken } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, invalidField, refuse, wrongStep } from '../../../../base/errors.ts'
import { type Id, ids, sha256 } from '../../../../base/ids.ts'
import { changesBetween } from '../../../../kernel/audit/domain.ts'
import { canonical } from '../../../../kernel/audit/door.ts'
import { openedAt } from '../../../../kernel/geometry/door.ts'
import { hold, usesOf } from '../../../../kernel/records/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { beginOf, falling, type Span, stretches, type Version } from '../../../../kernel/versions/domain.ts'
import { type Content, type FeatureKind, FIELDS, FRAME, writing } from '../domain/features.ts'
import type { FeatureRecord } from '../queries/features.ts'
import { alignParents, copyParents, insertParents } from '../queries/parents.ts'
import {
  contentsOf,
  dropVersions,
  endVersion,
  insertFeature,
  insertVersion,
  saveStretches,
  touchFeature,
  versionsOf,
  zonesIn,
} from '../queries/versions.ts'
import type { EndFeature, FeatureChange, NewFeature } from '../schema.ts'
import { contentAlone, contentOf, digestOf, type Holes, refuseOverlap, refuseTakenCode, shapeOf } from './content.ts'
import { nowPlaced } from './places.ts'
import { showVersion } from './show.ts'

const union = (a: Box, b: Box): Box => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]

type Happened = { id: Id; site_id: Id; kind: FeatureKind; content: Content; before?: Areal; from: Instant; to: Instant | null }

/** Emits the event of a change, and has the map redrawn. */
function tell(ctx: Ctx, kind: string, { id, site_id, kind: what, content, before, from, to }: Happened): void {
  const bounds = boundsOf(content.geometry)
  const { contractor_id } = content
  ctx.emit({
    kind,
    site_id,
    subject: { kind: 'reference_feature', id, label: content.name },
    contractor_ids: contractor_id === null ? [] : [contractor_id],
    payload: { kind: what, ids: [id], from, to, bbox: before === undefined ? bounds : union(bounds, boundsOf(before)), contractor_id },
  })
  ctx.redraw(site_id, 'reference')
}

/** The geodata layer that a feature comes from, and its key there. */
export type Source = { source_layer_id: Id; source_key: string }

/** Writes a new feature, or refuses it before anything is written. The caller has locked the frame. */
export async function makeFeature(
  ctx: Ctx,
  at: { site_id: Id; kind: FeatureKind; from: Instant },
  given: Omit<FeatureChange, 'effective_at'>,
  source: Source | null = null,
) {
  const { site_id, kind, from } = at
  const faults: FieldFault[] = []
  const content = await contentOf(ctx, site_id, kind, given, null, from, faults)
  if (content === null || faults.length > 0) return refuse(invalid(faults))
  const span = { valid_from: from, valid_to: null }
  const id = ids.next()
  await refuseTakenCode(ctx, site_id, kind, content.code, span, id)
  const ground = await refuseOverlap(ctx, site_id, kind, content, span, id)
  const version = { id: ids.next(), number: 1, ...span, digest: digestOf(content) }
  await insertFeature(ctx.db, { site_id, id, kind, name: content.name, ...source })
  await insertVersion(ctx.db, { ...content, ...version, site_id, feature_id: id, kind })
  await insertParents(ctx.db, site_id, ground.held(version.id, id))
  tell(ctx, 'reference_feature.created', { id, site_id, kind, content, from, to: null })
  return { id, version, warned: ground.warned }
}

/** Creates a feature. */
export async function createFeature(ctx: Ctx, body: NewFeature): Promise<Record<string, unknown>> {
  const { site_id, kind = 'zone', effective_at, ...given } = body
  const from = effective_at ?? ctx.now
  enforce([writing(ctx.actor, kind, from, ctx.now)])
  await hold(ctx, FRAME, site_id)
  const { version, warned } = await makeFeature(ctx, { site_id, kind, from }, given)
  return {
    ...(await showVersion(ctx, site_id, version, ctx.now)),
    overlap_warnings: warned,
    unresolved_permit_locations: await nowPlaced(ctx, site_id),
  }
}

/** Returns when a change without a date takes effect: now, or at the start of a feature that hasn't started. */
const effectiveAt = (given: Instant | undefined, versions: readonly Version[], now: Instant): Instant => {
  const begin = beginOf(versions)
  return given ?? (begin > now ? begin : now)
}

/** Returns the version that is active at an instant, or refuses: before the first one and after the end there is nothing to change. */
export async function versionAt(ctx: Ctx, feature: FeatureRecord, versions: readonly Version[], at: Instant): Promise<Version> {
  const found = falling(versions, at)
  if (found.where === 'in') return found.version
  const { timezone } = await siteOf(ctx, feature.site_id)
  if (found.where === 'before')
    return refuse(
      invalidField('effective_at', `is before the start of the feature (${spoken(timezone, found.first)}). Choose a later time.`),
    )
  return refuse(
    wrongStep(
      'ended',
      [],
      `${feature.name} ended on ${spoken(timezone, found.ended_at)}, so it can no longer be changed. Create a new feature.`,
    ),
  )
}

const area = (of: Record<string, unknown>) => (typeof of.area_m2 === 'number' ? { area_m2: of.area_m2 } : {})

/** Returns content as the audit log stores it: shapes by digest and area. */
export const digested = (of: Record<string, unknown>): Record<string, unknown> => ({
  ...of,
  ...(of.outline === undefined ? {} : { outline: { sha256: sha256(canonical(of.outline)), ...area(of) } }),
  ...(of.geometry === undefined ? {} : { geometry: { sha256: sha256(canonical(of.geometry)), ...area(of) } }),
})

/** Writes the audit entry of what a new version changes: the version rows only have the values. */
function enter(
  ctx: Ctx,
  feature: FeatureRecord,
  action: 'update' | 'delete',
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): void {
  ctx.trail.entries.push({
    site_id: feature.site_id,
    entity_type: 'reference_feature',
    entity_id: feature.id,
    entity_label: feature.name,
    note: { action },
    changes: changesBetween(digested(before), digested(after), { secret: [], derived: ['area_m2'], geometry: [] }, value => value),
  })
}

/** Returns the fields of a version that the history shows. */
export const fieldsOf = (content: Content, span: Span): Record<string, unknown> => ({
  ...Object.fromEntries(FIELDS.map(field => [field, content[field]])),
  area_m2: content.area_m2,
  valid_from: span.valid_from,
})

/** Refuses to remove levels that are in use from then on. */
async function refuseLostLevels(ctx: Ctx, feature: FeatureRecord, before: Content, after: Content, at: Instant): Promise<void> {
  const levels = before.levels.map(level => level.index).filter(index => !after.levels.some(level => level.index === index))
  if (levels.length === 0) return
  const in_use = await usesAhead(ctx, feature, at, levels)
  if (Object.keys(in_use).length > 0)
    refuse(
      conflict(
        'in_use',
        `${levels.length === 1 ? 'Level' : 'Levels'} ${levels.join(', ')} of ${feature.name} can’t be removed while used by ${spelledOut(in_use)}. Move or end these records first.`,
        { in_use },
      ),
    )
}

async function usesAhead(ctx: Ctx, feature: FeatureRecord, from: Instant, levels?: readonly number[]): Promise<Record<string, number>> {
  const scope = { from, ...(levels === undefined ? {} : { levels }) }
  const in_use: Record<string, number> = {
    ...(await usesOf(ctx, 'reference_feature', 'ahead', feature.site_id, [feature.id], scope)).get(feature.id),
  }
  const zones = feature.kind === 'building' ? await zonesIn(ctx.db, feature.site_id, feature.id, from, levels) : 0
  return zones === 0 ? in_use : { ...in_use, zones }
}

const spelledOut = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([what, n]) => `${n} ${(n === 1 ? what.replace(/s$/, '') : what).replaceAll('_', ' ')}`)
    .join(', ')

/** Returns how a new outline of a feature keeps the cuts that are applied from an instant on. */
export const holesOf =
  (ctx: Ctx, feature: { site_id: Id; id: Id }, at: Instant): Holes =>
  outline =>
    openedAt(ctx, feature, outline, at)

/** Changes a feature from an instant on: the version that is active then ends, a new one takes its remaining time, and later versions stay. */
export async function changeFeature(
  ctx: Ctx,
  feature: FeatureRecord,
  body: FeatureChange,
  cut?: { geometry: Areal; cut_id: Id },
): Promise<Record<string, unknown>> {
  const { site_id, kind } = feature
  const { effective_at, ...given } = body
  await hold(ctx, FRAME, site_id)
  const versions = await versionsOf(ctx.db, site_id, feature.id)
  const at = effectiveAt(effective_at, versions, ctx.now)
  enforce([writing(ctx.actor, kind, at, ctx.now)])
  const old = await versionAt(ctx, feature, versions, at)
  const [before] = await contentsOf(ctx.db, site_id, feature.id, old.id)
  if (before === undefined) throw new Error('The version has no content.')
  const faults: FieldFault[] = []
  const shape = cut === undefined ? holesOf(ctx, feature, at) : shapeOf(before.outline, cut.geometry, cut.cut_id)
  const content = await contentOf(ctx, site_id, kind, given, contentAlone(before), at, faults, shape)
  if (content === null || faults.length > 0) return refuse(invalid(faults))
  // An equal value makes a version all the same, which a clean-up joins (`map.md` §1); no value makes none.
  if (cut === undefined && Object.keys(given).length === 0) return showVersion(ctx, site_id, old, ctx.now)
  const span = { valid_from: at, valid_to: old.valid_to }
  await refuseLostLevels(ctx, feature, before, content, at)
  await refuseTakenCode(ctx, site_id, kind, content.code, span, feature.id)
  const redrawn = canonical(content.geometry) !== canonical(before.geometry)
  const moved = redrawn || canonical(content.levels) !== canonical(before.levels) || content.zone_type !== before.zone_type
  const ground = moved ? await refuseOverlap(ctx, site_id, kind, content, span, feature.id) : null

  const version = { id: ids.next(), number: feature.last_number + 1, ...span, digest: digestOf(content) }
  await endVersion(ctx.db, site_id, old.id, at)
  await insertVersion(ctx.db, { ...content, ...version, site_id, feature_id: feature.id, kind })
  if (!redrawn) await copyParents(ctx.db, site_id, [{ from: old.id, to: version.id }])
  await alignParents(ctx.db, site_id, [old.id, version.id])
  if (redrawn && ground !== null) await insertParents(ctx.db, site_id, ground.held(version.id, feature.id))
  await saveStretches(ctx.db, site_id, stretches([...versions.map(v => (v.id === old.id ? { ...v, valid_to: at } : v)), version]))
  await touchFeature(ctx.db, site_id, feature.id, { name: content.name, last_number: version.number })
  enter(ctx, feature, 'update', fieldsOf(before, before), fieldsOf(content, version))
  tell(ctx, 'reference_feature.changed', { id: feature.id, site_id, kind, content, before: before.geometry, from: at, to: span.valid_to })
  return {
    ...(await showVersion(ctx, site_id, version, ctx.now)),
    ...(ground === null ? {} : { overlap_warnings: ground.warned }),
  }
}

/** Ends a feature; queries for earlier instants still return it. Planned later versions are cancelled. */
export async function endFeature(ctx: Ctx, feature: FeatureRecord, body: EndFeature): Promise<void> {
  const { site_id, kind } = feature
  await hold(ctx, FRAME, site_id)
  const versions = await versionsOf(ctx.db, site_id, feature.id)
  const at = effectiveAt(body.effective_at, versions, ctx.now)
  enforce([writing(ctx.actor, kind, at, ctx.now), body.force ? ctx.actor.lacks('reference_manage') : null])
  const last = await versionAt(ctx, feature, versions, at)
  const in_use = await usesAhead(ctx, feature, at)
  if (Object.keys(in_use).length > 0 && body.force !== true)
    refuse(
      conflict(
        'in_use',
        `${feature.name} is used by ${spelledOut(in_use)}. Move or end these records first, or send force=true; the records will then refer to a place that has ended.`,
        { in_use },
      ),
    )
  const [content] = await contentsOf(ctx.db, site_id, feature.id, last.id)
  if (content === undefined) throw new Error('The version has no content.')
  const ahead = versions.filter(v => v.valid_from > at)
  await dropVersions(
    ctx.db,
    site_id,
    ahead.map(v => v.id),
  )
  await endVersion(ctx.db, site_id, last.id, at)
  await alignParents(ctx.db, site_id, [last.id])
  const left = versions.filter(v => v.valid_from <= at).map(v => (v.id === last.id ? { ...v, valid_to: at } : v))
  await saveStretches(ctx.db, site_id, stretches(left))
  await touchFeature(ctx.db, site_id, feature.id, { name: feature.name, last_number: feature.last_number })
  enter(ctx, feature, 'delete', { valid_to: last.valid_to }, { valid_to: at })
  tell(ctx, 'reference_feature.ended', { id: feature.id, site_id, kind, content, from: at, to: null })
}
