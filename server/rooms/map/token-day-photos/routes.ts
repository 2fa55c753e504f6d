import { answer, created, del, fileAnswer, get, post } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { bringIn } from '../../../kernel/evidence/door.ts'
import { routesOf } from '../../../kernel/resource/kit.ts'
import { addPhoto, photos, readPhoto } from './actions.ts'
import { PHOTOS_AT_MOST } from './domain.ts'
import { DownloadQuery } from './schema.ts'

const all = '/sites/:site_id/token-photos'
const one = `${all}/:photo_id`
const MEGABYTES = 20
const PHOTO = {
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'],
  pixels: 100_000_000,
  said: `a photo: JPEG, PNG, WebP or HEIC, at most ${MEGABYTES} MB`,
}
const { shapes, kind } = photos

export const routes = [
  ...routesOf(photos, { order: 'by site day, time taken and id' }).filter(({ name }) => /\.(list|change)$/.test(name)),
  post(all, {
    name: 'token_photo.add',
    summary: 'Add a photo of a day',
    says: `Adds ${PHOTO.said}. Time and position are read from the photo. A day can have at most ${PHOTOS_AT_MOST} photos of the same gang, machine or delivery.`,
    access: { needs: 'map_entity_edit' },
    upload: { max_bytes: MEGABYTES * 1024 * 1024 },
    body: shapes.create,
    of: shapes.record,
    reply: ref(shapes.record),
    status: 201,
    also: { 200: 'The day already has this photo' },
    refuses: ['forbidden', 'conflict', 'unsupported_media_type', 'too_large'],
    before: ({ ctx, files }) => bringIn(ctx.house, files, PHOTO),
    handle: async ({ ctx, site_id, body, brought: [file] }) => {
      if (file === undefined) throw new Error('The uploaded photo is missing.')
      const { made, shown } = await addPhoto(ctx, site_id, body, file)
      return made ? created(shown, `/sites/${site_id}/token-photos?id=${shown.id}`) : answer(shown, { status: 200 })
    },
  }),
  del(one, {
    name: 'token_photo.delete',
    summary: 'Delete a photo of a day',
    says: 'Deletes a photo. People can delete their own photos for 24 hours; after that, and for photos of others, a coordinator can. A photo that another record shows can’t be deleted.',
    access: { needs: 'map_entity_edit' },
    on: kind,
    reply: null,
    refuses: ['forbidden', 'conflict'],
    handle: ({ ctx, thing }) => photos.remove(ctx, thing),
  }),
  get(`${one}/download`, {
    name: 'token_photo.download',
    summary: 'Download a photo of a day',
    says: 'Returns the photo as it was uploaded, or a smaller one, upright and without metadata.',
    access: { needs: 'map_view' },
    on: kind,
    query: DownloadQuery,
    reply: null,
    // A variant is WebP, or an SVG if the photo has none.
    produces: [...new Set([...PHOTO.types, 'image/webp', 'image/svg+xml'])],
    handle: async ({ ctx, thing, query }) => fileAnswer(await readPhoto(ctx, thing, query.variant ?? 'original')),
  }),
]
