// R11 (`tools/proofs.ts`): a rolling restart of two nodes under load: no request fails, and open apps continue with no event missed. ROLLS makes it longer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { verifyChain } from '../../server/kernel/audit/door.ts'
import { type Balancer, openBalancer } from '../balancer.ts'
import { chance, seedOf, times } from '../chance.ts'
import { type Ear, openEar } from '../ear.ts'
import { testEngine } from '../engine.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { openNode, type Process } from '../process.ts'
import { type Caller, multipart, useHouse } from '../world.ts'

const ROLLS = times('ROLLS', 3)
const SEED = seedOf(11, 'changes')
/** Long enough for a balancer that asks ten times a second, even on a busy machine. */
const DRAIN_SECONDS = 2

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
type Said = { status: number; body: any; headers: Headers }

/** Makes a call over the network; any failure is a status of 0. */
async function call(url: string, who: Caller, method: string, path: string, body?: unknown): Promise<Said> {
  const file = Buffer.isBuffer(body) ? multipart([{ name: 'file', value: body, filename: 'method.txt' }]) : null
  const type = file?.type ?? 'application/json'
  try {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${who.token}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: file === null ? JSON.stringify(body) : new Uint8Array(file.payload) }),
    })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  } catch (error) {
    return { status: 0, body: String(error), headers: new Headers() }
  }
}

