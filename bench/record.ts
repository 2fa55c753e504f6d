// Records the SQL statements of a request as they were sent, so that a peer can run the same ones without the product around them.
import pg from 'pg'

/** A statement with its parameters. */
export type Sent = { text: string; values: unknown[] }

/** Shows every statement that this process sends from now on; returns what ends that. */
export function watchStatements(see: (sent: Sent) => void): () => void {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args
    const config = typeof first === 'string' ? { text: first, values: second } : (first as { text?: string; values?: unknown })
    if (typeof config.text === 'string') see({ text: config.text, values: Array.isArray(config.values) ? config.values : [] })
    return Reflect.apply(query, this, args)
  } as typeof query // the same function, which also shows its arguments
  return () => {
    pg.Client.prototype.query = query
  }
}

/** Returns every statement that is sent while `work` runs. */
export async function recording(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const end = watchStatements(one => sent.push(one))
  try {
    await work()
  } finally {
    end()
  }
  return sent
}

/** Returns the fewest statements that a read takes, of three times: a job of the process may send one at the same moment. */
export async function fewestStatements(read: () => Promise<unknown>): Promise<Sent[]> {
  const all: Sent[][] = []
  for (let n = 0; n < 3; n++) all.push(await recording(read))
  return all.reduce((fewest, one) => (one.length < fewest.length ? one : fewest))
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? "'{}'" : `array[${value.map(literal).join(', ')}]`
  const text = typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value)
  // pgbench reads a colon as the start of a variable, even inside a literal.
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`
}

const quoted = (inner: string) => `E'${inner.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}'`

/** Returns the statement with its parameters written into it, escaped so that pgbench doesn't change it. */
export const inlined = ({ text, values }: Sent): string =>
  text
    .replace(/'((?:[^']|'')*)'/g, (whole, inner) => (inner.includes(':') ? quoted(inner) : whole))
    .replace(/\$(\d+)/g, (_, n) => literal(values[Number(n) - 1]))
