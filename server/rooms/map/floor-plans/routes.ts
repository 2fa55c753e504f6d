import { answer, created, del, fileAnswer, get, page, patch, post, rehearsal } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { bringPlan } from '../kit/actions/upload.ts'
import { referenceFeature } from '../reference-features/door.ts'
import { changeVisibility, placePlan, redrawPlan, removePlan, reprocess, uploadPlan } from './actions/change.ts'
import { activeImports, bringDrawing, importDrawing, inspect, progressOf } from './actions/drawings.ts'
import { linesOf } from './actions/lines.ts'
import { imageOf, listPlans, pageOfPlans, planAt } from './actions/show.ts'
import { BYTES_AT_MOST, PDFS, PICTURES } from './domain/plans.ts'
import { dxfImport, floorPlan } from './door.ts'
import { ImportProgress, InspectedDrawing } from './schema/drawings.ts'
import {
  ActiveImports,
  DrawingUpload,
  FloorPlan,
  ImageQuery,
  ImportDrawing,
  LinesQuery,
  PlacePlan,
  PlanAtTime,
  PlansAtTime,
  PlansBySite,
  PlansOfFeature,
  PlanUpload,
  PlanVisibility,
  QueuedPlan,
  ReprocessVector,
  UploadQuery,
} from './schema/plans.ts'

const one = '/floor-plans/:floor_plan_id'
const view = { needs: 'map_view' }
const edit = { needs: 'floor_plan_edit' }
const files = ['unsupported_media_type', 'too_large', 'unavailable', 'conflict'] as const

