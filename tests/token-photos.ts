// Photos of days, as their tests add and read them.
import assert from 'node:assert/strict'
import sharp, { type Exif } from 'sharp'
import type { Caller, Reply, TestHouse, World } from './world.ts'

export const HERE = { lon: -0.0877, lat: 51.5079 }

/** Returns a JPEG, another one for each number, with this metadata. */
export const picture = (n: number, exif?: Exif): Promise<Buffer> => {
  const made = sharp({ create: { width: 40 + n, height: 30, channels: 3, background: '#5a6a7a' } }).jpeg()
  return (exif === undefined ? made : made.withExif(exif)).toBuffer()
}

/** Returns the metadata of a photo that was taken at a time by the clock of the camera. */
export const taken = (at: string, offset?: string): Exif => ({
  IFD2: { DateTimeOriginal: at, ...(offset === undefined ? {} : { OffsetTimeOriginal: offset }) },
})

type Who = Parameters<World['as']>[0] | Caller
type More = { as?: Who; filename?: string; [field: string]: unknown }

/** Returns what the tests do with photos of days. */
export function dayPhotos(house: TestHouse) {
  const callerOf = (w: World, as: Who): Caller => (typeof as === 'string' ? w.as(as) : as)
  const at = (w: World) => `/sites/${w.site_id}/token-photos`
  const gang = async (w: World, more: object = {}): Promise<string> => {
    const made = await w.as('coordinator').post('/workers/', {
      ...{ site_id: w.site_id, name: 'Steel fixers', trade: 'Steel fixer', place: { point: HERE } },
      ...{ start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T17:00:00.000Z' },
      ...more,
    })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const crane = async (w: World, more: object = {}): Promise<string> => {
    const body = {
      site_id: w.site_id,
      name: 'Crane',
      category: 'tower_crane',
      place: { point: HERE },
      start_at: '2026-03-09T08:00:00.000Z',
    }
    const made = await w.as('coordinator').post('/plant', { ...body, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const add = (
    w: World,
    token_id: string,
    value: Buffer,
    { as = 'coordinator', filename = 'bay.jpg', ...more }: More = {},
  ): Promise<Reply> =>
    callerOf(w, as).send('POST', at(w), [
      { name: 'file', filename, value },
      { name: 'data', value: JSON.stringify({ token_kind: 'worker', token_id, ...more }) },
    ])
  const added = async (...given: Parameters<typeof add>) => {
    const reply = await add(...given)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const list = async (w: World, query = '', as: Who = 'viewer') => (await callerOf(w, as).get(`${at(w)}${query}`)).body
  const bytesOf = async (w: World, path: string): Promise<Buffer> => {
    const { rawPayload } = await house.edge.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${w.as('viewer').token}` } })
    return rawPayload
  }
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
  const fault = ({ status, body }: Reply) => [status, body.error.fields?.[0]?.path]
  return { gang, crane, add, added, list, bytesOf, idsOf, fault }
}
