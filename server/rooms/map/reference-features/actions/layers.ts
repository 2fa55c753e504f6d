// Features that come from a geodata layer: each has a key there, by which a new file of the layer finds it again (`map.md` §9).
import { fieldsIn, itemsIn } from '../../../../../shared/narrow.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, type FieldFault, Refused } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { falling } from '../../../../kernel/versions/domain.ts'
import { type FeatureKind, FRAME, writing, type ZoneType } from '../domain/features.ts'
import type { GivenLevel } from '../domain/levels.ts'
import type { FeatureRecord } from '../queries/features.ts'
import { featuresOfLayer, leaveLayer } from '../queries/layers.ts'
import { contentsOf, versionsOf } from '../queries/versions.ts'
import { changeFeature, endFeature, holesOf, makeFeature } from './change.ts'
import { contentAlone, contentOf, digestOf } from './content.ts'

/** A feature of a layer: its position in the file, its key, and what the file says about it. */
export type FeatureOfLayer = {
  index: number
  key: string
  name: string
  outline: unknown
  code?: string | null
  levels?: GivenLevel[]
  zone_type?: ZoneType
}

/** What a file of a layer changed. */
export type SavedLayer = {
  created: Id[]
  changed: Id[]
  unchanged: number
  ended: Id[]
  refused: { index: number; reason: string }[]
  /** Names of new features on the same ground as a feature of their kind that was there before. */
  doubled: string[]
}

/** From this share of both on, two features are on the same ground. */
const SAME_GROUND = 0.99

/**
 * Saves the features of a layer from now on, with the refusals of features that people draw: new keys become features, and known ones get a version if they
 * changed. With `end_missing`, features whose key is no longer there end. A feature that can't be saved is listed, and the others are saved.
 */
export async function saveFromLayer(
  ctx: Ctx,
  site_id: Id,
  layer_id: Id,
  kind: FeatureKind,
  features: readonly FeatureOfLayer[],
  end_missing: boolean,
): Promise<SavedLayer> {
  enforce([writing(ctx.actor, kind, ctx.now, ctx.now)])
  await hold(ctx, FRAME, site_id)
  const known = new Map((await featuresOfLayer(ctx.db, site_id, layer_id)).map(row => [row.source_key, row]))
  const saved: SavedLayer = { created: [], changed: [], unchanged: 0, ended: [], refused: [], doubled: [] }
  const missing = new Set(known.keys())
  for (const { index, key, ...given } of features) {
    missing.delete(key)
    const row = known.get(key)
    try {
      if (row === undefined || (row.ended_at !== null && row.ended_at <= ctx.now)) {
        // What has ended never comes back: its key is free for a new feature.
        if (row !== undefined) await leaveLayer(ctx.db, site_id, layer_id, [row.id])
        const source = { source_layer_id: layer_id, source_key: key }
        const { id, warned } = await makeFeature(ctx, { site_id, kind, from: ctx.now }, given, source)
        const same = warned.some(
          other =>
            other.kind === kind && Math.min(other.share_of_mine, other.share_of_theirs) >= SAME_GROUND && !saved.created.includes(other.id),
        )
        if (same) saved.doubled.push(given.name)
        saved.created.push(id)
      } else if (await differs(ctx, site_id, row, given)) {
        await changeFeature(ctx, row, given)
        saved.changed.push(row.id)
      } else saved.unchanged++
    } catch (error) {
      // Everything that a feature can be refused for is decided before it is written.
      if (!(error instanceof Refused) || ![409, 422].includes(error.refusal.status)) throw error
      saved.refused.push({ index, reason: reasonOf(error) })
    }
  }
  if (!end_missing) return saved
  for (const key of missing) {
    const row = known.get(key)
    if (row === undefined || row.ended_at !== null) continue
    await endFeature(ctx, row, {})
    saved.ended.push(row.id)
  }
  return saved
}

/** Returns whether a file says something else about a feature than its active version. */
async function differs(ctx: Ctx, site_id: Id, row: FeatureRecord, given: Omit<FeatureOfLayer, 'index' | 'key'>): Promise<boolean> {
  const found = falling(await versionsOf(ctx.db, site_id, row.id), ctx.now)
  if (found.where !== 'in') return true
  const [before] = await contentsOf(ctx.db, site_id, row.id, found.version.id)
  if (before === undefined) return true
  const faults: FieldFault[] = []
  const next = await contentOf(ctx, site_id, row.kind, given, contentAlone(before), ctx.now, faults, holesOf(ctx, row, ctx.now))
  return next === null || faults.length > 0 || digestOf(next) !== digestOf(contentAlone(before))
}

/** Returns why a feature was refused, in sentences. */
function reasonOf({ refusal }: Refused): string {
  const faults = itemsIn(refusal.context?.fields).map(fieldsIn)
  return faults.length < 2 ? refusal.detail : faults.map(({ path, message }) => `${path} ${message}`).join(' ')
}
