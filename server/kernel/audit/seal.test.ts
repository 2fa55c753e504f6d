import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'
import { jobActor } from '../../base/actor.ts'
import type { Ctx } from '../../base/ctx.ts'
import { passThrough } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { enterSite, writingOn } from '../site/door.ts'
import { verifyChain } from './door.ts'

const ROWS = 1100

describe('audit: the seal of a long transaction', () => {
  const house = useHouse()

  const insert = (ctx: Ctx, site_id: Id) =>
    passThrough(
      ctx.db,
      `insert into contractor (site_id, id, name, name_key, short_name, colour)
       select $1, gen_random_uuid(), 'Long ' || n, 'long ' || n, 'L' || n, '#128189' from generate_series(1, ${ROWS}) n`,
      [site_id],
    )
  const rename = (ctx: Ctx, site_id: Id, phone: string) =>
    passThrough(ctx.db, `update contractor set phone = $2 where site_id = $1 and name like 'Long %'`, [site_id, phone])
  const writeTo = (sites: readonly [Id, ...Id[]], task: (ctx: Ctx) => Promise<unknown>) =>
    writingOn(house.house, { actor: jobActor('test'), cause: 'test.long' }, sites[0], async ctx => {
      for (const site of sites.slice(1)) await enterSite(ctx, site)
      await task(ctx)
    })
  const entriesOf = (site_id: Id) =>
    house.rows(
      `select entity_id, action, changes from audit_entry where site_id = $1 and entity_type = 'contractor' and cause = 'test.long' order by seq`,
      [site_id],
    )

  test('11.4 a record that a long transaction changes several times has one entry, from its first state to its last, wherever the pieces end', async () => {
    const w = await house.world()
    await writeTo([w.site_id], async ctx => {
      await insert(ctx, w.site_id)
      await rename(ctx, w.site_id, '1')
    })
    const created = await entriesOf(w.site_id)
    assert.deepEqual([created.length, new Set(created.map(entry => entry.entity_id)).size], [ROWS, ROWS])
    assert.ok(created.every(entry => entry.action === 'create'))
    await writeTo([w.site_id], async ctx => {
      for (const phone of ['2', '3', '4']) await rename(ctx, w.site_id, phone)
    })
    const changed = (await entriesOf(w.site_id)).slice(ROWS)
    assert.equal(changed.length, ROWS)
    for (const { action, changes } of changed) assert.deepEqual([action, changes], ['update', [{ path: 'phone', before: '1', after: '4' }]])
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
    assert.deepEqual(await house.rows('select 1 from audit_draft union all select 1 from audit_open'), [])
  })

  test('11.4 a long transaction on two sites has its entries in the audit log of each', async () => {
    const worlds = [await house.world(), await house.world()]
    const [first = '', second = ''] = worlds.map(w => w.site_id)
    await writeTo([first, second], async ctx => {
      await insert(ctx, second)
      await insert(ctx, first)
    })
    for (const site_id of [first, second]) {
      assert.equal((await entriesOf(site_id)).length, ROWS)
      assert.equal((await verifyChain(house.house.database.db, site_id)).fault, null)
    }
  })
})
