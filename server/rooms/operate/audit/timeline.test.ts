import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAuditLog } from '../../../../shared/proof/audit-log.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { writingOn } from '../../../kernel/site/door.ts'

describe('the activity feed says whether a whole transaction can be reverted', () => {
  const house = useHouse()
  const at_once = (w: PermitWorld, work: (ctx: Ctx) => Promise<unknown>) =>
    writingOn(house.house, { actor: jobActor('many at once'), cause: 'test.many' }, w.site_id, work)
  const newest = async (w: PermitWorld) => (await w.as('admin').get(`/audit/site/${w.site_id}/timeline?limit=1`)).body[0]
  const entryOf = async (batch_id: string): Promise<string> =>
    (await house.rows(`select id from audit_entry where batch_id = $1 and entity_type = 'contractor' limit 1`, [batch_id]))[0].id
  const revert = (w: PermitWorld, entry_id: string) =>
    w.as('admin').post(`/audit/revert/${entry_id}`, { reason: 'A slip of the pen', scope: 'batch' })

  test('9.3 a transaction of 60 changes can be reverted, as the feed says', async () => {
    const w = await permitWorld(house)
    const ids = await Promise.all(
      Array.from(
        { length: 60 },
        async (_, i) => (await w.as('admin').post('/contractors/', { site_id: w.site_id, name: `Contractor ${i}` })).body.id,
      ),
    )
    await at_once(w, ({ db }) => db.updateTable('contractor').set({ status: 'left' }).where('id', 'in', ids).execute())
    const row = await newest(w)
    assert.deepEqual([row.counts, row.revertible.allowed], [{ contractor: 60 }, true], JSON.stringify(row.revertible))
    const done = await revert(w, await entryOf(row.batch_id))
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.entries.length, 60)
  })

  test('9.3 a transaction that also changed another person’s draft can’t be reverted, as the feed says', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    const { id } = (await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Reed Scaffolding' })).body
    await at_once(w, async ({ db }) => {
      await db.updateTable('contractor').set({ status: 'left' }).where('id', '=', id).execute()
      await db.updateTable('permit').set({ title: 'Another title' }).where('id', '=', draft.id).execute()
    })
    const row = await newest(w)
    assert.deepEqual([row.counts, row.revertible.allowed, row.revertible.because[0]?.code], [{ contractor: 1 }, false, 'access'])
    assert.equal((await revert(w, await entryOf(row.batch_id))).body.error.reason, 'access')
  })
})

describe('people who have asked to join a site', () => {
  const house = useHouse()

  test('1112 the audit log shows their names only to people who can see requests to join, until they are members; a file of it still proves every entry', async () => {
    const w = await permitWorld(house)
    const link = async () =>
      (await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', approval: 'required' })).body.token
    const [asking, admitted] = [await house.person('Petra Pending'), await house.person('Adam Admitted')]
    for (const who of [asking, admitted]) assert.equal((await who.post(`/invite-links/accept/${await link()}`, {})).body.status, 'pending')
    const pending: { id: string; user: { name: string } }[] = (await w.as('admin').get(`/memberships/sites/${w.site_id}/pending`)).body
    const id = pending.find(({ user }) => user.name === 'Adam Admitted')?.id
    assert.equal((await w.as('admin').post(`/memberships/${id}/approve`, {})).status, 200)
    const at = `/audit/site/${w.site_id}`
    const paths = [at, `${at}/timeline`, `${at}/timeline?group=day`, `${at}?format=csv`]
    for (const path of paths) {
      const [few, all] = [(await w.as('coordinator').get(path)).text, (await w.as('admin').get(path)).text]
      assert.ok(few.includes('Adam Admitted') && few.includes('Someone who asked to join') && !few.includes('Petra'), `${path} ${few}`)
      assert.ok(all.includes('Petra Pending') && !all.includes('Someone who asked'), path)
    }
    const file = await checkAuditLog((await w.as('coordinator').get(`${at}?format=csv`)).text, null)
    assert.deepEqual([file.flaws, file.entries > 0], [[], true])
    const [use] = await house.rows("select entity_id from audit_entry where entity_type = 'invite_use' and actor_id = $1", [asking.user_id])
    const history = (await w.as('coordinator').get(`/audit/entity/invite_use/${use.entity_id}`)).body
    assert.deepEqual(
      history.map((entry: { actor: { name: string } }) => entry.actor.name),
      ['Someone who asked to join'],
    )
    assert.equal((await w.as('admin').del(`/memberships/${pending.find(one => one.id !== id)?.id}`)).status, 204)
    assert.ok(!(await w.as('coordinator').get(at)).text.includes('Petra'), 'a request that was rejected stays closed')
  })
})

describe('the days of the activity feed', () => {
  const house = useHouse()

  test('§15 the feed by day has 31 whole days of the site, today with them, from midnight on site', async () => {
    // Kathmandu, 9 February: 00:05 and 23:55.
    house.clock('2026-02-08T18:20:00.000Z')
    const w = await house.world({ timezone: 'Asia/Kathmandu' })
    const add = (name: string) => w.as('admin').post('/contractors/', { site_id: w.site_id, name })
    assert.equal((await add('Just after midnight')).status, 201)
    house.clock('2026-02-09T18:10:00.000Z')
    assert.equal((await add('Just before midnight')).status, 201)
    const counts = async () =>
      (await w.as('admin').get(`/audit/site/${w.site_id}/timeline?group=day&entity_type=contractor`)).body.map(
        (day: { work_date: string; counts: { contractor: number } }) => [day.work_date, day.counts.contractor],
      )
    const [[day, n] = []] = await counts()
    assert.ok(day === '2026-02-09' && n >= 2)
    // 30 days later, at noon on site.
    house.clock('2026-03-11T06:15:00.000Z')
    assert.deepEqual(await counts(), [['2026-02-09', n]])
    house.clock('2026-03-11T18:15:00.000Z')
    assert.deepEqual(await counts(), [])
  })
})
