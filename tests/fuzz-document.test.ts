// Requests made from the API document for every operation and several callers; every response is checked against the document alone, with another validator than
// the service's. `FUZZ_DOCUMENT` sets the number of requests, `FUZZ_SEED` selects them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { ROLES } from '../server/base/actor.ts'
import { namesSite, type Route } from '../server/base/http.ts'
import { type Id, ids, PLATFORM } from '../server/base/ids.ts'
import { routes } from '../server/groups.ts'
import { isRecord } from '../shared/narrow.ts'
import type { Call, Tour } from './calls.ts'
import { CALLS, CASES, ENDINGS } from './cases.ts'
import { type Chance, chance, RUN_SEED } from './chance.ts'
import { type ApiDocument, type Arrived, type Conformity, type Operation, openConformity } from './conformity.ts'
import { bodySchema, generator, spoiled, spoiledText } from './generated.ts'
import { paramsOf, pathOf, tour } from './tour.ts'
import { toured } from './toured.ts'
import { type Caller, MONDAY, multipart, openTestHouse } from './world.ts'

const REQUESTS = Number(process.env.FUZZ_DOCUMENT ?? 825)
const SEED = Number(process.env.FUZZ_SEED ?? RUN_SEED ?? 20260316)
/** Requests before a new site is set up: by then, much of the old one has been closed, ended or deleted. */
const LIFE = 2000
/** How many faults are listed before the run ends. */
const ENOUGH = 12

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

type Person = { says: string; token: string | null; user_id: Id | null; everywhere: boolean }
type Request = { options: InjectOptions; sent: unknown; valid: boolean; wrong: string | null }

