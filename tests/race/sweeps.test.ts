// R12 on a small scale: several processes sweep one database at the same time, minute by minute, across clock changes in several zones. Each warning
// is raised once for each end of a permit, in the minute when it is due.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openHouse } from '../../server/app.ts'
import { jobActor } from '../../server/base/actor.ts'
import type { Ctx, House } from '../../server/base/ctx.ts'
import { outside, sql } from '../../server/base/db.ts'
import { verifyChain } from '../../server/kernel/audit/door.ts'
import { writingOn } from '../../server/kernel/site/door.ts'
import { sweepExpiries, sweepPermits } from '../../server/rooms/permits/permits/actions/sweeps.ts'
import { testEngine } from '../engine.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { someoneWaits } from '../waits.ts'
import { MONDAY, testSettings, useHouse } from '../world.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const at = (ms: number) => new Date(ms).toISOString()
/** Around the night of 29 March in London, 8 March before it in New York, and half an hour back on Lord Howe on 5 April. */
const ZONES: [timezone: string, lead: number, ends: string[]][] = [
  ['Europe/London', 24, ['2026-03-29T00:59:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-29T01:00:30.000Z']],
  ['America/New_York', 1, ['2026-03-29T07:00:00.000Z', '2026-03-29T01:00:00.000Z']],
  ['Australia/Lord_Howe', 30, ['2026-04-04T15:00:00.000Z', '2026-04-04T15:30:00.000Z']],
  ['Asia/Kolkata', 720, ['2026-04-04T18:30:00.000Z']],
  ['America/Sao_Paulo', 24, ['2026-03-30T03:00:00.000Z']],
]

