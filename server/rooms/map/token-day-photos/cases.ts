// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import sharp from 'sharp'
import { coordinator, EVERY_ROLE, file, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'
import type { Part } from '../../../../tests/world.ts'

const internal = EVERY_ROLE.filter(role => role !== 'client')

/** A picture that no other call sends. */
const picture = (t: Tour) => {
  const n = t.fresh()
  const background = { r: n % 256, g: Math.floor(n / 256) % 256, b: 90 }
  return sharp({ create: { width: 8, height: 6, channels: 3, background } })
    .png()
    .toBuffer()
}
const worker = async (t: Tour): Promise<string> =>
  (
    await ok(
      coordinator(t).post('/workers/', {
        ...{ site_id: t.site_id, name: `Gang ${t.fresh()}`, trade: 'Steel fixer', place: { point: { lon: -0.0877, lat: 51.5079 } } },
        ...{ start_at: '2026-03-16T06:00:00.000Z', end_at: '2026-03-16T17:00:00.000Z' },
      }),
    )
  ).id
const parts = async (t: Tour, token_id: string): Promise<Part[]> => [
  file(await picture(t), 'bay.png'),
  { name: 'token_kind', value: 'worker' },
  { name: 'token_id', value: token_id },
]
const photo = async (t: Tour): Promise<string> =>
  (await ok(coordinator(t).send('POST', `/sites/${t.site_id}/token-photos`, await parts(t, await worker(t))))).id

export const cases = roomCases({
  held: { token_photo_view: internal },
  records: async t => ({ photo_id: await photo(t) }),
  routes: {
    'token_photo.list': needs('map_view'),
    'token_photo.add': writes(needs('map_entity_edit'), async t => {
      const token_id = await worker(t)
      return { by: coordinator(t), parts: await parts(t, token_id), others: await parts(t, token_id) }
    }),
    'token_photo.change': writes(needs('map_entity_edit', { sees: internal }), async t => ({
      by: coordinator(t),
      params: { photo_id: await photo(t) },
      body: { caption: `Bay ${t.fresh()}` },
    })),
    'token_photo.delete': writes(needs('map_entity_edit', { sees: internal }), async t => ({
      by: coordinator(t),
      params: { photo_id: await photo(t) },
    })),
    'token_photo.download': needs('map_view', { sees: internal }),
  },
})