export const routes = [
  post('/floor-plans/upload', {
    name: 'floor_plan.upload',
    summary: 'Upload a page of a PDF as a floor plan',
    says: 'Stores a PDF of at most 100 MB. A job draws the page and takes its line work as vectors; a scanned page, which has none, is traced like a picture. The plan ends the one before it on its level, and takes over its placement if the sheet has the same size.',
    access: edit,
    query: UploadQuery,
    upload: { max_bytes: BYTES_AT_MOST.plan },
    body: PlanUpload,
    of: FloorPlan,
    reply: ref(FloorPlan),
    status: 201,
    refuses: files,
    before: ({ ctx, files, body }) => bringPlan(ctx.house, files, PDFS, body.page ?? 1),
    handle: async ({ ctx, site_id, body, brought }) => {
      const made = await uploadPlan(ctx, site_id, body, brought)
      return created(made, `/floor-plans/by-site?site_id=${site_id}&id=${made.id}`)
    },
  }),
  post('/floor-plans/upload-image', {
    name: 'floor_plan.upload_image',
    summary: 'Upload a picture as a floor plan',
    says: 'Stores a PNG, JPEG, WebP or TIFF picture of at most 100 MB and 200 megapixels. A job finds its lines. The plan ends the one before it on its level, and takes over its placement if the sheet has the same size.',
    access: edit,
    query: UploadQuery,
    upload: { max_bytes: BYTES_AT_MOST.plan },
    body: PlanUpload,
    of: FloorPlan,
    reply: ref(FloorPlan),
    status: 201,
    refuses: files,
    before: ({ ctx, files }) => bringPlan(ctx.house, files, PICTURES, 1),
    handle: async ({ ctx, site_id, body, brought }) => {
      const made = await uploadPlan(ctx, site_id, body, brought)
      return created(made, `/floor-plans/by-site?site_id=${site_id}&id=${made.id}`)
    },
  }),
  post('/floor-plans/import-dxf/inspect', {
    name: 'dxf_import.inspect',
    summary: 'Inspect a DXF drawing',
    says: 'Reads a DXF file of at most 200 MB, text or binary, and returns what it contains: units, extents of the model space, layers, blocks and what can’t be drawn. The drawing can be imported for 24 hours.',
    access: edit,
    query: UploadQuery,
    upload: { max_bytes: BYTES_AT_MOST.drawing },
    body: DrawingUpload,
    reply: ref(InspectedDrawing),
    status: 201,
    refuses: files,
    before: ({ ctx, files }) => bringDrawing(ctx.house, files),
    handle: async ({ ctx, site_id, brought }) => {
      const said = await inspect(ctx, site_id, brought)
      return created(said, `/floor-plans/import-dxf/progress/${said.session_id}`)
    },
  }),
  post('/floor-plans/import-dxf', {
    name: 'dxf_import.import',
    summary: 'Import an inspected drawing as a floor plan',
    says: 'Makes a floor plan of an inspected drawing; a job draws it. The plan ends the one before it on its level. Units are required if the drawing doesn’t say what they are.',
    access: edit,
    body: ImportDrawing,
    of: FloorPlan,
    reply: ref(FloorPlan),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await importDrawing(ctx, body)
      return created(made, `/floor-plans/import-dxf/progress/${body.session_id}`)
    },
  }),
  get('/floor-plans/import-dxf/progress/:session_id', {
    name: 'dxf_import.show',
    summary: 'Show how far the import of a drawing is',
    says: 'Returns the state and progress of an import. The progress never falls.',
    access: edit,
    on: dxfImport,
    reply: ref(ImportProgress),
    handle: ({ ctx, thing }) => progressOf(ctx, thing),
  }),
  get('/floor-plans/import-dxf/active', {
    name: 'dxf_import.list_active',
    summary: 'List imports of drawings that aren’t finished',
    says: 'Returns the drawings of a site that can still be imported or are being imported: the caller’s first, then by time, newest first.',
    access: edit,
    query: ActiveImports,
    reply: Type.Array(ref(ImportProgress)),
    handle: ({ ctx, query }) => activeImports(ctx, query.site_id),
  }),
  get('/floor-plans/at-time', {
    name: 'floor_plan.list_at_time',
    summary: 'List the floor plans active at a point in time',
    says: 'Returns the floor plans of a site that are active at a point in time, by feature, level and start.',
    access: view,
    query: PlansAtTime,
    reply: Type.Array(ref(FloorPlan)),
    handle: ({ ctx, query: { site_id, at, ...which } }) => listPlans(ctx, site_id, at ?? ctx.now, which),
  }),
  get('/floor-plans/by-site', {
    name: 'floor_plan.list',
    summary: 'List floor plans',
    says: 'Returns all floor plans of a site, by feature, level and start.',
    access: view,
    query: PlansBySite,
    reply: Type.Array(ref(FloorPlan)),
    sends: ['X-Total-Count'],
    handle: async ({ ctx, query: { site_id, ...query } }) => {
      const { rows, next, total } = await pageOfPlans(ctx, site_id, query)
      return page(rows, { next, total })
    },
  }),
  get('/floor-plans/:feature_id', {
    name: 'floor_plan.list_of_feature',
    summary: 'List the floor plans of a feature',
    says: 'Returns the floor plans of a building, zone or area active at a point in time, by level; with `include_history`, all of them.',
    access: view,
    on: referenceFeature,
    query: PlansOfFeature,
    reply: Type.Array(ref(FloorPlan)),
    handle: ({ ctx, thing, query }) =>
      listPlans(ctx, thing.site_id, query.include_history === true ? null : (query.at ?? ctx.now), { feature_id: [thing.id] }),
  }),
  get('/floor-plans/:feature_id/:level_index', {
    name: 'floor_plan.show_level',
    summary: 'Show the floor plan of a level',
    says: 'Returns the floor plan of a level that is active at a point in time; 404 if there is none.',
    access: view,
    on: referenceFeature,
    query: PlanAtTime,
    reply: ref(FloorPlan),
    handle: ({ ctx, thing, params, query }) => planAt(ctx, thing, params.level_index ?? '', query.at),
  }),
  get(`${one}/image`, {
    name: 'floor_plan.image',
    summary: 'Download the picture of a floor plan',
    says: 'Returns the uploaded file, or the picture that was made of a DXF drawing; with `variant=preview`, WebP of at most 2,048 pixels a side.',
    access: view,
    on: floorPlan,
    query: ImageQuery,
    reply: null,
    produces: [...PICTURES.types, ...PDFS.types],
    refuses: ['conflict', 'unavailable'],
    handle: async ({ ctx, thing, query }) => fileAnswer(await imageOf(ctx, thing, query.variant ?? 'original')),
  }),
  get(`${one}/vector.geojson`, {
    name: 'floor_plan.vector',
    summary: 'Download the line work of a floor plan',
    says: 'Returns the lines and texts of a plan as a GeoJSON FeatureCollection in WGS84, with the properties `layer` and `class` (wall, door, column, grid, line or text). It is written while it is read.',
    access: view,
    on: floorPlan,
    query: LinesQuery,
    reply: null,
    produces: 'application/geo+json',
    refuses: ['conflict'],
    handle: ({ ctx, thing, query }) => fileAnswer(linesOf(ctx, thing, query)),
  }),
  patch(`${one}/placement`, {
    name: 'floor_plan.place',
    summary: 'Place a floor plan',
    says: 'Sets where the sheet lies. Its lines move with it at once, and a job makes new tiles; the old ones are served until then. With `dry_run`, returns the result and stores nothing.',
    access: edit,
    on: floorPlan,
    body: PlacePlan,
    of: FloorPlan,
    reply: ref(FloorPlan),
    refuses: ['invalid_transition'],
    handle: async ({ ctx, thing, body }) => {
      const said = await placePlan(ctx, thing, body)
      return body.dry_run === true ? rehearsal(said) : said
    },
  }),
  post(`${one}/redraw`, {
    name: 'floor_plan.redraw',
    summary: 'Make the tiles of a floor plan again',
    says: 'Queues the job that makes the tiles where the plan was placed, if the work on them was stopped. The older tiles are served until the new ones are complete.',
    access: edit,
    on: floorPlan,
    of: FloorPlan,
    reply: ref(FloorPlan),
    status: 200,
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing }) => redrawPlan(ctx, thing),
  }),
  patch(`${one}/visibility`, {
    name: 'floor_plan.change_visibility',
    summary: 'Change how a floor plan is shown',
    says: 'Sets whether and how a plan is shown on the map, and whether people with a capture link see it.',
    access: edit,
    on: floorPlan,
    body: PlanVisibility,
    of: FloorPlan,
    reply: ref(FloorPlan),
    handle: ({ ctx, thing, body }) => changeVisibility(ctx, thing, body),
  }),
  post(`${one}/reprocess-vector`, {
    name: 'floor_plan.reprocess',
    summary: 'Find the lines of a floor plan again',
    says: 'Queues a job that finds the lines with other settings. The old lines are served until the new ones are complete.',
    access: edit,
    on: floorPlan,
    body: ReprocessVector,
    reply: ref(QueuedPlan),
    status: 202,
    refuses: ['invalid_transition'],
    handle: async ({ ctx, thing, body }) => {
      const job_id = await reprocess(ctx, thing, body)
      return answer({ job_id }, { status: 202, location: `/admin/job-runs?id=${job_id}` })
    },
  }),
  del(one, {
    document_as: '/floor-plans/:feature_id',
    name: 'floor_plan.delete',
    summary: 'End or remove a floor plan',
    says: 'Ends a plan that is active, or removes one that isn’t. The plan before it doesn’t return. The id in the path is that of the floor plan.',
    access: edit,
    on: floorPlan,
    reply: null,
    handle: ({ ctx, thing }) => removePlan(ctx, thing),
  }),
]
