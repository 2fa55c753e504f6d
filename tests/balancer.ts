// A load balancer in front of several nodes, as strict as possible: it asks each node whether it is ready, sends new requests and sockets to ready nodes
// only, keeps connections open between requests, and never sends a request twice. Whatever a node refuses or breaks reaches the caller.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { freePort } from './port.ts'

const LOOK_MS = 100
const PATIENCE_MS = 5000

type Node = { host: string; port: number; agent: Agent; ready: boolean /** What the node said when it was not ready. */; why: string }

/** A running load balancer. */
export type Balancer = {
  url: string
  /** Returns whether the balancer sends requests to the node at this URL. */
  sendsTo(url: string): boolean
  /** What broke between the balancer and the nodes. */
  broken: string[]
  close(): Promise<void>
}

/** Starts a load balancer in front of the nodes at these URLs. */
export async function openBalancer(urls: readonly string[]): Promise<Balancer> {
  const nodes: Node[] = urls.map(text => {
    const { hostname, port } = new URL(text)
    return {
      host: hostname,
      port: Number(port),
      ready: false,
      why: 'not asked yet',
      agent: new Agent({ keepAlive: true, maxFreeSockets: 32 }),
    }
  })
  const broken: string[] = []
  let turn = 0
  const pick = (): Node | null => {
    const ready = nodes.filter(node => node.ready)
    return ready[turn++ % Math.max(1, ready.length)] ?? null
  }
  const look = async (node: Node) => {
    try {
      const answer = await fetch(`http://${node.host}:${node.port}/api/health/ready`, { signal: AbortSignal.timeout(PATIENCE_MS) })
      node.why = await answer.text()
      node.ready = answer.ok
    } catch (error) {
      node.why = String(error)
      node.ready = false
    }
  }
  const timers = nodes.map(node => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      void look(node).finally(() => {
        busy = false
      })
    }, LOOK_MS)
  })

  const fail = (reply: ServerResponse, why: string) => {
    broken.push(why)
    if (reply.headersSent) reply.destroy()
    else reply.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { code: 'balancer', detail: why } }))
  }
  const pass = (asked: IncomingMessage, reply: ServerResponse) => {
    const node = pick()
    const what = `${asked.method} ${asked.url}`
    if (node === null) return fail(reply, `${what}: no node is ready: ${nodes.map(one => `${one.port} ${one.why}`).join('; ')}`)
    const onward = request({
      host: node.host,
      port: node.port,
      method: asked.method,
      path: asked.url,
      headers: asked.headers,
      agent: node.agent,
    })
    onward.on('error', error => fail(reply, `${what} to ${node.port}: ${error.message}`))
    onward.on('response', answer => {
      const { connection: _, 'keep-alive': __, ...headers } = answer.headers
      reply.writeHead(answer.statusCode ?? 502, headers)
      answer.on('error', error => fail(reply, `${what} from ${node.port}: ${error.message}`))
      answer.pipe(reply)
    })
    asked.pipe(onward)
  }
  const sockets = new Set<Socket>()
  const server = createServer(pass)
  server.on('upgrade', (asked: IncomingMessage, near: Socket, head: Buffer) => {
    const node = pick()
    if (node === null) return near.destroy()
    const far = connect(node.port, node.host, () => {
      const lines = asked.rawHeaders.flatMap((text, i) => (i % 2 === 0 ? [`${text}: ${asked.rawHeaders[i + 1]}`] : []))
      far.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      far.write(head)
      far.pipe(near).pipe(far)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  const port = await freePort()
  await new Promise<void>(done => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${port}`,
    sendsTo: url => nodes.some(node => node.ready && `http://${node.host}:${node.port}` === url),
    broken,
    async close() {
      for (const timer of timers) clearInterval(timer)
      for (const node of nodes) node.agent.destroy()
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}
