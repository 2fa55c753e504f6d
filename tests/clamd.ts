// A server that speaks the protocol of clamd, written from its manual (man 8 clamd): it finds the test file of EICAR, and can behave badly.
import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'

/** The harmless text that every scanner finds (eicar.org), in two parts so that no scanner finds it in this file. */
export const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''))

/**
 * How it behaves: as it should; it never answers; it waits for `release`; it ends the connection in the middle of a file, each time or once; it ends it in the middle of its
 * answer; it approves before it has seen the file, or of every file; it has a fault of its own; it answers without end.
 */
export type Mood = 'well' | 'silent' | 'held' | 'dies' | 'stumbles' | 'torn' | 'hasty' | 'blind' | 'faulty' | 'endless'

const INSTREAM = 'zINSTREAM\0'
const PING = 'zPING\0'

/** Starts the server, on a port of its choice or at the path of a socket. */
export async function openClamd(options: { path?: string; limit?: number } = {}) {
  const limit = options.limit ?? 100 * 1024 * 1024
  const held: (() => void)[] = []
  const open = new Set<Socket>()
  const state = {
    mood: 'well' as Mood,
    /** The digest of each file that was received to its end. */
    received: [] as string[],
    /** Scans under way, and the most at the same time. */
    now: 0,
    most: 0,
    release: () => {
      for (const go of held.splice(0)) go()
    },
  }

  const serve = (socket: Socket) => {
    open.add(socket)
    let buffer = Buffer.alloc(0)
    let command: 'scan' | 'done' | null = null
    let content = Buffer.alloc(0)
    const say = (text: string) => {
      command = 'done'
      socket.end(`${text}\0`)
    }
    const finish = () => {
      command = 'done'
      state.received.push(createHash('sha256').update(content).digest('hex'))
      const answer = () => say(state.mood !== 'blind' && content.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK')
      if (state.mood === 'held') held.push(answer)
      else if (state.mood === 'faulty') say('stream: Can’t allocate memory ERROR')
      else if (state.mood === 'torn') socket.end('stream: O')
      else if (state.mood === 'endless') socket.write('stream: '.repeat(1000))
      else if (state.mood !== 'silent') answer()
    }
    socket.on('data', bytes => {
      buffer = Buffer.concat([buffer, bytes])
      if (command === null && buffer.length >= PING.length && buffer.subarray(0, PING.length).toString() === PING) {
        if (state.mood !== 'silent') say('PONG')
        return
      }
      if (command === null && buffer.length >= INSTREAM.length) {
        if (buffer.subarray(0, INSTREAM.length).toString() !== INSTREAM) return say('UNKNOWN COMMAND')
        buffer = buffer.subarray(INSTREAM.length)
        command = 'scan'
        state.most = Math.max(state.most, ++state.now)
        socket.once('close', () => state.now--)
        if (state.mood === 'hasty') return say('stream: OK')
      }
      while (command === 'scan' && buffer.length >= 4) {
        const length = buffer.readUInt32BE(0)
        if (length === 0) return finish()
        if (content.length + length > limit) return say('INSTREAM size limit exceeded. ERROR')
        if (state.mood === 'dies') return socket.resetAndDestroy()
        if (state.mood === 'stumbles') {
          state.mood = 'well'
          return socket.resetAndDestroy()
        }
        if (buffer.length < 4 + length) return
        content = Buffer.concat([content, buffer.subarray(4, 4 + length)])
        buffer = buffer.subarray(4 + length)
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }

  const server = createServer(serve)
  await new Promise<void>(done => {
    if (options.path === undefined) server.listen(0, '127.0.0.1', done)
    else server.listen(options.path, done)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return Object.assign(state, {
    url: options.path === undefined ? `tcp://127.0.0.1:${port}` : `unix://${options.path}`,
    /** Ends every connection, and listens no longer. */
    stop: () =>
      new Promise<void>(done => {
        for (const socket of open) socket.destroy()
        server.close(() => done())
      }),
    /** Listens again, at the same place. */
    start: () =>
      new Promise<void>(done => {
        if (options.path === undefined) server.listen(port, '127.0.0.1', done)
        else server.listen(options.path, done)
      }),
  })
}

/** The server of a test. */
export type Clamd = Awaited<ReturnType<typeof openClamd>>
