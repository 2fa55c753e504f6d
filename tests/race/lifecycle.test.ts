// R2: many callers at one step, competing steps among them. One wins, each loser gets a defined response, and nothing is lost or done twice: events,
// signatures, tasks and audit entries are those of the winners. RACE_ROUNDS sets how often each race is run, RACERS how many callers take part.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifyChain } from '../../server/kernel/audit/door.ts'
import { verifySignatures } from '../../server/rooms/permits/permit-signatures/actions/verify.ts'
import { sweepPermits } from '../../server/rooms/permits/permits/actions/sweeps.ts'
import { times } from '../chance.ts'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld, type State } from '../permits.ts'
import { type Caller, MONDAY, type Reply, useHouse } from '../world.ts'

const ROUNDS = times('RACE_ROUNDS', 2)
const RACERS = times('RACERS', 64)

/** The expected effects of a winning step. */
const LEAVES: Record<string, { event: string | null; signature?: string }> = {
  submit: { event: 'permit.submitted' },
  withdraw: { event: 'permit.withdrawn' },
  endorse: { event: 'permit.endorsed', signature: 'stage1_approve' },
  approve: { event: 'permit.approved', signature: 'stage2_approve' },
  reject: { event: 'permit.rejected' },
  'request-corrections': { event: 'permit.corrections_requested' },
  issue: { event: 'permit.issue_signed', signature: 'issue' },
  countersign: { event: 'permit.issued', signature: 'countersign' },
  'walk-down failed': { event: 'permit.corrections_requested' },
  'hand-back': { event: 'permit.handed_back', signature: 'hand_back' },
  'close-out': { event: 'permit.closed', signature: 'close_out' },
  approve_extension: { event: 'permit.extension_approved', signature: 'extend_approve' },
  reject_extension: { event: 'permit.extension_rejected' },
  request_extension: { event: 'permit.extension_requested' },
  reissue: { event: 'permit.reissued' },
  edit: { event: 'permit.edited' },
  expire: { event: 'permit.expired' },
}

const BODIES: Record<string, object> = {
  reject: { reason: 'Unsafe' },
  'request-corrections': { note: 'Mend it' },
  'walk-down failed': { note: 'Not ready' },
  'close-out': { checklist: CHECKLIST },
}

/** The open gate task of a permit, by its final status. */
const TASK: Record<string, string | null> = {
  requested: 'endorse_permit',
  endorsed: 'approve_permit',
  approved: 'issue_permit',
  'approved signed': null,
  issued: 'close_out_permit',
  expired: 'close_out_permit',
}

/** Steps that write other records and leave the permit unchanged. */
const UNMOVED = ['reissue', 'edit', 'request_extension', 'reject_extension']

type Racer = { step: string; run(): Promise<Reply> }

