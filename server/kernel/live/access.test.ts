import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clearTimeout as stopWaiting, setTimeout as wait } from 'node:timers'
import { openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { is, type OpenSocket, useSockets } from '../../../tests/sockets.ts'
import { type TestHouse, useHouse } from '../../../tests/world.ts'
import { erasePeople } from '../../commands/erase.ts'
import { signOutEverywhere } from '../../commands/sign-out.ts'
import { grantSuperadmin, revokeSuperadmin } from '../../commands/superadmin.ts'
import { mintToken } from '../identity/door.ts'

/** Returns the code with which a socket is closed; it is still open after three seconds: `open`. */
const endOf = (socket: OpenSocket): Promise<number | 'open'> =>
  new Promise(done => {
    const timer = wait(() => done('open'), 3000)
    void socket.closed.then(code => {
      stopWaiting(timer)
      done(code)
    })
  })
const stillOpen = async (socket: OpenSocket) => {
  socket.send({ type: 'ping', t: 1 })
  await socket.next(is('pong'))
}

describe('live connections whose access has ended', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const { dial } = useSockets(house, false)
  let number = 0

  /** Runs a test with a second node; `at` are the addresses of both. */
  async function onTwoNodes(work: (at: readonly [string, string], other: TestHouse) => Promise<void>): Promise<void> {
    const other = await house.beside()
    other.house.settings.public_url = provider.url
    await other.edge.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = other.edge.app.server.address() as { port: number } // the server listens on TCP
    try {
      await work([`${provider.url.replace('http', 'ws')}/api/ws`, `ws://127.0.0.1:${port}/api/ws`], other)
    } finally {
      await other.close()
    }
  }
  async function listening(path: string, token: string): Promise<OpenSocket> {
    const socket = await dial({}, path)
    socket.send({ type: 'auth', token })
    await socket.next(is('ready'))
    return socket
  }
  /** Signs a person in on two devices, each of which listens on both nodes. */
  async function devices(at: readonly string[]) {
    const who = await personWithAccount(house, 'Ada', `ada-${++number}@example.com`)
    const opened = []
    for (const _ of [1, 2]) {
      const { tokens } = await provider.signIn(openBrowser(), who)
      opened.push({ token: tokens.access_token, sockets: await Promise.all(at.map(path => listening(path, tokens.access_token))) })
    }
    const [phone, laptop] = opened
    if (phone === undefined || laptop === undefined) throw new Error('No devices.')
    return { who, phone, laptop }
  }

  test('§12 signing a device out closes its sockets on every node at once with 4401, and nobody else’s', async () => {
    await onTwoNodes(async at => {
      const { who, phone, laptop } = await devices(at)
      const other = await devices(at)
      const browser = openBrowser()
      const shown = await browser.submit(await browser.get(`${provider.url}/oidc/devices`), { email: who.email, password: who.password })
      const [, family = ''] = [...shown.html.matchAll(/name="end" value="([^"]+)"/g)].map(found => found[1] ?? '') // the last used is the laptop
      await browser.submit(shown, { end: family })
      assert.deepEqual(await Promise.all(phone.sockets.map(endOf)), [4401, 4401])
      await Promise.all([...laptop.sockets, ...other.phone.sockets].map(stillOpen))
    })
  })

  test('§12 a new password closes the sockets of the person’s other devices on every node, and keeps those of the device that set it', async () => {
    await onTwoNodes(async at => {
      const { phone, laptop } = await devices(at)
      const body = { current_password: PASSPHRASE, new_password: 'kelp barn tax window' }
      assert.equal((await provider.api('POST', '/auth/change-password', laptop.token, body)).status, 204)
      assert.deepEqual(await Promise.all(phone.sockets.map(endOf)), [4401, 4401])
      await Promise.all(laptop.sockets.map(stillOpen))
    })
  })

  test('§12 a sign-out from the terminal, after a phone was lost, closes every socket of the person on every node', async () => {
    await onTwoNodes(async (at, other) => {
      const { who, phone, laptop } = await devices(at)
      await signOutEverywhere(other.house, who.email, 'Phone lost')
      assert.deepEqual(await Promise.all([...phone.sockets, ...laptop.sockets].map(endOf)), [4401, 4401, 4401, 4401])
    })
  })

  test('§12 the end of an account closes its sockets on every node, with tokens that have no session, too', async () => {
    await onTwoNodes(async at => {
      const { who, phone } = await devices(at)
      const [{ subject }] = await house.rows('select subject from app_user where id = $1', [who.user_id])
      const says = { subject, name: 'Ada', email: who.email, email_verified: true }
      const bare = await listening(at[1], await mintToken(house.house, says, { seconds: 900 }))
      await erasePeople(house.house, who.email, 'They asked')
      assert.deepEqual(await Promise.all([...phone.sockets, bare].map(endOf)), [4401, 4401, 4401])
    })
  })

  test('§12 a superadmin who is no longer one receives nothing more of a site that they aren’t a member of', async () => {
    const w = await house.world()
    const root = await personWithAccount(house, 'Root', `root-${++number}@example.com`)
    await grantSuperadmin(house.house, root.email, null)
    const { tokens } = await provider.signIn(openBrowser(), root)
    const socket = await listening(`${provider.url.replace('http', 'ws')}/api/ws`, tokens.access_token)
    socket.send({ type: 'subscribe', site_id: w.site_id })
    await socket.next(is('subscribed'))
    await revokeSuperadmin(house.house, root.email)
    assert.equal((await socket.next(is('me', 'membership'))).ended, true)
    await stillOpen(socket)
  })

  test('§12 a token whose session ends while the app signs in is refused', async () => {
    await onTwoNodes(async at => {
      for (let round = 0; round < 5; round++) {
        const { who, phone } = await devices([])
        const socket = await dial({}, at[1])
        const ended = signOutEverywhere(house.house, who.email, 'Phone lost')
        socket.send({ type: 'auth', token: phone.token })
        await ended
        assert.equal(await endOf(socket), 4401)
      }
    })
  })
})