describe('requests made from the API document', () => {
  let house: Awaited<ReturnType<typeof openTestHouse>>
  let conformity: Conformity
  let document: ApiDocument
  let t: Tour
  let people: Person[]
  let make: ReturnType<typeof generator>
  /** The people of another site. */
  let foreign: Id[]
  let token: string

  before(async () => {
    // The service's own check of its responses is off: here the document alone decides.
    house = await openTestHouse({}, { strict_replies: false, prepared: toured })
    document = JSON.parse((await house.nobody.get('/openapi.json')).text)
    conformity = openConformity(document)
  })
  after(() => house.close())

  const person = (says: string, who: Caller): Person => ({ says, token: who.token, user_id: who.user_id || null, everywhere: false })

  async function settle(): Promise<void> {
    // Some calls move the clock. After hundreds of them, the day of the tour would be over.
    house.clock(MONDAY)
    t = await tour(house)
    const elsewhere = await house.world({ name: 'Foreign Marsh' })
    const stranger = await t.stranger()
    const superadmin = { ...person('superadmin', t.superadmin), everywhere: true }
    people = [
      ...ROLES.map(role => person(role, t.as(role))),
      ...[0, 1].map(() => person('admin', t.as('admin'))),
      ...[0, 1].map(() => person('hse', t.as('hse'))),
      superadmin,
      superadmin,
      person('stranger', stranger),
      person('admin of another site', elsewhere.as('admin')),
      { says: 'nobody', token: null, user_id: null, everywhere: false },
    ]
    foreign = ROLES.map(role => elsewhere.as(role).user_id)
    token = (await t.as('admin').post(`/invite-links/sites/${t.site_id}`, { role: 'viewer', label: 'Gate' })).body.token
    const own = Object.values(t.params).filter(value => value.match(UUID) !== null)
    const theirs = await house.rows('select id from record_directory where site_id = $1 order by id limit 8', [elsewhere.site_id])
    const known = [
      ...own,
      ...own,
      ...own,
      t.receiver.user_id,
      t.acme,
      ids.next(),
      PLATFORM,
      elsewhere.site_id,
      ...theirs.map(row => row.id),
    ]
    make = generator(document, known)
  }

  /** Puts the ids of the site into the fields that are named after them, because most values would otherwise be of another kind of record. */
  const placed = (d: Chance, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner => placed(d, inner))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const own = t.params[key]
        if (own === undefined || typeof inner !== 'string' || inner.match(UUID) === null) return [key, placed(d, inner)]
        return [key, d.odds(key === 'site_id' ? 0.95 : 0.8) ? own : inner]
      }),
    )
  }

  async function request(d: Chance, operation: Operation, route: Route, who: Person, call: Call | null): Promise<Request> {
    let wrong: string | null = null
    const mutated = d.odds(0.4)
    const query = new URLSearchParams(call?.query)
    for (const { name, in: place, required, schema } of operation.parameters) {
      if (place !== 'query' || query.has(name)) continue
      if (required !== true && d.odds(0.75)) continue
      const value = placed(d, { [name]: make(d, schema) }) as Record<string, unknown>
      const texts = [value[name]].flat().map(String)
      if (mutated && d.odds(0.3)) texts.splice(0, 1, spoiledText(d))
      for (const text of texts) query.append(name, text)
      if (texts.length > 0) wrong ??= await conformity.queryFault(operation, name, texts)
    }
    if (mutated && d.odds(0.05)) {
      query.append('no_such_parameter', '1')
      wrong ??= 'no_such_parameter is unknown'
    }
    const headers: Record<string, string> = {
      ...(who.token === null ? {} : { authorization: `Bearer ${who.token}` }),
      ...(ENDINGS.includes(route.name) ? { 'if-match': '"987654321"' } : {}),
      ...(route.method === 'POST' && d.odds(0.2) ? { 'idempotency-key': ids.next() } : {}),
    }
    const path = pathOf(route, { ...paramsOf(route, t.params), token, ...call?.params })
    const url = `/api${path}${query.size === 0 ? '' : `?${query}`}`
    const base = { method: route.method, url, headers }
    const schema = bodySchema(operation)
    if (route.method === 'GET' || (schema === null && d.odds(0.9))) return { options: base, sent: null, valid: wrong === null, wrong }
    let body = call?.body !== undefined && d.odds(0.6) ? call.body : placed(d, schema === null ? {} : make(d, schema))
    if (mutated && wrong === null) for (let i = 1 + d.below(2); i > 0; i--) body = spoiled(d, body)
    if (route.upload !== undefined) {
      const { file, ...fields } = (body ?? {}) as Record<string, unknown> // a multipart body is an object
      const parts = call?.parts ?? [{ name: 'file', value: String(file ?? '%PDF-1.4'), filename: 'plan.pdf' }]
      const { payload, type } = multipart(d.odds(0.6) ? parts : [...parts, { name: 'data', value: JSON.stringify(fields) }])
      return { options: { ...base, payload, headers: { ...headers, 'content-type': type } }, sent: fields, valid: false, wrong }
    }
    // A site in the URL doesn't have to be in the body again.
    const site_id = query.get('site_id')
    const whole = site_id === null || schema === null || !isRecord(body) ? body : { site_id, ...body }
    wrong ??= schema === null ? null : await conformity.bodyFault(operation, namesSite(route.body) ? whole : body)
    const options = { ...base, payload: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    return { options, sent: body, valid: wrong === null, wrong }
  }

  /** Returns the ids in a response that its caller can't know: records of a site that they have no membership of. */
  async function leaks(route: Route, who: Person, reply: Arrived, { options }: Request): Promise<string[]> {
    // Anyone can see the sites that are listed publicly.
    if (who.everywhere || route.name === 'site.list_public') return []
    const said = `${options.url} ${String(options.payload ?? '')} ${token}`
    const text = `${reply.bytes} ${Object.values(reply.headers).join(' ')}`
    const found = [...new Set(text.match(UUID) ?? [])].filter(id => !said.includes(id))
    const named = text.includes('Foreign Marsh') && who.says !== 'admin of another site' ? ['the name of another site'] : []
    if (found.length === 0) return named
    const rows = await house.rows(
      `select d.kind, d.id, d.site_id from record_directory d where d.id = any($1) and d.site_id <> $2
         and not exists (select from membership m where m.site_id = d.site_id and m.user_id = $3)
       union all select 'person', m.user_id, m.site_id from membership m where m.user_id = any($1) and m.user_id = any($4)
         and not exists (select from membership a join membership b using (site_id) where a.user_id = m.user_id and b.user_id = $3)`,
      [found, PLATFORM, who.user_id, foreign],
    )
    // A link shows the site that it invites to.
    const invited = options.url?.toString().includes(token) ? t.site_id : null
    return [...named, ...rows.filter(row => row.site_id !== invited).map(row => `${row.kind} ${row.id}`)]
  }

  test(`10.4 ${REQUESTS} requests get no 5xx, no response outside the document and no id of another site, and nothing that it doesn’t allow is accepted`, async () => {
    const found: string[] = []
    const said = new Set<string>()
    const succeeded = new Map<string, number>()
    const tally: Record<number, number> = {}
    let invalid = 0
    for (let i = 0; i < REQUESTS && found.length < ENOUGH; i++) {
      if (i % LIFE === 0) await settle()
      const d = chance(SEED * 7919 + i)
      const operation = conformity.operations[i % conformity.operations.length] ?? assert.fail('The document has no operations.')
      const route = routes.find(one => one.name === operation.operationId) ?? assert.fail(`No route is ${operation.operationId}.`)
      const recipe = ENDINGS.includes(route.name) || d.odds(0.7) ? undefined : CALLS.get(route.name)
      // A recipe can fail once a request has ended what it needs, for example the membership of the receiver.
      const call = recipe === undefined ? null : await (async () => recipe(t))().catch(() => null)
      const who = call !== null && d.odds(0.7) ? { ...person('caller', call.by), everywhere: call.by === t.superadmin } : d.of(people)
      const asked = await request(d, operation, route, who, call)
      const answer = await house.edge.app.inject(asked.options)
      const reply: Arrived = { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
      tally[reply.status] = (tally[reply.status] ?? 0) + 1
      if (reply.status < 300) succeeded.set(route.name, (succeeded.get(route.name) ?? 0) + 1)
      if (!asked.valid) invalid++
      const wrong = await conformity.faults(operation, reply)
      if (reply.status >= 500 && !(reply.status === 503 && CASES.get(route.name)?.unavailable)) wrong.push('is a 5xx')
      if (asked.wrong !== null && reply.status < 300) wrong.push(`accepts what the document doesn’t allow: ${asked.wrong}`)
      if (asked.valid && route.method !== 'GET' && [400, 405, 413, 415].includes(reply.status))
        wrong.push('refuses the form of a request that the document allows')
      for (const leak of await leaks(route, who, reply, asked)) wrong.push(`shows ${leak}, which its caller can’t know`)
      const fresh = wrong.filter(one => !said.has(`${route.name} ${one.replace(UUID, '')}`))
      if (fresh.length === 0) continue
      for (const one of fresh) said.add(`${route.name} ${one.replace(UUID, '')}`)
      const shown = { seed: SEED, request: i, caller: who.says, method: route.method, url: asked.options.url, sent: asked.sent }
      found.push(
        `${route.name} ${reply.status} ${fresh.join('\n  ')}\n${reply.bytes.toString().slice(0, 600)}\n${JSON.stringify(shown).slice(0, 2000)}`,
      )
    }
    assert.equal(found.length, 0, found.join('\n\n'))
    const says = `FUZZ_SEED=${SEED} ${JSON.stringify(tally)}, ${invalid} invalid`
    // A fuzzer whose requests are all refused finds nothing.
    if (REQUESTS >= 800) {
      assert.ok(
        succeeded.size > conformity.operations.length / 2,
        `${succeeded.size} of ${conformity.operations.length} operations succeeded: ${says}`,
      )
      assert.ok((tally[422] ?? 0) > REQUESTS / 20 && invalid > REQUESTS / 10, says)
    }
  })
})
