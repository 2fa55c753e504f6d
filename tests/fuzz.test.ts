// Malformed and hostile requests to every endpoint, as every caller: never a 5xx, every refusal in the standard error format that shows the fault,
// and nothing written by a refused request. `FUZZ_REQUESTS` sets the number of requests, `FUZZ_SEED` selects them.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { ROLES } from '../server/base/actor.ts'
import type { Route } from '../server/base/http.ts'
import { ids, PLATFORM } from '../server/base/ids.ts'
import { REASONS } from '../server/base/reasons.ts'
import { TARGET } from '../server/base/schema.ts'
import { routes as all } from '../server/groups.ts'
import type { Tour } from './calls.ts'
import { asked, CALLS, CASES, ENDINGS } from './cases.ts'
import { RUN_SEED } from './chance.ts'
import { paramsOf, pathOf, tour } from './tour.ts'
import { toured } from './toured.ts'
import { multipart, type Reply, useHouse } from './world.ts'

const routes = all.filter(asked)
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? Math.ceil((2000 * routes.length) / all.length))
const SEED = Number(process.env.FUZZ_SEED ?? RUN_SEED ?? 20260316)

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  format?: string
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxLength?: number
  [TARGET]?: Schema
}

/** Random values from a seed (mulberry32). */
function dice(seed: number) {
  let a = seed >>> 0
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  return { chance: (p: number) => next() < p, below, pick: <T>(from: readonly T[]): T => from[below(from.length)] as T } // the lists are not empty
}
type Dice = ReturnType<typeof dice>

const nested = (depth: number, inner: unknown): unknown => {
  let out = inner
  for (let i = 0; i < depth; i++) out = i % 2 === 0 ? [out] : { a: out }
  return out
}

/** JSON values that nobody would send on purpose. */
const HOSTILE: readonly ((d: Dice) => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 31,
  () => 2 ** 53 + 2,
  () => -1e308,
  () => '',
  () => '   ',
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => 'a\u0000b',
  () => 'bell \u0007',
  () => '\ud800',
  () => 'half \udfff end',
  () => '\u202Eright to left',
  () => '\uFEFFmark',
  () => 'e\u0301'.repeat(50),
  () => '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  d => 'x'.repeat(d.pick([201, 300, 2001, 10_001, 70_000])),
  () => "'; drop table site; --",
  () => '%s%n#{7*7}{{7*7}}',
  () => '../../etc/passwd',
  () => '<script>alert(1)</script>',
  () => '=cmd|calc',
  () => 'NaN',
  () => '1e999',
  () => '2026-02-30',
  () => '2026-02-30T25:61:00Z',
  () => '+275760-09-13T00:00:00.001Z',
  () => '0000-01-01T00:00:00Z',
  () => '9999-12-31T23:59:59.999Z',
  () => '24:60',
  () => '__proto__',
  () => ({ constructor: { prototype: { polluted: true } } }),
  () => JSON.parse('{"__proto__": {"polluted": true}}'),
  () => JSON.parse('{"toString": "x", "valueOf": 1, "length": -1, "then": 1}'),
  d => nested(d.pick([5, 41, 60, 300]), 1),
  d => Array.from({ length: d.pick([1001, 5000]) }, (_, i) => i),
  () => ({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [0, 1],
        [1, 0],
        [0, 0],
      ],
    ],
  }),
  () => ({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1e300, 0],
        [0, 'x'],
      ],
    ],
  }),
  () => ({ type: 'MultiPolygon', coordinates: [] }),
  () => ({ lon: 181, lat: 'north' }),
  () => ids.next(),
  () => PLATFORM,
]

const WORDS = [
  'Weld',
  'HW',
  'GEN',
  'admin',
  'viewer',
  'Block A',
  'ana@example.com',
  'UTC',
  'Europe/London',
  '#123456',
  'en-GB',
  'x',
  'draft',
]
const INSTANTS = [
  '2026-03-16T10:00:00Z',
  '2026-03-16T18:00:00.000+01:00',
  '2026-03-29T00:30:00Z',
  '1970-01-01T00:00:00Z',
  '2100-01-01T00:00:00Z',
]

