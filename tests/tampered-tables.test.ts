// R9, from the schema of the database: a plain UPDATE of every column of every table, a row deleted and a row added. Each is found by verify, or the table or
// column is listed below with the reason why it need not be. A new table or column that is neither fails here.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { jobActor } from '../server/base/actor.ts'
import type { Db } from '../server/base/db.ts'
import { PLATFORM } from '../server/base/ids.ts'
import { faultsOf } from '../server/commands/verify-site.ts'
import { attachEvidence } from '../server/kernel/evidence/door.ts'
import { kindOfTable } from '../server/kernel/records/door.ts'
import { writingOn } from '../server/kernel/site/door.ts'
import { rowFaults } from '../server/rooms/operate/audit/door.ts'
import { altered, alteredTogether } from './altered.ts'
import { CALLS, routeNamed } from './cases.ts'
import { printAll } from './papers.ts'
import { permitWorld } from './permits.ts'
import { makeCall, tour } from './tour.ts'
import { toured } from './toured.ts'
import { type TestHouse, useHouse } from './world.ts'

/** Tables and columns that verify doesn't prove, each with its reason. */
const NOT_PROVEN: Record<string, string> = {
  account_code_step: 'the last code of an app that was used, so that it works once; what is done after it is in the log under the person',
  account_token: 'links of a day that prove an address; what their holder does is in the log under that person',
  app_user_seen: 'when a person was last here; nothing depends on it',
  audit_draft: 'between a statement and the seal of its transaction; empty otherwise, and not logged',
  audit_open: 'that there are drafts to seal; empty otherwise',
  chain_check: 'how far the log was verified: a note for the nightly run, which starts again once a week',
  contractor_name: 'derived from the contractor, so that one name means one contractor',
  device_key: 'what it encrypts is on devices; an altered one can’t be decrypted, and the device keeps what it has',
  diag_line: 'lines for the people on call, kept for days',
  email_report: 'what mail servers report of single emails',
  email_suppression: 'addresses that get no email; each suppression is an entry of its own',
  event_cursor: 'how far a consumer of events has come; each effect is in the log',
  event_receipt: 'that a consumer handled an event',
  event_waiting: 'events that wait for another attempt',
  idempotency_key: 'responses that are repeated for 24 hours',
  invite_token: 'hashes of invitation links; the person who joins by one is in the log, and the invitation is proven',
  job_run: 'progress of background work; what it writes is in the log',
  live_process: 'processes that run now',
  notification: 'made from an event, which is proven',
  notification_message: 'emails and push notifications on their way',
  notification_preference: 'a person’s own settings of their messages',
  notification_rule_hour: 'counts of an hour',
  notification_rule_version: 'earlier versions of a rule; each change of the rule is in the log',
  notification_send: 'how a notification was sent',
  oidc_item: 'sessions and codes; what is done in them is in the log under their person',
  paper_order: 'between a step and the making of its document, which is proven',
  permit_words: 'words to search by, derived from the permit',
  push_key: 'keys for push services, which prove nothing about permits',
  push_send: 'push notifications on their way',
  push_subscription: 'devices that get push notifications',
  rate_count: 'counts of calls',
  'record_directory.(insert)': 'an entry without its record leads nowhere',
  weather_cell: 'the last answer of a weather service, which is fetched again',
  weather_call: 'calls of a day',
  weather_hour: 'values of a model, which the archive of the weather service has, too',
  weather_kept: 'values of a model',
  weather_notice: 'which limits people were notified of; each is an event',
  site_seed: 'what a site was given, so that it isn’t added again; what was added is in the log',
  rule_profile_period: 'when each profile was active; each activation is an entry',
  clash_rule_version: 'the states of a rule; each is an entry of the rule',
  clash_site: 'how far clashes are known, which a rebuild tells again',
  clash_asked: 'when people are asked; each task is an event',
  clash: 'derived from what is on the site and its rules; the nightly rebuild compares them',
  clash_episode: 'derived from clashes, as they are; what people decide about it is proven',
  clash_episode_event: 'what happened to an episode; each is an event',
  clash_permit_link: 'what permits covered when their clashes were computed last',
  permit_conflicts_told: 'how many conflicts a permit had at its last event',
  delivery_late: 'which late vehicles people were notified of; each is an event',
  person_key:
    'keys of person data in the audit log; if one was altered, the log still verifies, and the record is found whose last values it encrypts (deliveries/people.test.ts)',
  permit_gap: 'which work without a live permit people were notified of; each is an event',
  geometry_cut_step: 'steps of a cut, each of which is in the log under the cut and its feature',
  geodata_feature: 'content of a layer, whose digest is in the log with the layer',
  reference_feature_parent: 'derived from geometries, which are proven',
  schedule_run: 'when a schedule last ran',
  schema_migration: 'compared with the program at each start',
  site_counter: 'next numbers; a number that was used can’t be used again',
  'site_head.revision': 'tells open maps to load again',
  'site_head.layers': 'tells open maps what to load again',
  'site_head.facts_no': 'tells processes to read the settings of the site again',
  stored_file: 'proven with the bytes against the hash that records name (tampering.test.ts)',
  task: 'derived from the record that raises it',
  task_acknowledgement: 'that a person has seen a task',
}

