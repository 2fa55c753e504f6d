// Decisions on a permit: who can still take them, on whose behalf, which warnings come first, and what stays on the permit.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { verifySignatures } from '../permit-signatures/actions/verify.ts'

describe('decisions on permits', () => {
  const house = useHouse()

  const membershipOf = async (w: PermitWorld, who: Caller) =>
    (await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, who.user_id]))[0].id as string
  /** Gives a member another role or contractor. */
  const move = async (w: PermitWorld, who: Caller, to: { role: string; contractor_id?: string | null }) => {
    const done = await w.superadmin.post(`/memberships/${await membershipOf(w, who)}/approve`, to)
    assert.equal(done.status, 200, done.text)
  }
  const codes = (warnings: { code: string }[]) => warnings.map(w => w.code)
  const revoke = async (w: PermitWorld) => {
    const [row] = await house.rows('select id from permit_appointment where site_id = $1 and user_id = $2', [w.site_id, w.issuer.user_id])
    assert.equal((await w.as('hse').del(`/permits/appointments/${row.id}`)).status, 204)
  }

  const WRITES: [string, (w: PermitWorld, p: Permit, who: Caller) => ReturnType<Caller['post']>][] = [
    ['edit', (_w, p, who) => who.patch(`/permits/applications/${p.id}`, { title: 'Changed' })],
    ['submit', (w, p, who) => w.step(p, 'submit', who)],
    ['withdraw', (w, p, who) => w.step(p, 'withdraw', who)],
    ['delete', (_w, p, who) => who.del(`/permits/applications/${p.id}`)],
  ]

  for (const state of ['draft', 'corrections_requested'] as const) {
    test(`9.1 a requestor whose role no longer includes permit_request can’t edit, submit or withdraw their permit in ${state}, and the flags agree`, async () => {
      const w = await permitWorld(house)
      const requestor = await w.join('member', w.acme, 'Rita Requestor')
      const permit = await w.draft({}, requestor)
      if (state === 'corrections_requested') {
        await w.step(permit, 'submit', requestor)
        await w.step(permit, 'request-corrections', w.as('hse'), { note: 'Name the fire watch' })
      }
      await move(w, requestor, { role: 'viewer' })
      const { permissions } = await w.read(permit, requestor)
      for (const [action, call] of WRITES) {
        const refused = await call(w, permit, requestor)
        assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'], action)
        assert.equal(permissions[`can_${action}`], false, action)
        assert.equal(refused.body.error.permission, 'permit_request')
      }
      assert.equal((await w.read(permit, w.superadmin)).status, state)
      await move(w, requestor, { role: 'member', contractor_id: w.acme })
      assert.equal((await w.step(permit, 'submit', requestor)).status, 200, 'the permission is checked at the moment of the step')
    })
  }

  test('9.1 a member who moved to another contractor can’t act on requests of the former contractor, or make a copy of them', async () => {
    const w = await permitWorld(house)
    const requestor = await w.join('member', w.acme, 'Mo Mover')
    const permit = await w.draft({}, requestor)
    const live = await w.at('issued')
    await move(w, requestor, { role: 'member', contractor_id: await w.contractor('New Contractor') })
    const { permissions } = await w.read(permit, requestor)
    for (const [action, call] of WRITES) {
      const refused = await call(w, permit, requestor)
      assert.deepEqual([refused.status, refused.body.error.because?.[0]?.code], [403, 'contractor_binding'], action)
      assert.equal(permissions[`can_${action}`], false, action)
    }
    await move(w, w.as('member'), { role: 'member', contractor_id: await w.contractor('Third Contractor') })
    assert.equal((await w.read(live, w.as('member'))).permissions.can_reissue, false)
    assert.equal((await w.step(live, 'reissue', w.as('member'))).status, 403)
    assert.equal((await w.read(live, w.as('member'))).permissions.can_request_extension, false)
  })

  test('9.2 a hand-back for an absent receiver says so: in the advice, the signature, its hash, the history and the response', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const hse = w.as('hse')
    const { advice } = await w.read(permit, hse)
    assert.deepEqual(codes(advice.hand_back.warnings), ['handed_back_for_receiver'])
    assert.match(advice.hand_back.statement, /for Rex Receiver, the named receiver, who is absent/)
    const done = await w.step(permit, 'hand-back', hse, {})
    assert.deepEqual(codes(done.body.warnings), ['handed_back_for_receiver', 'reason_missing'])
    const signature = done.body.signatures.at(-1)
    assert.deepEqual(signature.on_behalf_of, { id: w.receiver.user_id, name: 'Rex Receiver' })
    assert.equal(signature.statement, advice.hand_back.statement)
    const [event] = await house.rows(`select payload from event where site_id = $1 and kind = 'permit.handed_back'`, [w.site_id])
    assert.equal(event.payload.by_receiver, false)
    // The history is the audit log; the app takes the receiver from the signature of the same time (`behalf.ts` in the app).
    const [entry] = (await hse.get(`/audit/entity/permit/${permit.id}`)).body
    assert.deepEqual([entry.cause, entry.actor.name, entry.at], ['permit.hand_back', 'Hal Safety', signature.signed_at])
    const { text: csv } = await hse.get(`/permits/applications/${permit.id}/audit.csv`)
    const row = csv.split('\r\n').find(line => line.includes(',handed_back,')) ?? assert.fail(csv)
    assert.match(row, new RegExp(`,Hal Safety,handed_back,.*,${signature.hash},Rex Receiver$`))
    assert.equal((await verifySignatures(house.house.database.db, w.site_id, permit.id)).fault, null)
    await house.rows(
      `begin; set local session_replication_role = replica; update permit_signature set on_behalf_of = null where id = '${signature.id}'; commit`,
    )
    assert.equal((await verifySignatures(house.house.database.db, w.site_id, permit.id)).fault?.what, 'hash', 'the hash covers it')
  })

  test('9.2 the receiver signs a hand-back for themselves, with or without a reason; a failed walk-down without a reason gives a warning', async () => {
    const w = await permitWorld(house)
    const own = await w.step(await w.at('issued'), 'hand-back', w.receiver, {})
    assert.deepEqual([own.body.warnings, own.body.signatures.at(-1).on_behalf_of], [[], null])
    const { text: csv } = await w.receiver.get(`/permits/applications/${own.body.id}/audit.csv`)
    assert.match(csv, new RegExp(`,handed_back,.*,${own.body.signatures.at(-1).hash},\\r`))
    const failed = await w.step(await w.at('signed'), 'hand-back', w.receiver, {})
    assert.deepEqual([failed.status, failed.body.status], [200, 'corrections_requested'])
    assert.ok(codes(failed.body.warnings).includes('reason_missing'))
  })

  test('9.3 on a locked site every flag of a permit agrees with its call, in every state', async () => {
    const w = await permitWorld(house)
    const states = ['draft', 'requested', 'endorsed', 'approved', 'signed', 'issued', 'corrections_requested'] as const
    const permits: Permit[] = []
    for (const state of states) permits.push(await w.at(state, { categories: ['GEN'] }))
    const asked = await w.as('hse').post(`/permits/applications/${permits[5]?.id}/extensions`, { requested_end_at: '2026-03-16T20:00:00Z' })
    assert.equal(asked.status, 201, asked.text)
    const locked = await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover', force: true })
    assert.equal(locked.status, 200, locked.text)
    const bodies: Record<string, object> = {
      reject: { reason: 'x' },
      'request-corrections': { note: 'x' },
      'close-out': { checklist: CHECKLIST },
    }
    const verbs = [
      'submit',
      'withdraw',
      'endorse',
      'approve',
      'reject',
      'request-corrections',
      'issue',
      'countersign',
      'reissue',
      'hand-back',
      'close-out',
    ]
    let allowed = 0
    for (const permit of permits) {
      for (const who of [w.superadmin, w.as('hse'), w.receiver, w.issuer, w.as('member')]) {
        const seen = await who.get(`/permits/applications/${permit.id}`)
        if (seen.status !== 200) continue
        for (const verb of verbs) {
          const flag = seen.body.permissions[verb.replaceAll('-', '_')]
          if (['hand-back', 'close-out'].includes(verb)) {
            if (flag.allowed) allowed++
            continue
          }
          assert.equal(flag.allowed, false, `${verb} ${permit.status}`)
          assert.equal(flag.because[0].code, 'site_locked')
          assert.equal((await w.step(permit, verb, who, bodies[verb] ?? {})).body.error.reason, 'site_locked')
        }
        assert.equal(seen.body.permissions.can_edit, false)
        assert.equal(seen.body.permissions.can_attach, false)
        assert.equal(seen.body.permissions.can_approve_extension, false)
      }
    }
    assert.ok(allowed > 0, 'work in the field can still be handed back and closed out')
    assert.equal((await w.step(permits[5] as Permit, 'hand-back', w.receiver)).status, 200)
    assert.equal((await w.step(permits[5] as Permit, 'close-out', w.as('hse'), { checklist: CHECKLIST })).status, 200)
  })

  test('9.8 issue and countersign warn about a parent that isn’t live, unconfirmed pre-checks, an ended window and an ended appointment', async () => {
    const w = await permitWorld(house)
    const parent = await w.at('approved', { categories: ['GEN'] })
    const permit = await w.draft({ parent_id: parent.id })
    const [first, second] = permit.pre_checks
    await w.as('member').patch(`/permits/applications/${permit.id}`, {
      pre_checks: [
        { code: first.code, answer: 'no' },
        { code: second.code, answer: 'not_applicable' },
      ],
    })
    await w.step(permit, 'submit', w.as('member'))
    await w.step(permit, 'endorse', w.as('coordinator'))
    await w.step(permit, 'approve', w.as('hse'))
    const before = (await w.read(permit, w.issuer)).advice.issue
    assert.ok(['parent_not_live', 'prechecks_unconfirmed', 'prechecks_unanswered'].every(code => codes(before.warnings).includes(code)))
    const issued = await w.step(permit, 'issue', w.issuer)
    assert.deepEqual(issued.body.warnings, before.warnings, 'the response repeats what was shown')
    await revoke(w)
    house.clock('2026-03-16T19:00:00.000Z')
    const advice = (await w.read(permit, w.receiver)).advice.countersign
    const live = await w.step(permit, 'countersign', w.receiver)
    house.clock('2026-03-16T09:00:00.000Z')
    assert.deepEqual(live.body.warnings, advice.warnings)
    for (const code of ['parent_not_live', 'window_ended', 'appointment_ended', 'prechecks_unconfirmed'])
      assert.ok(codes(live.body.warnings).includes(code), code)
  })

  test('9.8 close-out warns while the fire watch runs, and not after it', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    await w.step(permit, 'hand-back', w.receiver, { fire_watch_minutes: 60 })
    assert.deepEqual(codes((await w.read(permit, w.as('hse'))).advice.close_out.warnings), ['fire_watch_running'])
    house.clock('2026-03-16T10:00:00.000Z')
    assert.deepEqual((await w.read(permit, w.as('hse'))).advice.close_out.warnings, [])
    house.clock('2026-03-16T09:30:00.000Z')
    const closed = await w.step(permit, 'close-out', w.as('hse'), { checklist: CHECKLIST })
    assert.deepEqual([closed.status, codes(closed.body.warnings)], [200, ['fire_watch_running']])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('9.9 a permit shows advice for the steps that the caller can take, with the declaration that they will sign', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested', { receiver_id: null })
    const hse = await w.read(permit, w.as('hse'))
    assert.deepEqual(Object.keys(hse.advice).sort(), ['endorse', 'reject', 'request_corrections'])
    assert.deepEqual((await w.read(permit, w.as('member'))).advice.endorse, undefined, 'nothing for a step of another person')
    const signed = await w.step(permit, 'endorse', w.as('coordinator'))
    assert.equal(signed.body.signatures.at(-1).statement, hse.advice.endorse.statement)
    assert.deepEqual(signed.body.warnings, hse.advice.endorse.warnings)
    assert.ok(codes(hse.advice.endorse.warnings).includes('no_place'))
    assert.equal(hse.advice.reject.statement, null)
  })

  test('9.13 last_decision has the newest decision with who took it and why, on the permit and on its card', async () => {
    const w = await permitWorld(house)
    const permit = await w.draft()
    const last = async () => (await w.read(permit, w.superadmin)).last_decision
    assert.equal(await last(), null)
    await w.step(permit, 'submit', w.as('member'))
    assert.equal(await last(), null, 'a submit isn’t a decision')
    await w.step(permit, 'request-corrections', w.as('hse'), { note: 'Name the fire watch' })
    const hse = w.as('hse')
    const [{ name }] = await house.rows('select name from app_user where id = $1', [hse.user_id])
    const returned = {
      action: 'request_corrections',
      by: { id: hse.user_id, name, role: 'hse' },
      at: '2026-03-16T09:00:00.000Z',
      note: 'Name the fire watch',
    }
    assert.deepEqual(await last(), returned)
    const [card] = (await w.as('member').get(`/permits?site_id=${w.site_id}&id=${permit.id}&reasons=false`)).body
    assert.deepEqual(card.last_decision, returned)
    await w.step(permit, 'submit', w.as('member'))
    await w.step(permit, 'endorse', w.as('coordinator'), { note: 'Agreed with the crane' })
    assert.deepEqual([(await last()).action, (await last()).note], ['endorse', 'Agreed with the crane'])
    await w.step(permit, 'reject', hse, { reason: 'Not on this roof' })
    assert.deepEqual([(await last()).action, (await last()).note], ['reject', 'Not on this roof'])
  })
})