/** Returns a value that fits this schema. */
function meant(d: Dice, given: Schema | undefined, known: readonly string[], depth = 0): unknown {
  if (given === undefined) return d.pick(HOSTILE)(d)
  const schema = given[TARGET] ?? given
  if (schema.anyOf !== undefined) return meant(d, d.pick(schema.anyOf), known, depth)
  if (schema.enum !== undefined) return d.pick(schema.enum)
  const type = Array.isArray(schema.type) ? d.pick(schema.type) : schema.type
  if (type === 'null') return null
  if (type === 'boolean') return d.chance(0.5)
  if (type === 'integer') return Math.min(schema.maximum ?? 9, Math.max(schema.minimum ?? 0, d.below(9)))
  if (type === 'number') return d.chance(0.5) ? d.below(90) : d.below(900) / 10
  if (type === 'array') {
    const length = depth > 4 ? (schema.minItems ?? 0) : (schema.minItems ?? 0) + d.below(3)
    return Array.from({ length }, () => meant(d, schema.items, known, depth + 1))
  }
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([name]) => schema.required?.includes(name) || (depth < 5 && d.chance(0.4)),
    )
    return Object.fromEntries(fields.map(([name, inner]) => [name, meant(d, inner, known, depth + 1)]))
  }
  if (type === 'string') {
    if (schema.format === 'uuid') return d.pick(known)
    if (schema.format === 'date-time') return d.pick(INSTANTS)
    if (schema.format === 'date') return d.pick(['2026-03-16', '2026-03-29', '1999-12-31'])
    if (schema.format === 'wall-time') return d.pick(['07:30', '23:59', '00:00'])
    return schema.examples?.length && d.chance(0.6) ? d.pick(schema.examples) : d.pick(WORDS)
  }
  return d.chance(0.5)
    ? d.pick(HOSTILE)(d)
    : {
        type: 'Polygon',
        coordinates: [
          [
            [-0.09, 51.5],
            [-0.089, 51.5],
            [-0.089, 51.501],
            [-0.09, 51.5],
          ],
        ],
      }
}

/** Makes one part of a value hostile: replaces it, removes it, or adds something to it. */
function spoil(d: Dice, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || d.chance(0.15)) return d.pick(HOSTILE)(d)
  if (Array.isArray(value)) {
    if (value.length === 0 || d.chance(0.3)) return [...value, d.pick(HOSTILE)(d)]
    const at = d.below(value.length)
    return value.map((inner, i) => (i === at ? spoil(d, inner) : inner))
  }
  const keys = Object.keys(value)
  if (keys.length === 0 || d.chance(0.15)) {
    const key = d.pick([
      'no_such_field',
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      '',
      ' ',
      'a\u0000',
      'x'.repeat(3000),
      'site_id',
      'version',
      'id',
    ])
    return JSON.parse(
      `{${[...keys.map(k => `${JSON.stringify(k)}:${JSON.stringify((value as Record<string, unknown>)[k]) ?? 'null'}`), `${JSON.stringify(key)}:1`].join(',')}}`,
    )
  }
  const key = d.pick(keys)
  const { [key]: inner, ...rest } = value as Record<string, unknown>
  return d.chance(0.15) ? rest : { ...rest, [key]: d.chance(0.5) ? spoil(d, inner) : d.pick(HOSTILE)(d) }
}

const PATHS = [
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%',
  '%ff',
  '%E2%80%AE',
  'null',
  '__proto__',
  'x'.repeat(600),
  '0',
  '-1',
  'a%0d%0aSet-Cookie:b',
  '%2e%2e',
  "'%20or%201=1--",
  '٣',
]
const KEYS = ['', ' ', 'two words', 'k'.repeat(201), 'ключ', 'a\tb', 'fine-key']
const VERSIONS = ['', '*', '"1"', '1', 'W/"1"', '"', 'nonsense', '"-1"', '"99999999999999999999"', ',,,']
const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const CURSORS = [
  '',
  'nonsense',
  '%%%',
  cursor([]),
  cursor({}),
  cursor('x'),
  cursor([null]),
  cursor([1]),
  cursor(['x', 'y']),
  cursor([null, null]),
  cursor(['x', 1, 'y']),
  cursor(['2026-13-45', PLATFORM]),
  cursor(['a\u0000', 'b']),
  cursor([1e308, '\ud800']),
  cursor([null, null, null]),
  cursor(['9'.repeat(400), 'x']),
]

