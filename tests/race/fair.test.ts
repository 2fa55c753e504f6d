// Sweeps are fair: a site with thousands of due permits does not delay any other site.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../../bench/record.ts'
import type { Id } from '../../server/base/ids.ts'
import { verifyChain } from '../../server/kernel/audit/door.ts'
import { relayEvents } from '../../server/kernel/events/door.ts'
import { runSchedules } from '../../server/kernel/jobs/door.ts'
import { times } from '../chance.ts'
import { manyDue } from '../many.ts'
import { permitWorld } from '../permits.ts'
import { MONDAY, useHouse } from '../world.ts'

/** How many permits are due on the busy site; the long proof has 100,000. */
const MANY = times('FAIR_PERMITS', 3000)
const BATCH = 200

describe('sweeps with one very busy site', () => {
  const house = useHouse({}, { pool: 8 })

  /** Returns how many events of this kind the busy site had before the first one of the other site. Ids of events increase with time. */
  const before = async (busy: Id, kind: string, other: Id, first: string): Promise<number> => {
    const [row] = await house.rows(
      `select count(*)::int as n from event where site_id = $1 and kind = $2 and id < (select min(id::text)::uuid from event where site_id = $3 and kind = $4)`,
      [busy, kind, other, first],
    )
    return row.n
  }

  test('9.10 a permit expires in the right minute while thousands are due on another site', async () => {
    const busy = await permitWorld(house)
    const other = await permitWorld(house)
    const permit = await other.at('issued', { end_at: '2026-03-16T18:00:00.000Z' })
    await manyDue(house, busy.site_id, MANY, { end_at: '2026-03-16T12:00:00.000Z' })
    house.clock('2026-03-16T18:00:00.000Z')
    await runSchedules(house.house, 'permit_sweep')
    assert.equal((await other.read(permit)).expired_at, '2026-03-16T18:00:00.000Z')
    assert.ok((await before(busy.site_id, 'permit.expired', other.site_id, 'permit.expired')) <= BATCH)

    const [done] = await house.rows(
      `select count(*) filter (where status = 'expired')::int as expired, count(*) filter (where expired_at = '2026-03-16T18:00:00Z')::int as stamped,
         count(distinct version)::int as versions, max(version) as version from permit where site_id = $1 and source = 'imported'`,
      [busy.site_id],
    )
    assert.deepEqual(done, { expired: MANY, stamped: MANY, versions: 1, version: 2 }, 'each once')
    const [entries] = await house.rows(
      "select count(*)::int as n from audit_entry where site_id = $1 and entity_type = 'permit' and action = 'transition' and actor_name <> ''",
      [busy.site_id],
    )
    assert.equal(entries.n, MANY, 'an entry for each')
    for (const { site_id } of [busy, other]) assert.equal((await verifyChain(house.house.database.db, site_id)).fault, null)
    await relayEvents(house.house)
    house.clock(MONDAY)
  })

  test('9.10 a batch expires in a few statements, however many permits it has', async () => {
    const statementsFor = async (count: number, at: string) => {
      const { site_id } = await permitWorld(house)
      await manyDue(house, site_id, count, { end_at: '2026-03-16T12:00:00.000Z' })
      house.clock(at)
      const sent = await recording(() => runSchedules(house.house, 'permit_sweep'))
      house.clock(MONDAY)
      const [done] = await house.rows("select count(*)::int as n from permit where site_id = $1 and status = 'expired'", [site_id])
      assert.equal(done.n, count)
      return sent.length
    }
    const few = await statementsFor(2, '2026-03-16T18:10:00.000Z')
    const many = await statementsFor(BATCH - 10, '2026-03-16T18:20:00.000Z')
    assert.ok(many - few < BATCH / 4, `${few} statements for two permits, ${many} for ${BATCH - 10}`)
  })

  test('9.10 warnings are not delayed by expiries', async () => {
    const busy = await permitWorld(house)
    const other = await permitWorld(house)
    await other.at('issued', { end_at: '2026-03-17T18:00:00.000Z' })
    await manyDue(house, busy.site_id, MANY, { end_at: '2026-03-16T12:00:00.000Z' })
    house.clock('2026-03-16T19:00:00.000Z')
    await runSchedules(house.house)
    assert.ok((await before(busy.site_id, 'permit.expired', other.site_id, 'permit.expiring_soon')) <= 2 * BATCH)
    house.clock(MONDAY)
  })

  test('9.10 a site whose sweep fails does not delay the others', async () => {
    const broken = await permitWorld(house)
    const other = await permitWorld(house)
    const permit = await other.at('issued', { end_at: '2026-03-16T20:00:00.000Z' })
    await manyDue(house, broken.site_id, 1, {
      end_at: '2026-03-16T12:00:00.000Z',
      workflow_definition_id: '01900000-0000-7000-8000-000000000001',
    })
    house.clock('2026-03-16T20:00:00.000Z')
    await runSchedules(house.house, 'permit_sweep')
    assert.equal((await other.read(permit)).status, 'expired')
    house.clock(MONDAY)
  })
})
