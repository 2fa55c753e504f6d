// Every endpoint that writes has one effect under one key, however often it is called, and leaves an audit entry for everything that it did.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from '../server/base/http.ts'
import { routes } from '../server/groups.ts'
import { eventKind, payloadFaults } from '../server/kernel/events/door.ts'
import type { Call, Case, Tour } from './calls.ts'
import { asked, CALLS, CASES } from './cases.ts'
import { makeCall, tour } from './tour.ts'
import { toured } from './toured.ts'
import { type Caller, type Reply, useHouse } from './world.ts'

const writing = routes.filter(route => route.method !== 'GET' && !route.reads)

/** How many times each call is sent at once. */
const AT_ONCE = 3
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 1)

describe('every endpoint that writes', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  let stranger: Caller
  before(async () => {
    t = await tour(house)
    stranger = await t.stranger()
  })

  let counting = ''
  before(async () => {
    // Without the tables that only count the caller's requests.
    const tables = await house.rows(`select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and relkind in ('r', 'p') and not relispartition
        and relname not in ('idempotency_key', 'rate_count', 'app_user_seen', 'audit_draft', 'diag_line', 'live_process')`)
    counting = `select ${tables.map(({ name }) => `(select count(*)::int from "${name}") as "${name}"`).join(', ')} where $1::boolean`
  })
  /** Counts the rows of each table. With a parameter, the database plans the statement once, not at each of its 1,500 runs. */
  const counted = async (): Promise<Record<string, number>> => (await house.rows(counting, [true]))[0]
  const difference = (a: Record<string, number>, b: Record<string, number>) =>
    Object.fromEntries(Object.keys(b).flatMap(key => (a[key] === b[key] ? [] : [[key, (b[key] ?? 0) - (a[key] ?? 0)]])))
  const entriesOf = async (reply: Reply): Promise<number> =>
    (await house.rows('select count(*)::int as n from audit_entry where request_id = $1', [String(reply.headers['x-request-id'])]))[0].n

  test('each has a successful call in the cases.ts of its room, or a reason there for having none', () => {
    const named = writing.map(route => route.name)
    const having = (has: (one: Case) => boolean) => [...CASES].flatMap(([name, one]) => (has(one) ? [name] : []))
    assert.deepEqual(
      named.filter(name => CASES.get(name)?.call === undefined && CASES.get(name)?.no_call === undefined),
      [],
      'new endpoints: write a call that succeeds in the cases.ts of their room',
    )
    assert.deepEqual(
      having(one => (one.call ?? one.no_call ?? one.no_trace) !== undefined).filter(name => !named.includes(name)),
      [],
      'these endpoints write nothing',
    )
    assert.deepEqual(
      having(one => one.call !== undefined && one.no_call !== undefined),
      [],
    )
  })

  const said = ({ status, text, headers }: Reply) => ({ status, text, location: headers.location, etag: headers.etag })
  const key = () => ({ 'idempotency-key': `key-${t.fresh()}` })
  const callOf = async (route: Route): Promise<Call> => {
    const call = await CALLS.get(route.name)?.(t)
    assert.ok(call)
    return call
  }

  /** Makes a call, first in ways that are refused, and looks for its audit entries. Returns the rows before and after, and the response. */
  async function checkEntries(route: Route, call: Call, headers: Record<string, string>) {
    const start = await counted()
    const open = 'open' in route.access
    const refused: Reply[] = []
    if (!open) refused.push(await makeCall(t, route, call, { by: house.withToken('no.such.token') }))
    if (!open && !CASES.get(route.name)?.strangers) refused.push(await makeCall(t, route, call, { by: stranger }))
    if (route.body !== undefined && call.parts === undefined)
      refused.push(await makeCall(t, route, { ...call, body: { ...(call.body as object), no_such_field: 1 } }))
    for (const reply of refused) {
      assert.ok(reply.status >= 400 && reply.status < 500, reply.text)
      assert.equal(await entriesOf(reply), 0)
    }
    assert.ok(refused.length > 0)
    assert.deepEqual(difference(start, await counted()), {}, 'a refused call writes nothing')
    const done = await makeCall(t, route, call, { headers })
    assert.ok(done.status < 300, `${route.name}: ${done.status} ${done.text}`)
    const left = await entriesOf(done)
    if (CASES.get(route.name)?.no_trace !== undefined) assert.equal(left, 0, 'it leaves an entry now: remove the reason from its cases.ts')
    else assert.ok(left > 0, 'no entry has its request id')
    return { start, done }
  }

  const having = writing.filter(({ name }) => CALLS.has(name)).filter(asked)
  for (const route of having.filter(({ method }) => method !== 'POST')) {
    test(`${route.name} leaves an audit entry, and none when it is refused`, async () => {
      await checkEntries(route, await callOf(route), {})
    })
  }

  for (const route of having.filter(({ method }) => method === 'POST')) {
    test(`${route.name} leaves an audit entry, and none when it is refused; sent twice under one key and several times at once, it has one effect and one response; another body under the key gives 409`, async () => {
      const call = await callOf(route)
      const headers = key()
      const { start, done: first } = await checkEntries(route, call, headers)
      const then = await counted()
      const again = await makeCall(t, route, call, { headers })
      assert.deepEqual(said(again), said(first))
      assert.deepEqual(difference(then, await counted()), {}, 'the repeated call had an effect')
      if (route.body !== undefined) {
        assert.ok(call.other !== undefined || call.others !== undefined, 'its cases.ts has no other body')
        const { status, body, text } = await makeCall(t, route, call, { headers, other: true })
        assert.deepEqual([status, body?.error?.code, body?.error?.reason], [409, 'conflict', 'idempotency_key_reused'], text)
        assert.deepEqual(difference(then, await counted()), {}, 'the refused call had an effect')
      }

      for (let round = 0; round < ROUNDS; round++) {
        const raced = await callOf(route)
        const shared = key()
        const from = await counted()
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => makeCall(t, route, raced, { headers: shared })))
        for (const answer of answers) assert.deepEqual(said(answer), said(answers[0] as Reply)) // there are three
        assert.equal(answers[0]?.status, first.status)
        assert.deepEqual(difference(from, await counted()), difference(start, then), 'the calls at once had more effect than one alone')
      }
    })
  }

  test('messages.md §0.5 every event that all these calls emitted has the payload that its kind declares', async () => {
    const emitted = await house.rows(
      'select distinct on (kind, payload_keys) kind, payload from (select kind, payload, array(select jsonb_object_keys(payload)) as payload_keys from event) e',
    )
    const faults = emitted.flatMap(({ kind, payload }) => {
      const declared = eventKind(kind)
      return declared === undefined ? [`${kind} is not registered`] : payloadFaults(declared, payload).map(fault => `${kind}: ${fault}`)
    })
    assert.deepEqual([...new Set(faults)], [])
    if (writing.every(asked)) assert.ok(new Set(emitted.map(event => event.kind)).size > 30, 'too few kinds of events were emitted')
  })
})
