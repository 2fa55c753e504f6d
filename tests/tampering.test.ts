// R9: every alteration made without the service is found and located: rows, signatures, the audit log, bytes of files and documents,
// exports. The alterations are random, from a seed that every message contains.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Db } from '../server/base/db.ts'
import { verifyExport, verifySite } from '../server/commands/verify.ts'
import { faultsOf, type SiteFault } from '../server/commands/verify-site.ts'
import { kindOfTable } from '../server/kernel/records/door.ts'
import { checkAuditLog } from '../shared/proof/audit-log.ts'
import { checkChain, type ExportedChain, isChain } from '../shared/proof/chain.ts'
import type { PublicKey } from '../shared/proof/statement.ts'
import { altered as alteredOf, alteredTogether } from './altered.ts'
import { chance as chanceOf, times as manyTimes, seedOf } from './chance.ts'
import { printAll } from './papers.ts'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld } from './permits.ts'
import { useHouse } from './world.ts'

/** Each change runs 500 alterations in all; R9_TIMES=200 makes it a long run. */
const times = (n: number) => n * manyTimes('R9_TIMES', 1)
const SEED = seedOf(20260316, 'changes')

const TABLES = [
  'permit',
  'permit_signature',
  'permit_attachment',
  'permit_extension',
  'paper',
  'contractor',
  'permit_type',
  'permit_appointment',
  'membership',
  'signing_key',
]