describe('R2 races on the steps of a permit', () => {
  const house = useHouse({}, { pool: 8 })

  const row = async (w: PermitWorld, permit: Permit) => {
    const [found] = await house.rows(
      `select p.status, p.version, p.issue_signed_at, p.end_at, p.permit_number,
        (select coalesce(json_agg(s.kind order by s.number), '[]') from permit_signature s where s.site_id = p.site_id and s.permit_id = p.id) as signatures,
        (select coalesce(json_agg(t.kind), '[]') from task t where t.site_id = p.site_id and t.subject_id = p.id and t.status = 'open') as tasks,
        (select coalesce(json_agg(e.kind order by e.event_no), '[]') from event e where e.site_id = p.site_id and e.subject_id = p.id) as events,
        (select count(*) from audit_entry a where a.site_id = p.site_id and a.entity_id = p.id and a.action = 'transition') as transitions
      from permit p where p.site_id = $1 and p.id = $2`,
      [w.site_id, permit.id],
    )
    return found
  }

  const racer = (w: PermitWorld, permit: Permit, step: string, by: Caller): Racer => ({
    step,
    run: () => w.step(permit, step === 'walk-down failed' ? 'hand-back' : step, by, BODIES[step] ?? {}),
  })

  /** One call per racer, alternating between the steps, shuffled. */
  const field = (rivals: readonly Racer[]): Racer[] => Array.from({ length: RACERS }, (_, i) => rivals[(i * 7) % rivals.length] as Racer) // there is at least one step

  /** Runs a race and compares the result with the winner. */
  async function race(w: PermitWorld, permit: Permit, rivals: readonly Racer[], beside: () => Promise<unknown> = async () => {}) {
    const before = await row(w, permit)
    const racers = field(rivals)
    const [answers] = await Promise.all([Promise.all(racers.map(one => one.run())), beside()])
    const won: string[] = []
    answers.forEach((reply, i) => {
      const step = racers[i]?.step ?? ''
      // On a live permit the same verb is the hand-back of the work.
      if (reply.status < 300) won.push(step === 'walk-down failed' && reply.body.status === 'issued' ? 'hand-back' : step)
      else {
        assert.ok([403, 404, 409].includes(reply.status), `${step}: ${reply.status} ${reply.text}`)
        const codes = ['invalid_transition', 'permit_gate_error', 'forbidden', 'permit_ownership_error', 'not_found']
        assert.ok(codes.includes(reply.body.error.code), `${step}: ${reply.text}`)
      }
    })
    const after = await row(w, permit)
    const added = (list: 'events' | 'signatures'): string[] => after[list].slice(before[list].length)
    const left = won.map(step => LEAVES[step])
    const expired = added('events').filter(kind => kind === 'permit.expired').length
    const warned = added('events').filter(kind => kind === 'permit.expiring_soon').length
    assert.deepEqual(
      added('events')
        .filter(kind => kind !== 'permit.expired' && kind !== 'permit.expiring_soon')
        .sort(),
      left.flatMap(l => l?.event ?? []).sort(),
      'events are those of the winners',
    )
    assert.deepEqual(added('signatures').sort(), left.flatMap(l => l?.signature ?? []).sort(), 'signatures are those of the winners')
    const moved = won.filter(step => !UNMOVED.includes(step)).length + expired
    assert.equal(after.transitions - before.transitions, moved, 'audit entries are those of the winners')
    const expected = TASK[after.status === 'approved' && after.issue_signed_at !== null ? 'approved signed' : after.status] ?? null
    assert.deepEqual(after.tasks, expected === null ? [] : [expected], `tasks of a permit that is ${after.status}`)
    const { db } = house.house.database
    assert.equal((await verifySignatures(db, w.site_id, permit.id)).fault, null)
    assert.equal((await verifyChain(db, w.site_id)).fault, null)
    return { won, after, expired, warned }
  }

  const rounds = async (state: State, more: object, body: (w: PermitWorld, permit: Permit, round: number) => Promise<void>) => {
    const w = await permitWorld(house)
    for (let round = 0; round < ROUNDS; round++) await body(w, await w.at(state, { ...more }), round)
  }
  const single = (won: string[], allowed: readonly string[]) => {
    assert.equal(won.length, 1, `one wins: ${won}`)
    assert.ok(allowed.includes(won[0] ?? ''), `${won}`)
  }

  test('when several people submit a permit, all get the same number, even when a withdrawal competes', async () => {
    const numbers: string[] = []
    await rounds('draft', {}, async (w, permit) => {
      const { won, after } = await race(w, permit, [racer(w, permit, 'submit', w.as('member')), racer(w, permit, 'submit', w.superadmin)])
      single(won, ['submit'])
      numbers.push(after.permit_number)
    })
    assert.equal(new Set(numbers).size, ROUNDS)
    await rounds('corrections_requested', {}, async (w, permit) => {
      const { won } = await race(w, permit, [racer(w, permit, 'submit', w.as('member')), racer(w, permit, 'withdraw', w.as('member'))])
      const n = (step: string) => won.filter(other => other === step).length
      assert.ok(n('withdraw') === 1 && n('submit') <= 1, `${won}`)
    })
  })

  test('when endorsement races with corrections, rejection and withdrawal, exactly one of them moves the permit out of `requested`', async () => {
    await rounds('requested', {}, async (w, permit) => {
      const { won, after } = await race(w, permit, [
        racer(w, permit, 'endorse', w.as('coordinator')),
        racer(w, permit, 'request-corrections', w.as('coordinator')),
        racer(w, permit, 'reject', w.as('coordinator')),
        racer(w, permit, 'endorse', w.as('coordinator')),
      ])
      single(won, ['endorse', 'request-corrections', 'reject'])
      assert.equal(after.status, { endorse: 'endorsed', 'request-corrections': 'corrections_requested', reject: 'rejected' }[won[0] ?? ''])
    })
    await rounds('requested', {}, async (w, permit) => {
      const { won, after } = await race(w, permit, [
        racer(w, permit, 'endorse', w.as('coordinator')),
        racer(w, permit, 'withdraw', w.as('member')),
      ])
      // A permit may be endorsed and then withdrawn, but never the other way round.
      assert.ok(won.length <= 2 && won.filter(step => step === 'withdraw').length === 1, `${won}`)
      assert.equal(after.status, 'withdrawn')
    })
  })

  test('when approval races with rejection, exactly one wins', async () => {
    await rounds('endorsed', {}, async (w, permit) => {
      const { won, after } = await race(w, permit, [racer(w, permit, 'approve', w.as('hse')), racer(w, permit, 'reject', w.as('admin'))])
      single(won, ['approve', 'reject'])
      assert.equal(after.status, won[0] === 'approve' ? 'approved' : 'rejected')
    })
  })

  test('R1 when issue races with withdrawal, a failed walk-down and another issuer, at most one signature is valid', async () => {
    await rounds('approved', {}, async (w, permit) => {
      const second = await w.join('member', null, 'Ian Issuer')
      await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: second.user_id })
      const { won } = await race(w, permit, [
        racer(w, permit, 'issue', w.issuer),
        racer(w, permit, 'issue', second),
        racer(w, permit, 'withdraw', w.as('member')),
      ])
      single(won, ['issue', 'withdraw'])
    })
    await rounds('approved', {}, async (w, permit) => {
      const { won, after } = await race(w, permit, [racer(w, permit, 'issue', w.issuer), racer(w, permit, 'walk-down failed', w.as('hse'))])
      assert.equal(after.status, 'corrections_requested', 'the hand-back wins in the end, before or after a signature')
      assert.ok(won.length <= 2 && won.filter(step => step === 'walk-down failed').length === 1, `${won}`)
      const [standing] = await house.rows(
        `select count(*) as n from permit_signature where permit_id = $1 and kind = 'issue' and voided_at is null`,
        [permit.id],
      )
      assert.equal(standing.n, 0)
    })
  })

  test('R1 when issue races with the end of the appointment, nobody signs after that end', async () => {
    await rounds('approved', {}, async (w, permit) => {
      const brief = await w.join('member', null, 'Bea Brief')
      const made = await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: brief.user_id })
      let ended = 0
      const { won } = await race(w, permit, [racer(w, permit, 'issue', brief)], async () => {
        ended = (await w.as('hse').del(`/permits/appointments/${made.body.id}`)).status
      })
      assert.equal(ended, 204)
      assert.ok(won.length <= 1)
      assert.ok([404, 409].includes((await w.step(permit, 'issue', brief)).status))
      if (won.length === 1) await w.step(permit, 'hand-back', w.as('hse'), { note: 'Make room' })
    })
  })

  test('R7 when issue races with switching on the close-out gate, each response is right for one moment', async () => {
    const w = await permitWorld(house)
    for (let round = 0; round < ROUNDS; round++) {
      await w.as('hse').put(`/permits/config?site_id=${w.site_id}`, { close_out_gate_enabled: true })
      const late = await w.at('issued', { end_at: '2026-03-16T10:30:00Z' })
      const permit = await w.at('approved')
      house.clock('2026-03-16T10:30:00.000Z')
      const { won } = await race(w, permit, [racer(w, permit, 'issue', w.issuer)], () => sweepPermits(house.house))
      assert.ok(won.length <= 1)
      const again = await w.step(permit, 'issue', w.issuer)
      const { gate, code } = again.body.error
      assert.equal(gate ?? code, won.length === 1 ? 'invalid_transition' : 'close_out_gate')
      assert.equal((await w.step(late, 'close-out', w.as('hse'), { checklist: CHECKLIST })).status, 200)
      house.clock(MONDAY)
    }
  })

  test('R2 when the countersignature races with a failed walk-down, exactly one of them succeeds', async () => {
    await rounds('signed', {}, async (w, permit) => {
      const { won } = await race(w, permit, [
        racer(w, permit, 'countersign', w.receiver),
        racer(w, permit, 'walk-down failed', w.as('hse')),
      ])
      const n = (step: string) => won.filter(other => other === step).length
      // Once it is live, it can be handed back any number of times; once it is returned for corrections, neither of the two steps is possible.
      assert.equal(n('countersign') + n('walk-down failed'), 1, `${won}`)
      if (n('countersign') === 0) assert.equal(won.length, 1, `${won}`)
    })
  })

  test('when close-out races with expiry by the clock, hand-backs and copies, the permit is closed once, and expires at most once before', async () => {
    await rounds('issued', { end_at: '2026-03-16T10:30:00Z' }, async (w, permit) => {
      house.clock('2026-03-16T10:30:00.000Z')
      const { won, after, expired } = await race(
        w,
        permit,
        [
          racer(w, permit, 'close-out', w.as('hse')),
          racer(w, permit, 'close-out', w.as('coordinator')),
          racer(w, permit, 'reissue', w.as('member')),
        ],
        () => Promise.all(Array.from({ length: 4 }, () => sweepPermits(house.house))),
      )
      house.clock(MONDAY)
      assert.equal(after.status, 'closed')
      assert.equal(won.filter(step => step === 'close-out').length, 1)
      assert.equal(won.filter(step => step === 'reissue').length, Math.floor(RACERS / 3), 'a copy can be made before and after')
      assert.ok(expired <= 1)
    })
  })

  test('R9 an extension that is approved and rejected at the same time has one decision, one signature and one end', async () => {
    await rounds('issued', { categories: ['GEN'] }, async (w, permit) => {
      const asked = await w.receiver.post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: '2026-03-16T20:00:00Z' })
      assert.equal(asked.status, 201, asked.text)
      const decide = (verb: string, by: Caller): Racer => ({
        step: `${verb}_extension`,
        run: () => by.post(`/permits/extensions/${asked.body.request_id}/${verb}`, verb === 'reject' ? { reason: 'No' } : {}),
      })
      const { won, after } = await race(w, permit, [
        decide('approve', w.as('hse')),
        decide('reject', w.as('admin')),
        decide('approve', w.as('admin')),
      ])
      single(won, ['approve_extension', 'reject_extension'])
      assert.equal(after.end_at, won[0] === 'approve_extension' ? '2026-03-16T20:00:00.000Z' : '2026-03-16T18:00:00.000Z')
      const [decided] = await house.rows('select status from permit_extension where id = $1', [asked.body.request_id])
      assert.equal(`${decided.status}`, won[0] === 'approve_extension' ? 'approved' : 'rejected')
    })
  })

  test('R9 of many extension requests at once one is open, and all others were superseded', async () => {
    await rounds('issued', { categories: ['GEN'] }, async (w, permit) => {
      const ask = (by: Caller, hour: number): Racer => ({
        step: 'request_extension',
        run: () => by.post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: `2026-03-16T${hour}:00:00Z` }),
      })
      const { won } = await race(w, permit, [ask(w.receiver, 20), ask(w.as('hse'), 21)])
      assert.equal(won.length, RACERS)
      const found = await house.rows('select status, count(*) as n from permit_extension where permit_id = $1 group by 1 order by 1', [
        permit.id,
      ])
      assert.deepEqual(found, [
        { status: 'requested', n: 1 },
        { status: 'superseded', n: RACERS - 1 },
      ])
    })
  })

  test('R6 when bulk close-outs overlap each other, single ones and copies, each permit is closed once, children before parents', async () => {
    const w = await permitWorld(house)
    for (let round = 0; round < ROUNDS; round++) {
      const parents = await Promise.all([0, 1].map(() => w.at('issued', { categories: ['GEN'] })))
      const children = await Promise.all(parents.flatMap(parent => [0, 1].map(() => w.at('issued', { parent_id: parent.id }))))
      const all = [...parents, ...children]
      const ids = all.map(p => p.id)
      const by = [w.as('coordinator'), w.as('hse'), w.as('admin'), w.issuer]
      const bulk = (i: number) =>
        (by[i % 4] as Caller).post('/permits/applications/close-out-bulk', {
          site_id: w.site_id,
          permit_ids: i % 3 === 0 ? ids : i % 3 === 1 ? [...ids].reverse() : ids.filter((_, n) => (n + i) % 2 === 0),
          checklist: CHECKLIST,
        })
      const answers = await Promise.all(
        Array.from({ length: RACERS }, (_, i) => {
          const one = all[i % all.length] as Permit
          if (i % 4 === 0) return w.step(one, 'close-out', w.as('hse'), { checklist: CHECKLIST })
          if (i % 16 === 1) return w.step(children[i % children.length] as Permit, 'reissue', w.as('hse'))
          return bulk(i)
        }),
      )
      const closed = new Map<string, number>()
      const count = (id: string) => closed.set(id, (closed.get(id) ?? 0) + 1)
      answers.forEach((reply, i) => {
        assert.ok([200, 201, 409].includes(reply.status), `${reply.status} ${reply.text}`)
        if (reply.status === 200 && i % 4 === 0) count((all[i % all.length] as Permit).id)
        else if (reply.status === 200) for (const one of reply.body.closed) count(one.permit_id)
      })
      // A copy of a child is a draft under the same parent: if it comes first, the parent stays open, and its drafts are listed.
      for (const permit of all) {
        const { status, events, signatures, tasks } = await row(w, permit)
        const times_closed = closed.get(permit.id) ?? 0
        const [open] = await house.rows(
          `select count(*) as n from permit where parent_id = $1 and status not in ('closed', 'rejected', 'withdrawn')`,
          [permit.id],
        )
        assert.equal(status, times_closed === 1 ? 'closed' : 'issued', `${times_closed} closed it`)
        assert.ok(status === 'closed' ? open.n === 0 : open.n > 0, 'closed exactly when nothing under it is open')
        assert.equal(events.filter((kind: string) => kind === 'permit.closed').length, times_closed)
        assert.equal(signatures.filter((kind: string) => kind === 'close_out').length, times_closed)
        assert.deepEqual(tasks, times_closed === 1 ? [] : ['close_out_permit'])
      }
      assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
    }
  })

  test('§1 many drafts submitted at the same time get numbers without gaps or duplicates', async () => {
    const w = await permitWorld(house)
    const drafts = await Promise.all(Array.from({ length: RACERS }, () => w.draft()))
    const sent = await Promise.all(drafts.map(draft => w.step(draft, 'submit', w.as('member'))))
    const numbers = sent.map(reply => reply.body.permit_number).sort()
    assert.deepEqual(
      numbers,
      drafts.map((_, i) => `PTW-${String(i + 1).padStart(6, '0')}`),
    )
  })
})