describe('R12 sweeps by several processes at the same time', () => {
  const house = useHouse({}, { pool: 8 })

  /** Further processes on the same database, each with its own clock. */
  async function beside<T>(n: number, work: (houses: House[]) => Promise<T>): Promise<T> {
    const [{ name }] = (await house.rows('select current_database() as name')) as [{ name: string }] // one row
    const data_dir = await mkdtemp(join(tmpdir(), 'walkdown-sweep-'))
    const engine = await testEngine()
    const others = await Promise.all(
      Array.from({ length: n }, () => openHouse(testSettings(), engine, { database: name, data_dir, pool: 3 })),
    )
    try {
      return await work([house.house, ...others])
    } finally {
      for (const other of others) await other.database.close()
      await rm(data_dir, { recursive: true, force: true })
      house.clock(MONDAY)
    }
  }

  const alarms = (w: PermitWorld, id: string): Promise<{ kind: string; at: string }[]> =>
    house.rows(
      `select kind, at from event where site_id = $1 and subject_id = $2 and kind in ('permit.expiring_soon', 'permit.expired') order by event_no`,
      [w.site_id, id],
    )

  /** Makes every process sweep twice at this moment. */
  const tick = async (houses: readonly House[], now: number, skew = 0) => {
    for (const [i, one] of houses.entries()) one.clock.set(at(now - i * skew))
    const done = await Promise.all([...houses, ...houses].map(sweepPermits))
    return { expired: done.reduce((n, d) => n + d.expired, 0), warned: done.reduce((n, d) => n + d.warned, 0) }
  }

  test('each permit gets one warning and expires once, in the right minute, whichever process sweeps; clock changes move nothing', async () => {
    await beside(2, async houses => {
      const watched: { w: PermitWorld; id: string; warn: number; end: number }[] = []
      for (const [timezone, lead, ends] of ZONES) {
        const w = await permitWorld(house, { timezone })
        await w.as('hse').put(`/permits/config?site_id=${w.site_id}`, { expiring_warning_lead_hours: lead })
        for (const end of ends) {
          const permit = await w.at('issued', { end_at: end })
          watched.push({ w, id: permit.id, warn: Math.max(Date.parse(MONDAY), Date.parse(end) - lead * HOUR), end: Date.parse(end) })
        }
      }
      const due = watched.flatMap(p => [p.warn, p.end])
      const minutes = [...new Set(due.flatMap(ms => [-1, 0, 1, 2].map(n => Math.floor(ms / MINUTE) * MINUTE + n * MINUTE)))]
      let expired = 0
      let warned = 0
      for (const now of minutes.filter(ms => ms >= Date.parse(MONDAY)).sort((a, b) => a - b)) {
        const done = await tick(houses, now)
        expired += done.expired
        warned += done.warned
      }
      const minute = (ms: number) => at(Math.ceil(ms / MINUTE) * MINUTE)
      for (const { w, id, warn, end } of watched) {
        assert.deepEqual(await alarms(w, id), [
          { kind: 'permit.expiring_soon', at: minute(warn) },
          { kind: 'permit.expired', at: minute(end) },
        ])
        assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
      }
      assert.deepEqual([expired, warned], [watched.length, watched.length], 'what the sweeps report')
    })
  })

  test('after an extension there is one more warning; clocks that differ by a minute raise nothing twice', async () => {
    await beside(2, async houses => {
      const w = await permitWorld(house)
      const permit = await w.at('issued', { categories: ['GEN'], end_at: '2026-03-18T12:00:00Z' })
      const first = Date.parse('2026-03-17T12:00:00Z')
      const sweep = async (from: number) => {
        for (let n = -1; n < 4; n++) await tick(houses, from + n * MINUTE, MINUTE)
        for (const one of houses) one.clock.set(at(from + 4 * MINUTE))
      }
      await sweep(first)
      assert.deepEqual(
        (await alarms(w, permit.id)).map(a => a.kind),
        ['permit.expiring_soon'],
      )
      const asked = await w.receiver.post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: '2026-03-20T12:00:00Z' })
      assert.equal((await w.as('hse').post(`/permits/extensions/${asked.body.request_id}/approve`, {})).status, 200)
      await sweep(Date.parse('2026-03-18T12:00:00Z'))
      assert.equal((await alarms(w, permit.id)).length, 1, 'nothing happens at the old end')
      await sweep(Date.parse('2026-03-19T12:00:00Z'))
      await sweep(Date.parse('2026-03-20T12:00:00Z'))
      assert.deepEqual(await alarms(w, permit.id), [
        { kind: 'permit.expiring_soon', at: '2026-03-17T12:00:00.000Z' },
        { kind: 'permit.expiring_soon', at: '2026-03-19T12:00:00.000Z' },
        { kind: 'permit.expired', at: '2026-03-20T12:00:00.000Z' },
      ])
    })
  })

  test('a permit that is closed or extended during the sweep does not expire', async () => {
    await beside(1, async houses => {
      const w = await permitWorld(house)
      for (let round = 0; round < 3; round++) {
        house.clock(MONDAY)
        const permit = await w.at('issued', { categories: ['GEN'], end_at: '2026-03-16T12:00:00Z' })
        const asked = await w.receiver.post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: '2026-03-17T12:00:00Z' })
        for (const one of houses) one.clock.set('2026-03-16T12:00:00.000Z')
        const [longer] = await Promise.all([
          w.as('hse').post(`/permits/extensions/${asked.body.request_id}/approve`, {}),
          ...[...houses, ...houses].map(sweepPermits),
        ])
        const { status, end_at } = await w.read(permit)
        const expired = (await alarms(w, permit.id)).filter(a => a.kind === 'permit.expired').length
        if (longer.status === 200) assert.deepEqual([status, end_at, expired], ['issued', '2026-03-17T12:00:00.000Z', 0])
        else assert.deepEqual([longer.status, status, end_at, expired], [409, 'expired', '2026-03-16T12:00:00.000Z', 1])
      }
    })
  })

  test('1091 a sweep that waits for a permit doesn’t keep it while it waits for the next one: a close-out of both doesn’t wait in a circle', async () => {
    const w = await permitWorld(house)
    const [a, b] = [await w.at('issued', { end_at: '2026-03-16T12:00:00Z' }), await w.at('issued', { end_at: '2026-03-16T12:00:00Z' })]
    house.clock('2026-03-16T12:00:00.000Z')
    const h = house.house
    const work = { actor: jobActor('permit_sweep'), cause: 'permit.expire' }
    const lock = (ctx: Ctx, id: string) =>
      sql`select 1 from permit where site_id = ${w.site_id} and id = ${id} for no key update`.execute(ctx.db)
    const [locked, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const step = writingOn(h, work, w.site_id, async ctx => {
      await lock(ctx, a.id)
      locked.resolve()
      await waiting.promise
      await sql`update permit set status = 'expired', expired_at = ${ctx.now} where site_id = ${w.site_id} and id = ${a.id}`.execute(ctx.db)
    })
    await locked.promise
    const of_both = writingOn(h, work, w.site_id, async ctx => {
      await lock(ctx, b.id)
      const swept = outside(() => sweepExpiries(h))
      await someoneWaits(house)
      waiting.resolve()
      await step
      await sql`set local lock_timeout = '700ms'`.execute(ctx.db)
      await lock(ctx, a.id)
      return { swept }
    })
    const { swept } = await of_both
    assert.equal(await swept, 1)
    assert.equal((await w.read(b)).status, 'expired')
    house.clock(MONDAY)
  })
})
