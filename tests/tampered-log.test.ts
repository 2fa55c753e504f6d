// R9, the audit log itself: parts that are missing and were not erased by law, the coverage of its hashes, and that every site is verified. No alteration
// needs a hash to be calculated: a person with access to the database could make each with one statement.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Db, openDatabase } from '../server/base/db.ts'
import { PLATFORM, sha256 } from '../server/base/ids.ts'
import { createDatabase, dropDatabase, migrate, migrations } from '../server/base/migrate.ts'
import { readSettings } from '../server/base/settings.ts'
import { erasePeople } from '../server/commands/erase.ts'
import { placesOf } from '../server/commands/verify-places.ts'
import { faultsOf, type SiteFault } from '../server/commands/verify-site.ts'
import { textBefore } from '../server/kernel/audit/domain.ts'
import { digestOf, genesisOf, verifyChain } from '../server/kernel/audit/door.ts'
import { rowFaults } from '../server/rooms/operate/audit/door.ts'
import { altered } from './altered.ts'
import { testEngine } from './engine.ts'
import { type Permit, type PermitWorld, permitWorld } from './permits.ts'
import { personWithAccount } from './provider.ts'
import { useHouse } from './world.ts'

const BEFORE = '20260304_0000_audit_covers_everything'

describe('R9: the audit log', () => {
  const house = useHouse({}, { without_stock: true })
  let w: PermitWorld
  let permit: Permit
  let at = ''

  before(async () => {
    w = await permitWorld(house)
    permit = await w.at('issued')
    await w
      .as('hse')
      .send('POST', `/permits/applications/${permit.id}/attachments`, [
        { name: 'file', value: Buffer.from('method'), filename: 'method.txt' },
      ])
    await personWithAccount(house, 'Ann', 'ann@example.com')
    at = `site_id = '${w.site_id}'`
  })

  const found = async (db: Db, site_id: string): Promise<SiteFault[]> => {
    const faults: SiteFault[] = []
    for await (const fault of faultsOf(house.house, db, site_id, false)) faults.push(fault)
    return faults
  }
  const after = (site_id: string, ...statements: string[]) => altered(house.house, statements, db => found(db, site_id))
  const cleared = (which: string) => `update audit_entry set changes = null, salt = null where ${which} returning id`

  test('10.1 changes removed without an erasure are found, and the row that they belong to is still compared', async () => {
    const rows: [string, string, string][] = [
      ['permit', `status = 'closed'`, `id = '${permit.id}'`],
      ['membership', `role = 'admin'`, `user_id = '${w.receiver.user_id}'`],
      ['permit_appointment', 'permit_type_id = null', `user_id = '${w.issuer.user_id}'`],
      ['permit_attachment', `sha256 = repeat('a', 64)`, `permit_id = '${permit.id}'`],
    ]
    assert.deepEqual(await found(house.house.database.db, w.site_id), [])
    for (const [table, set, which] of rows) {
      const [{ id }] = await house.rows(`select id from ${table} where ${at} and ${which} order by id limit 1`)
      const faults = await after(
        w.site_id,
        cleared(`${at} and entity_id = '${id}'`),
        `update ${table} set ${set} where ${at} and id = '${id}' returning id`,
      )
      assert.ok(
        faults?.some(f => f.part === 'audit log' && /no later entry says that they were erased/.test(f.detail)),
        `${table}: the entries`,
      )
      assert.ok(
        faults?.some(f => f.part === 'record' && f.where.includes(id)),
        `${table}: the row: ${JSON.stringify(faults)}`,
      )
    }
  })

  test('10.1 an erasure by law is a signed entry that lists what it erased; rows are compared with the state that it records', async () => {
    const [{ id }] = await house.rows(`select id from app_user where email = 'ann@example.com'`)
    const [{ id: account }] = await house.rows(`select id from account where email = 'ann@example.com'`)
    await erasePeople(house.house, 'ann@example.com', 'Asked by letter')
    const { db } = house.house.database
    assert.deepEqual(await found(db, PLATFORM), [])
    const said = await house.rows(`select * from audit_entry where site_id = $1 and entity_id in ($2, $3) order by seq`, [
      PLATFORM,
      id,
      account,
    ])
    assert.ok(said.length >= 4)
    for (const entry of said) assert.ok(entry.changes === null && !JSON.stringify(entry).includes('Ann'), JSON.stringify(entry))
    const [erasure] = await house.rows(`select seq, changes from audit_entry where site_id = $1 and entity_type = 'erasure' order by seq`, [
      PLATFORM,
    ])
    assert.deepEqual(
      erasure.changes[0].after.entries.map((entry: { seq: number }) => entry.seq),
      said.map(entry => entry.seq),
    )
    const here = `site_id = '${PLATFORM}'`
    for (const [what, statement] of [
      [`user ${id}`, `update app_user set is_superadmin = true, disabled_at = null where id = '${id}' returning id`],
      [`user ${id}`, `update app_user set version = version + 1 where id = '${id}' returning id`],
      [`account ${account}`, `update account set password_hash = 'x' where id = '${account}' returning id`],
      [`user ${id}`, `delete from app_user where id = '${id}' returning id`],
      [`seq ${said[0].seq}`, `update audit_entry set entity_label = 'Somebody' where ${here} and seq = ${said[0].seq} returning id`],
      // No entry lists what was erased: the first erased entry is the first fault.
      [`seq ${said[0].seq}`, cleared(`${here} and seq = ${erasure.seq}`)],
      ['seq', `update signing_key set public_key = repeat('A', 43) where ${here} returning id`],
    ] as const) {
      const faults = await after(PLATFORM, statement)
      assert.ok(
        faults?.some(f => f.where.includes(what)),
        `${statement}: ${JSON.stringify(faults)}`,
      )
    }
    // The erasure does not cover an entry about another person that was cleared too.
    const [other] = await house.rows(
      `select seq from audit_entry where ${here} and changes is not null and entity_type = 'user' order by seq limit 1`,
    )
    assert.ok((await after(PLATFORM, cleared(`${here} and seq = ${other.seq}`)))?.some(f => f.where === `seq ${other.seq}`))
  })

  test('10.2 a site whose whole log and head were deleted is still verified, and the deletion found', async () => {
    const faults = await altered(
      house.house,
      [`delete from audit_entry where ${at} returning id`, `delete from site_head where ${at} returning site_id`],
      async db => ((await placesOf(db)).includes(w.site_id) ? found(db, w.site_id) : null),
    )
    assert.ok(
      faults?.some(f => f.part === 'audit log' && /There is no audit log, but there are rows in .*permit/.test(f.detail)),
      JSON.stringify(faults),
    )
    // The fault is found even if the row of the site itself was deleted.
    const places = await altered(
      house.house,
      [`delete from audit_entry where ${at} returning id`, `delete from site_head where ${at}`, `delete from site where ${at}`],
      placesOf,
    )
    assert.ok(places?.includes(w.site_id))
    // The missing log of the platform is found too.
    const none = await after(
      PLATFORM,
      `delete from audit_entry where site_id = '${PLATFORM}' returning id`,
      `delete from site_head where site_id = '${PLATFORM}'`,
    )
    assert.ok(none?.some(f => /There is no audit log/.test(f.detail)))
  })

  test('10.3 the hash of an entry covers each of its columns', async () => {
    const [{ seq }] = await house.rows(`select seq from audit_entry where ${at} and entity_type = 'permit' order by seq limit 1`)
    for (const set of [
      `actor_name = 'Somebody'`,
      `actor_kind = 'job'`,
      `acting_for = gen_random_uuid()`,
      `cause = 'permit.other'`,
      `reason = 'Because'`,
      `entity_label = 'PTW-999999'`,
      `work_date = work_date + 1`,
      `batch_id = gen_random_uuid()`,
      `parent_type = 'permit'`,
      `parent_id = gen_random_uuid()`,
      `reverts_entry_id = gen_random_uuid()`,
      `id = gen_random_uuid()`,
      `quiet = not quiet`,
      `v = 1`,
      `words_salt = null`,
      `words_digest = repeat('a', 64)`,
      `state_digest = null`,
      `events = '1;x'`,
    ]) {
      const faults = await after(w.site_id, `update audit_entry set ${set} where ${at} and seq = ${seq} returning id`)
      assert.ok(
        faults?.some(f => f.part === 'audit log' && f.where === `seq ${seq}`),
        `${set}: ${JSON.stringify(faults)}`,
      )
    }
  })

  test('10.3 alterations of a row’s version and stamps, of people, of accounts and of the installation’s keys are found', async () => {
    for (const [site_id, what, statement] of [
      [w.site_id, permit.id, `update permit set version = version + 1 where id = '${permit.id}' returning id`],
      [w.site_id, permit.id, `update permit set created_by = gen_random_uuid() where id = '${permit.id}' returning id`],
      [w.site_id, permit.id, `update permit set updated_at = updated_at - interval '1 day' where id = '${permit.id}' returning id`],
      [w.site_id, permit.id, `update permit set touched_at = now() where id = '${permit.id}' returning id`],
      [PLATFORM, w.receiver.user_id, `update app_user set is_superadmin = true where id = '${w.receiver.user_id}' returning id`],
      [PLATFORM, 'account', `update account set password_hash = 'of another' returning id`],
      [
        PLATFORM,
        'user',
        `insert into app_user (id, version, created_at, updated_at, issuer, subject, name, is_superadmin) values (gen_random_uuid(), 1, now(), now(), 'x', 'y', 'Eve', true) returning id`,
      ],
      [PLATFORM, 'platform_secret oidc', `update platform_secret set value = '{"jwks": []}' where name = 'oidc' returning name`],
    ] as const) {
      const faults = await after(site_id, statement)
      assert.ok(
        faults?.some(f => f.part === 'record' && f.where.includes(what)),
        `${statement}: ${JSON.stringify(faults)}`,
      )
    }
  })

  test('10.3 an altered, removed or inserted event is found', async () => {
    const [{ no }] = await house.rows(`select max(event_no) - 1 as no from event where ${at}`)
    for (const statement of [
      `update event set actor_name = 'Somebody' where ${at} and event_no = ${no} returning id`,
      `update event set payload = payload || '{"more": 1}' where ${at} and event_no = ${no} returning id`,
      `update event set salt = null, digest = null, hash = null where ${at} and event_no = ${no} returning id`,
      `delete from event where ${at} and event_no = ${no} returning id`,
      `delete from event where ${at} and event_no > ${no} returning id`,
      `insert into event select (jsonb_populate_record(e, jsonb_build_object('event_no', ${Number(no) + 2}))).* from event e where ${at} and event_no = ${no} returning id`,
    ]) {
      const faults = await after(w.site_id, statement)
      assert.ok(
        faults?.some(f => /Event \d+/.test(f.detail)),
        `${statement}: ${JSON.stringify(faults)}`,
      )
    }
    // If the events are cut off together with their head, an entry refers to a missing event.
    const cut = await after(
      w.site_id,
      `delete from event where ${at} and event_no > ${no} returning id`,
      `update site_head h set event_no = ${no}, event_hash = (select hash from event e where e.site_id = h.site_id and e.event_no = ${no}) where ${at} returning site_id`,
    )
    assert.ok(cut?.some(f => /isn’t the one that entry \d+ refers to/.test(f.detail)))
  })

  test('10.3 an older log continues: its entries verify, the columns that their hashes left out are now covered, and no entry can return to version 1', async () => {
    const engine = await testEngine()
    const database = `audit_before_${process.pid}`
    await createDatabase(engine, database)
    const here = openDatabase(engine, { database, max: 2 })
    try {
      await migrate(engine, {
        database,
        upto: new Set(
          migrations()
            .map(m => m.name)
            .filter(name => name < BEFORE),
        ),
      })
      const site = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'
      const firm = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6f'
      const client = await here.pool.connect()
      await client.query('set session_replication_role = replica')
      const stamps = `1, '2026-03-01T09:00:00Z', null, '2026-03-01T09:00:00Z', null`
      await client.query(
        `insert into site (site_id, version, created_at, created_by, updated_at, updated_by, name, code, timezone) values ('${site}', ${stamps}, 'Old', 'OLD', 'UTC')`,
      )
      await client.query(
        `insert into contractor (site_id, id, version, created_at, created_by, updated_at, updated_by, name, name_key, short_name, colour) values ('${site}', '${firm}', ${stamps}, 'Old Firm', 'old firm', 'Old', '#123456')`,
      )
      let prev = genesisOf(site)
      const wrote = async (seq: number, entity_type: string, entity_id: string, row: Record<string, unknown>, erased = false) => {
        const changes = Object.entries(row)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([path, value]) => ({ path, before: null, after: value }))
        const salt = sha256(`salt ${seq}`).slice(0, 32)
        const sealed = {
          action: 'create',
          actor_id: null,
          at: '2026-03-01T09:00:00.000Z',
          changes_digest: digestOf(2, salt, changes),
          entity_id,
          entity_type,
          request_id: `r${seq}`,
          seq,
        }
        const hash = sha256(prev + textBefore(sealed))
        await client.query(
          `insert into audit_entry (site_id, seq, id, at, work_date, actor_kind, actor_name, action, cause, entity_type, entity_id, entity_label, changes, salt, request_id, batch_id, changes_digest, prev_hash, hash)
           values ($1, $2, gen_random_uuid(), $3, '2026-03-01', 'user', 'Ana', 'create', 'x.create', $4, $5, 'Old', $6, $7, $8, gen_random_uuid(), $9, $10, $11)`,
          [
            site,
            seq,
            sealed.at,
            entity_type,
            entity_id,
            erased ? null : JSON.stringify(changes),
            erased ? null : salt,
            sealed.request_id,
            sealed.changes_digest,
            prev,
            hash,
          ],
        )
        prev = hash
      }
      const row = (table: string) => here.pool.query(`select to_jsonb(t) as row from ${table} t`).then(({ rows }) => rows[0].row)
      const told = (all: Record<string, unknown>, but: string[]) =>
        Object.fromEntries(
          Object.entries(all).filter(
            ([name, value]) => value !== null && !['id', 'site_id', 'version', 'created_at', 'updated_at', ...but].includes(name),
          ),
        )
      await wrote(1, 'site', site, told(await row('site'), ['boundary_bounds', 'nuked_at']))
      await wrote(2, 'contractor', firm, told(await row('contractor'), ['name_key']))
      await wrote(3, 'permit', '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d60', { title: 'Gone' }, true)
      await client.query(
        `insert into record_directory (id, site_id, kind) values ('${site}', '${site}', 'site'), ('${firm}', '${site}', 'contractor')`,
      )
      await client.query(`insert into site_head (site_id, seq, hash, last_at) values ('${site}', 3, '${prev}', '2026-03-01T09:00:00Z')`)
      client.release()
      await migrate(engine, { database })
      const report = await verifyChain(here.db, site)
      assert.deepEqual([report.fault, report.entries, report.head?.seq], [null, 4, 4])
      const faults: unknown[] = []
      for await (const fault of rowFaults(here.db, site, readSettings({}))) faults.push(fault)
      assert.deepEqual(faults, [])
      const harmed = async (statement: string) => {
        const one = await here.pool.connect()
        try {
          await one.query('begin; set local session_replication_role = replica')
          await one.query(statement)
          await one.query('commit')
        } finally {
          one.release()
        }
        return (await verifyChain(here.db, site)).fault
      }
      // The columns that version 1 left out are now covered.
      assert.equal((await harmed(`update audit_entry set actor_name = 'Eve' where seq = 2`))?.seq, 1)
      assert.equal(await harmed(`update audit_entry set actor_name = 'Ana' where seq = 2`), null)
      // No one can pass off another part of the entry as erased.
      const [kept] = (await here.pool.query('select changes, salt from audit_entry where seq = 2')).rows
      assert.equal((await harmed(`update audit_entry set changes = null, salt = null where seq = 2`))?.what, 'erased')
      assert.equal(
        await harmed(
          `update audit_entry set changes = '${JSON.stringify(kept.changes).replaceAll("'", "''")}', salt = '${kept.salt}' where seq = 2`,
        ),
        null,
      )
      // The entry that covers them can’t be read as version 1, and neither can any later entry.
      assert.equal((await harmed(`update audit_entry set v = 1 where seq = 4`))?.seq, 1)
      assert.equal((await harmed(`update audit_entry set v = 2 where seq = 4`))?.seq, undefined)
    } finally {
      await here.close()
      await dropDatabase(engine, database)
    }
  })
})
