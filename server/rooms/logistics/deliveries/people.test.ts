import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { altered } from '../../../../tests/altered.ts'
import { testEngine } from '../../../../tests/engine.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, testSettings, useHouse } from '../../../../tests/world.ts'
import { openHouse } from '../../../app.ts'
import { jobActor } from '../../../base/actor.ts'
import { reading } from '../../../base/ctx.ts'
import type { Db } from '../../../base/db.ts'
import { createDatabase, dropDatabase } from '../../../base/migrate.ts'
import { backUp } from '../../../commands/backup.ts'
import { restoreFrom } from '../../../commands/restore.ts'
import { verifyExport } from '../../../commands/verify.ts'
import { faultsOf } from '../../../commands/verify-site.ts'
import { eraseEntries, lastState } from '../../../kernel/audit/door.ts'
import { closeQueue } from '../../../kernel/jobs/door.ts'
import { decipherer, wrapPersonKeys } from '../../../kernel/person-data/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { signerOf } from '../../../kernel/statements/door.ts'
import { deliveries } from './actions/deliveries.ts'
import { sweepPeople } from './jobs.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const START = '2026-03-16T08:00:00.000Z'
/** Ninety days after the start, and a minute. */
const LATER = '2026-06-14T08:01:00.000Z'
const PEOPLE = { vehicle_reg: 'LX24 KDN', driver_name: 'Sam Fieldhouse', driver_phone: '07700 900123' }
const FIELDS = Object.keys(PEOPLE)

type Change = { path: string; before: unknown; after: unknown }

