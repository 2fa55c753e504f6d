// Proves 10.6 with real requests over HTTP: many callers share a small pool. The speed of the machine doesn't matter, because there are always more
// callers.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { openTestHouse, type TestHouse, type World } from '../../tests/world.ts'
import { routes } from '../groups.ts'
import { rankOf } from './http.ts'

type Said = { status: number; retry_after: string | undefined; body: string }

describe('many callers at the edge', () => {
  const opened: { it: (TestHouse & { close(): Promise<void> }) | null } = { it: null }
  const house = () => opened.it ?? assert.fail('The house is there once the tests run.')
  let port = 0
  let w: World
  const agent = new Agent({ keepAlive: true, maxSockets: 600 })
  before(async () => {
    opened.it = await openTestHouse({ LOG_LEVEL: 'silent' }, { patient: false, strict_replies: false })
    w = await house().world()
    await house().edge.app.listen({ host: '127.0.0.1', port: 0 })
    port = (house().edge.app.server.address() as { port: number }).port // it listens on TCP
  })
  after(async () => {
    agent.destroy()
    await opened.it?.close()
  })

  const call = (method: string, path: string, token: string | null, body?: unknown): Promise<Said> =>
    new Promise((done, failed) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const asked = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          method,
          path: `/api${path}`,
          headers: {
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        answer => {
          let said = ''
          answer.on('data', chunk => (said += chunk))
          answer.on('end', () => done({ status: answer.statusCode ?? 0, retry_after: answer.headers['retry-after'], body: said }))
        },
      )
      asked.on('error', failed)
      asked.end(text)
    })

  /** Runs this many callers, each of which calls again after every response, until there are this many responses. */
  async function crowd(callers: number, replies: number, one: (i: number) => Promise<Said>): Promise<Said[]> {
    const said: Said[] = []
    let next = 0
    const work = async () => {
      while (said.length < replies) said.push(await one(next++))
    }
    await Promise.all(Array.from({ length: callers }, work))
    return said
  }
  const share = (said: readonly Said[]) => said.filter(one => one.status < 300).length / said.length

  test('10.6 of too many callers some are served and others refused with 503, the envelope and Retry-After; readiness stays 200, and afterwards everyone is served', async () => {
    const token = w.as('viewer').token
    const ready: number[] = []
    const watching = { now: true }
    const watch = (async () => {
      while (watching.now) ready.push((await call('GET', '/health/ready', null)).status)
    })()
    const said = await crowd(400, 8000, () => call('GET', `/contractors/?site_id=${w.site_id}`, token))
    watching.now = false
    await watch
    assert.deepEqual([...new Set(said.map(one => one.status))].sort(), [200, 503])
    assert.ok(said.filter(one => one.status === 200).length > 50)
    for (const one of said.filter(refused => refused.status === 503)) {
      assert.ok(Number(one.retry_after) > 0)
      const { error } = JSON.parse(one.body)
      assert.deepEqual([error.code, typeof error.detail, typeof error.request_id], ['unavailable', 'string', 'string'])
    }
    assert.deepEqual([...new Set(ready)], [200])
    const { admission } = house().house
    assert.ok(admission.state().refused.read > 0)
    assert.deepEqual([admission.state().working, admission.state().waiting], [0, 0], 'every place was left')
    const calm = await crowd(1, 5, () => call('GET', `/contractors/?site_id=${w.site_id}`, token))
    assert.deepEqual([...new Set(calm.map(one => one.status))], [200])
  })

  test('10.6 steps on permits are served before lists when not all can be served', async () => {
    const token = w.as('coordinator').token
    const steps: Said[] = []
    const lists: Said[] = []
    await crowd(300, 6000, async i => {
      const step = i % 10 === 0
      const said = await (step
        ? call('POST', '/contractors/', token, { site_id: w.site_id, name: `Crowd ${i}`, confirm_similar: true })
        : call('GET', `/contractors/?site_id=${w.site_id}&limit=5`, token))
      ;(step ? steps : lists).push(said)
      return said
    })
    assert.ok(share(lists) < 1, 'the crowd was too small to refuse anyone')
    assert.ok(share(steps) > share(lists), `steps ${share(steps)}, lists ${share(lists)}`)
    const { rows } = await house().house.database.pool.query(
      `select count(*)::int as n from contractor where site_id = $1 and name like 'Crowd %'`,
      [w.site_id],
    )
    assert.equal(rows[0].n, steps.filter(one => one.status === 201).length, 'what was refused changed nothing')
    assert.deepEqual([house().house.admission.state().working, house().house.admission.state().waiting], [0, 0])
  })

  test('10.6 a caller who disconnects while waiting or being served releases the place', async () => {
    const token = w.as('viewer').token
    const gone = Array.from(
      { length: 200 },
      () =>
        new Promise<void>(done => {
          const asked = request({
            port,
            host: '127.0.0.1',
            path: `/api/contractors/?site_id=${w.site_id}`,
            headers: { authorization: `Bearer ${token}` },
          })
          asked.on('error', () => done())
          asked.on('response', answer =>
            answer
              .resume()
              .on('end', () => done())
              .on('error', () => done()),
          )
          asked.end(() => setImmediate(() => asked.destroy()))
          asked.on('close', () => done())
        }),
    )
    await Promise.all(gone)
    for (let tries = 0; tries < 400 && house().house.admission.state().working + house().house.admission.state().waiting > 0; tries++)
      await call('GET', '/health/live', null)
    assert.deepEqual([house().house.admission.state().working, house().house.admission.state().waiting], [0, 0])
    assert.equal((await call('GET', `/contractors/?site_id=${w.site_id}`, token)).status, 200)
  })

  test('10.6 the rank of a route follows from what it declares', () => {
    const ranks = Map.groupBy(routes, rankOf)
    assert.deepEqual((ranks.get('vital') ?? []).map(route => route.name).sort(), ['health.live', 'health.ready', 'health.show'])
    for (const name of ['permit.show_document', 'permit.export_history'])
      assert.ok(
        ranks.get('export')?.some(route => route.name === name),
        name,
      )
    for (const name of ['permit.issue', 'permit.countersign', 'permit.submit', 'permit.close_out'])
      assert.ok(ranks.get('step')?.some(route => route.name === name) || !routes.some(route => route.name === name), name)
    assert.ok(ranks.get('read')?.every(route => route.method === 'GET' || route.reads))
    assert.ok(ranks.get('step')?.every(route => route.method !== 'GET'))
  })
})
