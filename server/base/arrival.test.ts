import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'

describe('data that isn’t a valid request', () => {
  const house = useHouse()
  let port = 0
  before(async () => {
    await house.edge.app.listen({ host: '127.0.0.1', port: 0 })
    port = (house.edge.app.server.address() as { port: number }).port // the server listens on TCP
  })

  /** Sends these bytes and reads until the server closes. */
  const raw = (text: string): Promise<{ status: number; headers: string; body: string }> =>
    new Promise((done, failed) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let said = ''
      socket.on('data', data => (said += data))
      socket.on('error', failed)
      socket.on('close', () => {
        const [headers = '', body = ''] = said.split('\r\n\r\n')
        done({ status: Number(headers.split(' ')[1]), headers: headers.toLowerCase(), body })
      })
    })

  const cases: [string, string, number, string][] = [
    ['two Host headers', 'GET /api/health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['the same Host twice', 'GET /verify HTTP/1.1\r\nHost: a\r\nhost: a\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['no Host', 'GET /api/health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: a\r\nb ad: c\r\n\r\n', 400, 'malformed_request'],
    ['two lengths', 'POST /api/sites/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc', 400, 'malformed_request'],
    [
      'length and chunks',
      'POST /api/sites/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ]
  for (const [what, text, status, code] of cases)
    test(`10.12 a request with ${what} gets ${status} in the standard envelope`, async () => {
      const said = await raw(text)
      assert.equal(said.status, status)
      assert.match(said.headers, /content-type: application\/json/)
      assert.match(said.headers, /x-request-id: [0-9a-f-]{36}/)
      assert.match(said.headers, /x-content-type-options: nosniff/)
      const { error } = JSON.parse(said.body)
      assert.equal(error.code, code)
      assert.ok(error.detail.length > 10)
    })

  test('10.12 a request that does not arrive in time gets 408 in the standard envelope', async () => {
    const { server } = house.edge.app
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    const answered = raw('GET /api/health/live HTTP/1.1\r\nHost: a\r\nx:')
    const socket = await new Promise(done => server.once('connection', done))
    // What Node.js emits when its limit of two minutes is reached, emitted immediately.
    server.emit('clientError', late, socket)
    const said = await answered
    assert.deepEqual([said.status, JSON.parse(said.body).error.code], [408, 'request_timeout'])
  })

  test('10.12 ids in upper case mean the same in path, query and body', async () => {
    const w = await house.world()
    const who = w.as('coordinator')
    const site_id = w.site_id.toUpperCase()
    const made = await who.post('/contractors/', { site_id, name: 'Upper Case Ltd', confirm_similar: true })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body
    const changed = await who.patch(`/contractors/${id.toUpperCase()}`, { name: 'Upper Case Two' })
    assert.deepEqual([changed.status, changed.body.id], [200, id], changed.text)
    assert.deepEqual(
      (await who.get(`/contractors/?site_id=${site_id}&id=${id.toUpperCase()}`)).body.map((row: { id: string }) => row.id),
      [id],
    )
    assert.equal((await who.get(`/sites/${site_id}`)).body.id, w.site_id)
  })
})