type Column = { name: string; type: string; key: boolean }

/** Attaches a file to a record. It works even if no area of the product has records with files. */
async function attachOne({ house, rows }: TestHouse, site_id: string): Promise<void> {
  const [contractor] = await rows('select id from contractor where site_id = $1 limit 1', [site_id])
  const [stored] = await rows('select sha256, size, media_type, width, height from stored_file where site_id = $1 limit 1', [site_id])
  const file = {
    ...stored,
    size: Number(stored.size),
    filename: 'door.jpg',
    facts: { taken: '2026-03-01T08:00:00', offset: null, lon: 1, lat: 51 },
  }
  await writingOn(house, { actor: jobActor('test'), cause: 'test.attach' }, site_id, ctx =>
    attachEvidence(ctx, { site_id, kind: 'contractor', id: contractor.id }, file, { role: 'before', caption: 'Door' }),
  )
}

/** Another value of a column, by its type. */
const OTHER: Record<string, (c: string) => string> = {
  text: c => `coalesce(${c}, '') || 'x'`,
  int2: c => `coalesce(${c}, 0) + 1`,
  int4: c => `coalesce(${c}, 0) + 1`,
  int8: c => `coalesce(${c}, 0) + 1`,
  float8: c => `coalesce(${c}, 0) + 1`,
  bool: c => `not coalesce(${c}, false)`,
  timestamptz: c => `coalesce(${c}, '2026-01-01') + interval '1 second'`,
  _timestamptz: c => `array_append(${c}, '2026-01-01'::timestamptz)`,
  date: c => `coalesce(${c}, '2026-01-01') + 1`,
  uuid: () => 'gen_random_uuid()',
  jsonb: () => `'{"altered": true}'`,
  json: () => `'{"altered": true}'`,
  _text: c => `array_append(${c}, 'x')`,
  _uuid: c => `array_append(${c}, gen_random_uuid())`,
  _int4: c => `array_append(${c}, 99)`,
  box: () => `'(1,1),(0,0)'`,
  xid8: () => `'7'`,
  char: () => `'X'`,
}

