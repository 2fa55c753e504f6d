import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`
type Shown = { status: string; end_at: string; awaiting_countersign: boolean; approved_at: string | null; can_issue: boolean; id: string }

describe('permits as they were', () => {
  const house = useHouse()
  const then = async (
    w: World,
    time: string,
    by = 'coordinator' as 'coordinator' | 'member' | 'viewer' | 'admin',
    more = '',
  ): Promise<Shown[]> => {
    const found = await w.as(by).get(`/permits?site_id=${w.site_id}&at=${time}${more}`)
    assert.equal(found.status, 200, found.text)
    return found.body.map((card: Shown & { permissions: { can_issue: boolean } }) => ({ ...card, can_issue: card.permissions.can_issue }))
  }

  test('§4.4 each instant has the status, the window and the signatures of then', async () => {
    const w = await permitWorld(house)
    house.clock(at('08:00'))
    const permit = await w.draft({ categories: ['GEN'] })
    house.clock(at('08:10'))
    await w.step(permit, 'submit', w.as('member'))
    house.clock(at('08:20'))
    await w.step(permit, 'endorse', w.as('coordinator'))
    house.clock(at('08:30'))
    await w.step(permit, 'approve', w.as('hse'))
    house.clock(at('08:40'))
    await w.step(permit, 'issue', w.issuer)
    house.clock(at('08:50'))
    await w.step(permit, 'countersign', w.receiver)
    house.clock(at('11:00'))
    const asked = await w
      .as('member')
      .post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: at('19:00'), reason: 'Rain' })
    house.clock(at('11:10'))
    await w.as('hse').post(`/permits/extensions/${asked.body.request_id}/approve`, {})
    const seen = async (time: string) => {
      const [card] = await then(w, time)
      return card === undefined
        ? null
        : [card.status, card.end_at.slice(11, 16), card.awaiting_countersign, card.approved_at?.slice(11, 16) ?? null]
    }
    assert.deepEqual(await seen(at('08:05')), null, 'a draft of others')
    assert.deepEqual(await seen(at('08:10')), ['requested', '18:00', false, null])
    assert.deepEqual(await seen(at('08:25')), ['endorsed', '18:00', false, null])
    assert.deepEqual(await seen(at('08:30')), ['approved', '18:00', false, '08:30'])
    assert.deepEqual(await seen(at('08:45')), ['approved', '18:00', true, '08:30'])
    assert.deepEqual(await seen(at('08:50')), ['issued', '18:00', false, '08:30'])
    assert.deepEqual(await seen(at('11:10')), ['issued', '19:00', false, '08:30'])
    assert.deepEqual(
      (await then(w, at('08:05'), 'member')).map(({ status }) => status),
      ['draft'],
      'the requestor’s own draft',
    )
    assert.deepEqual(await then(w, at('07:59'), 'member'), [])
    assert.deepEqual(
      (await then(w, at('08:10'), 'viewer')).map(({ status }) => status),
      ['requested'],
      'anyone who sees the permit now sees its past',
    )
    house.clock(at('09:00'))
  })

  test('§4.4 nothing can be done with a permit of the past, and each flag says so', async () => {
    const w = await permitWorld(house)
    house.clock(at('08:00'))
    await w.at('approved')
    house.clock(at('09:00'))
    const found = await w.issuer.get(`/permits?site_id=${w.site_id}&at=${at('08:30')}`)
    const [card] = found.body
    assert.equal(card.permissions.can_issue, false)
    assert.match(card.permissions.issue.because[0].detail, /at the time that you asked for/)
    const [now] = (await w.issuer.get(`/permits?site_id=${w.site_id}`)).body
    assert.equal(now.permissions.can_issue, true)
  })

  test('§4.4 status, window and page narrow the permits by what they were', async () => {
    const w = await permitWorld(house)
    house.clock(at('08:00'))
    const first = await w.at('requested', { start_at: at('09:00') })
    const second = await w.at('requested')
    house.clock(at('08:30'))
    await w.step(first, 'endorse', w.as('coordinator'))
    house.clock(at('09:00'))
    const ids = async (more: string, time = at('08:10')) => (await then(w, time, 'coordinator', more)).map(({ id }) => id)
    assert.deepEqual(await ids('&status=requested'), [second.id, first.id])
    assert.deepEqual(await ids('&status=requested', at('08:30')), [second.id])
    assert.deepEqual(await ids(`&to=${at('09:30')}`), [first.id])
    const page = await w.as('coordinator').get(`/permits?site_id=${w.site_id}&at=${at('08:10')}&limit=1`)
    assert.deepEqual([page.body.length, page.headers['x-total-count'], page.body[0].id], [1, '2', second.id])
    const cursor = /cursor=([^&>]+)/.exec(String(page.headers.link))?.[1]
    assert.deepEqual(await ids(`&limit=1&cursor=${cursor}`), [first.id])
    for (const name of ['soon=true', 'handed_back=true', `updated_since=${at('08:00')}`]) {
      const refused = await w.as('coordinator').get(`/permits?site_id=${w.site_id}&at=${at('08:10')}&${name}`)
      assert.deepEqual([refused.status, refused.body.error.fields[0].path], [422, name.split('=')[0]])
    }
  })
})
