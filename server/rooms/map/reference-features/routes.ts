import { created, del, get, page, patch, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { changeFeature, createFeature, endFeature } from './actions/change.ts'
import { cleanUpVersions } from './actions/cleanup.ts'
import { buildingsAtPoint, frameAt, listFeatures, placeTree, showFeature, showFeatureAt, showHistory } from './actions/show.ts'
import { referenceFeature } from './door.ts'
import {
  AtTime,
  BuildingAtPoint,
  BuildingNear,
  CleanedUp,
  CleanUp,
  EndFeature,
  EndQuery,
  FeatureChange,
  FeatureFilter,
  FeatureVersion,
  FrameFilter,
  NewFeature,
  PlaceArea,
  PointQuery,
  ReferenceFeature,
  TreeQuery,
} from './schema.ts'

const all = '/reference-features/features'
const one = `${all}/:feature_id`

export const routes = [
  post('/reference-features/zones', {
    name: 'reference_feature.create',
    summary: 'Create a reference feature',
    says: 'Adds an area, building or zone. Codes are unique among the active features of a kind. Refuses an area that overlaps another by more than 1 m², and a building that shares a level, and over 90% of the smaller building’s ground, with another. Returns smaller overlaps of buildings that share a level, and overlaps of zones of the same type on the same level, as warnings. Creating a building, or a start in the past, requires reference_manage.',
    access: { needs: 'reference_edit' },
    body: NewFeature,
    of: ReferenceFeature,
    reply: ref(ReferenceFeature),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createFeature(ctx, body)
      return created(made, `${all}/${made.id}`)
    },
  }),
  get(all, {
    name: 'reference_feature.list',
    summary: 'List reference features',
    says: 'Returns the features active at a point in time, by kind, code and id.',
    access: { needs: 'map_view' },
    query: FeatureFilter,
    reply: Type.Array(ref(ReferenceFeature)),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listFeatures(ctx, query)
      return page(rows, { next })
    },
  }),
  get(`${all}/at-time`, {
    name: 'reference_feature.list_at_time',
    summary: 'List all features at a point in time',
    says: 'Returns the features active at a point in time, by kind, code and id, without pagination; with `permissions` only if `include` asks for them. With more than 20,000 features, a bounding box is required.',
    access: { needs: 'map_view' },
    query: FrameFilter,
    reply: Type.Array(ref(ReferenceFeature)),
    handle: ({ ctx, query }) => frameAt(ctx, query),
  }),
  get(one, {
    name: 'reference_feature.show',
    summary: 'Show a reference feature',
    says: 'Returns a feature as it is now: before its start the first version, after its end the last one.',
    access: { needs: 'map_view' },
    on: referenceFeature,
    reply: ref(ReferenceFeature),
    snapshot: true,
    handle: ({ ctx, thing }) => showFeature(ctx, thing),
  }),
  patch(one, {
    name: 'reference_feature.change',
    summary: 'Update a reference feature',
    says: 'Changes a feature from `effective_at` on. The version that is active at that time ends, the new version covers the rest of its time, and later versions stay. Changing a building, or backdating a change, requires reference_manage.',
    access: { needs: 'reference_edit' },
    on: referenceFeature,
    body: FeatureChange,
    of: ReferenceFeature,
    reply: ref(ReferenceFeature),
    refuses: ['conflict', 'invalid_transition'],
    handle: ({ ctx, thing, body }) => changeFeature(ctx, thing, body),
  }),
  del(one, {
    name: 'reference_feature.end',
    summary: 'End a reference feature',
    says: 'Ends a feature at `effective_at` and deletes its later versions. The feature can still be read at earlier points in time. Refused while other records use the feature after its end, unless `force` is true. `force`, an end in the past, and ending a building require reference_manage.',
    access: { needs: 'reference_edit' },
    on: referenceFeature,
    query: EndQuery,
    body: EndFeature,
    reply: null,
    refuses: ['conflict', 'invalid_transition'],
    handle: ({ ctx, thing, query, body }) => endFeature(ctx, thing, { ...query, ...body }),
  }),
  get(`${one}/at-time`, {
    name: 'reference_feature.show_at_time',
    summary: 'Show a feature at a point in time',
    says: 'Returns a feature as it is at a point in time; 404 if it isn’t active then.',
    access: { needs: 'map_view' },
    on: referenceFeature,
    query: AtTime,
    reply: ref(ReferenceFeature),
    snapshot: true,
    handle: ({ ctx, thing, query }) => showFeatureAt(ctx, thing, query.at),
  }),
  get(`${one}/history`, {
    name: 'reference_feature.show_history',
    summary: 'Show a feature’s history',
    says: 'Returns the versions of a feature, newest first, each with its author, creation time and changed fields.',
    access: { needs: 'map_view' },
    on: referenceFeature,
    reply: Type.Array(ref(FeatureVersion)),
    handle: ({ ctx, thing }) => showHistory(ctx, thing),
  }),
  get('/reference-features/areas', {
    name: 'reference_feature.list_areas',
    summary: 'List the place tree',
    says: 'Returns the areas by code and name, each with its buildings and zones in the same order, then the rest of the site.',
    access: { needs: 'map_view' },
    query: TreeQuery,
    reply: Type.Array(ref(PlaceArea)),
    handle: ({ ctx, query }) => placeTree(ctx, query.site_id, query.at),
  }),
  get('/reference-features/building-at-point', {
    name: 'reference_feature.show_building_at_point',
    summary: 'Find the building at a point',
    says: 'Returns the smallest building that contains the point, otherwise the nearest one within the tolerance. `building` is null if there is neither.',
    access: { needs: 'map_view' },
    query: PointQuery,
    reply: ref(BuildingAtPoint),
    handle: async ({ ctx, query }) => {
      const [first] = await buildingsAtPoint(ctx, query)
      return first ?? { building: null, distance_m: null }
    },
  }),
  get('/reference-features/buildings-at-point', {
    name: 'reference_feature.list_buildings_at_point',
    summary: 'List buildings at a point',
    says: 'Returns the buildings that contain the point, smallest first, then the other buildings within the tolerance, nearest first.',
    access: { needs: 'map_view' },
    query: PointQuery,
    reply: Type.Array(ref(BuildingNear)),
    handle: ({ ctx, query }) => buildingsAtPoint(ctx, query),
  }),
  post('/reference-features/admin/cleanup-versions', {
    name: 'reference_feature.clean_up',
    summary: 'Clean up feature versions',
    says: 'Removes zero-length versions and merges consecutive versions with the same content. Features at any point in time stay the same. A dry run, the default, only counts the versions.',
    access: { needs: 'reference_cleanup' },
    body: CleanUp,
    reply: ref(CleanedUp),
    handle: ({ ctx, body }) => cleanUpVersions(ctx, body.site_id, body.dry_run !== false),
  }),
]
