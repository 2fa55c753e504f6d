import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { useHouse, type World } from '../../tests/world.ts'
import { routes } from '../groups.ts'
import { bodyLimitOf } from './edge.ts'
import type { FieldFault } from './errors.ts'
import { DEEPEST, jsonFault, MOST_FIELDS, MOST_UNKNOWN, OPEN_BODY_LIMIT } from './intake.ts'
import { colour, Type, text } from './schema.ts'
import { makeChecker, prepare, readQuery } from './validate.ts'

const nested = (levels: number, open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`
const wide = (fields: number) => `{${Array.from({ length: fields }, (_, i) => `"f${i}":1`).join(',')}}`

describe('bodies of requests', () => {
  const house = useHouse()

  test('10.7 depth and number of fields are checked in the text, whatever its strings contain', () => {
    assert.equal(jsonFault(nested(DEEPEST, '[', ']')), null)
    assert.equal(jsonFault(nested(DEEPEST + 1, '[', ']'))?.code, 'malformed_request')
    assert.equal(jsonFault(nested(DEEPEST + 1, '{"a":', '}'))?.code, 'malformed_request')
    assert.equal(jsonFault(nested(500_000, '[', ''))?.code, 'malformed_request')
    assert.equal(jsonFault(wide(MOST_FIELDS)), null)
    assert.equal(jsonFault(wide(MOST_FIELDS + 1))?.code, 'too_large')
    const words = JSON.stringify({ a: `${'['.repeat(100)}${'"'.repeat(100)}${'\\'.repeat(101)}${':'.repeat(30_000)}`, b: '\\"[{' })
    assert.equal(jsonFault(words), null)
    assert.equal(jsonFault(`"${'\\"'.repeat(400_000)}`), null, 'text without an end is JSON.parse’s to refuse')
    assert.equal(jsonFault(''), null)
  })

  test('10.7 the first fifty unknown fields are named, and later ones are ignored', () => {
    const schema = Type.Object(
      { a: Type.Optional(Type.Number()), inner: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: false }))) },
      { additionalProperties: false },
    )
    const checker = makeChecker([schema])
    const faultsOf = (value: unknown) => {
      const faults: FieldFault[] = []
      const seen = prepare(value, schema, undefined, faults)
      checker.check(schema, seen, faults)
      return { seen, faults }
    }
    const { seen, faults } = faultsOf({ ...JSON.parse(wide(20_000)), a: 'x' })
    assert.equal(faults.filter(fault => fault.message === 'isn’t a field of this request.').length, MOST_UNKNOWN)
    assert.ok(
      faults.some(fault => fault.path === 'a'),
      'the known ones are judged all the same',
    )
    assert.equal(Object.keys(seen as object).length, MOST_UNKNOWN + 1)
    const spread = faultsOf({ inner: Array.from({ length: 500 }, () => ({ x: 1, y: 2 })) })
    assert.equal(spread.faults.length, MOST_UNKNOWN, 'also when they are spread over many objects')
    const query: FieldFault[] = []
    assert.equal(Object.keys(readQuery(JSON.parse(wide(5000)), undefined, query)).length, MOST_UNKNOWN)
  })

  test('a value of the wrong type is refused with the types that the field accepts, in words', () => {
    const schema = Type.Object({ name: Type.Unsafe<unknown>({ type: ['string', 'null'] }), many: Type.Array(Type.Number()) })
    const faults: FieldFault[] = []
    makeChecker([schema]).check(schema, { name: 1, many: 'x' }, faults)
    assert.deepEqual(faults, [
      { path: 'name', message: 'must be text or null.' },
      { path: 'many', message: 'must be a list.' },
    ])
    faults.length = 0
    makeChecker([schema]).check(schema, { name: null, many: null }, faults)
    assert.deepEqual(faults, [{ path: 'many', message: 'can’t be null: it must be a list.' }])
  })

  test('text in the wrong format is refused with what the format is, in words: nobody has to read a regular expression', () => {
    const schema = Type.Object({ colour: colour('Colour'), code: text('Code', { pattern: ['^[A-Z]+$', 'must be capital letters.'] }) })
    const faults: FieldFault[] = []
    const checker = makeChecker([schema])
    checker.check(schema, { colour: 'red', code: 'a' }, faults)
    assert.deepEqual(faults, [
      { path: 'colour', message: 'must be a colour in the form #rrggbb, such as #128189.' },
      { path: 'code', message: 'must be capital letters.' },
    ])
    checker.check(schema, { colour: '#e07b39', code: 'A' }, faults)
    assert.equal(faults.length, 2)
  })

  test('a number in a query can be written with an exponent, as programs write very small ones; nothing else becomes a number', () => {
    const schema = Type.Object({ lon: Type.Number() })
    const faults: FieldFault[] = []
    for (const [text, value] of [
      ['5.4e-15', 5.4e-15],
      ['-1e-7', -1e-7],
      ['12.5', 12.5],
      ['0x10', '0x10'],
      ['1e', '1e'],
      ['', ''],
      ['1e999', '1e999'],
    ])
      assert.deepEqual(readQuery({ lon: text }, schema, faults), { lon: value })
    assert.deepEqual(faults, [])
  })

  test('10.7 a list that is too long is refused, and its further items are not checked', () => {
    const schema = Type.Object({ list: Type.Array(Type.Number(), { maxItems: 3 }) }, { additionalProperties: false })
    const faults: FieldFault[] = []
    const seen = prepare({ list: Array.from({ length: 100_000 }, () => 'x') }, schema, undefined, faults)
    makeChecker([schema]).check(schema, seen, faults)
    assert.deepEqual(
      faults.map(fault => fault.path),
      ['list', 'list[0]', 'list[1]', 'list[2]'],
    )
  })

  test('10.7 every route that needs no token accepts at most 16 kB, except the one for reports of the mail relay', () => {
    const open = routes.filter(route => 'open' in route.access || ('needs' in route.access && route.access.or_stranger === true))
    assert.ok(open.length > 5)
    const larger = open.filter(route => bodyLimitOf(route) > OPEN_BODY_LIMIT).map(route => route.name)
    assert.deepEqual(larger, ['email.take_bounce'])
  })

  test('10.7 a body over 16 kB to an open route, page or form is 413, and one with too many levels or fields is refused on every route', async () => {
    const { app } = house.edge
    const post = (url: string, payload: string, type = 'application/json') =>
      app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
    const large = JSON.stringify({ statement: 'x'.repeat(OPEN_BODY_LIMIT) })
    for (const route of routes.filter(one => 'open' in one.access && one.method === 'POST')) {
      const said = await post(`/api${route.path.replace(/:[a-z_]+/g, 'x')}`, large)
      assert.deepEqual([said.statusCode, said.json().error.code], [413, 'too_large'], route.path)
    }
    assert.equal((await post('/u/x', large)).statusCode, 413)
    assert.equal((await post('/oidc/forgot', `email=${'x'.repeat(OPEN_BODY_LIMIT)}`, 'application/x-www-form-urlencoded')).statusCode, 413)
    const root = await house.person('Sam Root', { superadmin: true })
    for (const who of [root, house.nobody]) {
      const path = who === root ? '/sites/' : '/permits/verification'
      const deep = await who.post(path, nested(60, '{"name":', '}'), { 'content-type': 'application/json' })
      assert.deepEqual([deep.status, deep.body.error.code], [400, 'malformed_request'])
    }
    const many = await root.post('/sites/', wide(MOST_FIELDS + 1), { 'content-type': 'application/json' })
    assert.deepEqual([many.status, many.body.error.code], [413, 'too_large'])
    const strange = await root.post('/sites/', { name: 'A', ...JSON.parse(wide(3000)) })
    assert.equal(strange.status, 422)
    assert.ok(strange.body.error.fields.length <= 100)
  })

  test('10.7 a compressed body is 415 on every route and page, with the encoding that it has; a body that says it isn’t compressed is read', async () => {
    const { app } = house.edge
    const root = await house.person('Sam Root', { superadmin: true })
    const make = (coding: string, payload: Buffer | string) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${root.token}`, 'content-encoding': coding }
      return app.inject({ method: 'POST', url: '/api/sites/', payload, headers })
    }
    const site = JSON.stringify({ name: 'Compressed', timezone: 'Europe/London' })
    for (const [coding, payload] of [
      ['gzip', gzipSync(site)],
      ['br', brotliCompressSync(site)],
      ['gzip, gzip', gzipSync(gzipSync(site))],
      ['gzip', site],
    ] as const) {
      const said = await make(coding, payload)
      assert.deepEqual(
        [said.statusCode, said.json().error.code, said.headers['accept-encoding']],
        [415, 'unsupported_media_type', 'identity'],
      )
      assert.ok(said.json().error.detail.includes(`Content-Encoding: ${coding})`), said.json().error.detail)
    }
    const long = await make('x'.repeat(5000), site)
    assert.ok(long.statusCode === 415 && long.body.length < 400, long.body)
    assert.deepEqual(await house.rows(`select id from site where name = 'Compressed'`), [])
    for (const coding of ['identity', 'Identity', '']) assert.equal((await make(coding, site)).statusCode, 201, coding)

    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
    for (const url of ['/u/x', '/oidc/forgot'])
      assert.equal((await app.inject({ method: 'POST', url, payload: gzipSync('email=a'), headers: form })).statusCode, 415, url)
    const file = { ...form, 'content-type': 'multipart/form-data; boundary=x', authorization: `Bearer ${root.token}` }
    const w = await house.world()
    const [contractor] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const url = `/api/contractors/${contractor.id}/logo`
    const put = await app.inject({ method: 'PUT', url, payload: gzipSync('--x--'), headers: file })
    assert.equal(put.statusCode, 415)
    const read = await app.inject({ method: 'GET', url: '/api/health/live', headers: { 'content-encoding': 'gzip' } })
    assert.equal(read.statusCode, 200, 'a request without a body has nothing compressed')
  })

  test('10.7 the fields next to a file have the same limits', async () => {
    const w = await house.world()
    const [contractor] = (await w.as('coordinator').get(`/contractors/?site_id=${w.site_id}`)).body
    const send = (value: string) =>
      w.as('admin').send('PUT', `/contractors/${contractor.id}/logo`, [
        { name: 'data', value },
        { name: 'file', value: 'x', filename: 'a.png' },
      ])
    assert.equal((await send(nested(60, '[', ']'))).body.error.code, 'malformed_request')
    assert.equal((await send(wide(MOST_FIELDS + 1))).body.error.code, 'too_large')
    const parts = Array.from({ length: 3 }, (_, i) => ({ name: `f${i}`, value: 'x'.repeat(500_000) }))
    assert.equal((await w.as('admin').send('PUT', `/contractors/${contractor.id}/logo`, parts)).body.error.code, 'too_large')
  })

  /** Sends these bytes as a new contractor of a site. */
  const create = async (w: World, payload: Buffer | string, type = 'application/json') => {
    const headers = { 'content-type': type, authorization: `Bearer ${w.as('admin').token}` }
    const body = typeof payload === 'string' ? payload.replaceAll('SITE', w.site_id) : payload
    const url = `/api/contractors/?site_id=${w.site_id}`
    const before = (await w.as('admin').get(url.slice(4))).body.length
    const said = await house.edge.app.inject({ method: 'POST', url: '/api/contractors/', payload: body, headers })
    return {
      status: said.statusCode,
      error: said.json().error,
      name: said.json().name,
      added: (await w.as('admin').get(url.slice(4))).body.length - before,
    }
  }

  test('conventions §5 JSON that isn’t UTF-8 is 400 and in another charset 415, because its letters would be stored as other ones', async () => {
    const w = await house.world()
    const latin = Buffer.from('{"site_id":"00000000-0000-7000-8000-000000000000","name":"Caf\u00e9"}', 'latin1')
    const bytes = await create(w, latin)
    assert.deepEqual([bytes.status, bytes.error.code], [400, 'malformed_request'])
    assert.match(bytes.error.detail, /UTF-8/)
    for (const charset of ['latin1', 'utf-16', '"iso-8859-1"', 'x'.repeat(2000)]) {
      const said = await create(w, '{"site_id":"SITE","name":"A"}', `application/json; charset=${charset}`)
      assert.deepEqual([said.status, said.error.code, said.added], [415, 'unsupported_media_type', 0], charset)
      assert.ok(said.error.detail.length < 300, said.error.detail)
    }
    for (const [nth, type] of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; charset=utf8',
      'application/JSON',
    ].entries()) {
      const name = `Café ${nth} Ltd`
      const said = await create(w, `\ufeff{"site_id":"SITE","name":"${name}"}`, type)
      assert.deepEqual([said.status, said.name], [201, name], type)
    }
  })

  test('conventions §5 a name that comes twice in one object, or that is no field of any object, is 400 and shown', async () => {
    const w = await house.world()
    for (const [json, name] of [
      ['{"site_id":"SITE","name":"A","name":"B"}', 'name'],
      ['{"site_id":"SITE","name":"A","n\\u0061me":"B"}', 'name'],
      ['{"site_id":"SITE","name":"A","trades":[{"x":1},{"x":1,"x":2}]}', 'x'],
      ['{"site_id":"SITE","name":"A","__proto__":{"name":"B"}}', '__proto__'],
      ['{"site_id":"SITE","name":"A","_\\u005fproto__":1}', '__proto__'],
    ] as const) {
      const said = await create(w, json)
      assert.deepEqual([said.status, said.error.code, said.added], [400, 'malformed_request', 0], json)
      assert.ok(said.error.detail.includes(`"${name}"`), said.error.detail)
    }
    for (const json of ['{"a":{"x":1},"b":{"x":1},"x":[{"x":1},{"x":2}]}', '["a",{"a":"a"}]', '{"a\\":1,"b":2}', '{"\\x":1}', ':::'])
      assert.equal(jsonFault(json), null, json)
  })

  test('conventions §1 a form to a call that takes no file is 415, and nothing of it is done', async () => {
    const w = await house.world()
    const by = w.as('admin')
    const note = [{ name: 'note', value: 'read me' }]
    const contractor_id = await w.contractor('Form Ltd')
    const list = `/contractors/?site_id=${w.site_id}&id=${contractor_id}`
    const was = (await by.get(list)).body[0].version
    for (const [method, path] of [
      ['PATCH', `/contractors/${contractor_id}`],
      ['POST', '/contractors/'],
      ['DELETE', `/contractors/${contractor_id}`],
      ['POST', '/auth/change-password'],
    ] as const) {
      const said = await by.send(method, path, note)
      assert.deepEqual([said.status, said.body?.error?.code], [415, 'unsupported_media_type'], `${method} ${path}`)
      assert.match(said.body.error.detail, /Send JSON/)
    }
    assert.equal((await by.get(list)).body[0].version, was)
  })
})