describe('R9: tampering', () => {
  const house = useHouse({}, { without_stock: true })
  let w: PermitWorld
  let live: Permit
  let keys: PublicKey[]
  let chain_text = ''
  let audit_log_text = ''

  before(async () => {
    w = await permitWorld(house)
    const made = await w.draft({ categories: ['GEN'], hazards: ['sparks'], limitations: 'None', location: 'Stair 3' })
    const file = (name: string) => [{ name: 'file', value: Buffer.from(`bytes of ${name}, more or less`), filename: name }]
    await w.as('member').send('POST', `/permits/applications/${made.id}/attachments`, file('method.txt'))
    for (const [verb, by, body] of [
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator'), { stage1_controls: 'Keep clear', note: 'Naïve “quotes”' }],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
      ['countersign', w.receiver],
    ] as const)
      assert.equal((await w.step(made, verb, by, body)).status, 200, verb)
    const extension = await w.receiver.post(`/permits/applications/${made.id}/extensions`, {
      requested_end_at: '2026-03-16T20:00:00Z',
      reason: 'Rain',
    })
    await w.as('hse').post(`/permits/extensions/${extension.body.request_id}/approve`, {})
    await w.as('hse').send('POST', `/permits/applications/${made.id}/attachments`, file('photo.txt'))
    await w.at('closed')
    await w.at('requested')
    await printAll(house, w.site_id)
    live = await w.read(made)
    keys = (await house.nobody.get(`/permits/verification-keys?site_id=${w.site_id}`)).body
    chain_text = (await w.as('admin').get(`/permits/applications/${live.id}/chain`)).text
    audit_log_text = (await w.superadmin.get(`/audit/site/${w.site_id}?format=csv`)).text
  })

  const found = async (db: Db, bytes: boolean): Promise<SiteFault[]> => {
    const faults: SiteFault[] = []
    for await (const fault of faultsOf(house.house, db, w.site_id, bytes)) faults.push(fault)
    return faults
  }

  /** Makes an alteration, and verifies. Returns null if the database itself refuses. */
  const altered = (statement: string): Promise<SiteFault[] | null> => alteredOf(house.house, [statement], db => found(db, false))

  test('R9 if nothing was altered, nothing is found, and the exports are unchanged since the site signed them', async () => {
    assert.deepEqual(await found(house.house.database.db, true), [])
    assert.deepEqual(await checkAuditLog(audit_log_text, keys), {
      ...(await checkAuditLog(audit_log_text, keys)),
      flaws: [],
      doubt: null,
    })
    const chain = JSON.parse(chain_text)
    assert.ok(isChain(chain))
    assert.deepEqual(await checkChain(chain, keys), { signatures: live.signatures.length, flaws: [], doubt: null })
  })

  test('R9 rows: an altered field of a record is found, and the fault shows the record', async () => {
    const chance = chanceOf(SEED)
    const SKIP = [
      'site_id',
      'id',
      'version',
      'created_at',
      'created_by',
      'updated_at',
      'updated_by',
      'place_bounds',
      'touched_at',
      'sealed',
    ]
    const columns = new Map<string, { name: string; type: string }[]>()
    for (const table of TABLES)
      columns.set(
        table,
        await house.rows(
          `select column_name as name, udt_name as type from information_schema.columns where table_schema = 'public' and table_name = $1 and not (column_name = any($2)) order by 1`,
          [table, SKIP],
        ),
      )
    const other: Record<string, (c: string) => string> = {
      text: c => `coalesce(${c}, '') || 'x'`,
      int4: c => `coalesce(${c}, 0) + 1`,
      int8: c => `coalesce(${c}, 0) + 1`,
      bool: c => `not coalesce(${c}, false)`,
      timestamptz: c => `coalesce(${c}, '2026-01-01') + interval '1 second'`,
      date: c => `coalesce(${c}, '2026-01-01') + 1`,
      uuid: () => 'gen_random_uuid()',
      jsonb: () => `'{"altered": true}'`,
      _text: c => `array_append(${c}, 'x')`,
      _uuid: c => `array_append(${c}, gen_random_uuid())`,
    }
    let done = 0
    let tries = 0
    while (done < times(150) && tries < times(600)) {
      // Ten alterations at a time, each of another record: every fault shows its own record and column.
      const batch = new Map<string, { statement: string; table: string; column: string }>()
      for (; batch.size < Math.min(10, times(150) - done) && tries < times(600); tries++) {
        const table = chance.of(TABLES)
        const column = chance.of(columns.get(table) ?? [])
        const make = other[column.type]
        if (make === undefined || [...(kindOfTable(table)?.derived ?? []), ...(kindOfTable(table)?.secret ?? [])].includes(column.name))
          continue
        const rows = await house.rows(`select id from "${table}" where site_id = $1 order by id`, [w.site_id])
        if (rows.length === 0) continue
        const { id } = chance.of(rows)
        if (batch.has(id)) continue
        const statement = `update "${table}" set "${column.name}" = ${make(`"${column.name}"`)} where site_id = '${w.site_id}' and id = '${id}' returning id`
        batch.set(id, { statement, table, column: column.name })
      }
      const made = [...batch]
      const statements = made.map(([, { statement }]) => statement)
      const { faults, rows } = await alteredTogether(house.house, statements, async (db, rows) => ({
        faults: await found(db, false),
        rows,
      }))
      for (const [n, [id, { table, column }]] of made.entries()) {
        if (rows[n] === null || rows[n]?.length === 0) continue // a constraint prevents it
        done++
        assert.ok(
          faults.some(f => f.part === 'record' && f.where.includes(id) && f.detail.includes(column)),
          `seed ${SEED}: ${table}.${column} of ${id}: ${JSON.stringify(faults)}`,
        )
      }
    }
    assert.equal(done, times(150))
  })

  test('R9 rows: a JSON column of any form is found, and the check doesn’t end there', async () => {
    const columns = await house.rows(
      `select table_name as table, column_name as name from information_schema.columns where table_schema = 'public' and udt_name = 'jsonb' and table_name = any($1) order by 1, 2`,
      [TABLES],
    )
    let done = 0
    for (const { table, name } of columns)
      for (const form of ['[null]', '{"altered": true}', '7']) {
        if ([...(kindOfTable(table)?.derived ?? []), ...(kindOfTable(table)?.secret ?? [])].includes(name)) continue
        const [row] = await house.rows(`select id from "${table}" where site_id = $1 order by id limit 1`, [w.site_id])
        if (row === undefined) continue
        const faults = await altered(
          `update "${table}" set "${name}" = '${form}' where site_id = '${w.site_id}' and id = '${row.id}' returning id`,
        )
        if (faults === null) continue // a constraint prevents it
        done++
        assert.ok(
          faults.some(f => f.where.includes(row.id) && f.detail.includes(name)),
          `${table}.${name} = ${form}: ${JSON.stringify(faults)}`,
        )
      }
    assert.ok(done > 15, `only ${done} alterations`)
  })

  test('R9 rows: a removed row and an inserted one are found', async () => {
    for (const table of ['permit_signature', 'permit_attachment', 'permit_extension', 'paper', 'permit', 'signing_key']) {
      const [row] = await house.rows(`select * from ${table} where site_id = $1 order by id desc limit 1`, [w.site_id])
      const gone = await altered(`delete from ${table} where site_id = '${w.site_id}' and id = '${row.id}' returning id`)
      assert.ok(
        gone?.some(f => f.where.includes(row.id) || f.where.includes(row.permit_id)),
        `${table}: ${JSON.stringify(gone)}`,
      )
    }
    const put = await altered(
      `insert into permit_attachment (site_id, id, version, created_at, updated_at, permit_id, filename, sha256, media_type, size)
       select site_id, '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e', 1, created_at, updated_at, permit_id, 'other.txt', sha256, media_type, size from permit_attachment where site_id = '${w.site_id}' limit 1 returning id`,
    )
    assert.ok(put?.some(f => f.where.includes('01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e') && /audit log has no entry/.test(f.detail)))
  })

  test('R9 signatures: an alteration of any column, of the order or of the end is found, and the fault shows the permit and the signature', async () => {
    const chance = chanceOf(SEED + 1)
    const COLUMNS: Record<string, string> = {
      kind: `case kind when 'close_out' then 'stage1_approve' else 'close_out' end`,
      signer_id: 'gen_random_uuid()',
      signer_name: `signer_name || ' jr'`,
      signer_role: `coalesce(signer_role, '') || 'x'`,
      signed_at: `signed_at - interval '1 millisecond'`,
      note: `coalesce(note, '') || '.'`,
      statement: `statement || ' Nearly.'`,
      content: `jsonb_set(content, '{controls}', '"none"')`,
      content_hash: `md5(content_hash) || md5(hash)`,
      prev_hash: `md5(prev_hash) || md5(hash)`,
      hash: `md5(prev_hash) || md5(hash)`,
    }
    const permits = await house.rows('select permit_id, max(number) as n from permit_signature where site_id = $1 group by 1 order by 1', [
      w.site_id,
    ])
    for (let i = 0; i < times(60); i++) {
      const { permit_id, n } = chance.of(permits)
      const number = 1 + chance.below(Number(n))
      const column = chance.of(Object.keys(COLUMNS))
      const which = `site_id = '${w.site_id}' and permit_id = '${permit_id}'`
      const statement =
        i % 6 === 0
          ? `delete from permit_signature where ${which} and number >= ${number} returning id`
          : i % 6 === 1
            ? `update permit_signature set number = number + 1000 where ${which} and number = ${number} returning id`
            : `update permit_signature set ${column} = ${COLUMNS[column]} where ${which} and number = ${number} returning id`
      const faults = await altered(statement)
      assert.ok(
        faults?.some(f => f.part === 'signature' && f.where.includes(permit_id) && new RegExp(`ignature ${number}\\b`).test(f.detail)),
        `seed ${SEED + 1}: ${statement}: ${JSON.stringify(faults)}`,
      )
    }
  })

  test('R9 the audit log: an altered field of an entry, a changed order, a gap and a missing end are found at their number', async () => {
    const chance = chanceOf(SEED + 2)
    const [{ head }] = await house.rows('select seq::int as head from site_head where site_id = $1', [w.site_id])
    const COLUMNS: Record<string, string> = {
      at: `at + interval '1 millisecond'`,
      actor_id: 'gen_random_uuid()',
      action: `case action when 'read' then 'update' else 'read' end`,
      entity_type: `entity_type || 'x'`,
      entity_id: 'gen_random_uuid()',
      request_id: `request_id || 'x'`,
      changes: `changes || '[{"path": "altered", "before": null, "after": 1}]'::jsonb`,
      salt: `md5(coalesce(salt, ''))`,
      changes_digest: `md5(changes_digest) || md5(hash)`,
      prev_hash: `md5(prev_hash) || md5(hash)`,
      hash: `md5(prev_hash) || md5(hash)`,
    }
    for (let i = 0; i < times(90); i++) {
      const seq = 1 + chance.below(head)
      const column = chance.of(Object.keys(COLUMNS))
      const at = `site_id = '${w.site_id}'`
      const next = Math.min(seq + 1, head)
      const how = i % 5
      const statement =
        how === 0
          ? `delete from audit_entry where ${at} and seq = ${seq} returning id`
          : how === 1
            ? `delete from audit_entry where ${at} and seq >= ${seq} returning id`
            : how === 2 && seq < head
              ? `update audit_entry set seq = case seq when ${seq} then ${next} else ${seq} end + 1000000 where ${at} and seq in (${seq}, ${next}) returning id`
              : `update audit_entry set ${column} = ${COLUMNS[column]} where ${at} and seq = ${seq} returning id`
      const faults = await altered(statement)
      assert.ok(
        faults?.some(f => f.part === 'audit log' && f.where === `seq ${seq}`),
        `seed ${SEED + 2}: ${statement}: ${JSON.stringify(faults)}`,
      )
    }
  })

  test('R9 the audit log: entries that were moved beyond its end are missing where they were', async () => {
    const [{ head }] = await house.rows('select seq::int as head from site_head where site_id = $1', [w.site_id])
    for (const first of [head - 1, head]) {
      const faults = await altered(
        `update audit_entry set seq = seq + 1000000 where site_id = '${w.site_id}' and seq >= ${first} returning id`,
      )
      assert.ok(
        faults?.some(f => f.part === 'audit log' && f.where === `seq ${first}`),
        JSON.stringify(faults),
      )
    }
  })

  test('R9 bytes: a changed bit, a missing end and a missing attachment or stored document are found, and the fault shows the file', async () => {
    const chance = chanceOf(SEED + 3)
    const files: { id: string; sha256: string; part: string }[] = await house.rows(
      `select id, sha256, 'file' as part from permit_attachment where site_id = $1 union all select id, sha256, 'document' from paper where site_id = $1 order by 1`,
      [w.site_id],
    )
    assert.ok(files.length >= 6)
    const { db } = house.house.database
    for (let i = 0; i < times(40); i++) {
      const one = chance.of(files)
      const path = join(house.house.data_dir, 'files', one.sha256.slice(0, 2), one.sha256.slice(2, 4), one.sha256)
      const bytes = await readFile(path)
      const spot = chance.below(bytes.length)
      const other =
        i % 4 === 0
          ? bytes.subarray(0, spot)
          : i % 4 === 1
            ? Buffer.concat([bytes, Buffer.from('x')])
            : Buffer.from(bytes.map((b, at) => (at === spot ? b ^ 4 : b)))
      await writeFile(path, other)
      const faults = await found(db, true)
      await writeFile(path, bytes)
      assert.ok(
        faults.some(f => f.part === one.part && f.where.includes(one.id)),
        `seed ${SEED + 3}: ${one.part} ${one.id} at ${spot}: ${JSON.stringify(faults)}`,
      )
    }
  })

  test('R9 an exported audit log: any altered character, row, order or end is found without a server, at its entry', async () => {
    const chance = chanceOf(SEED + 4)
    const lines = audit_log_text.slice(1).split('\r\n').slice(0, -1)
    const joined = (list: string[]) => `\ufeff${list.map(line => `${line}\r\n`).join('')}`
    for (let i = 0; i < times(90); i++) {
      const row = 1 + chance.below(lines.length - 2)
      const seq = (at: number) => lines[at]?.split(',')[0]
      let text: string
      let where: (string | undefined)[]
      if (i % 5 === 0) {
        text = joined(lines.filter((_, at) => at !== row))
        where = [`entry ${seq(row)}`, `entry ${seq(row + 1)}`, 'end', 'seal']
      } else if (i % 5 === 1) {
        text = joined(lines.slice(0, row + 1))
        where = ['end']
      } else if (i % 5 === 2 && row + 2 < lines.length) {
        text = joined(lines.map((line, at) => (at === row ? (lines[row + 1] ?? '') : at === row + 1 ? (lines[row] ?? '') : line)))
        where = [`entry ${seq(row)}`, `entry ${seq(row + 1)}`]
      } else {
        const line = lines[row] ?? ''
        const spot = chance.below(line.length)
        const sign = line[spot] === 'a' ? 'b' : 'a'
        text = joined(lines.map((l, at) => (at === row ? line.slice(0, spot) + sign + line.slice(spot + 1) : l)))
        // If a quote or a comma was altered, the row parses differently and is named by its position.
        where = [`entry ${seq(row)}`, `entry ${text.slice(1).split('\r\n')[row]?.split(',')[0]}`, `entry in row ${row + 1}`, 'file', 'end']
      }
      const { flaws } = await checkAuditLog(text, keys)
      assert.ok(
        flaws.some(f => where.includes(f.where)),
        `seed ${SEED + 4}, ${i % 5} at row ${row}: ${JSON.stringify(flaws)} ${JSON.stringify(where)}`,
      )
    }
    const seal = lines.at(-1) ?? ''
    for (let i = 0; i < times(20); i++) {
      const spot = chance.below(seal.length)
      const sign = seal[spot] === '3' ? '4' : '3'
      const { flaws, doubt } = await checkAuditLog(joined([...lines.slice(0, -1), seal.slice(0, spot) + sign + seal.slice(spot + 1)]), keys)
      assert.ok(flaws.length > 0 || doubt !== null, `seed ${SEED + 4}: the seal at ${spot}`)
    }
  })

  test('R9 an exported chain: any altered, missing or added value is found without a server', async () => {
    const chance = chanceOf(SEED + 5)
    const paths: (string | number)[][] = []
    const walk = (value: unknown, path: (string | number)[]) => {
      if (typeof value !== 'object' || value === null) paths.push(path)
      else for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key])
    }
    walk(JSON.parse(chain_text), [])
    for (let i = 0; i < times(60); i++) {
      const chain = JSON.parse(chain_text) as ExportedChain
      const path = chance.of(paths.filter(p => p[0] !== 'keys'))
      // biome-ignore lint/suspicious/noExplicitAny: any leaf of a file.
      let at: any = chain
      for (const key of path.slice(0, -1)) at = at[key]
      const last = path.at(-1) ?? ''
      const was = at[last]
      at[last] =
        typeof was === 'number'
          ? was + 1
          : typeof was === 'boolean'
            ? !was
            : typeof was === 'string'
              ? `${was.slice(0, -1)}${was.endsWith('a') ? 'b' : 'a'}`
              : 'x'
      if (!isChain(chain)) continue // its form is destroyed, so it is refused as not being a chain
      const { flaws, doubt } = await checkChain(chain, keys)
      const part =
        path[0] === 'signatures' ? `signature ${Number(path[1]) + 1}` : path[0] === 'papers' ? `document ${Number(path[1]) + 1}` : null
      assert.ok(
        part === null ? flaws.length > 0 || doubt !== null : flaws.some(f => f.where === part),
        `seed ${SEED + 5}: ${path.join('.')}: ${JSON.stringify(flaws)}`,
      )
    }
    for (const [name, cut] of [
      ['signature', (c: ExportedChain) => c.signatures.pop()],
      ['signature', (c: ExportedChain) => c.signatures.shift()],
      ['document', (c: ExportedChain) => c.papers.pop()],
    ] as const) {
      const chain = JSON.parse(chain_text) as ExportedChain
      cut(chain)
      assert.ok((await checkChain(chain, keys)).flaws.some(f => f.where.startsWith(name)))
    }
  })

  test('R9 there is no false alarm if a step is signed and its document printed while the site is read', async () => {
    const said: string[] = []
    const made = await w.at('issued')
    const print = async () => {
      await printAll(house, w.site_id)
      return (await house.rows(`select id from paper where subject_id = $1`, [made.id])).length
    }
    const before_ = await print()
    const { database, storage, settings } = house.house
    const reading = Promise.withResolvers<void>()
    const after = reading.promise.then(async () => {
      assert.equal((await w.step(made, 'close-out', w.as('hse'), { checklist: CHECKLIST })).status, 200)
      return print()
    })
    const open: typeof storage.open = async (key, range) => {
      reading.resolve()
      await after
      return storage.open(key, range)
    }
    assert.equal(
      await verifySite({ database, settings, storage: { ...storage, open } }, w.site_id, line => said.push(line)),
      true,
      said.join('\n'),
    )
    assert.equal(await after, before_ + 1, 'one was printed meanwhile')
    assert.match(said.at(-1) ?? '', /^ok {5}/)
  })

  test('R9 `verify --export` needs neither server nor database, and distinguishes what is altered, consistent, or signed by the site', async () => {
    const folder = house.house.data_dir
    const put = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    const said: string[] = []
    const run = async (file: string, keys_file: string | null) => {
      said.length = 0
      return verifyExport(file, keys_file, line => said.push(line))
    }
    const keys_file = await put('keys.json', JSON.stringify(keys))
    const none = await put('none.json', '[]')
    for (const [name, text] of [
      ['chain.json', chain_text],
      ['trail.csv', audit_log_text],
    ] as const) {
      const file = await put(name, text)
      assert.equal(await run(file, keys_file), 0)
      assert.match(said.join('\n'), /unchanged since the site signed it/)
      assert.equal(await run(file, null), 0)
      assert.match(said.join('\n'), /: consistent/)
      assert.equal(await run(file, none), 1)
      assert.match(said.join('\n'), /isn’t one of/)
      assert.equal(await run(await put(`bad ${name}`, text.replace('Rex Receiver', 'Rex Deceiver')), keys_file), 1)
      assert.match(said.join('\n'), /^BROKEN (signature|entry) \d+/)
    }
    await assert.rejects(run(join(folder, 'nothing'), null), /The file/)
    await assert.rejects(run(none, null), /isn’t an exported audit log or a permit’s signature chain/)
    await assert.rejects(run(join(folder, 'chain.json'), join(folder, 'chain.json')), /doesn’t contain public keys/)
  })

  test('R9 a chain with every hash recalculated and signed with another key is not the site’s', async () => {
    const other = await permitWorld(house)
    const theirs = await other.at('issued')
    const chain = JSON.parse((await other.as('admin').get(`/permits/applications/${theirs.id}/chain`)).text) as ExportedChain
    assert.equal((await checkChain(chain, keys)).doubt, 'unknown_key')
    assert.ok((await checkChain({ ...chain, site_id: w.site_id }, keys)).flaws.length > 0)
    await w.step(live, 'close-out', w.as('hse'), { checklist: CHECKLIST })
  })
})