/** What each code contains (conventions §1, Errors). */
const CODES: Record<string, [number, (error: Record<string, unknown>, reply: Reply) => boolean]> = {
  malformed_request: [400, () => true],
  unauthenticated: [401, e => typeof e.reason === 'string'],
  forbidden: [403, e => typeof e.permission === 'string'],
  permit_ownership_error: [403, () => true],
  not_found: [404, () => true],
  method_not_allowed: [405, (_, reply) => typeof reply.headers.allow === 'string'],
  permit_gate_error: [409, e => typeof e.gate === 'string'],
  invalid_transition: [409, e => typeof e.guard === 'string' || (typeof e.status === 'string' && Array.isArray(e.allowed))],
  conflict: [409, e => (REASONS as readonly unknown[]).includes(e.reason)],
  version_conflict: [412, e => typeof e.version === 'number'],
  too_large: [413, () => true],
  unsupported_media_type: [415, () => true],
  validation_failed: [422, e => named(e.fields)],
  workflow_invalid: [422, e => Array.isArray(e.problems) && e.problems.length > 0],
  rate_limited: [429, (_, reply) => Number(reply.headers['retry-after']) > 0],
  unavailable: [503, () => true],
}
const named = (fields: unknown): boolean =>
  Array.isArray(fields) &&
  fields.length > 0 &&
  fields.every(f => typeof f.path === 'string' && typeof f.message === 'string' && f.message !== '')
const LEAK = /node_modules|\.ts:\d+|at Object\.|syntax error|relation "|duplicate key|violates|pg_|select .* from |TypeError|Cannot read/i

/** Returns what is wrong with a response; null when nothing is. A service that the test installation doesn’t have is the only reason for a 5xx. */
function fault(reply: Reply, route: Route): string | null {
  if (reply.status >= 500 && !(reply.status === 503 && CASES.get(route.name)?.unavailable)) return 'a 5xx'
  if (typeof reply.headers['x-request-id'] !== 'string') return 'no request id'
  if (reply.status < 400) return null
  const error = reply.body?.error
  if (error === undefined || Object.keys(reply.body).length !== 1) return 'not the envelope'
  const [status, carries] = CODES[error.code] ?? [0, () => false]
  if (status !== reply.status) return `the code ${error.code} with ${reply.status}`
  if (typeof error.detail !== 'string' || error.detail.trim().length < 10) return 'no sentence'
  if (!carries(error, reply)) return `${error.code} without what it carries`
  return LEAK.test(reply.text) ? 'it tells what it is made of' : null
}

