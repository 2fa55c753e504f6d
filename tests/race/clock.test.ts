// R12: simulates thirty days in five time zones, across both clock changes. Every warning is raised once, in the minute when it is due, and sent to
// each recipient once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { caughtUp } from '../../server/kernel/events/door.ts'
import { runSchedules } from '../../server/kernel/jobs/door.ts'
import { instantOf, plusDays } from '../../shared/time.ts'
import { chance } from '../chance.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { MONDAY, useHouse } from '../world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const BEGIN = '2026-03-07'
const DAYS = 30
/** Forward in New York on 8 March and in London on 29 March, back on Lord Howe (by half an hour) and in Auckland on 5 April, never in Kolkata. */
const ZONES: [timezone: string, lead_hours: number][] = [
  ['Europe/London', 24],
  ['America/New_York', 1],
  ['Australia/Lord_Howe', 30],
  ['Pacific/Auckland', 72],
  ['Asia/Kolkata', 720],
]
/** Ends in the hour that is skipped or repeated, and at midnight around it. */
const EDGES: Record<string, [date: string, time: string][]> = {
  'Europe/London': [
    ['2026-03-29', '00:59'],
    ['2026-03-29', '01:30'],
    ['2026-03-29', '02:00'],
  ],
  'America/New_York': [
    ['2026-03-08', '02:30'],
    ['2026-03-08', '03:00'],
  ],
  'Australia/Lord_Howe': [
    ['2026-04-05', '01:45'],
    ['2026-04-05', '02:00'],
  ],
  'Pacific/Auckland': [
    ['2026-04-05', '02:30'],
    ['2026-04-05', '03:00'],
  ],
  'Asia/Kolkata': [['2026-04-05', '00:00']],
}
const RANDOM_ENDS = 3

type Row = { kind: string; at: string }
type Due = { w: PermitWorld; id: string; ends: number; warns: number }

describe('R12 the clock', () => {
  const house = useHouse({}, { pool: 8 })

  test('in 30 days in five zones, across both clock changes, each expiry and expiring-soon warning occurs exactly once, in the right minute, and is sent once', async () => {
    const draw = chance(Number(process.env.SEED ?? 20260307))
    const begin = Date.parse(`${BEGIN}T00:00:00.000Z`)
    const dues: Due[] = []
    for (const [timezone, lead] of ZONES) {
      house.clock(`${BEGIN}T00:00:00.000Z`)
      const w = await permitWorld(house, { timezone })
      const { body } = await w.as('hse').get(`/permits/config?site_id=${w.site_id}`)
      const policy = {
        coverage_policy_enabled: body.coverage_policy_enabled,
        close_out_gate_enabled: body.close_out_gate_enabled,
        nominee_user_id: null,
        deputy_nominee_user_id: null,
        activation_gap_lead_hours: 24,
        expiring_warning_lead_hours: lead,
      }
      assert.equal((await w.as('hse').put(`/permits/config?site_id=${w.site_id}`, policy)).status, 200)
      const ends = (EDGES[timezone] ?? []).map(([date, time]) => instantOf(timezone, date, time))
      while (ends.length < (EDGES[timezone]?.length ?? 0) + RANDOM_ENDS) {
        const date = plusDays(BEGIN, 1 + draw.below(DAYS - 2))
        const time = `${String(draw.below(24)).padStart(2, '0')}:${String(draw.below(60)).padStart(2, '0')}`
        ends.push(instantOf(timezone, date, time))
      }
      for (const end_at of ends) {
        const permit = await w.at('issued', { start_at: `${BEGIN}T00:00:00.000Z`, end_at })
        // If a permit goes live within the lead time, the next sweep sends its warning.
        dues.push({ w, id: permit.id, ends: Date.parse(end_at), warns: Math.max(begin, Date.parse(end_at) - lead * HOUR) })
      }
    }
    // Every minute in which something is due, the one before and the one after, and every third hour of all the days: in the other minutes there is nothing to
    // do.
    const minutes = new Set<number>()
    for (let at = begin + MINUTE; at < begin + DAYS * 24 * HOUR; at += 3 * HOUR) minutes.add(at)
    for (const { ends, warns } of dues)
      for (const at of [ends, warns]) for (const near of [-1, 0, 1]) minutes.add(Math.ceil(at / MINUTE) * MINUTE + near * MINUTE)
    for (const at of [...minutes].filter(one => one >= begin).sort((a, b) => a - b)) {
      house.clock(new Date(at).toISOString())
      await runSchedules(house.house, 'permit_sweep')
      await runSchedules(house.house, 'permit_warnings')
    }
    const wrong: string[] = []
    for (const { w, id, ends, warns } of dues) {
      const rows: Row[] = await house.rows(
        `select kind, at from event where site_id = $1 and subject_id = $2 and kind in ('permit.expiring_soon', 'permit.expired') order by event_no`,
        [w.site_id, id],
      )
      const said = rows.map(row => `${row.kind} ${new Date(row.at).toISOString()}`)
      const due = (kind: string, at: number) => `${kind} ${new Date(Math.ceil(at / MINUTE) * MINUTE).toISOString()}`
      const wanted = [due('permit.expiring_soon', warns), due('permit.expired', ends)]
      if (JSON.stringify(said) !== JSON.stringify(wanted)) wrong.push(`${said.join(', ')}; not ${wanted.join(', ')}`)
    }
    assert.deepEqual(wrong, [])
    const sites = [...new Set(dues.map(({ w }) => w.site_id))]
    while (!(await caughtUp(house.house, sites))) assert.ok(sites.length > 0)
    const notified = await house.rows(
      `select kind, count(*)::int as n, count(distinct (user_id, subject_id))::int as once, count(distinct subject_id)::int as permits from notification
       where kind in ('permit_expired_unclosed', 'permit_expiring_soon') group by kind order by kind`,
    )
    // hse and admin of each site; receiver, requestor and issuer of each permit.
    assert.deepEqual(notified, [
      { kind: 'permit_expired_unclosed', n: 2 * dues.length, once: 2 * dues.length, permits: dues.length },
      { kind: 'permit_expiring_soon', n: 3 * dues.length, once: 3 * dues.length, permits: dues.length },
    ])
    house.clock(MONDAY)
  })
})
