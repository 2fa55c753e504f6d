import { createServer } from 'node:net'

/** Returns a free port. */
export const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number } // it listens on TCP
      server.close(() => done(port))
    })
  })
