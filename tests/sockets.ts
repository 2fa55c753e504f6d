// The socket of live events, for tests: people who listen to a site.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { clearTimeout as stopWaiting, setTimeout as wait } from 'node:timers'
import { WebSocket } from 'ws'
import type { Id } from '../server/base/ids.ts'
import type { Caller, TestHouse } from './world.ts'

/** A frame of the service. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
export type Frame = any
/** An open socket, and the frames that have arrived on it and weren’t taken yet. */
export type OpenSocket = {
  frames: Frame[]
  send(frame: unknown): void
  /** Returns the next frame that matches, from those that have arrived or will. */
  next(fits: (frame: Frame) => boolean): Promise<Frame>
  closed: Promise<number>
  close(): void
}

/** Returns whether a frame has this type and, if it is given, this kind of event. */
export const is =
  (type: string, kind?: string) =>
  (frame: Frame): boolean =>
    frame.type === type && (kind === undefined || frame.kind === kind)

/** Lets the service listen for sockets during the tests of this suite. `listens`: false if another helper lets it listen already. */
export function useSockets(house: TestHouse, listens = true) {
  let at = ''
  const open: OpenSocket[] = []
  before(async () => {
    if (listens) await house.edge.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = house.edge.app.server.address() as { port: number } // the server listens on TCP
    at = `ws://127.0.0.1:${port}/api/ws`
  })
  after(() => {
    for (const ear of open) ear.close()
  })

  const dial = (headers: Record<string, string> = {}, path = at): Promise<OpenSocket> =>
    new Promise((done, failed) => {
      const socket = new WebSocket(path, 'site.v1', { headers })
      const frames: Frame[] = []
      let waits: { fits(frame: Frame): boolean; take(frame: Frame): void }[] = []
      const ear: OpenSocket = {
        frames,
        send: frame => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
        next: fits =>
          new Promise((take, never) => {
            const here = frames.findIndex(fits)
            if (here >= 0) return take(frames.splice(here, 1)[0])
            const timer = wait(() => never(new Error(`No such frame came; these did: ${JSON.stringify(frames).slice(0, 600)}`)), 5000)
            waits.push({
              fits,
              take: frame => {
                stopWaiting(timer)
                take(frame)
              },
            })
          }),
        closed: new Promise(end => socket.once('close', end)),
        close: () => socket.terminate(),
      }
      socket.on('message', data => {
        const frame = JSON.parse(String(data))
        const wait = waits.find(one => one.fits(frame))
        waits = waits.filter(one => one !== wait)
        if (wait === undefined) frames.push(frame)
        else wait.take(frame)
      })
      socket.once('open', () => done(ear))
      socket.once('unexpected-response', (_, answer) => failed(new Error(String(answer.statusCode))))
      socket.once('error', failed)
      open.push(ear)
    })
  const enter = async (who: Caller, site_id: Id, more: Record<string, unknown> = {}): Promise<{ ear: OpenSocket; at: Frame }> => {
    const ear = await dial()
    ear.send({ type: 'auth', token: who.token })
    await ear.next(is('ready'))
    ear.send({ type: 'subscribe', site_id, ...more })
    return { ear, at: await ear.next(is('subscribed')) }
  }
  /** Checks that no such frame arrived, by waiting for something that must come afterwards. */
  const silent = async (ear: OpenSocket, fits: (frame: Frame) => boolean) => {
    ear.send({ type: 'ping', t: 7 })
    await ear.next(is('pong'))
    assert.deepEqual(ear.frames.filter(fits), [])
  }
  return { dial, enter, silent, url: () => at }
}
