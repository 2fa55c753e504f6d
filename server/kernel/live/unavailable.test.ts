import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { withIssuer } from '../../../tests/issuer.ts'
import type { TestHouse } from '../../../tests/world.ts'

/** Connects, signs in with this token, and returns the frames and the code with which the service ended the connection. */
async function ended(house: TestHouse, token: string): Promise<{ frames: { type: string; code?: number }[]; code: number }> {
  const { port } = house.edge.app.server.address() as { port: number } // the server listens on TCP
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`, 'site.v1')
  const frames: { type: string; code?: number }[] = []
  socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token })))
  socket.on('message', data => frames.push(JSON.parse(String(data))))
  return new Promise((done, fail) => socket.on('error', fail).on('close', code => done({ frames, code })))
}

describe('a live connection while the identity provider can’t be reached', () => {
  test('§12 a token that can’t be checked ends it with 1013 and a time to come back; one that is wrong, with 4401', async () => {
    await withIssuer(
      async (issuer, house) => {
        await house.edge.app.listen({ host: '127.0.0.1', port: 0 })
        const later = await ended(house, await issuer.token(house.house))
        assert.equal(later.code, 1013)
        assert.deepEqual(
          later.frames.map(({ type, code }) => [type, code]),
          [['bye', 1013]],
        )
        assert.equal((await ended(house, 'not-a-token')).code, 4401)
      },
      { down: true },
    )
  })
})