describe('two nodes behind a load balancer', () => {
  const nodes: { url: string; process: Process }[] = []
  let balancer: Balancer
  let ear: Ear | null = null
  // Before the hooks of the house, which deletes the database and the files that the nodes use.
  after(async () => {
    ear?.close()
    await balancer?.close()
    for (const node of nodes) await node.process.kill()
  })
  const house = useHouse({ CLOCK: 'system' }, { pool: 8 })
  let w: PermitWorld

  before(async () => {
    w = await permitWorld(house)
    const { connection } = await testEngine()
    const { database } = house.house.database.pool.options
    const of = { connection, database, data_dir: house.house.data_dir, public_url: house.house.settings.public_url }
    for (let i = 0; i < 2; i++) nodes.push(await openNode(of, { DRAIN_SECONDS: String(DRAIN_SECONDS) }))
    await Promise.all(nodes.map(node => node.process.start()))
    balancer = await openBalancer(nodes.map(node => node.url))
    for (const node of nodes) await until(() => balancer.sendsTo(node.url))
  })
  const until = async (holds: () => boolean | Promise<boolean>, what = 'It never happened.') => {
    for (let tries = 0; tries < 1200; tries++) {
      if (await holds()) return
      await wait(25)
    }
    assert.fail(what)
  }

  /** Works like people on site until it is asked to stop; every response that isn't a success is a failure. */
  async function work(name: string, seed: number, stop: { now: boolean }, done: { failed: string[]; made: string[]; count: number }) {
    const draw = chance(seed)
    const must = async (method: string, who: Caller, path: string, body?: unknown): Promise<Said> => {
      const said = await call(balancer.url, who, method, path, body)
      done.count++
      if (said.status < 200 || said.status > 299) done.failed.push(`${method} ${path}: ${said.status} ${JSON.stringify(said.body)}`)
      return said
    }
    const member = w.as('member')
    while (!stop.now) {
      if (name === 'reader') {
        await must('GET', w.as('hse'), `/permits?site_id=${w.site_id}&limit=${1 + draw.below(50)}&reasons=false`)
        await must('GET', w.as('admin'), `/contractors/?site_id=${w.site_id}`)
        const one = done.made.length === 0 ? null : draw.of(done.made)
        if (one !== null) await must('GET', member, `/permits/applications/${one}`)
      } else {
        const { status, body } = await must('POST', member, '/permits/applications', {
          site_id: w.site_id,
          categories: ['GEN'],
          title: `Stair ${done.made.length}`,
          start_at: new Date(Date.now() + 3_600_000).toISOString(),
          end_at: new Date(Date.now() + 5 * 3_600_000).toISOString(),
        })
        if (status !== 201) continue
        done.made.push(body.id)
        if (draw.odds(0.3))
          await must(
            'POST',
            member,
            `/permits/applications/${body.id}/attachments`,
            Buffer.from(`Method ${draw.next()}`.repeat(1 + draw.below(3000))),
          )
        if (draw.odds(0.7)) await must('POST', member, `/permits/applications/${body.id}/submit`, {})
      }
      await wait(draw.below(20))
    }
  }

  test('R11 a node that stops says so and keeps serving until the balancer has noticed; its connections end one by one', async () => {
    const [node] = nodes
    assert.ok(node)
    const ask = (method: string, path: string, body?: unknown) => call(node.url, w.as('coordinator'), method, path, body)
    assert.equal((await ask('GET', '/health/ready')).status, 200)
    const stopped = node.process.stop()
    await until(async () => (await ask('GET', '/health/ready')).status === 503)
    const ready = await ask('GET', '/health/ready')
    assert.deepEqual([ready.status, ready.body?.error?.failing], [503, ['draining']])
    const made = await ask('POST', '/contractors/', { site_id: w.site_id, name: 'Late Scaffolding', confirm_similar: true })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.equal(made.headers.get('connection'), 'close')
    const { code, said } = await stopped
    assert.equal(code, 0, said)
    assert.equal((await ask('GET', '/health/ready')).status, 0)
    await node.process.start()
    await until(() => balancer.sendsTo(node.url))
  })

  test(`R11 each node is stopped and started again in turn, ${ROLLS} times under load: no failed request, each event exactly once`, async t => {
    t.diagnostic(`seed ${SEED}`)
    const [{ event_no: from }] = await house.rows('select event_no::int from site_head where site_id = $1', [w.site_id])
    const app = await openEar(balancer.url, w.as('member').token ?? '', w.site_id)
    ear = app
    const stop = { now: false }
    const done = { failed: [] as string[], made: [] as string[], count: 0 }
    const workers = ['writer', 'reader', 'writer', 'reader'].map((name, i) => work(name, SEED + i, stop, done))
    try {
      for (let roll = 0; roll < ROLLS; roll++)
        for (const node of nodes) {
          const before_ = done.count
          const { code, said } = await node.process.stop()
          assert.equal(code, 0, said)
          await node.process.start()
          await until(() => balancer.sendsTo(node.url), 'The balancer doesn’t send anything to the node that came back.')
          await until(() => done.count > before_ + 4, 'Nothing was done meanwhile.')
          assert.deepEqual([done.failed, balancer.broken], [[], []], `seed ${SEED}, roll ${roll}`)
        }
    } finally {
      stop.now = true
      await Promise.all(workers)
    }
    assert.deepEqual([done.failed, balancer.broken], [[], []], `seed ${SEED}`)

    const permits = await house.rows('select id from permit where site_id = $1 and id = any($2::uuid[])', [w.site_id, done.made])
    assert.equal(permits.length, done.made.length)
    const events = await house.rows(
      `select event_no::int from event where site_id = $1 and event_no > $2 and kind !~ '^(task|notification|user)[.]' order by 1`,
      [w.site_id, from],
    )
    const wanted = events.map(event => event.event_no)
    await until(() => (app.events.at(-1) ?? 0) >= (wanted.at(-1) ?? 0), 'The last event doesn’t arrive.')
    app.close()
    assert.deepEqual(app.events, wanted, `seed ${SEED}`)
    assert.deepEqual(app.gaps, [])
    assert.ok(app.ends.length >= ROLLS, `${app.ends.length} connections ended in ${ROLLS} rolls`)
    for (const end of app.ends) assert.deepEqual(end, { code: 1012, bye: true }, 'a socket was ended without a word')
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
    t.diagnostic(`${done.count} requests, ${wanted.length} events, ${app.ends.length} connections again`)
  })
})
