import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mailsTo, sendMails } from '../../../tests/outbox.ts'
import { openBrowser, openProvider, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'

describe('a forgotten password', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)

  /** Returns what a request does before its response: the number of its queries, and the rows that it writes by table. */
  const workOf = async (email: string) => {
    const { pool, apart } = house.house.database
    const counted = async (): Promise<Record<string, number>> => {
      const [row] = await house.rows(`select (select count(*) from job_run)::int as job_run, (select count(*) from pgboss.job)::int as job,
        (select sum(calls) from rate_count)::int as calls, (select count(*) from audit_entry)::int as audit_entry,
        (select count(*) from account_token)::int as account_token, (select count(*) from event)::int as event`)
      return row
    }
    const browser = openBrowser()
    const page = await browser.get(`${provider.url}/oidc/forgot`)
    const before = await counted()
    let trips = 0
    const trip = () => trips++
    for (const one of [pool, apart.pool]) one.on('acquire', trip)
    const reply = await browser.submit(page, { email })
    for (const one of [pool, apart.pool]) one.off('acquire', trip)
    const answered_at = house.house.clock.now()
    const now = await counted()
    const [job] = await house.rows(`select run_after from job_run where kind = 'mail' order by queued_at desc, id desc limit 1`)
    return {
      answered_at,
      run_after: new Date(job.run_after).toISOString(),
      work: {
        status: reply.status,
        trips,
        rows: Object.fromEntries(Object.entries(now).map(([name, n]) => [name, n - (before[name] ?? 0)])),
      },
    }
  }

  test('10.12 a known, an unknown and a disabled address cause the same work, and the email is written after the response', async () => {
    await personWithAccount(house, 'Kim', 'kim@example.com')
    await personWithAccount(house, 'Dora', 'dora@example.com')
    await house.rows(
      `with off as (select set_config('session_replication_role', 'replica', true)) update account set disabled_at = now() from off where email = 'dora@example.com'`,
    )
    await workOf('first@example.com') // opens the connections
    const done = []
    for (const email of ['kim@example.com', 'nobody@example.com', 'dora@example.com', 'kim@example.com', 'nobody@example.com'])
      done.push(await workOf(email))
    assert.equal(done[0]?.work.rows.job_run, 1)
    for (const { work, answered_at, run_after } of done) {
      assert.deepEqual(work, done[0]?.work)
      assert.ok(run_after > answered_at, `the email could be written at ${run_after}, before the response at ${answered_at}`)
    }
    await sendMails(house)
    assert.equal(mailsTo(house, 'kim@example.com').length, 2)
    assert.equal(mailsTo(house, 'dora@example.com').length, 0)
  })
})
