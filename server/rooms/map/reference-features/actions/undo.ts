import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, notFound, refuse } from '../../../../base/errors.ts'
import { falling } from '../../../../kernel/versions/domain.ts'
import type { FeatureRecord } from '../queries/features.ts'
import { contentsOf, versionsOf } from '../queries/versions.ts'
import type { FeatureChange } from '../schema.ts'
import { changeFeature, digested, fieldsOf } from './change.ts'

/** Returns a feature as its history stores it: the active content, shapes by their digest. */
export async function nowOf(ctx: Ctx, feature: FeatureRecord): Promise<Record<string, unknown>> {
  const found = falling(await versionsOf(ctx.db, feature.site_id, feature.id), ctx.now)
  if (found.where !== 'in') return {}
  const [content] = await contentsOf(ctx.db, feature.site_id, feature.id, found.version.id)
  return content === undefined ? refuse(notFound()) : digested(fieldsOf(content, content))
}

/** Restores fields of a change in a new version from now on; a shape is found by its digest among the earlier versions. */
export async function restoreFields(ctx: Ctx, feature: FeatureRecord, fields: Record<string, unknown>): Promise<void> {
  const { outline, geometry, valid_from: _from, ...plain } = fields
  const shape = outline ?? geometry
  const drawn = shape === undefined ? {} : { outline: await shapeLike(ctx, feature, shape) }
  await changeFeature(ctx, feature, { ...plain, ...drawn } as FeatureChange) // fields of a change, as the audit log stores them
}

async function shapeLike(ctx: Ctx, feature: FeatureRecord, shape: unknown): Promise<unknown> {
  const wanted = JSON.stringify(shape)
  const versions = await contentsOf(ctx.db, feature.site_id, feature.id)
  const like = versions.find(version => {
    const { outline, geometry } = digested(fieldsOf(version, version))
    return JSON.stringify(outline) === wanted || JSON.stringify(geometry) === wanted
  })
  return like === undefined
    ? refuse(conflict('ledger', 'The previous shape of this feature is no longer stored. Draw its outline again.', { paths: ['outline'] }))
    : like.outline
}
