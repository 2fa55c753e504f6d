// Two nodes on one database behave as one: permissions, keys, steps, schedules, jobs and numbers are in the database, never in a node.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { verifyChain } from '../../server/kernel/audit/door.ts'
import { allSchedules, runSchedules, startWorker } from '../../server/kernel/jobs/door.ts'
import { CHECKLIST, type PermitWorld, permitWorld, type State } from '../permits.ts'
import { type Caller, type Reply, type TestHouse, useHouse } from '../world.ts'

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 1)
const RACERS = 8

describe('two nodes on one database', () => {
  const house = useHouse({}, { pool: 8 })
  let second: TestHouse & { close(): Promise<void> }
  before(async () => {
    second = await house.beside()
  })
  after(async () => {
    await second.close()
  })

  /** The same person, calling the other node. */
  const there = (who: Caller): Caller => second.withToken(who.token ?? '')
  const clock = (at: string) => {
    house.clock(at)
    second.clock(at)
  }
  const count = async (query: string, values: unknown[]): Promise<number> =>
    (await house.rows(`select count(*)::int as n ${query}`, values))[0].n
  const chainHolds = async (site_id: string) => assert.equal((await verifyChain(house.house.database.db, site_id)).fault, null)

  test('a permission removed on one node is refused at the next request to the other; a new permission works there', async () => {
    const w = await house.world()
    const cora = w.as('coordinator')
    const add = (name: string) => there(cora).post('/contractors/', { site_id: w.site_id, name })
    assert.equal((await add('Birch Steel')).status, 201)
    const [row] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${cora.user_id}`)).body
    const become = (role: string) => w.as('admin').post(`/memberships/${row.membership_id}/approve`, { role })
    assert.equal((await become('viewer')).status, 200)
    assert.deepEqual([(await add('Cedar Fixings')).body.error.permission], ['contractor_edit'])
    assert.equal((await become('coordinator')).status, 200)
    assert.equal((await add('Cedar Fixings')).status, 201)
    assert.equal((await w.as('admin').del(`/memberships/${row.membership_id}`)).status, 204)
    assert.equal((await add('Dale Crane Hire')).status, 404)
  })

  test('an appointment revoked on one node no longer allows issuing on the other', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('approved', { receiver_id: w.issuer.user_id }) // they can still see it as its receiver
    const [appointment] = (await w.as('hse').get(`/permits/appointments?site_id=${w.site_id}`)).body
    assert.equal((await w.as('hse').del(`/permits/appointments/${appointment.id}`)).status, 204)
    const refused = await there(w.issuer).post(`/permits/applications/${permit.id}/issue`, {})
    assert.deepEqual([refused.status, refused.body.error.gate], [409, 'no_active_appointment'])
  })

  test('a site locked on one node is locked on the other: writes that started before are complete, and none commits after the response', async () => {
    const w = await house.world()
    const writes = Array.from({ length: 12 }, (_, i) =>
      there(w.as('coordinator')).post('/contractors/', { site_id: w.site_id, name: `Works ${i} Ltd`, confirm_similar: true }),
    )
    const locked = await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })
    assert.equal(locked.status, 200, locked.text)
    const contractors = () => count('from contractor where site_id = $1', [w.site_id])
    const then = await contractors()
    const answers = await Promise.all(writes)
    assert.equal(await contractors(), then)
    for (const { status, body } of answers) assert.ok(status === 201 || body.error.reason === 'site_locked', JSON.stringify(body))
    assert.equal(
      answers.filter(({ status }) => status === 201).length,
      then - 1,
      'those that got a success, and the contractor of the test site',
    )
    await chainHolds(w.site_id)
  })

  test('one key, sent to both nodes at the same time, has one effect and one response; with another body it later gives 409 on the other node', async () => {
    const w = await permitWorld(house)
    for (let round = 0; round < ROUNDS; round++) {
      const headers = { 'idempotency-key': `both ways ${round}`.replaceAll(' ', '-') }
      const body = { site_id: w.site_id, categories: ['HW'], title: `Weld ${round}` }
      const member = w.as('member')
      const answers = await Promise.all(
        [member, there(member), member, there(member)].map(who => who.post('/permits/applications', body, headers)),
      )
      assert.deepEqual(
        answers.map(({ status, text }) => `${status} ${text}`),
        answers.map(() => `201 ${answers[0]?.text}`),
      )
      assert.equal(await count('from permit where site_id = $1 and title = $2', [w.site_id, body.title]), 1)
      const other = await there(member).post('/permits/applications', { ...body, categories: ['CSE'] }, headers)
      assert.deepEqual([other.status, other.body.error.reason], [409, 'idempotency_key_reused'])
    }
  })

  type Rival = { verb: string; by: (w: PermitWorld) => Caller; body?: unknown; method?: 'del' }
  const RACES: { title: string; from: State; rivals: Rival[]; lost: number[] }[] = [
    {
      title: 'submitting and deleting a draft',
      from: 'draft',
      rivals: [
        { verb: 'submit', by: w => w.as('member') },
        { verb: '', by: w => w.as('member'), method: 'del' },
      ],
      lost: [404, 409],
    },
    {
      title: 'several endorsements',
      from: 'requested',
      rivals: (['coordinator', 'hse', 'admin'] as const).map(role => ({ verb: 'endorse', by: (w: PermitWorld) => w.as(role) })),
      lost: [409],
    },
    {
      title: 'rejecting and returning a request',
      from: 'requested',
      rivals: [
        { verb: 'reject', by: w => w.as('hse'), body: { reason: 'Unsafe' } },
        { verb: 'request-corrections', by: w => w.as('admin'), body: { note: 'Name the fire watch' } },
      ],
      lost: [409],
    },
    {
      title: 'approving, rejecting and returning an endorsed one',
      from: 'endorsed',
      rivals: [
        { verb: 'approve', by: w => w.as('hse') },
        { verb: 'reject', by: w => w.as('site_manager'), body: { reason: 'Unsafe' } },
        { verb: 'request-corrections', by: w => w.as('admin'), body: { note: 'Name the fire watch' } },
      ],
      lost: [409],
    },
    { title: 'issue', from: 'approved', rivals: [{ verb: 'issue', by: w => w.issuer }], lost: [409] },
    { title: 'countersign', from: 'signed', rivals: [{ verb: 'countersign', by: w => w.receiver }], lost: [409] },
    {
      title: 'several close-outs',
      from: 'issued',
      rivals: (['coordinator', 'hse', 'site_manager'] as const).map(role => ({
        verb: 'close-out',
        by: (w: PermitWorld) => w.as(role),
        body: { checklist: CHECKLIST },
      })),
      lost: [409],
    },
  ]

  describe('of competing steps on one permit from both nodes one wins and takes effect, and each loser gets a defined refusal', () => {
    let w: PermitWorld
    before(async () => {
      w = await permitWorld(house)
    })
    for (const { title, from, rivals, lost } of RACES) {
      test(title, async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const permit = await w.at(from)
          const signed = () => count('from permit_signature where site_id = $1 and permit_id = $2', [w.site_id, permit.id])
          const before = await signed()
          const answers = await Promise.all(
            Array.from({ length: RACERS }, (_, i): Promise<Reply> => {
              const { verb, by, body, method } = rivals[i % rivals.length] as Rival // there is one
              const who = i % 2 === 0 ? by(w) : there(by(w))
              const path = `/permits/applications/${permit.id}`
              return method === 'del' ? who.del(path) : who.post(`${path}/${verb}`, body ?? {})
            }),
          )
          const winners = answers.filter(({ status }) => status < 300)
          assert.equal(winners.length, 1, answers.map(({ status, text }) => `${status} ${text.slice(0, 200)}`).join('\n'))
          for (const { status, body } of answers.filter(one => !winners.includes(one))) {
            assert.ok(lost.includes(status), JSON.stringify(body))
            assert.ok(['invalid_transition', 'permit_gate_error', 'not_found', 'conflict'].includes(body.error.code), JSON.stringify(body))
          }
          const entries = await house.rows(`select distinct request_id from audit_entry where site_id = $1 and request_id = any($2)`, [
            w.site_id,
            answers.map(({ headers }) => String(headers['x-request-id'])),
          ])
          assert.deepEqual(
            entries.map(e => e.request_id),
            winners.map(({ headers }) => headers['x-request-id']),
          )
          assert.ok((await signed()) - before <= 1)
          const [row] = await house.rows('select status from permit where site_id = $1 and id = $2', [w.site_id, permit.id])
          assert.equal(row?.status, winners[0]?.body?.status, 'the stored state is the one in the winner’s response')
        }
        await chainHolds(w.site_id)
      })
    }
  })

  test('the numbers of permits, entries and events given on both nodes at the same time have no gaps or duplicates', async () => {
    const w = await permitWorld(house)
    const drafts = await Promise.all(Array.from({ length: 10 }, () => w.draft()))
    const done = await Promise.all(
      drafts.map((draft, i) => (i % 2 === 0 ? w.as('member') : there(w.as('member'))).post(`/permits/applications/${draft.id}/submit`, {})),
    )
    const numbers = done.map(({ body }) => body.permit_number).sort()
    assert.deepEqual(
      numbers,
      Array.from({ length: 10 }, (_, i) => `PTW-${String(i + 1).padStart(6, '0')}`),
    )
    const [head] = await house.rows('select seq::int, event_no::int from site_head where site_id = $1', [w.site_id])
    assert.equal(await count('from audit_entry where site_id = $1 and seq between 1 and $2', [w.site_id, head.seq]), head.seq)
    assert.equal(await count('from event where site_id = $1', [w.site_id]), head.event_no)
    await chainHolds(w.site_id)
  })

  test('both nodes run the schedules at the same time: each due moment is handled once, each permit expires once and is notified once', async () => {
    const w = await permitWorld(house)
    const permits = await Promise.all(Array.from({ length: 4 }, () => w.at('issued')))
    clock('2026-03-16T18:00:30.000Z')
    const at = new Date(house.house.clock.now()).toISOString()
    await Promise.all([house.house, second.house, house.house, second.house].map(node => runSchedules(node)))
    const runs = await house.rows(
      'select kind, count(*)::int as n from job_run where queued_at > $1 and queued_at <= $2 and kind = any($3) group by kind',
      ['2026-03-16T17:00:00.000Z', at, allSchedules().map(schedule => schedule.kind)],
    )
    const minutely = allSchedules().filter(schedule => schedule.every_minutes <= 60)
    assert.deepEqual(runs.map(({ kind, n }) => [kind, n]).sort(), minutely.map(({ kind }) => [kind, 1]).sort())
    // The sweeps themselves, without the claim: the row decides, not the schedule.
    const sweep = allSchedules().find(({ kind }) => kind === 'permit_sweep')
    await Promise.all([house.house, second.house, second.house].map(node => sweep?.run(node)))
    for (const { id } of permits) {
      assert.equal((await w.read({ id })).status, 'expired')
      assert.equal(
        await count(`from event where site_id = $1 and kind = 'permit.expired' and payload ->> 'permit_id' = $2`, [w.site_id, id]),
        1,
      )
    }
    await chainHolds(w.site_id)
    clock('2026-03-16T09:00:00.000Z')
  })

  test('a job queued by one node is run once, by the other node’s worker', async () => {
    const w = await permitWorld(house)
    const made = await w.as('hse').post('/permits/workflow/clone', { site_id: w.site_id })
    const queued = await w.as('hse').post(`/permits/workflow/${made.body.id}/back-test`, {})
    assert.equal(queued.status, 202)
    const worker = await startWorker(second.house)
    try {
      const run = async () => (await w.as('hse').get(`/admin/job-runs?id=${queued.body.job_id}`)).body[0]
      while (!['succeeded', 'failed'].includes((await run()).state)) await wait(50)
      const done = await run()
      assert.deepEqual([done.state, done.attempts, done.requested_by], ['succeeded', 1, w.as('hse').user_id])
    } finally {
      await worker.stop()
    }
  })

  test('a record that is written on a node can be read on the other immediately: there is no cache of records', async () => {
    const w = await house.world()
    const { body: contractor } = await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: 'Birch Steel' })
    for (let i = 0; i < 5; i++) {
      const [writes, reads] = i % 2 === 0 ? [w.as('coordinator'), there(w.as('viewer'))] : [there(w.as('coordinator')), w.as('viewer')]
      await writes.patch(`/contractors/${contractor.id}`, { short_name: `N${i}` })
      assert.equal((await reads.get(`/contractors/?site_id=${w.site_id}&id=${contractor.id}`)).body[0].short_name, `N${i}`)
    }
    const stale = await there(w.as('coordinator')).patch(
      `/contractors/${contractor.id}`,
      { short_name: 'X' },
      { 'if-match': `"${contractor.version}"` },
    )
    assert.equal(stale.status, 412)
  })
})
