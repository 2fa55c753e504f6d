import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../tests/permits.ts'
import { sendAfter } from '../../../tests/relay.ts'
import { MONDAY, useHouse } from '../../../tests/world.ts'
import { relayEvents } from '../events/door.ts'
import { runSchedules } from '../jobs/door.ts'

describe('a notification email that can’t be sent', () => {
  const house = useHouse({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'permits@walkdown.test' })

  test('messages.md §3.2 if the relay can’t be reached on any attempt, the failed work says so, not that the relay refused the email', async () => {
    house.clock(MONDAY)
    const w = await permitWorld(house)
    await w.at('issued', { categories: ['GEN'] })
    house.clock('2026-03-16T18:10:00.000Z')
    await runSchedules(house.house, 'permit_sweep')
    await relayEvents(house.house)
    for (let attempt = 0; attempt < 8; attempt++) await sendAfter(house, 13 * 3600)
    const failed = await house.rows(`select distinct message from job_run where kind = 'mail' and state = 'failed' and site_id = $1`, [
      w.site_id,
    ])
    assert.deepEqual(failed, [
      { message: 'The mail relay couldn’t be reached or didn’t respond, so an email wasn’t sent (permit_expired_unclosed)' },
    ])
  })
})
