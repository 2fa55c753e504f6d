import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { mapEvents } from '../../../kernel/placed/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { featureChanges } from './actions/changes.ts'
import { cutting } from './actions/cutting.ts'
import { places } from './actions/derive.ts'
import { exportLayers } from './actions/exports.ts'
import { checkPin } from './actions/places.ts'
import { featuresOutside } from './actions/show.ts'
import { referenceFeature, referenceFeatureVersion } from './door.ts'
import { featureNames } from './queries/features.ts'
import { countByContractor } from './queries/versions.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'reference-features',
  says: 'Areas, buildings with their levels, and zones on the map of a site.',
  routes,
  kinds: [referenceFeature, referenceFeatureVersion],
  references: [{ name: 'reference_feature', ids: (ctx, site_id, ids) => featureNames(ctx.db, site_id, ids) }],
  permissions: {
    map_view: held(BANDS.read, 'See the map at any point in time'),
    reference_edit: held(BANDS.coordinate, 'Create, change and end areas and zones from now on'),
    reference_manage: held(BANDS.manage, 'Change buildings and their levels, backdate changes, and end places that other records use'),
    reference_cleanup: held(BANDS.administer, 'Clean up feature versions'),
    map_entity_edit: held(BANDS.contribute, 'Put what belongs to your contractor on the map, change it, and end it'),
    map_entity_edit_any: held(
      BANDS.coordinate,
      'Change everything on the map, even what ended more than a day ago, and points of interest',
    ),
    map_entity_purge: held(BANDS.manage, 'Delete from the map what has ended'),
  },
  events: [
    ...mapEvents,
    ...eventsOf(
      'reference_feature',
      {
        kind: field.text('Kind of feature', ['area', 'building', 'zone']),
        ids: 'Features',
        from: field.instant('Start'),
        to: field.instant('End; null if the change has no end'),
        bbox: field.json('Changed area of the map'),
        contractor_id: 'Contractor in charge of the zone',
      },
      { created: 'A feature was created', changed: 'A feature was changed', ended: 'A feature was ended' },
      { contractors: { own: 'contractor_id' } },
    ),
  ],
  places,
  geometry: cutting,
  exports: exportLayers,
  changes: [featureChanges],
  uses: [
    { of: 'contractor', name: 'reference_features', when: 'ever', count: (ctx, site_id, ids) => countByContractor(ctx.db, site_id, ids) },
  ],
  site: { outside: [{ name: 'features', of: featuresOutside }], pins: [checkPin] },
})
