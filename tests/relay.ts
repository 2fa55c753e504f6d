// A mail server for tests that accepts emails, and refuses the recipients that a test chooses: SMTP on this machine.
import { SMTPServer } from 'smtp-server'
import { dispatchDue } from '../server/kernel/notices/door.ts'
import type { TestHouse } from './world.ts'

/** An email as received over SMTP. */
export type Received = { from: string; to: string; raw: string }

/** A mail server that keeps what it receives. */
export type Relay = {
  url: string
  received: Received[]
  /** Responds to RCPT TO of a matching address with this text, such as `550 5.1.1 no such user`; with null, accepts it. */
  refuse(address: string, reply: string | null): void
  close(): Promise<void>
}

/** Starts such a mail server. `port` is where a service expects it. */
export async function openRelay(port: number): Promise<Relay> {
  const received: Received[] = []
  const refusals = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const found = [...refusals].find(([part]) => address.includes(part))?.[1]
      if (found === undefined) return done()
      const error: Error & { responseCode?: number } = new Error(found.slice(4))
      error.responseCode = Number(found.slice(0, 3))
      done(error)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(one => one.address).join(','),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', () => done())
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: (address, reply) => {
      if (reply === null) refusals.delete(address)
      else refusals.set(address, reply)
    },
    close: () => new Promise(done => server.close(() => done())),
  }
}

/** Moves the clock on by this many seconds, and sends the emails that are due then. */
export async function sendAfter(house: TestHouse, seconds: number): Promise<number> {
  house.clock(new Date(Date.parse(house.house.clock.now()) + seconds * 1000).toISOString())
  return dispatchDue(house.house)
}
