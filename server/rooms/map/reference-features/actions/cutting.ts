// Features as what can be cut, what can cut, and what others can overlap (`map.md` §10).
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { CutterKind, GroundKind, LevelSpan, OnGround, TargetKind } from '../../../../kernel/geometry/door.ts'
import { hold, tableRow } from '../../../../kernel/records/door.ts'
import { beginOf, empty, falling, inOrder, shownVersion, type Version } from '../../../../kernel/versions/domain.ts'
import { type Content, type FeatureKind, FRAME, KINDS, writing } from '../domain/features.ts'
import type { FeatureRecord } from '../queries/features.ts'
import { contentsOf, onGroundAround, versionsOf } from '../queries/versions.ts'
import { changeFeature, versionAt } from './change.ts'

const KIND = 'reference_feature'

/** Returns on which levels a feature is. */
export function spanOf(feature: { kind: FeatureKind; id: Id } & Pick<Content, 'building_id' | 'level_from' | 'level_to'>): LevelSpan {
  if (feature.kind === 'building') return { building_id: feature.id, from: null, to: null }
  return { building_id: feature.building_id, from: feature.level_from, to: feature.level_to }
}

/** Returns a feature with its kind, as `FeatureRecord` describes its table. For a write the frame is locked before it, as every change of the frame does: otherwise two writes would wait for each other. */
export async function recordOf(ctx: Ctx, site_id: Id, id: Id, lock = false): Promise<FeatureRecord | null> {
  if (lock) await hold(ctx, FRAME, site_id)
  const row = await tableRow(ctx.db, 'reference_feature', site_id, id, lock)
  const kind = KINDS.find(known => known === row?.kind)
  return row === null || kind === undefined ? null : { ...row, kind }
}

async function contentAt(ctx: Ctx, site_id: Id, id: Id, version: Version): Promise<Content & { number: number }> {
  const [content] = await contentsOf(ctx.db, site_id, id, version.id)
  return content ?? refuse(notFound())
}

/** Returns when the last version of a feature starts. */
const lastStart = (versions: readonly Version[]): Instant =>
  inOrder(versions.filter(version => !empty(version))).at(-1)?.valid_from ?? beginOf(versions)

const target: TargetKind = {
  kind: KIND,
  async find(ctx, site_id, id, given, lock) {
    if (lock) await hold(ctx, FRAME, site_id)
    const record = await recordOf(ctx, site_id, id)
    if (record === null) return null
    const versions = await versionsOf(ctx.db, site_id, id)
    const first = given === 'latest' ? lastStart(versions) : beginOf(versions)
    const at = given === undefined || given === 'latest' ? (first > ctx.now ? first : ctx.now) : given
    const found = lock ? { version: await versionAt(ctx, record, versions, at) } : shownVersion(versions, at)
    if (found === null) return null
    const content = await contentAt(ctx, site_id, id, found.version)
    const { name, outline, geometry, contractor_id, number } = content
    return {
      ...{ kind: KIND, site_id, id, name, version: record.version, feature_version: number, at },
      is_last: versions.every(version => version.valid_from <= at),
      ...{ outline, geometry, levels: spanOf({ ...content, kind: record.kind, id }), contractor_id },
    }
  },
  async reshape(ctx, { site_id, id, at }, { geometry, cut_id }) {
    const record = (await recordOf(ctx, site_id, id)) ?? refuse(notFound())
    const shown = await changeFeature(ctx, record, { effective_at: at }, { geometry, cut_id })
    return { shown, feature_version: record.last_number + 1 }
  },
  async refuses(ctx, { site_id, id, at }) {
    const record = await recordOf(ctx, site_id, id)
    return record === null ? notFound() : writing(ctx.actor, record.kind, at, ctx.now)
  },
  async redraws(ctx, site_id, id) {
    const ordered = inOrder(await contentsOf(ctx.db, site_id, id))
    return ordered.flatMap((version, i) => {
      const before = ordered[i - 1]
      if (before === undefined || JSON.stringify(before.outline) === JSON.stringify(version.outline)) return []
      return [
        {
          ...{ at: version.valid_from, written_at: version.written_at, written_by: version.written_by },
          ...{ written_by_name: version.written_by_name, feature_version: version.number },
          ...{ area_before_m2: before.area_m2, area_after_m2: version.area_m2 },
        },
      ]
    })
  },
}

const cutter: CutterKind = {
  kind: KIND,
  async find(ctx, site_id, id, at) {
    const record = await recordOf(ctx, site_id, id)
    const found = record === null ? null : shownVersion(await versionsOf(ctx.db, site_id, id), at)
    if (record === null || found === null) return null
    const content = await contentAt(ctx, site_id, id, found.version)
    const levels = spanOf({ ...content, kind: record.kind, id })
    return { kind: KIND, id, name: content.name, shape: content.geometry, levels, ended: found.ended }
  },
}

const onGround = (row: Content & { kind: FeatureKind; feature_id: Id; valid_from: Instant; valid_to: Instant | null }): OnGround => ({
  ...{ kind: row.kind, id: row.feature_id, name: row.name, geometry: row.geometry, from: row.valid_from, to: row.valid_to },
  ...{ levels: spanOf({ ...row, id: row.feature_id }), indexes: row.levels.map(level => level.index), zone_type: row.zone_type },
  ...{ contractor_id: row.contractor_id, exclusive: false, base_m: null, top_m: null },
})

const ground: GroundKind = {
  kinds: KINDS,
  async find(ctx, site_id, id, at) {
    const record = await recordOf(ctx, site_id, id)
    const found = record === null ? null : falling(await versionsOf(ctx.db, site_id, id), at)
    if (record === null || found?.where !== 'in') return null
    const { valid_from, valid_to } = found.version
    return onGround({ ...(await contentAt(ctx, site_id, id, found.version)), kind: record.kind, feature_id: id, valid_from, valid_to })
  },
  around: async (ctx, site_id, kinds, box, from, to) =>
    (await onGroundAround(ctx.db, site_id, { kinds, box, span: { valid_from: from, valid_to: to } })).map(onGround),
}

/** What this room plugs in. */
export const cutting = { targets: [target], cutters: [cutter], ground: [ground] }
