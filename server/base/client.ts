// A connection to PostgreSQL that sends as little as it can: statements have names, so that they are planned once for each connection, and those of one turn
// leave together.
import pg from 'pg'
import { sha256 } from './ids.ts'
import { PLANNED_PER_CALL } from './plans.ts'

const named = new Map<string, string>()

/** Returns a short name for a statement, so that the server parses and plans it once for each connection. */
function nameOf(text: string): string {
  let name = named.get(text)
  if (name === undefined) {
    if (named.size >= 2000) named.clear()
    name = `w${sha256(text).slice(0, 24)}`
    named.set(text, name)
  }
  return name
}

/** The connections that have something to send at the end of this turn. */
const waiting = new WeakSet<pg.Connection>()

/**
 * Sends all that a connection is given from now until the end of this turn in one piece: each piece is a call of the system, and wakes a process of the database.
 * What waits for a promise that is already fulfilled still belongs to the turn, so a transaction begins with its first statement, and reads at once are one piece.
 */
function sendTogether(connection: pg.Connection): void {
  if (waiting.has(connection)) return
  waiting.add(connection)
  const { stream } = connection
  stream.cork()
  process.nextTick(() => {
    waiting.delete(connection)
    stream.uncork()
  })
}

/**
 * Makes a pool use the oldest of its idle connections, not the one that was released last: a statement is planned on each connection that it is sent on, and what is
 * sent while another request runs would otherwise make its connection the next one (decision 1123). The pool itself has no setting for this.
 */
export function oldestFirst(pool: pg.Pool): void {
  const born = new WeakMap<object, number>()
  let connected = 0
  pool.on('connect', client => born.set(client, connected++))
  const idle: unknown = Reflect.get(pool, '_idle')
  if (!Array.isArray(idle)) throw new Error('pg-pool keeps its idle connections in another place.')
  const age = (item: { client: object }): number => born.get(item.client) ?? 0
  // The pool takes the last one.
  idle.push = (...items) => {
    for (const item of items) {
      const at = idle.findIndex(other => age(other) < age(item))
      idle.splice(at < 0 ? idle.length : at, 0, item)
    }
    return idle.length
  }
}

/** A client that gives the statements with parameters a name, and sends those of one turn together. */
export class NamingClient extends pg.Client {
  override query(...given: readonly unknown[]): never {
    const [text, values, ...rest] = given
    const named = typeof text === 'string' && Array.isArray(values) && values.length > 0 && !text.startsWith(PLANNED_PER_CALL)
    sendTogether(this.connection)
    return Reflect.apply(super.query, this, named ? [{ name: nameOf(text), text, values }, ...rest] : given) as never // it returns what pg returns for the same arguments
  }
}
