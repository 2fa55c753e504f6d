// When the site frame changes (`site-and-people.md` §17).
import { type ChangeSource, countChanges } from '../../../../kernel/changes/door.ts'
import { versionSpans } from '../queries/features.ts'

/** Changes of areas, buildings and zones: a version that follows another changes a feature. A zone is a place of its own, so it is one of those that the filter names. */
export const featureChanges: ChangeSource = {
  kind: 'reference_feature',
  read: (ctx, site_id, { from, to, by: { zone_id, bbox: _as_text, ...by }, box }) =>
    countChanges(ctx.db, versionSpans(site_id, from, to, { ...by, id: zone_id, box }), from, to),
}
