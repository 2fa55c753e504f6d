import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { sweepPermits } from '../permits/actions/sweeps.ts'

const LATER = '2026-03-16T20:00:00.000Z'

describe('extension requests of permits', () => {
  const house = useHouse()
  const of = (permit: { id: string }) => `/permits/applications/${permit.id}/extensions`
  const ask = (w: PermitWorld, permit: { id: string }, body: object = {}, by = w.as('member')) =>
    by.post(of(permit), { requested_end_at: LATER, reason: 'Rain stopped us', ...body })
  const decide = (id: string, verb: 'approve' | 'reject', by: PermitWorld['issuer'], body: object = {}) =>
    by.post(`/permits/extensions/${id}/${verb}`, body)
  const live = (w: PermitWorld, more: object = {}) => w.at('issued', { categories: ['GEN'], ...more })

  test('R9 an approved request moves the end in place and is signed, and a new expiry warning can follow', async () => {
    const w = await permitWorld(house)
    const permit = await live(w)
    house.clock('2026-03-16T17:00:00.000Z')
    await sweepPermits(house.house)
    assert.ok((await w.read(permit)).expiring_warned_at)
    const asked = await ask(w, permit)
    assert.deepEqual(
      [asked.status, asked.body.status, asked.body.request_id, asked.body.requested_end_at, asked.body.previous_end_at],
      [201, 'requested', asked.body.id, LATER, '2026-03-16T18:00:00.000Z'],
    )
    assert.equal(asked.headers.location, `/api${of(permit)}`)
    const done = await decide(asked.body.id, 'approve', w.as('hse'), { note: 'Lights are up' })
    assert.deepEqual([done.status, done.body.status, done.body.end_at, done.body.expiring_warned_at], [200, 'issued', LATER, null])
    assert.equal(done.body.signatures.at(-1).kind, 'extend_approve')
    const [listed] = (await w.as('member').get(of(permit))).body
    assert.deepEqual(
      [listed.status, listed.decided_by, listed.signature_id],
      ['approved', w.as('hse').user_id, done.body.signatures.at(-1).id],
    )
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('R9 the refusal lists the types that can’t be extended, even if the flag changes between request and decision', async () => {
    const w = await permitWorld(house)
    const hot = await w.at('issued')
    const refused = await ask(w, hot)
    assert.deepEqual([refused.status, refused.body.error.gate, refused.body.error.permit_type_codes], [409, 'not_extendable', ['HW']])
    const permit = await live(w)
    const asked = await ask(w, permit)
    await w.as('hse').patch(`/permits/types/${w.types.GEN?.id}`, { is_extendable: false })
    assert.equal((await decide(asked.body.id, 'approve', w.as('hse'))).body.error.gate, 'not_extendable')
    assert.equal((await w.read(permit)).end_at, permit.end_at, 'nothing moved')
  })

  test('R9 a child’s window stays within its parent’s', async () => {
    const w = await permitWorld(house)
    const parent = await live(w)
    await w.as('hse').patch(`/permits/types/${w.types.EXC?.id}`, { is_extendable: true })
    const child = await w.at('issued', { categories: ['EXC'], parent_id: parent.id })
    const refused = await ask(w, child)
    assert.deepEqual([refused.status, refused.body.error.gate], [409, 'outside_parent_window'])
    const first = await ask(w, parent)
    await decide(first.body.id, 'approve', w.as('hse'))
    const asked = await ask(w, child)
    assert.equal(asked.status, 201, asked.text)
    assert.equal((await decide(asked.body.id, 'approve', w.as('hse'))).body.end_at, LATER)
  })

  test('the new end must be later than the present one and in the future; an ended permit has to be reissued instead', async () => {
    const w = await permitWorld(house)
    const permit = await live(w)
    for (const end of ['2026-03-16T18:00:00Z', '2026-03-16T12:00:00Z', 'tomorrow', null])
      assert.equal((await ask(w, permit, { requested_end_at: end })).status, 422, String(end))
    house.clock('2026-03-16T18:30:00.000Z')
    assert.equal((await ask(w, permit, { requested_end_at: '2026-03-16T18:10:00Z' })).status, 422)
    const late = await ask(w, permit)
    assert.equal(late.status, 201, 'the window has just ended and the sweep hasn’t run')
    await sweepPermits(house.house)
    const refused = await decide(late.body.id, 'approve', w.as('hse'))
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_transition'])
    assert.equal((await ask(w, permit)).body.error.code, 'invalid_transition')
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('only those involved can request and only reviewers can decide; a new request replaces the open one, and each is decided only once', async () => {
    const w = await permitWorld(house)
    const permit = await live(w)
    for (const by of [w.as('member'), w.receiver, w.issuer, w.as('coordinator'), w.as('hse'), w.superadmin])
      assert.equal((await ask(w, permit, {}, by)).status, 201)
    const all = (await w.as('hse').get(of(permit))).body as { id: string; status: string }[]
    assert.deepEqual(
      all.map(r => r.status),
      [...Array(5).fill('superseded'), 'requested'],
    )
    const [first, last] = [all[0], all.at(-1)]
    assert.equal((await decide(first?.id ?? '', 'approve', w.as('hse'))).status, 409)
    for (const role of ['coordinator', 'member', 'contractor_hse'] as const)
      assert.equal((await decide(last?.id ?? '', 'approve', w.as(role))).status, 403, role)
    assert.equal((await decide(last?.id ?? '', 'reject', w.as('hse'))).status, 422, 'a rejection needs a reason')
    assert.equal((await ask(w, permit, {}, w.as('viewer'))).status, 403)
    assert.equal((await ask(w, permit, {}, await w.stranger())).status, 404)
    const raced = await Promise.all([
      decide(last?.id ?? '', 'approve', w.as('hse')),
      decide(last?.id ?? '', 'reject', w.as('admin'), { reason: 'The crane is booked' }),
      decide(last?.id ?? '', 'approve', w.as('site_manager')),
    ])
    assert.deepEqual(raced.map(r => r.status).sort(), [200, 409, 409])
  })

  test('a rejection gives its reason, moves nothing and signs nothing', async () => {
    const w = await permitWorld(house)
    const permit = await live(w)
    const asked = await ask(w, permit)
    const done = await decide(asked.body.id, 'reject', w.as('hse'), { reason: 'The crane is booked' })
    assert.deepEqual([done.status, done.body.end_at], [200, permit.end_at])
    assert.ok(!done.body.signatures.some((s: { kind: string }) => s.kind === 'extend_approve'))
    const [row] = (await w.receiver.get(of(permit))).body
    assert.deepEqual([row.status, row.decision_reason], ['rejected', 'The crane is booked'])
    const kinds = await house.rows(`select kind, payload from event where subject_id = $1 and kind like '%extension%' order by event_no`, [
      permit.id,
    ])
    assert.deepEqual(
      kinds.map(k => k.kind),
      ['permit.extension_requested', 'permit.extension_rejected'],
    )
    assert.equal(kinds[0].payload.requested_end_at, LATER)
  })

  test('when a request and a close-out race, a permit is never closed with a request that can still move its end', async () => {
    const w = await permitWorld(house)
    const permit = await live(w)
    const asked = await ask(w, permit)
    const [closed, approved] = await Promise.all([
      w.step(permit, 'close-out', w.as('coordinator'), { checklist: CHECKLIST }),
      decide(asked.body.id, 'approve', w.as('hse')),
    ])
    assert.equal(closed?.status, 200)
    const after = await w.read(permit)
    assert.equal(after.status, 'closed')
    assert.ok(approved?.status === 200 || approved?.status === 409)
    assert.equal(after.end_at, approved?.status === 200 ? LATER : permit.end_at)
  })

  test('C1 R9 the approve flag checks the requested end against the parent’s window as it is now', async () => {
    const w = await permitWorld(house)
    const parent = await w.draft({ categories: ['GEN'], end_at: '2026-03-16T22:00:00Z' })
    const child = await w.at('issued', { categories: ['GEN'], parent_id: parent.id })
    const asked = await w.receiver.post(`/permits/applications/${child.id}/extensions`, { requested_end_at: '2026-03-16T21:00:00Z' })
    assert.equal((await w.read(child, w.as('hse'))).permissions.can_approve_extension, true)
    assert.equal((await w.as('member').patch(`/permits/applications/${parent.id}`, { end_at: '2026-03-16T20:00:00Z' })).status, 200)
    const { approve_extension, reject_extension } = (await w.read(child, w.as('hse'))).permissions
    const refused = await w.as('hse').post(`/permits/extensions/${asked.body.request_id}/approve`, {})
    assert.deepEqual([refused.status, refused.body.error.gate], [409, 'outside_parent_window'])
    assert.deepEqual([approve_extension.because[0].code, reject_extension.allowed], ['outside_parent_window', true])
  })

  test('9.4 the whole extended window of a child, its start too, lies within its parent’s; the flag says so beforehand', async () => {
    const w = await permitWorld(house)
    const parent = await live(w, { start_at: '2026-03-16T11:00:00.000Z', end_at: '2026-03-17T11:00:00.000Z' })
    const child = await live(w, { parent_id: parent.id })
    const { permissions } = await w.read(child, w.as('member'))
    assert.deepEqual([permissions.can_request_extension, permissions.request_extension.because[0].code], [false, 'outside_parent_window'])
    assert.equal((await ask(w, child)).body.error.gate, 'outside_parent_window')
  })

  test('9.4 an extension of a permit that was handed back can be neither requested nor approved', async () => {
    const w = await permitWorld(house)
    const permit = await live(w)
    const asked = await ask(w, permit)
    await w.step(permit, 'hand-back', w.receiver)
    const { permissions } = await w.read(permit, w.as('hse'))
    assert.deepEqual([permissions.can_request_extension, permissions.can_approve_extension], [false, false])
    const again = await ask(w, permit)
    assert.deepEqual([again.status, again.body.error.code, again.body.error.guard], [409, 'invalid_transition', 'not_handed_back'])
    assert.equal((await decide(asked.body.id, 'approve', w.as('hse'))).body.error.guard, 'not_handed_back')
    assert.equal((await decide(asked.body.id, 'reject', w.as('hse'), { reason: 'Handed back' })).status, 200)
  })

  for (const way of ['closed', 'expired'] as const)
    test(`9.4 a request that is open when its permit is ${way} lapses, says so, and notifies the person who requested it`, async () => {
      const w = await permitWorld(house)
      const permit = await live(w)
      const asked = await ask(w, permit)
      if (way === 'closed') await w.step(permit, 'close-out', w.as('hse'), { checklist: CHECKLIST })
      else {
        house.clock('2026-03-16T18:00:00.000Z')
        await sweepPermits(house.house)
        house.clock('2026-03-16T09:00:00.000Z')
      }
      const [shown] = (await w.as('member').get(of(permit))).body
      assert.deepEqual([shown.status, shown.decided_by, shown.decision_reason], ['lapsed', null, `The permit is ${way}.`])
      const refused = await decide(asked.body.id, 'approve', w.as('hse'))
      assert.deepEqual(
        [refused.status, refused.body.error.detail],
        [409, `This request has lapsed, so you can’t decide on it. The permit is ${way}.`],
      )
      const events = await house.rows(`select payload from event where subject_id = $1 and kind = 'permit.extension_lapsed'`, [permit.id])
      assert.deepEqual(
        events.map(e => [e.payload.extension_request_id, e.payload.requested_by_id]),
        [[asked.body.id, w.as('member').user_id]],
      )
      const told = (await w.as('member').get(`/notifications/?site_id=${w.site_id}&kind=permit_extension_decided`)).body
      assert.deepEqual(
        told.map((one: { title: string; body: string }) => [one.title, one.body]),
        [[`The extension request for ${permit.permit_number} lapsed`, `The permit is ${way}.`]],
      )
    })

  test('9.4 an extension is limited to the longest default duration of its types; refusals use site time', async () => {
    const w = await permitWorld(house, { timezone: 'Europe/London' })
    const permit = await live(w, { categories: ['GEN', 'LIFT'] })
    await w.as('hse').patch(`/permits/types/${w.types.LIFT?.id}`, { is_extendable: true })
    const { extension_latest_at } = await w.read(permit)
    assert.equal(extension_latest_at, '2026-03-23T18:00:00.000Z', 'GEN lasts 168 hours')
    const refused = await ask(w, permit, { requested_end_at: '2026-03-23T18:00:00.001Z' })
    assert.deepEqual([refused.status, refused.body.error.latest_end_at], [422, extension_latest_at])
    assert.match(refused.body.error.detail, /23 Mar 2026, 18:00 at the latest/)
    const earlier = await ask(w, permit, { requested_end_at: '2026-03-16T12:00:00.000Z' })
    assert.match(earlier.body.error.detail, /16 Mar 2026, 18:00/)
    assert.doesNotMatch(earlier.text, /T\d\d:\d\d.*Z/, 'no ISO instants')
    assert.equal((await ask(w, permit, { requested_end_at: extension_latest_at })).status, 201)
  })

  test('conventions §2 each request says whether the caller can decide on it, alone and in its permit, as the call does', async () => {
    const w = await permitWorld(house)
    const permit = await live(w)
    const first = await ask(w, permit)
    assert.equal(first.body.permissions.can_approve, false, 'the member who asked can’t approve')
    await ask(w, permit)
    const read = async (who: PermitWorld['issuer']) => (await who.get(of(permit))).body
    const [superseded, open] = await read(w.as('hse'))
    assert.deepEqual(
      [superseded, open].map(one => [one.status, one.permissions.can_approve, one.permissions.can_reject]),
      [
        ['superseded', false, false],
        ['requested', true, true],
      ],
    )
    const late = await decide(superseded.id, 'approve', w.as('hse'))
    assert.deepEqual([late.status, superseded.permissions.approve.because[0].detail], [409, late.body.error.detail])
    const coordinator = w.as('coordinator')
    const [, seen] = await read(coordinator)
    const refused = await decide(open.id, 'reject', coordinator, { reason: 'No' })
    assert.deepEqual([refused.status, seen.permissions.reject.because[0].code], [403, refused.body.error.code])
    const whole = await coordinator.get(`/permits/applications/${permit.id}`)
    assert.deepEqual(whole.body.extensions, await read(coordinator), 'the permit shows the same')
    await decide(open.id, 'approve', w.as('hse'))
    const [, done] = await read(w.as('hse'))
    assert.deepEqual([done.status, done.permissions.can_approve, done.permissions.can_reject], ['approved', false, false])
  })
})
