import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../../tests/world.ts'

describe('the site day in a test message', () => {
  const house = useHouse()

  test('messages.md §1, conventions §1 a test of a rule that nothing has happened for says the day on site, not that of UTC', async () => {
    // In Apia it is Tuesday, 17 March.
    house.clock('2026-03-16T20:00:00.000Z')
    const w = await house.world({ timezone: 'Pacific/Apia' })
    const { site_id } = w
    const rule = {
      site_id,
      name: 'Rejections',
      event_kind: 'permit.rejected',
      title: 'Rejected on {{work_date}}',
      audience: [{ role: 'hse' }],
    }
    const made = await w.as('hse').post('/notification-rules/', rule)
    assert.equal(made.status, 201, made.text)
    const sent = await w.as('hse').post('/notifications/_test_dispatch', { site_id, rule_id: made.body.id, channels: ['in_app'] })
    assert.equal(sent.status, 200, sent.text)
    const titles = (await w.as('hse').get(`/notifications/?site_id=${site_id}`)).body.map((one: { title: string }) => one.title)
    assert.ok(titles.includes('[TEST] Rejected on 17 Mar 2026'), titles.join())
  })
})
