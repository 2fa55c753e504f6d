// A server with the part of the S3 interface that the storage uses, in memory, which can be made to fail.
import { createServer, type Server } from 'node:http'

/** Such a server. */
export type Bucket = {
  /** Works, responds with this status to everything, or accepts no connections. */
  be(how: 'up' | 'down' | number): Promise<void>
  close(): Promise<void>
}

/** Starts such a server. */
export async function openBucket(port: number): Promise<Bucket> {
  const objects = new Map<string, Buffer>()
  let status: number | null = null
  let server: Server | null = null
  const stop = () =>
    new Promise<void>(done => {
      if (server === null) return done()
      server.close(() => done())
      server.closeAllConnections()
      server = null
    })
  const start = () =>
    new Promise<void>(done => {
      server = createServer((request, reply) => {
        const key = request.url ?? ''
        const chunks: Buffer[] = []
        request.on('data', chunk => chunks.push(chunk))
        request.on('end', () => {
          if (status !== null) return reply.writeHead(status).end()
          const there = objects.get(key)
          if (request.method === 'PUT') objects.set(key, Buffer.concat(chunks))
          else if (request.method === 'DELETE') objects.delete(key)
          else if (there === undefined) return reply.writeHead(404).end()
          else return reply.writeHead(200, { 'content-length': there.length }).end(request.method === 'HEAD' ? undefined : there)
          reply.writeHead(200).end()
        })
      }).listen(port, '127.0.0.1', done)
    })
  await start()
  return {
    async be(how) {
      status = typeof how === 'number' ? how : null
      if (how === 'down') await stop()
      else if (server === null) await start()
    },
    close: stop,
  }
}
