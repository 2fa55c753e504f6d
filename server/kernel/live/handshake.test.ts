import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { before, describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'

const WHOLE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

const NONE: IncomingHttpHeaders = {}

describe('the handshake of the live connection', () => {
  const house = useHouse()
  let port = 0
  before(async () => {
    await house.edge.app.listen({ host: '127.0.0.1', port: 0 })
    port = (house.edge.app.server.address() as { port: number }).port // the server listens on TCP
  })

  /** Asks for the connection with these headers, and returns the status, with the refusal if there is one. */
  async function ask(headers: Record<string, string>) {
    const asked = request({ port, path: '/api/ws', headers }).end()
    const upgraded = once(asked, 'upgrade').then(([, socket]) => {
      socket.destroy()
      return { status: 101, headers: NONE, error: null }
    })
    const answered = once(asked, 'response').then(async ([reply]: IncomingMessage[]) => {
      let text = ''
      for await (const chunk of reply ?? []) text += chunk
      return { status: reply?.statusCode, headers: reply?.headers ?? NONE, error: JSON.parse(text).error }
    })
    return Promise.race([upgraded, answered])
  }

  test('§12 a request that is no WebSocket handshake gets 400 in the standard envelope, with the version that is accepted', async () => {
    assert.equal((await ask(WHOLE)).status, 101)
    for (const change of [
      { connection: 'close', upgrade: '' },
      { upgrade: 'h2c' },
      { 'sec-websocket-version': '12' },
      { 'sec-websocket-version': '' },
      { 'sec-websocket-key': 'short' },
    ]) {
      const said = await ask({ ...WHOLE, ...change })
      assert.deepEqual([said.status, said.error?.code], [400, 'malformed_request'], JSON.stringify(change))
      assert.match(said.error.detail, /only WebSocket connections/)
      assert.deepEqual([said.headers['sec-websocket-version'], said.headers['x-content-type-options']], ['13', 'nosniff'])
    }
  })

  test('§12 a page of another origin gets 403 in the standard envelope, with the reason', async () => {
    for (const origin of ['http://evil.example', 'null', 'http://walkdown.test.evil.example']) {
      const said = await ask({ ...WHOLE, origin })
      assert.deepEqual([said.status, said.error?.code, said.error?.because?.[0]?.code], [403, 'forbidden', 'other_origin'], origin)
    }
    assert.equal((await ask({ ...WHOLE, origin: 'http://walkdown.test' })).status, 101)
  })
})
