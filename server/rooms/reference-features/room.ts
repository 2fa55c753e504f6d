import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { featuresOutside } from './actions/show.ts'
import { referenceFeature, referenceFeatureVersion } from './door.ts'
import { featureNames } from './queries/features.ts'
import { countByContractor } from './queries/versions.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'reference-features',
  routes,
  kinds: [referenceFeature, referenceFeatureVersion],
  references: [{ name: 'reference_feature', ids: (ctx, site_id, ids) => featureNames(ctx.db, site_id, ids) }],
  permissions: {
    map_view: held(BANDS.read, 'See the map: everything on it, at any instant'),
    reference_edit: held(BANDS.coordinate, 'Draw, change and end areas and zones'),
    reference_manage: held(BANDS.manage, 'Buildings and their levels; changes in the past; ending what others use'),
    reference_cleanup: held(BANDS.administer, 'Tidy the versions of the frame'),
  },
  events: eventsOf(
    'reference_feature',
    {
      kind: field.text('What was drawn', ['area', 'building', 'zone']),
      ids: 'Features',
      from: field.instant('From when it counts'),
      to: field.instant('Until when; null: with no end'),
      bbox: field.json('Ground that looks different'),
      contractor_id: 'Firm that the zone is given to',
    },
    { created: 'A feature was drawn', changed: 'A feature was changed', ended: 'A feature was ended' },
    { contractors: { own: 'contractor_id' } },
  ),
  uses: [
    { of: 'contractor', name: 'reference_features', when: 'ever', count: (ctx, site_id, ids) => countByContractor(ctx.db, site_id, ids) },
  ],
  site: { outside: [{ name: 'features', of: featuresOutside }] },
})
