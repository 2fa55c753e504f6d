// The cards of the board are written once and kept; each must be what it would be if it were made now. The list of whole permits, which is made
// for each request, says what that is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'

describe('cards that are kept', () => {
  const house = useHouse()

  test('P1 each kept card is what it would be now, for every reader, after every change that it shows', async () => {
    const w = await permitWorld(house)
    const [admin, hse, member] = [w.as('admin'), w.as('hse'), w.as('member')]
    const readers: Caller[] = [admin, hse, member, w.as('coordinator'), w.issuer, w.receiver, w.superadmin]
    const cardsOf = async (reader: Caller, reasons: boolean) =>
      (await reader.get(`/permits?site_id=${w.site_id}&limit=50${reasons ? '' : '&reasons=false'}`)).body as Record<string, unknown>[]
    let seen = ''
    /** Compares all cards with the whole permits, and requires that something changed since the last time. */
    const same = async (after: string) => {
      const all = []
      for (const reader of readers) {
        const whole = (await reader.get(`/permits/applications?site_id=${w.site_id}&limit=50`)).body as Record<string, unknown>[]
        const cards = await cardsOf(reader, true)
        all.push(cards)
        assert.equal(cards.length, whole.length, after)
        for (const [n, card] of cards.entries()) {
          const { parent: _, ...shown } = whole[n] ?? {}
          const wanted = Object.fromEntries(Object.keys(card).map(name => [name, shown[name]]))
          assert.deepEqual(card, wanted, `${after}, as ${reader.user_id}`)
        }
        const flags = (list: Record<string, unknown>[]) =>
          list.map(one => Object.entries(one.permissions as object).filter(([name]) => name.startsWith('can_')))
        assert.deepEqual(flags(await cardsOf(reader, false)), flags(cards), after)
      }
      assert.notEqual(JSON.stringify(all), seen, `nothing changed after ${after}`)
      seen = JSON.stringify(all)
    }
    const done = async (reply: Promise<{ status: number; text: string; body: Record<string, unknown> }>) => {
      const { status, text, body } = await reply
      assert.ok(status < 300, text)
      return body
    }

    const parent = await w.at('issued')
    const permit = await w.draft({ parent_id: parent.id, categories: ['GEN'], end_at: '2026-03-16T16:00:00Z' })
    await same('a draft')
    await done(member.patch(`/permits/applications/${permit.id}`, { title: 'Another title' }))
    await same('a change')
    await done(w.step(permit, 'submit', member))
    await same('a submission')
    await done(admin.patch(`/contractors/${w.acme}`, { name: 'Acme and Sons' }))
    await same('another name of the contractor')
    await done(w.step(permit, 'endorse', w.as('coordinator')))
    await done(w.step(permit, 'approve', hse))
    await same('an approval')
    const [appointment] = await house.rows('select id from permit_appointment where site_id = $1 and user_id = $2', [
      w.site_id,
      w.issuer.user_id,
    ])
    await done(hse.del(`/permits/appointments/${appointment?.id}`))
    await same('the end of an appointment')
    await done(hse.post('/permits/appointments', { site_id: w.site_id, user_id: w.issuer.user_id }))
    await same('an appointment')
    await done(w.step(permit, 'issue', w.issuer))
    await same('a signature')
    await done(w.step(permit, 'countersign', w.receiver))
    await same('the second signature')
    await done(w.receiver.post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: '2026-03-16T17:30:00Z' }))
    await same('a request for an extension')
    await done(hse.put(`/permits/config?site_id=${w.site_id}`, { expiring_warning_lead_hours: 1 }))
    await same('a shorter lead time of the warning')
    house.clock('2026-03-16T15:00:00.000Z')
    await same('the last hour')
    await done(w.step(permit, 'hand-back', w.receiver, { work_complete: true, fire_watch_minutes: 60 }))
    await same('a hand-back')
    house.clock('2026-03-16T16:00:00.000Z')
    await same('the end of the window')
    await done(admin.post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover', force: true }))
    await same('the lock of the site')
    await done(admin.post(`/sites/${w.site_id}/lock`, { locked: false, reason: 'Go on' }))
    await same('its end')
    const [membership] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, w.receiver.user_id])
    await done(w.superadmin.post(`/memberships/${membership?.id}/approve`, { role: 'hse', contractor_id: null }))
    await same('another role')
    house.clock('2026-03-16T17:00:00.000Z')
    await done(w.step(permit, 'close-out', w.as('coordinator'), { checklist: CHECKLIST }))
    await same('a close-out')
  })

  test('P1 a kept card shows only what its reader can see, and each reader has their own flags', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested')
    const flagsOf = async (reader: Caller) => (await reader.get(`/permits?site_id=${w.site_id}&id=${permit.id}`)).body[0]?.permissions
    for (let n = 0; n < 2; n++) {
      assert.equal((await flagsOf(w.as('coordinator'))).can_endorse, true)
      assert.equal((await flagsOf(w.as('member'))).can_endorse, false)
      assert.equal((await flagsOf(w.as('member'))).can_withdraw, true)
      assert.equal(await flagsOf(w.as('client')), undefined)
    }
  })
})
