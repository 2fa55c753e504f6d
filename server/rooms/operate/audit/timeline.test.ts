import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