describe('malformed input', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  let tokens: (string | null)[]
  let known: string[]
  let token: string
  before(async () => {
    t = await tour(house)
    const elsewhere = await house.world()
    const stranger = await t.stranger()
    tokens = [
      ...ROLES.map(role => t.as(role).token),
      ...[t.as('admin'), t.as('admin'), t.superadmin, t.superadmin, t.superadmin, stranger, elsewhere.as('admin')].map(who => who.token),
      null,
      'no.such.token',
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
    ]
    token = (await t.as('admin').post(`/invite-links/sites/${t.site_id}`, { role: 'viewer', label: 'Gate' })).body.token
    known = [
      ...Object.values(t.params).filter(value => /^[0-9a-f-]{36}$/.test(value)),
      t.receiver.user_id,
      t.acme,
      ids.next(),
      PLATFORM,
      elsewhere.site_id,
    ]
  })

  const heads = async (): Promise<string> => JSON.stringify(await house.rows('select * from site_head order by site_id'))

  const send = async (options: InjectOptions): Promise<Reply> => {
    const answer = await house.edge.app.inject(options)
    let body: unknown
    try {
      body = answer.payload === '' ? undefined : JSON.parse(answer.payload)
    } catch {
      body = undefined
    }
    return { status: answer.statusCode, headers: answer.headers, body, text: answer.payload }
  }

  const address = (d: Dice, route: Route): string => {
    const own: Record<string, string> = { ...paramsOf(route, t.params), token }
    const names = [...route.path.matchAll(/:([a-z_]+)/g)].map(found => found[1] ?? '')
    const bad = names.length > 0 && d.chance(0.12) ? d.pick(names) : ''
    if (bad !== '') own[bad] = d.chance(0.4) ? d.pick(known) : d.pick(PATHS)
    const query: string[] = []
    const fields = Object.entries((route.query as Schema | undefined)?.properties ?? {})
    const say = (name: string, value: unknown) =>
      query.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`)
    for (const [name, schema] of fields) {
      if (name === 'site_id' && d.chance(0.9)) say(name, t.site_id)
      else if (name === 'cursor' && d.chance(0.3)) query.push(`cursor=${d.pick(CURSORS)}`)
      else if (d.chance(0.25)) {
        const value = d.chance(0.6) ? meant(d, schema, known) : d.pick(HOSTILE)(d)
        for (const one of Array.isArray(value) ? value.slice(0, 50) : [value])
          say(name, typeof one === 'object' ? JSON.stringify(one) : one)
        if (d.chance(0.1)) say(name, 'twice')
      }
    }
    if (d.chance(0.06))
      query.push(
        d.pick([
          'no_such=1',
          '__proto__[x]=1',
          '__proto__=1',
          'constructor=1',
          'a[b][c]=1',
          '%00=1',
          '=',
          '&&&',
          'q=%ff%fe',
          'limit=1&limit=2',
          `x=${'y'.repeat(5000)}`,
        ]),
      )
    return `/api${pathOf(route, own)}${query.length === 0 ? '' : `?${query.join('&')}`}`
  }

  const payload = (d: Dice, route: Route): { payload?: string | Buffer; type?: string } => {
    if (route.method === 'GET') return d.chance(0.03) ? { payload: '{}', type: 'application/json' } : {}
    const schema = route.body as Schema | undefined
    let value = schema === undefined ? {} : meant(d, schema, known)
    if (schema?.properties?.site_id !== undefined && typeof value === 'object' && value !== null && d.chance(0.9))
      value = { ...value, site_id: t.site_id }
    for (let i = d.below(3); i > 0; i--) value = spoil(d, value)
    if (route.upload !== undefined && d.chance(0.85)) {
      const made = multipart([
        {
          name: d.pick(['file', 'file', 'data', 'x', '__proto__']),
          value: d.pick(['', '%PDF-1.4', '\u0000\u0001', '<svg/>']),
          filename: d.pick(['a.pdf', '../../etc/passwd', 'a\u0000.png', 'x'.repeat(500)]),
        },
        ...(d.chance(0.4)
          ? [
              {
                name: d.pick(['data', 'slot', 'site_id', 'constructor']),
                value: d.pick([JSON.stringify(value) ?? '', '[', '[]', 'null', '"x"', 'x'.repeat(20_000)]),
              },
            ]
          : []),
      ])
      const cut = d.chance(0.3) ? made.payload.subarray(0, d.below(made.payload.length)) : made.payload
      return {
        payload: cut,
        type: d.pick([
          made.type,
          made.type,
          made.type,
          'multipart/form-data',
          'multipart/form-data; boundary=',
          'multipart/form-data; boundary=other',
        ]),
      }
    }
    const json = JSON.stringify(value) ?? ''
    if (d.chance(0.85)) return { payload: json, type: 'application/json' }
    return d.pick([
      () => ({ payload: json.slice(0, d.below(json.length + 1)), type: 'application/json' }),
      () => ({ payload: `\uFEFF${json}`, type: 'application/json' }),
      () => ({ payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), type: 'application/json' }),
      () => ({ payload: '{"a":NaN}', type: 'application/json' }),
      () => ({ payload: '{"a":1e999,"a":2}', type: 'application/json' }),
      () => ({ payload: '{"__proto__":{"x":1}}', type: 'application/json' }),
      () => ({ payload: '{"constructor":{"prototype":{"x":1}}}', type: 'application/json' }),
      () => ({ payload: '['.repeat(50_000), type: 'application/json' }),
      () => ({ payload: `${'['.repeat(5000)}${']'.repeat(5000)}`, type: 'application/json' }),
      () => ({ payload: `"${'x'.repeat(1_100_000)}"`, type: 'application/json' }),
      () => ({
        payload: json,
        type: d.pick([
          'text/plain',
          'application/xml',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'multipart/form-data; boundary=x',
          'nonsense',
          'application/json; charset=utf-16',
        ]),
      }),
      () => ({ payload: json }),
      () => ({ payload: '', type: 'application/json' }),
      () => ({}),
    ] as (() => { payload?: string | Buffer; type?: string })[])()
  }

  test(`${REQUESTS} requests never get a 5xx, every refusal is in the error format and shows the fault, and a refused request writes nothing`, async () => {
    let written = await heads()
    const found: string[] = []
    const tally: Record<number, number> = {}
    for (let i = 0; i < REQUESTS; i++) {
      const d = dice(SEED * 7919 + i)
      const route = routes[i % routes.length] as Route // there are some
      const { payload: sent, type } = payload(d, route)
      const bearer = d.pick(tokens)
      const headers: Record<string, string> = {
        ...(bearer === null
          ? {}
          : { authorization: d.chance(0.01) ? d.pick(['Bearer', 'Basic eDp5', `bearer  ${bearer}`, bearer]) : `Bearer ${bearer}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(d.chance(0.1) ? { 'if-match': d.pick(VERSIONS) } : {}),
        ...(d.chance(0.1) ? { 'idempotency-key': d.pick(KEYS) } : {}),
        ...(d.chance(0.03) ? { 'accept-language': d.pick(['', 'xx', ';;;', 'x'.repeat(500)]) } : {}),
        ...(d.chance(0.03) ? { 'if-none-match': d.pick(VERSIONS) } : {}),
        ...(ENDINGS.includes(route.name) ? { 'if-match': '"987654321"' } : {}),
      }
      const method = d.chance(0.01) ? d.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) : route.method
      if (method !== route.method) delete headers['content-type']
      const url = address(d, route)
      if (method === 'DELETE' && ENDINGS.some(name => all.some(r => r.name === name && r.path === route.path))) continue
      const reply = await send({ method, url, headers, ...(sent === undefined || method !== route.method ? {} : { payload: sent }) })
      tally[reply.status] = (tally[reply.status] ?? 0) + 1
      const now = await heads()
      const wrong = fault(reply, route) ?? (reply.status >= 400 && now !== written ? 'refused, and something was written' : null)
      written = now
      if (wrong === null) continue
      const shown = {
        seed: SEED,
        request: i,
        route: route.name,
        method,
        url: url.slice(0, 600),
        headers: { ...headers, authorization: bearer?.slice(-8) },
        sent: String(sent ?? '').slice(0, 1500),
      }
      found.push(`${wrong}: ${reply.status} ${reply.text.slice(0, 1500)}\n${JSON.stringify(shown, null, 1)}`)
      if (found.length >= 10) break
    }
    assert.equal(found.length, 0, found.join('\n\n'))
    // A fuzzer whose requests are all refused early finds nothing.
    assert.ok((tally[200] ?? 0) + (tally[201] ?? 0) + (tally[204] ?? 0) > REQUESTS / 10, JSON.stringify(tally))
    assert.ok((tally[422] ?? 0) > REQUESTS / 10, JSON.stringify(tally))
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })

  test('every field of every body, with a value of another type, gives 422 that lists the field', async () => {
    const wrong: string[] = []
    for (const route of routes.filter(({ name, body }) => CALLS.has(name) && body !== undefined)) {
      if (route.upload !== undefined) continue
      const inQuery = (route.query as Schema | undefined)?.properties?.site_id !== undefined
      const own: Record<string, string> = { ...paramsOf(route, t.params), token }
      for (const [field, given] of Object.entries((route.body as Schema).properties ?? {})) {
        const schema = given[TARGET] ?? given
        const kinds = [schema, ...(schema.anyOf ?? []).map(one => one[TARGET] ?? one)].flatMap(one => one.type ?? [])
        if (kinds.every(kind => kind === 'null') || field === 'site_id') continue
        const value = kinds.includes('object') || kinds.includes('array') ? 'text' : { nope: 1 }
        const body = { ...((route.body as Schema).properties?.site_id === undefined ? {} : { site_id: t.site_id }), [field]: value }
        const reply = await send({
          method: route.method,
          url: `/api${pathOf(route, own)}${inQuery ? `?site_id=${t.site_id}` : ''}`,
          headers: { authorization: `Bearer ${t.superadmin.token}`, 'content-type': 'application/json', 'if-match': '"987654321"' },
          payload: JSON.stringify(body),
        })
        const paths: string[] = reply.body?.error?.fields?.map((f: { path: string }) => f.path) ?? []
        if (reply.status !== 422 || !paths.some(path => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)))
          wrong.push(`${route.name} ${field}: ${reply.status} ${reply.text.slice(0, 300)}`)
      }
    }
    assert.deepEqual(wrong, [])
  })

  test('an unknown query parameter is refused by name on every endpoint', async () => {
    const wrong: string[] = []
    for (const route of routes) {
      const own: Record<string, string> = { ...paramsOf(route, t.params), token }
      const site = (route.query as Schema | undefined)?.properties?.site_id === undefined ? '' : `&site_id=${t.site_id}`
      const inBody = (route.body as Schema | undefined)?.properties?.site_id !== undefined
      const reply = await send({
        method: route.method,
        url: `/api${pathOf(route, own)}?no_such_word=1${site}`,
        headers: {
          authorization: `Bearer ${t.superadmin.token}`,
          'if-match': '"987654321"',
          ...(route.method === 'GET' ? {} : { 'content-type': 'application/json' }),
        },
        ...(route.method === 'GET' ? {} : { payload: JSON.stringify(inBody ? { site_id: t.site_id } : {}) }),
      })
      if (route.upload !== undefined && reply.status === 415) continue
      const paths: string[] = reply.body?.error?.fields?.map((f: { path: string }) => f.path) ?? []
      if (reply.status !== 422 || !paths.includes('no_such_word')) wrong.push(`${route.name}: ${reply.status} ${reply.text.slice(0, 200)}`)
    }
    assert.deepEqual(wrong, [])
  })
})
