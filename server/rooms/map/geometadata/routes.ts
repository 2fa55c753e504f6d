import { answer, created, get, post } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { LIMITS } from '../../../kernel/geofiles/domain/files.ts'
import { routesOf } from '../../../kernel/resource/kit.ts'
import { showFeatures } from './actions/features.ts'
import { layers } from './actions/layers.ts'
import { createLayer, leaveFile, replaceLayer, takeFile, takeInline, titleOf } from './actions/upload.ts'
import { FeaturesQuery, LayerFeatures, NewLayer, Upload, UploadQuery } from './schema.ts'

const all = '/geometadata/layers'
const { kind, shapes } = layers

export const routes = [
  ...routesOf(layers, { order: 'by position and name' }).filter(route => route.name !== 'geodata_layer.create'),
  post(all, {
    name: 'geodata_layer.create',
    summary: 'Create a layer',
    says: 'Creates a layer, with features from the body or without any. With the role reference, the features become areas, buildings or zones. Nothing is stored if a feature is refused.',
    access: { needs: 'layer_manage' },
    body: NewLayer,
    of: shapes.record,
    max_body: 10 * 1024 * 1024,
    reply: ref(shapes.record),
    status: 201,
    refuses: ['conflict', 'too_large'],
    before: ({ ctx, body }) => takeInline(ctx, body.features, body.crs),
    handle: async ({ ctx, site_id, body, brought }) => {
      const { site_id: _site, features: _features, crs: _crs, ...said } = body
      try {
        const made = await createLayer(ctx, site_id, said, brought)
        return created(made, `${all}/${made.id}`)
      } finally {
        await leaveFile(brought)
      }
    },
  }),
  post(`${all}/upload`, {
    name: 'geodata_layer.upload',
    summary: 'Upload a layer',
    says: 'Reads GeoJSON (also one document on each line), KML, KMZ, GPX or zipped Shapefiles (several become one layer), converted from WGS84, Web Mercator, UTM or the British National Grid. Creates a layer or, with `layer_id`, replaces the features of one. With the role reference, features become areas, buildings or zones, found again by their key. Nothing is stored if a feature is refused, unless `skip_refused` is true.',
    access: { needs: 'layer_manage' },
    query: UploadQuery,
    upload: { max_bytes: LIMITS.bytes },
    body: Upload,
    of: shapes.record,
    reply: ref(shapes.record),
    status: 201,
    refuses: ['unsupported_media_type', 'too_large', 'conflict', 'unavailable', 'invalid_transition'],
    before: async ({ ctx, files, body }) => ({ taken: await takeFile(ctx, files, body.crs), filename: files[0]?.filename ?? '' }),
    handle: async ({ ctx, site_id, body, brought: { taken, filename } }) => {
      const { site_id: _site, crs: _crs, layer_id, skip_refused, end_missing, ...said } = body
      const options = { skip_refused, end_missing }
      try {
        const made =
          layer_id === undefined || taken === null
            ? await createLayer(ctx, site_id, { name: titleOf(filename), ...said }, taken, options)
            : await replaceLayer(ctx, site_id, layer_id, said, taken, options)
        return created(made, `${all}/${made.id}`)
      } finally {
        await leaveFile(taken)
      }
    },
  }),
  get(`${all}/:layer_id/features`, {
    name: 'geodata_layer.list_features',
    summary: 'List the features of a layer',
    says: 'Returns features as GeoJSON, in the order of their file or, with `near`, the nearest first, each with its distance.',
    access: { needs: 'map_view' },
    on: kind,
    query: FeaturesQuery,
    reply: ref(LayerFeatures),
    handle: async ({ ctx, thing, query }) => {
      const { body, next } = await showFeatures(ctx, thing, query)
      return answer(body, next === null ? {} : { headers: { 'x-next-cursor': next } })
    },
  }),
]
