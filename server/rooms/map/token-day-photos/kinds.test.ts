// What can have photos of a day (`map.md` §13).
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { dayPhotos, HERE, picture } from '../../../../tests/token-photos.ts'
import { MONDAY, useHouse } from '../../../../tests/world.ts'
import { tokenKinds } from '../../../kernel/covers/door.ts'
import { TOKEN_KINDS } from './domain.ts'

describe('what has photos of a day', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))
  const { gang, add, added, list, idsOf, fault } = dayPhotos(house)

  test('§13 a delivery has photos on the days of its slot, and only of what is a delivery', async () => {
    const w = await house.world()
    const made = await w.as('coordinator').post('/deliveries/', {
      ...{ site_id: w.site_id, supplier_name: 'Thames Readymix', place: { point: HERE } },
      ...{ start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T09:00:00.000Z' },
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body
    const photo = await added(w, id, await picture(1), { token_kind: 'delivery', photo_kind: 'delivery' })
    assert.deepEqual([photo.token_kind, photo.work_date, photo.distance_m], ['delivery', '2026-03-16', null])
    assert.deepEqual(idsOf(await list(w, '?token_kind=delivery')), [photo.id])
    assert.deepEqual(fault(await add(w, id, await picture(2), { token_kind: 'delivery', work_date: '2026-03-13' })), [422, 'work_date'])
    assert.deepEqual(fault(await add(w, await gang(w), await picture(3), { token_kind: 'delivery' })), [422, 'token_id'])
  })

  test('§13 each kind of token that has photos is one that permits can cover', () => {
    const known = tokenKinds().map(({ kind }) => kind)
    for (const kind of TOKEN_KINDS) assert.ok(known.includes(kind), kind)
  })
})