describe('R9: every table', () => {
  const house = useHouse({}, { prepared: toured })
  const tables = new Map<string, Column[]>()
  let done = 0

  before(async () => {
    // A world in which every room has written.
    const w = await permitWorld(house)
    await w.at('closed')
    const t = await tour(house)
    for (const [name, making] of CALLS) {
      const { status } = await makeCall(t, routeNamed(name), await making(t))
      if (status < 300) done++
    }
    await printAll(house, t.site_id)
    await attachOne(house, t.site_id)
    const rows = await house.rows(`
      select c.relname as table, a.attname as name, y.typname as type,
        exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)) as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' join pg_type y on y.oid = a.atttypid
      where c.relkind = 'r' order by 1, a.attnum`)
    for (const { table, ...column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])
  })

  const reasonFor = (table: string) => NOT_PROVEN[table]

  /** Returns a row of a table, on the site with the least to verify, and the audit log that it belongs to: its site's or the platform's. */
  const rowOf = async (table: string, columns: readonly Column[]) => {
    const sited = columns.some(c => c.name === 'site_id')
    const id = columns.some(c => c.name === 'id' && c.type === 'uuid') ? 't.id::text' : 'null'
    const [row] = await house.rows(
      sited
        ? `select t.ctid::text as at, t.site_id, ${id} as id from "${table}" t join (select site_id, count(*) as n from audit_entry group by 1) e using (site_id)
           order by e.n, t.ctid desc limit 1`
        : `select t.ctid::text as at, null as site_id, ${id} as id from "${table}" t order by t.ctid limit 1`,
    )
    if (row === undefined) return null
    return { at: row.at as string, place: (row.site_id ?? PLATFORM) as string, id: row.id as string | null }
  }

  /** One alteration; `found` is set once it has been tried. */
  type Try = { name: string; table: string; place: string; id: string | null; statement: string; found: boolean }

  /** Records whether verify finds an alteration. One that the database refuses counts as found. */
  const tryAlone = async (one: Try): Promise<void> => {
    let tried = false
    const seen = await altered(house.house, [one.statement], async (db: Db) => {
      tried = true
      for (const site of new Set([one.place, PLATFORM])) for await (const _ of faultsOf(house.house, db, site, false)) return true
      return false
    })
    one.found = seen ?? !tried
  }

  /**
   * Makes alterations of different tables in one transaction and verifies once. A fault that shows the altered record itself proves its alteration. An
   * alteration without such a fault is then tried alone, so none counts as found because of another one.
   */
  const tryTogether = async (tries: readonly Try[]): Promise<void> => {
    const kindOf = ({ table, id }: Try) => (id === null ? undefined : kindOfTable(table)?.name)
    const shown = tries.filter(one => kindOf(one) !== undefined)
    await alteredTogether(
      house.house,
      shown.map(({ statement }) => `${statement}, id::text`),
      async (db, rows) => {
        // Of all that verify does, only this shows a record.
        const seen = new Set<string>()
        for (const site of new Set([...tries.map(one => one.place), PLATFORM]))
          for await (const { kind, id } of rowFaults(db, site, house.house.settings)) seen.add(`${kind} ${id}`)
        for (const [n, one] of shown.entries()) {
          const ids = [one.id, ...(rows[n] ?? []).map(row => String(row.id))]
          one.found = rows[n] !== null && ids.some(id => seen.has(`${kindOf(one)} ${id}`))
        }
      },
    )
    for (const one of tries) if (!one.found) await tryAlone(one)
  }

  test('10.3 R9 there is no false alarm: after every call that writes, in every room, and with every document printed, nothing is found', async () => {
    assert.ok(done > 60, `${done} calls went through`)
    for (const { site_id } of await house.rows('select site_id from site_head order by 1'))
      for await (const fault of faultsOf(house.house, house.house.database.db, site_id, true)) assert.fail(JSON.stringify(fault))
  })

  test('10.3 a change to any column of any table, a deleted row and an added row are found, or listed with a reason', async () => {
    const missed: string[] = []
    /** The alterations of each table. */
    const all: Try[][] = []
    for (const [table, columns] of tables) {
      if (reasonFor(table) !== undefined) continue
      const row = await rowOf(table, columns)
      if (row === null) {
        missed.push(`${table}: no row to alter`)
        continue
      }
      const tries: Try[] = []
      const add = (name: string, statement: string) =>
        tries.push({ name: `${table}.${name}`, table, place: row.place, id: row.id, statement: `${statement} returning 1`, found: false })
      for (const column of columns) {
        const make = OTHER[column.type]
        if (make === undefined) missed.push(`${table}.${column.name}: no other value of ${column.type}`)
        else add(column.name, `update "${table}" set "${column.name}" = ${make(`"${column.name}"`)} where ctid = '${row.at}'`)
      }
      const names = columns.map(c => `"${c.name}"`).join(', ')
      const values = columns
        .map(c => (c.key && c.name !== 'site_id' ? (OTHER[c.type]?.(`"${c.name}"`) ?? `"${c.name}"`) : `"${c.name}"`))
        .join(', ')
      add('(delete)', `delete from "${table}" where ctid = '${row.at}'`)
      add('(insert)', `insert into "${table}" (${names}) select ${values} from "${table}" where ctid = '${row.at}'`)
      all.push(tries)
    }
    const longest = Math.max(...all.map(tries => tries.length))
    for (let n = 0; n < longest; n++) await tryTogether(all.flatMap(tries => tries[n] ?? []))
    const tried = all.flat()
    missed.push(...tried.filter(one => !one.found && NOT_PROVEN[one.name] === undefined).map(one => one.name))
    const stale = tried.filter(one => one.found && NOT_PROVEN[one.name] !== undefined).map(one => one.name)
    assert.deepEqual({ missed, stale }, { missed: [], stale: [] })
  })

  test('10.3 every table and column that is listed as not proven exists', () => {
    for (const name of Object.keys(NOT_PROVEN)) {
      const [table = '', column] = name.split('.')
      const columns = tables.get(table)
      assert.ok(columns !== undefined, `${name}: no such table`)
      if (column !== undefined && !column.startsWith('('))
        assert.ok(
          columns.some(c => c.name === column),
          `${name}: no such column`,
        )
    }
  })
})
