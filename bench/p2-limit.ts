// The limit of P2: the statements of a step as they were sent, with their parameters, as one function of the database. It runs on permits of its own that wait
// for the same step, on the same tables with their triggers, keys and indexes, and each call is a durable transaction.
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loneClient } from '../server/base/db.ts'
import { type Bench, runPgbench } from './kit.ts'
import type { Sent } from './record.ts'

/** A step that was recorded, and the permits of its site that wait for the same step of the same person. */
export type Recorded = { sent: readonly Sent[]; began: number; permit_id: string; others: readonly string[] }

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const madeAt = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

// pg turns parameters into text with this function; its types don't have it.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | null } }).utils

/** Returns the parameters of a recorded step for another permit: ids that the step made are made again. */
function paramsFor({ sent, began, permit_id }: Recorded, other: string): (string | null)[] {
  const fresh = new Map<string, string>([[permit_id, other]])
  const replaced = (text: string) =>
    text.replace(UUID, id => {
      if (!fresh.has(id)) fresh.set(id, madeAt(id) >= began ? crypto.randomUUID() : id)
      return fresh.get(id) ?? id
    })
  return sent.flatMap(({ values }) => values.map(value => prepareValue(value)).map(text => (text === null ? null : replaced(text))))
}

/** Returns the body of the function: each statement with its parameters read from an array. */
async function bodyOf(client: pg.Client, sent: readonly Sent[]): Promise<string> {
  const lines: string[] = []
  let offset = 0
  for (const [i, { text, values }] of sent.entries()) {
    if (/^(commit|rollback)/i.test(text)) continue
    if (/^begin/i.test(text)) {
      for (const [, name, value] of text.matchAll(/set local (\S+) = '([^']*)'/g))
        lines.push(`perform set_config('${name}', '${value}', true);`)
      continue
    }
    if (/^(notify|listen)/i.test(text)) {
      lines.push(`${text};`)
      continue
    }
    await client.query(`prepare bench_${i} as ${text}`)
    const { rows } = await client.query('select parameter_types::text[] as types from pg_prepared_statements where name = $1', [
      `bench_${i}`,
    ])
    const types: string[] = rows[0].types
    const from = offset
    const filled = text.replace(/\$(\d+)/g, (_, n) => `(bench_given[${from + Number(n)}])::${types[Number(n) - 1]}`)
    offset += values.length
    lines.push(/^\s*(select|with)|returning/i.test(text) ? `for bench_found in ${filled} loop end loop;` : `${filled};`)
  }
  return lines.join('\n')
}

/** The statements of a step as one text; the beginning of its transaction has the person and the time in it. */
const textsOf = ({ sent }: Recorded): string => sent.map(({ text }) => (/^begin/i.test(text) ? 'begin' : text)).join('\n')

/** Measures how many such transactions a second the database makes, with this many callers. */
export async function recordedLimit(bench: Bench, recorded: readonly Recorded[], callers: number): Promise<number> {
  const client = await loneClient({ ...bench.connection, database: bench.database })
  try {
    // Background work sends statements too: the usual ones are those of the step alone.
    const [steps = []] = [...Map.groupBy(recorded, textsOf).values()].sort((a, b) => b.length - a.length)
    const [first] = steps
    if (first === undefined) throw new Error('No step was recorded.')
    await client.query('create table bench_call (n serial primary key, p text[] not null)')
    await client.query('create sequence bench_turn')
    const most = Math.max(...steps.map(step => step.others.length))
    // As in our own runs, neighbours are on different sites.
    for (let n = 0; n < most; n++) {
      for (const step of steps) {
        const other = step.others[n]
        if (other !== undefined) await client.query('insert into bench_call (p) values ($1)', [paramsFor(step, other)])
      }
    }
    await client.query(`create function bench_step(which integer) returns void language plpgsql as $step$
      declare bench_given text[]; bench_found record;
      begin
        select c.p into strict bench_given from bench_call c where c.n = which;
        ${await bodyOf(client, first.sent)}
      end $step$`)
    await client.query('vacuum analyze bench_call')
    const { rows } = await client.query('select count(*)::int as calls from bench_call')
    const script = join(tmpdir(), 'walkdown-p2.sql')
    await writeFile(script, "select bench_step(nextval('bench_turn')::integer);\n")
    return runPgbench(bench, script, { clients: callers, each: Math.floor(rows[0].calls / callers) })
  } finally {
    await client.end()
  }
}
