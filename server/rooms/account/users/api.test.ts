import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, useHouse } from '../../../../tests/world.ts'

describe('users', () => {
  const house = useHouse()

  test('§4 the names of a colleague and a former colleague are returned in the order of the request, and a stranger is left out', async () => {
    const w = await house.world()
    const stranger = await w.stranger()
    const [leaver] = (await w.as('admin').get(`/sites/${w.site_id}/members?role=commercial`)).body
    await w.as('admin').del(`/memberships/${leaver.membership_id}`)
    const ids = [w.as('commercial').user_id, stranger.user_id, w.as('hse').user_id, w.as('commercial').user_id]
    const answer = await w.as('viewer').get(`/users/bulk?${ids.map(id => `id=${id}`).join('&')}&site_id=${w.site_id}`)
    assert.deepEqual(
      answer.body.map((u: { name: string; initials: string; role?: string }) => [u.name, u.initials, u.role]),
      [
        ['Connie Commercial', 'CC', undefined],
        ['Hal Safety', 'HS', 'hse'],
      ],
    )
    assert.ok(!answer.text.includes('@'))
  })

  test('§4 a person whose request to join was never approved has shared no site with anyone, whether it was turned away or withdrawn', async () => {
    const w = await house.world()
    const { token } = (await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', approval: 'required' })).body
    for (const by of ['admin', 'self'] as const) {
      const asks = await house.person('Asa Asker')
      const asked = await asks.post(`/invite-links/accept/${token}`, {})
      assert.equal(asked.body.status, 'pending')
      assert.equal((await (by === 'admin' ? w.as('admin') : asks).del(`/memberships/${asked.body.id}`)).status, 204)
      const names = async (who: Caller, id: string) => (await who.get(`/users/bulk?id=${id}`)).body.map((one: { name: string }) => one.name)
      assert.deepEqual([await names(asks, w.as('hse').user_id), await names(w.as('hse'), asks.user_id)], [[], []], by)
    }
  })

  test('§0.1 a client gets names, and no roles or contractors of the people of the site', async () => {
    const w = await house.world()
    const path = `/users/bulk?id=${w.as('hse').user_id}&site_id=${w.site_id}`
    const [seen, hidden] = [(await w.as('viewer').get(path)).body[0], (await w.as('client').get(path)).body[0]]
    assert.deepEqual([seen.role, hidden.name, 'role' in hidden, 'contractor_id' in hidden], ['hse', 'Hal Safety', false, false])
  })

  test('§4 a request without ids, with over 200, or with malformed ids is refused', async () => {
    const w = await house.world()
    const id = w.as('hse').user_id
    assert.equal((await w.as('viewer').get('/users/bulk')).status, 422)
    assert.equal((await w.as('viewer').get(`/users/bulk?${Array(201).fill(`id=${id}`).join('&')}`)).status, 422)
    assert.equal((await w.as('viewer').get('/users/bulk?id=42')).status, 422)
    assert.equal((await house.nobody.get(`/users/bulk?id=${id}`)).status, 401)
  })
})
