import type { Box } from '../../../../shared/geometry/box.ts'
import type { Instant } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { kind } from '../../../kernel/records/door.ts'
import { endFeature } from './actions/change.ts'
import { recordOf } from './actions/cutting.ts'
import { nowOf, restoreFields } from './actions/undo.ts'
import { type FeatureRecord, type FeatureRow, featuresAt } from './queries/features.ts'

/** A feature as a record, at any time. What a change means is an audit entry of its own, next to those of the versions. */
export const referenceFeature = kind<FeatureRecord>({
  name: 'reference_feature',
  param: 'feature_id',
  label: row => row.name,
  find: recordOf,
  derived: ['name', 'last_number'],
  revert: 'version',
  undo: {
    fields: { needs: 'reference_edit', put: restoreFields, now: nowOf },
    create: { needs: 'reference_edit', take_away: (ctx, row) => endFeature(ctx, row, {}) },
  },
})

/** A version of a feature as a record. */
export const referenceFeatureVersion = kind<{ id: string; feature_id: string; name: string }>({
  name: 'reference_feature_version',
  label: row => row.name,
  parent: row => ({ kind: 'reference_feature', id: row.feature_id }),
  geometry: ['outline', 'geometry'],
  derived: ['kind', 'code_key', 'bounds', 'centre_lon', 'centre_lat', 'digest', 'shown_from', 'shown_to', 'shown_number'],
  revert: 'version',
})

export { type FeatureOfLayer, type SavedLayer, saveFromLayer } from './actions/layers.ts'
export { placeFinder, placeOf, placesNamed } from './actions/places.ts'
export { leaveLayer, shapesAt } from './queries/layers.ts'

/** Most features of a site whose outlines other rooms draw. */
const OUTLINES_AT_MOST = 5000

/** Returns the features of these kinds, or with these ids, that are active at an instant, with their outlines. */
export const outlinesAt = (
  ctx: Ctx,
  site_id: Id,
  at: Instant,
  which: { kind?: readonly ('area' | 'building' | 'zone')[]; id?: readonly Id[] },
): Promise<FeatureRow[]> => featuresAt(ctx.db, site_id, at, which, { limit: OUTLINES_AT_MOST, after: null })

/** Returns the features in a box that are active at an instant, at most as many as `limit`. */
export const featuresNear = (
  ctx: Ctx,
  site_id: Id,
  at: Instant,
  which: { box: Box; level_index?: readonly number[] },
  limit: number,
): Promise<FeatureRow[]> => featuresAt(ctx.db, site_id, at, which, { limit, after: null })