describe('drivers and registrations in the audit log', () => {
  const house = useHouse({}, { pool: 8 })
  afterEach(() => {
    house.house.settings.secrets_keys = []
  })
  const monday = () => {
    house.clock('2026-03-16T06:00:00.000Z')
    return permitWorld(house)
  }
  const post = async (w: PermitWorld, more: object = PEOPLE): Promise<string> => {
    const made = await w.as('coordinator').post('/deliveries/', {
      ...{
        site_id: w.site_id,
        supplier_name: 'Thames Readymix',
        start_at: START,
        end_at: '2026-03-16T09:00:00.000Z',
        place: HERE,
        ...more,
      },
    })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const change = async (w: PermitWorld, id: string, body: object) => {
    const done = await w.as('coordinator').patch(`/deliveries/${id}`, body)
    assert.equal(done.status, 200, done.text)
    return done.body
  }
  /** Returns the changes of person data in the history of a delivery, newest entry first. */
  const history = async (w: PermitWorld, id: string, by: Caller = w.as('coordinator')): Promise<Change[]> => {
    const shown = await by.get(`/audit/entity/delivery/${id}`)
    assert.equal(shown.status, 200, shown.text)
    return shown.body.flatMap(({ changes }: { changes: Change[] }) => changes.filter(({ path }) => FIELDS.includes(path)))
  }
  const entryOf = async (w: PermitWorld, id: string, n: number): Promise<string> =>
    (await w.as('coordinator').get(`/audit/entity/delivery/${id}`)).body[n].id
  const values = (changes: readonly Change[], of: 'before' | 'after') => changes.map(one => one[of])
  const keys = (id: string): Promise<{ no: number; key: unknown; erased_at: unknown }[]> =>
    house.rows('select no, key, erased_at from person_key where record_id = $1 order by no', [id])
  const faults = async (w: PermitWorld, db: Db = house.house.database.db): Promise<string[]> => {
    const found: string[] = []
    for await (const { where, detail } of faultsOf(house.house, db, w.site_id, false)) found.push(`${where}: ${detail}`)
    return found
  }
  /** Lists the tables of the database that have this text in any column. */
  const tablesWith = async (text: string): Promise<string[]> => {
    const tables = await house.rows(
      "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public' where c.relkind = 'r' order by 1",
    )
    const found: string[] = []
    for (const { name } of tables) {
      const [{ there }] = await house.rows(`select exists (select 1 from "${name}" t where strpos(t::text, $1) > 0) as there`, [text])
      if (there) found.push(name)
    }
    return found
  }

  /** Starts both while the delivery is locked, so that the second waits for the first. */
  const inTurn = async (id: string, first: () => Promise<unknown>, second: () => Promise<unknown>) => {
    const waiting = async (least: number) => {
      for (;;) {
        const [{ n }] = await house.rows(
          "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        if (n >= least) return
      }
    }
    const client = await house.house.database.apart.pool.connect()
    await client.query('begin')
    await client.query('select 1 from delivery where id = $1 for update', [id])
    const one = first()
    await waiting(1)
    const two = second()
    await waiting(2)
    await client.query('commit')
    client.release()
    await Promise.all([one, two])
  }

  test('safety.md §0.3 4: the audit log has them only encrypted, each value by itself, and no other table has them than that of deliveries', async () => {
    const w = await monday()
    const id = await post(w)
    await change(w, id, { driver_name: 'Kim Marlowe' })
    for (const text of [PEOPLE.vehicle_reg, PEOPLE.driver_phone, 'Kim Marlowe'])
      assert.deepEqual(await tablesWith(text), ['delivery'], text)
    assert.deepEqual(await tablesWith('Sam Fieldhouse'), [])
    const stored = await house.rows('select changes from audit_entry where entity_id = $1 order by seq', [id])
    const all: Change[] = stored.flatMap(({ changes }) => changes.filter(({ path }: Change) => FIELDS.includes(path)))
    const secret = all.flatMap(({ before, after }) => [before, after]).filter(value => value !== null)
    assert.equal(secret.length, 5)
    for (const value of secret) assert.deepEqual(Object.keys(value as object).sort(), ['encrypted', 'key'])
    assert.equal(new Set(secret.map(value => JSON.stringify(value))).size, 5, 'the same name twice isn’t the same text')
    assert.deepEqual(
      (await keys(id)).map(({ no }) => no),
      [1],
      'one key for each record',
    )
    assert.deepEqual(await faults(w), [])
  })

  test('safety.md §0.3 4: people who see them on the delivery see them in its history and in the audit log; others see that they changed', async () => {
    const w = await monday()
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const id = await post(w, { ...PEOPLE, contractor_id: a })
    for (const by of [w.as('coordinator'), await w.join('member', a), await w.join('commercial', b)])
      assert.deepEqual(values(await history(w, id, by), 'after').sort(), Object.values(PEOPLE).sort())
    assert.deepEqual(values(await history(w, id, await w.join('member', b)), 'after'), ['[hidden]', '[hidden]', '[hidden]'])
    const log = await w.as('coordinator').get(`/audit/site/${w.site_id}?entity_id=${id}`)
    assert.deepEqual(log.body[0].changes.find(({ path }: Change) => path === 'driver_name').after, 'Sam Fieldhouse')
  })

  test('safety.md §0.3 4: a value can’t be read as that of another field, record or kind', async () => {
    const w = await monday()
    const [id, other] = [await post(w), await post(w)]
    const [{ changes }] = await house.rows('select changes from audit_entry where entity_id = $1 order by seq limit 1', [id])
    const value = changes.find(({ path }: Change) => path === 'driver_name').after
    const { db } = house.house.database
    const open = await decipherer(db, house.house.settings, 'delivery', w.site_id, [id, other])
    assert.deepEqual(open(id, 'driver_name', value), { value: 'Sam Fieldhouse', lost: null })
    const as_worker = await decipherer(db, house.house.settings, 'worker', w.site_id, [id])
    for (const wrong of [open(id, 'driver_phone', value), open(other, 'driver_name', value), as_worker(id, 'driver_name', value)])
      assert.deepEqual(wrong, { value: null, lost: 'unreadable' })
  })

  test('safety.md §0.3 4: ninety days later the key is destroyed, and history, audit log and the map at an instant no longer have them; the chain verifies', async () => {
    const w = await monday()
    const id = await post(w)
    await change(w, id, { driver_name: 'Kim Marlowe' })
    house.clock(LATER)
    await sweepPeople(house.house)
    const [key] = await keys(id)
    assert.equal(key?.key, null)
    assert.notEqual(key?.erased_at, null)
    const changes = await history(w, id)
    assert.deepEqual(
      changes.flatMap(({ before, after }) => [before, after]).filter(value => value !== null),
      Array.from({ length: 8 }, () => '[erased]'),
      'three that were blanked, two that a change had, and three of the creation',
    )
    assert.deepEqual(values(changes.slice(0, 3), 'after'), [null, null, null])
    const log = await w.as('coordinator').get(`/audit/site/${w.site_id}?entity_id=${id}`)
    for (const text of [...Object.values(PEOPLE), 'Kim Marlowe']) {
      assert.ok(!log.text.includes(text), text)
      assert.deepEqual(await tablesWith(text), [], text)
    }
    const then = await w.as('coordinator').get(`/deliveries/at-time?site_id=${w.site_id}&at=2026-03-16T08:30:00.000Z`)
    assert.equal(then.status, 200, then.text)
    assert.deepEqual(
      then.body.map((row: Record<string, unknown>) => [row.id, ...FIELDS.map(field => row[field])]),
      [[id, null, null, null]],
    )
    assert.deepEqual(await faults(w), [])
    assert.equal(await sweepPeople(house.house), 0, 'there is nothing left to erase')
  })

  test('safety.md §0.3 4: a name that people have removed themselves is erased from the audit log as well, and so is that of a deleted delivery', async () => {
    const w = await monday()
    const [id, gone] = [await post(w), await post(w, { ...PEOPLE, driver_name: 'Kim Marlowe', status: 'requested' })]
    await change(w, id, { vehicle_reg: null, driver_name: null, driver_phone: null })
    assert.equal((await w.as('hse').del(`/deliveries/${gone}`)).status, 204)
    house.clock(LATER)
    await sweepPeople(house.house)
    for (const one of [id, gone]) assert.deepEqual([(await keys(one))[0]?.key, (await keys(one)).length], [null, 1])
    assert.deepEqual(new Set(values(await history(w, id), 'before').filter(value => value !== null)), new Set(['[erased]']))
    assert.deepEqual(await tablesWith('Kim Marlowe'), [])
    assert.deepEqual(await faults(w), [])
  })

  test('safety.md §0.3 4: what was written before keys existed is erased from the entry about its blanking, too', async () => {
    const w = await monday()
    const id = await post(w)
    await house.rows('delete from person_key where record_id = $1', [id])
    house.clock(LATER)
    await sweepPeople(house.house)
    assert.deepEqual(values((await history(w, id)).slice(0, 3), 'before'), ['[erased]', '[erased]', '[erased]'])
    assert.deepEqual(
      (await keys(id)).map(({ no, key }) => [no, key]),
      [[1, null]],
    )
  })

  test('safety.md §0.3 4: what is written after an erasure has a key of its own, which the next run destroys', async () => {
    const w = await monday()
    const id = await post(w)
    house.clock(LATER)
    await sweepPeople(house.house)
    await change(w, id, { driver_name: 'Kim Marlowe' })
    const changes = await history(w, id)
    assert.deepEqual(changes[0], { path: 'driver_name', before: null, after: 'Kim Marlowe' })
    assert.deepEqual(new Set(values(changes.slice(1), 'before').filter(value => value !== null)), new Set(['[erased]']))
    assert.deepEqual(
      (await keys(id)).map(({ no, key }) => [no, key === null]),
      [
        [1, true],
        [2, false],
      ],
    )
    assert.deepEqual(await faults(w), [])
    await sweepPeople(house.house)
    assert.deepEqual(await tablesWith('Kim Marlowe'), [])
    assert.ok((await keys(id)).every(({ key }) => key === null))
    assert.deepEqual(await faults(w), [])
  })

  test('safety.md §0.3 4: a change that runs at the same time as the erasure is erased with it, or keeps a key of its own', async () => {
    const w = await monday()
    for (const first of ['change', 'erasure'] as const) {
      house.clock('2026-03-16T06:00:00.000Z')
      const id = await post(w)
      house.clock(LATER)
      const run = { change: () => change(w, id, { driver_name: 'Kim Marlowe' }), erasure: () => sweepPeople(house.house) }
      await inTurn(id, run[first], run[first === 'change' ? 'erasure' : 'change'])
      const { driver_name } = (await w.as('coordinator').get(`/deliveries/${id}`)).body
      const live = (await keys(id)).filter(({ key }) => key !== null)
      assert.deepEqual([driver_name, live.length], first === 'change' ? [null, 0] : ['Kim Marlowe', 1])
      assert.equal(values(await history(w, id), 'after').includes('Kim Marlowe'), first === 'erasure')
      assert.ok(!(await tablesWith('Sam Fieldhouse')).includes('audit_entry'))
      assert.deepEqual(await faults(w), [])
    }
  })

  test('safety.md §0.3 4: a delivery that gets another day at the same time as the erasure keeps them', async () => {
    const w = await monday()
    const id = await post(w)
    house.clock(LATER)
    const slot = { start_at: '2026-06-15T08:00:00.000Z', end_at: '2026-06-15T09:00:00.000Z' }
    await inTurn(
      id,
      () => change(w, id, slot),
      () => sweepPeople(house.house),
    )
    assert.equal((await w.as('coordinator').get(`/deliveries/${id}`)).body.driver_name, 'Sam Fieldhouse')
    assert.deepEqual(values(await history(w, id), 'after').sort(), Object.values(PEOPLE).sort())
  })

  test('safety.md §0.3 4: a change can be reverted as long as its values can be read; an erased value is never restored', async () => {
    const w = await monday()
    const id = await post(w)
    await change(w, id, { driver_name: 'Kim Marlowe', vehicle_reg: 'AB12 CDE' })
    const coordinator = w.as('coordinator')
    const revert = async (entry: string, more: object = {}) =>
      coordinator.post(`/audit/revert/${entry}`, { reason: 'Wrong driver', ...more })
    const entry = await entryOf(w, id, 0)
    const done = await revert(entry, { fields: ['driver_name'] })
    assert.equal(done.status, 200, done.text)
    assert.equal((await coordinator.get(`/deliveries/${id}`)).body.driver_name, 'Sam Fieldhouse')
    const last = await entryOf(w, id, 0)
    // Both lists offer a revert only as long as the call would do it.
    const offered = async (): Promise<boolean[]> => {
      const hse = w.as('hse')
      const own: { id: string; batch_id: string; revertible: { allowed: boolean } }[] = (await hse.get(`/audit/entity/delivery/${id}`)).body
      const feed: { batch_id: string; revertible: { allowed: boolean } }[] = (await hse.get(`/audit/site/${w.site_id}/timeline`)).body
      const one = own.find(row => row.id === last)
      return [one, feed.find(row => row.batch_id === one?.batch_id)].map(row => row?.revertible.allowed ?? assert.fail('It isn’t listed.'))
    }
    assert.deepEqual(await offered(), [true, true])
    house.clock(LATER)
    await sweepPeople(house.house)
    assert.deepEqual(await offered(), [false, false])
    const refused = await w.as('hse').post(`/audit/revert/${last}`, { reason: 'Wrong driver' })
    assert.equal(refused.status, 409, refused.text)
    assert.equal((await coordinator.get(`/deliveries/${id}`)).body.driver_name, null)
  })

  test('safety.md §0.3 4: an entry that replaces erased entries has the present values encrypted, too', async () => {
    const w = await monday()
    const id = await post(w)
    const signer = await signerOf(house.house, w.site_id)
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test.erase' }, w.site_id, ctx =>
      eraseEntries(ctx, w.site_id, [{ kind: 'delivery', id }], 'Asked by letter', signer),
    )
    assert.deepEqual(await tablesWith('Sam Fieldhouse'), ['delivery'])
    assert.deepEqual(await faults(w), [])
  })

  test('safety.md §0.3 4: the last state of a record that no longer has a row, which decides who sees its history, has none of them', async () => {
    const w = await monday()
    const id = await post(w)
    const gone = await altered(
      house.house,
      [
        `update audit_entry set changes = (select jsonb_agg(jsonb_build_object('path', c -> 'path', 'before', c -> 'after', 'after', null)) from jsonb_array_elements(changes) c)
          where entity_id = '${id}'`,
        `delete from delivery where id = '${id}' returning 1`,
      ],
      db => lastState({ ...reading(house.house, { actor: jobActor('test'), cause: 'test.read' }), db }, deliveries.kind, w.site_id, id),
    )
    assert.deepEqual([gone?.supplier_name, ...FIELDS.map(field => gone?.[field])], ['Thames Readymix', null, null, null])
  })

  test('safety.md §0.3 1: a file of the audit log has them encrypted, so that its digests fit, before and after an erasure', async () => {
    const w = await monday()
    await post(w)
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-people-'))
    try {
      for (const name of ['before.csv', 'after.csv']) {
        const { status, text } = await w.as('hse').get(`/audit/site/${w.site_id}?format=csv`)
        assert.equal(status, 200)
        assert.ok(!text.includes('Sam Fieldhouse') && text.includes('encrypted'))
        await writeFile(join(folder, name), text)
        const said: string[] = []
        assert.equal(await verifyExport(join(folder, name), null, line => said.push(line)), 0, said.join('\n'))
        house.clock(LATER)
        await sweepPeople(house.house)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('safety.md §0.3 4: without its key a value is shown as unreadable, a change still works, and a verification finds the record', async () => {
    const w = await monday()
    const [id, other] = [await post(w), await post(w)]
    assert.deepEqual(await faults(w), [])
    const at = `record_id = '${id}'`
    const damages = [`update person_key set key = '"damaged"' where ${at}`, `delete from person_key where ${at}`]
    for (const damage of [
      ...damages,
      `update person_key set key = (select key from person_key where record_id = '${other}') where ${at}`,
    ]) {
      const found = await altered(house.house, [`${damage} returning 1`], db => faults(w, db))
      assert.ok(
        found?.length === 1 && found[0]?.includes(id) && /driver_name \(its key is missing or damaged\), vehicle_reg/.test(found[0]),
        String(found),
      )
    }
    const blanked = `update delivery set driver_name = null where id = '${id}' returning 1`
    assert.equal((await altered(house.house, [blanked], db => faults(w, db)))?.length, 1, 'a row that was blanked without an entry')
    await house.rows(damages[0] ?? '')
    assert.deepEqual(new Set(values(await history(w, id), 'after')), new Set(['[unreadable]']))
    await change(w, id, { driver_name: 'Kim Marlowe', driver_phone: null, vehicle_reg: null })
    assert.deepEqual(
      (await keys(id)).map(({ no }) => no),
      [1, 2],
    )
    assert.equal((await history(w, id))[0]?.after, 'Kim Marlowe')
    assert.deepEqual(await faults(w), [], 'the present values can be read again')
  })

  test('safety.md §0.3 4: with SECRETS_KEY the keys are encrypted in the database, and the next start encrypts them with another one', async () => {
    const w = await monday()
    const plain = await post(w)
    const stored = async (id: string) => (await keys(id))[0]?.key
    assert.equal(Buffer.from(String(await stored(plain)), 'base64').length, 32)
    const [first, second] = [randomBytes(32), randomBytes(32)]
    house.house.settings.secrets_keys = [first]
    const id = await post(w)
    assert.deepEqual(Object.keys(Object(await stored(id))), ['encrypted'])
    assert.deepEqual(values(await history(w, plain), 'after').sort(), Object.values(PEOPLE).sort(), 'before it is encrypted')
    await wrapPersonKeys(house.house)
    assert.deepEqual(Object.keys(Object(await stored(plain))), ['encrypted'])
    house.house.settings.secrets_keys = [second, first]
    await wrapPersonKeys(house.house)
    house.house.settings.secrets_keys = [second]
    for (const one of [plain, id]) assert.deepEqual(values(await history(w, one), 'after').sort(), Object.values(PEOPLE).sort())
    assert.deepEqual(await faults(w), [])
    house.house.settings.secrets_keys = [first]
    assert.deepEqual(new Set(values(await history(w, id), 'after')), new Set(['[unreadable]']))
    await wrapPersonKeys(house.house)
    house.house.settings.secrets_keys = [second]
    assert.deepEqual(values(await history(w, id), 'after').sort(), Object.values(PEOPLE).sort(), 'one that can’t be read stays as it is')
    // What follows runs without a key.
    await house.rows('delete from person_key')
  })

  test('safety.md §0.3 4: a restored backup can be read as before, and erases what has become due since', async () => {
    const w = await monday()
    const id = await post(w)
    const engine = await testEngine()
    const root = await mkdtemp(join(tmpdir(), 'walkdown-people-'))
    const [{ name }] = await house.rows('select current_database() as name')
    await backUp(house.house, engine, name, join(root, 'backup'), () => {})
    house.clock(LATER)
    await sweepPeople(house.house)
    const database = `walkdown_people_${process.pid}`
    await createDatabase(engine, database)
    const there = await openHouse(testSettings(), engine, { database, data_dir: join(root, 'data'), pool: 4 })
    try {
      assert.deepEqual((await restoreFrom(there, engine, database, join(root, 'backup'), {}, () => {})).broken, [])
      const read = async () => {
        const open = await decipherer(there.database.db, there.settings, 'delivery', w.site_id, [id])
        const { rows } = await there.database.pool.query('select changes from audit_entry where entity_id = $1 order by seq limit 1', [id])
        return open(id, 'driver_name', rows[0].changes.find(({ path }: Change) => path === 'driver_name').after)
      }
      assert.deepEqual(await read(), { value: 'Sam Fieldhouse', lost: null })
      there.clock.set(LATER)
      assert.ok((await sweepPeople(there)) > 0)
      assert.deepEqual(await read(), { value: null, lost: 'erased' })
      const found: string[] = []
      for await (const { where } of faultsOf(there, there.database.db, w.site_id, false)) found.push(where)
      assert.deepEqual(found, [])
    } finally {
      await closeQueue(there)
      await there.database.close()
      await dropDatabase(engine, database)
      await rm(root, { recursive: true, force: true })
    }
  })

  test('safety.md §0.3 4: a write of person data sends one more statement, and every other write none', async () => {
    const w = await monday()
    const id = await post(w)
    const about = async (work: () => Promise<unknown>) => (await recording(work)).filter(({ text }) => text.includes('person_key')).length
    assert.equal(await about(() => post(w, { ...PEOPLE, name: 'Rebar' })), 1)
    assert.equal(await about(() => change(w, id, { driver_name: 'Kim Marlowe' })), 1)
    assert.equal(await about(() => change(w, id, { haulier_name: 'Dock Haulage' })), 0)
    assert.equal(await about(() => post(w, {})), 0)
    assert.equal(await about(() => w.contractor('C Ltd')), 0)
    assert.equal(await about(() => w.draft()), 0)
  })
})
