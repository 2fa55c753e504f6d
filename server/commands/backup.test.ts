import assert from 'node:assert/strict'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { testEngine } from '../../tests/engine.ts'
import { type PermitWorld, permitWorld } from '../../tests/permits.ts'
import { testSettings, useHouse } from '../../tests/world.ts'
import { openEdge, openHouse } from '../app.ts'
import { jobActor } from '../base/actor.ts'
import { type House, writing } from '../base/ctx.ts'
import { directly, occupant } from '../base/dump.ts'
import type { Engine } from '../base/engine.ts'
import { ids, sha256 } from '../base/ids.ts'
import { createDatabase, dropDatabase, migrate, migrations } from '../base/migrate.ts'
import { rooms } from '../groups.ts'
import { chains, verifyChain } from '../kernel/audit/door.ts'
import { closeQueue, plugJobs, prepareQueue, startWorker } from '../kernel/jobs/door.ts'
import { backUp } from './backup.ts'
import { filePlace, MANIFEST, MANIFEST_DIGEST, type Manifest, readManifest } from './bundle.ts'
import { CommandError } from './command.ts'
import { type Restoring, restoreFrom } from './restore.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const quiet = () => {}

describe('backup and restore', () => {
  const house = useHouse({}, { without_stock: true })
  const ran: string[] = []
  let engine: Engine
  let w: PermitWorld
  let root: string
  let backup: string
  const databases: string[] = []

  const nameOf = async (): Promise<string> => (await house.rows('select current_database() as name'))[0].name
  /** Opens an empty database and data directory to restore into. */
  const target = async (): Promise<{ house: House; database: string; close(): Promise<void> }> => {
    const database = `walkdown_restore_${process.pid}_${databases.length}`
    databases.push(database)
    await createDatabase(engine, database)
    const made = await openHouse(testSettings(), engine, { database, data_dir: await mkdtemp(join(root, 'data-')), pool: 4 })
    // At the time of the backup: months later, the worker forgets jobs that ended then.
    made.clock.set(house.house.clock.now())
    return {
      house: made,
      database,
      async close() {
        await closeQueue(made)
        await made.database.close()
      },
    }
  }
  const restored = async (folder: string, how: Restoring = {}) => {
    const there = await target()
    return { there, result: await restoreFrom(there.house, engine, there.database, folder, how, quiet) }
  }
  /** Returns the message of a refused restore, after a check that nothing was restored. */
  const refused = async (folder: string): Promise<string> => {
    const there = await target()
    try {
      await restoreFrom(there.house, engine, there.database, folder, {}, quiet)
    } catch (error) {
      assert.ok(error instanceof CommandError, String(error))
      assert.equal(await directly(engine, there.database, occupant), null, 'the target is still empty')
      return error.message
    } finally {
      await there.close()
    }
    return assert.fail('The restore was not refused.')
  }
  const copied = async (): Promise<string> => {
    const folder = await mkdtemp(join(root, 'copy-'))
    await cp(backup, folder, { recursive: true })
    return folder
  }

  before(async () => {
    engine = await testEngine()
    root = await mkdtemp(join(tmpdir(), 'walkdown-backup-'))
    plugJobs(
      [
        ...rooms.flatMap(room => room.jobs ?? []),
        {
          kind: 'test_letter',
          says: 'Records that the job ran.',
          run: async job => {
            ran.push(job.run_id)
            return undefined
          },
        },
      ],
      rooms.flatMap(room => room.schedules ?? []),
    )
    await prepareQueue(house.house.database.pool)
    w = await permitWorld(house)
    const live = await w.at('issued', { categories: ['GEN'] })
    await w
      .as('coordinator')
      .send('POST', `/permits/applications/${live.id}/attachments`, [{ name: 'file', value: PDF, filename: 'plan.pdf' }])
    backup = join(root, 'first')
    await backUp(house.house, engine, await nameOf(), backup, quiet)
  })
  after(async () => {
    plugJobs(
      rooms.flatMap(room => room.jobs ?? []),
      rooms.flatMap(room => room.schedules ?? []),
    )
    for (const database of databases) await dropDatabase(engine, database)
    await rm(root, { recursive: true, force: true })
  })

  test('R10 the service keeps writing during a backup, and after a restore elsewhere every digest and chain is valid and the service works', async () => {
    const folder = join(root, 'under load')
    let stop = false
    const written: string[] = []
    const writers = [0, 1, 2].map(async n => {
      for (let i = 0; !stop || i < 3; i++) {
        const made = await w
          .as('hse')
          .post('/shifts/', { site_id: w.site_id, name: `Load ${n} ${i}`, start_time: '18:00', end_time: '22:00', weekdays: [6] })
        assert.equal(made.status, 201, made.text)
        written.push(made.body.id)
        const value = Buffer.concat([PDF, Buffer.from(`%${n} ${i}\n`)])
        const live = await w.draft({ title: `Load ${n} ${i}` })
        const kept = await w
          .as('member')
          .send('POST', `/permits/applications/${live.id}/attachments`, [{ name: 'file', value, filename: 'plan.pdf' }])
        assert.equal(kept.status, 201, kept.text)
      }
    })
    const manifest = await backUp(house.house, engine, await nameOf(), folder, quiet)
    stop = true
    await Promise.all(writers)
    const { there, result } = await restored(folder)
    try {
      assert.deepEqual(result.broken, [])
      assert.deepEqual(result.manifest.chains, manifest.chains)
      assert.ok(manifest.chains.length >= 2)
      for (const site_id of await chains(there.house.database.db))
        assert.equal((await verifyChain(there.house.database.db, site_id)).fault, null)
      const { rows: files } = await there.house.database.pool.query('select distinct sha256 from stored_file')
      assert.equal(files.length, manifest.files.length)
      for (const { sha256: key } of files) {
        const chunks: Buffer[] = []
        for await (const chunk of await there.house.storage.open(key)) chunks.push(Buffer.from(chunk))
        assert.equal(sha256(Buffer.concat(chunks)), key)
      }
      // Everything that existed at the moment of the backup was restored, and nothing later.
      for (const table of manifest.dump.tables) {
        const { rows } = await there.house.database.pool.query(`select count(*)::int as n from "${table.name}"`)
        assert.equal(rows[0].n, table.rows, table.name)
      }
      const shifts = (await there.house.database.pool.query(`select id from shift where name like 'Load %'`)).rows.map(r => r.id)
      assert.ok(shifts.every(id => written.includes(id)))
      // The restored service accepts people's existing tokens and continues the same chains.
      if (there.house.settings.clock === 'manual') there.house.clock.set('2026-03-16T12:00:00.000Z')
      const edge = await openEdge(there.house, { strict_replies: true })
      const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
        edge.app.inject({
          method,
          url: `/api${url}`,
          headers: { authorization: `Bearer ${w.as('hse').token}` },
          ...(payload === undefined ? {} : { payload }),
        })
      const board = await call('GET', `/permits?site_id=${w.site_id}&status=issued`)
      assert.equal(board.statusCode, 200, board.payload)
      const [permit] = board.json()
      const [attachment] = (await call('GET', `/permits/applications/${permit.id}`)).json().attachments
      assert.equal(
        (await call('GET', `/permits/applications/${permit.id}/attachments/${attachment.id}/download`)).rawPayload.toString(),
        PDF.toString(),
      )
      const more = await call('POST', '/shifts/', {
        site_id: w.site_id,
        name: 'After the restore',
        start_time: '18:00',
        end_time: '22:00',
        weekdays: [7],
      })
      assert.equal(more.statusCode, 201, more.payload)
      assert.equal((await verifyChain(there.house.database.db, w.site_id)).fault, null)
      await edge.app.close()
    } finally {
      await there.close()
    }
  })

  test('a job that was waiting in the queue runs once after the restore, and not at all if the queue was dropped', async () => {
    const letter = await writing(house.house, { actor: jobActor('test'), cause: 'test.letter' }, ctx =>
      ctx.enqueue('test_letter', { to: 'somebody' }),
    )
    const under_way = await writing(house.house, { actor: jobActor('test'), cause: 'test.letter' }, ctx => ctx.enqueue('test_letter', {}))
    await house.rows(`update job_run set state = 'running', started_at = queued_at where id = $1`, [under_way])
    const ended = await writing(house.house, { actor: jobActor('test'), cause: 'test.letter' }, ctx => ctx.enqueue('test_letter', {}))
    await house.rows(`update job_run set state = 'succeeded', finished_at = queued_at where id = $1`, [ended])
    const [{ waiting }] = await house.rows(`select count(*)::int as waiting from job_run where state in ('queued', 'running')`)
    assert.ok(waiting >= 2)
    const folder = join(root, 'with queue')
    await backUp(house.house, engine, await nameOf(), folder, quiet)
    const { there, result } = await restored(folder)
    try {
      assert.equal(result.queued, waiting)
      const { rows: jobs } = await there.house.database.pool.query(`select id from pgboss.job where name = 'test_letter' order by id`)
      assert.deepEqual(
        jobs.map(job => job.id),
        [letter, under_way].sort(),
      )
      ran.length = 0
      const worker = await startWorker(there.house)
      for (let i = 0; i < 200 && ran.length < 2; i++) await new Promise(done => setTimeout(done, 50))
      await worker.stop()
      assert.deepEqual([...ran].sort(), [letter, under_way].sort())
      const { rows } = await there.house.database.pool.query('select state from job_run where id = any($1)', [[letter, under_way, ended]])
      assert.deepEqual(
        rows.map(run => run.state),
        ['succeeded', 'succeeded', 'succeeded'],
      )
    } finally {
      await there.close()
    }
    const drill = await restored(folder, { drop_queue: true })
    try {
      assert.equal(drill.result.queued, waiting)
      const { rows } = await drill.there.house.database.pool.query('select state from job_run where id = any($1) order by state', [
        [letter, under_way, ended],
      ])
      assert.deepEqual(
        rows.map(run => run.state),
        ['cancelled', 'cancelled', 'succeeded'],
      )
      assert.equal((await drill.there.house.database.pool.query('select count(*) as n from pgboss.job')).rows[0].n, 0)
    } finally {
      await drill.there.close()
    }
  })

  test('restoring into a database with data and backing up into a folder with files are refused', async () => {
    await assert.rejects(restoreFrom(house.house, engine, await nameOf(), backup, {}, quiet), /The target isn’t empty: it has rows in/)
    await assert.rejects(backUp(house.house, engine, await nameOf(), backup, quiet), /isn’t empty/)
  })

  test('a backup that is incomplete, truncated or altered is refused with a message that contains its file name, and nothing is restored', async () => {
    const table = join('tables', 'audit_entry.copy.gz')
    const { files } = await readManifest(backup)
    const stored = filePlace(files[0]?.sha256 ?? '')
    const harm: [string, RegExp, (folder: string) => Promise<unknown>][] = [
      [MANIFEST, /is missing/, folder => rm(join(folder, MANIFEST))],
      [MANIFEST, /was altered/, folder => appendFile(join(folder, MANIFEST), ' ')],
      [MANIFEST_DIGEST, /is missing/, folder => rm(join(folder, MANIFEST_DIGEST))],
      [table, /is missing/, folder => rm(join(folder, table))],
      [table, /has \d+ bytes instead of \d+/, async folder => truncate(join(folder, table), 100)],
      [table, /was altered/, folder => flipped(join(folder, table))],
      [stored, /is missing/, folder => rm(join(folder, stored))],
      [stored, /bytes instead of/, folder => appendFile(join(folder, stored), 'x')],
      [stored, /was altered/, folder => flipped(join(folder, stored))],
    ]
    for (const [file, why, how] of harm) {
      const folder = await copied()
      await how(folder)
      const said = await refused(folder)
      assert.ok(said.includes(file), `${file}: ${said}`)
      assert.match(said, why)
    }
  })

  test('an alteration with matching digests is found through the chains, and with --keep-broken the data is kept', async () => {
    const folder = await copied()
    const manifest = await readManifest(folder)
    const at = manifest.dump.tables.findIndex(table => table.name === 'audit_entry')
    const table = manifest.dump.tables[at]
    assert.ok(table !== undefined)
    const text = gunzipSync(await readFile(join(folder, table.file))).toString('utf8')
    assert.ok(text.includes('"after": "Ada Admin"'))
    const forged = gzipSync(text.replace('"after": "Ada Admin"', '"after": "Eve Admin"'))
    await writeFile(join(folder, table.file), forged)
    manifest.dump.tables[at] = { ...table, size: forged.length, sha256: sha256(forged) }
    await rewritten(folder, manifest)
    assert.match(
      await refused(folder),
      /Refused, and the tables are empty again: the audit chain of .* is broken at \d+: [^.]+\. With --keep-broken/,
    )
    const { there, result } = await restored(folder, { keep_broken: true })
    assert.equal(result.broken.length, 1)
    await there.close()
    // A chain that is cut at its end is consistent in itself, but doesn't reach the head that was recorded.
    const short = await copied()
    const cut = await readManifest(short)
    cut.chains = cut.chains.map(chain => ({ ...chain, seq: chain.seq + 1 }))
    await rewritten(short, cut)
    assert.match(await refused(short), /doesn’t end at/)
  })

  test('a backup of an older schema is migrated, and one of a newer or different schema is refused', async () => {
    const all = migrations()
    const older = await target()
    const first = new Set(all.slice(0, -2).map(m => m.name))
    await migrate(engine, { database: older.database, upto: first })
    const folder = join(root, 'older')
    const manifest = await backUp(older.house, engine, older.database, folder, quiet)
    await older.close()
    assert.equal(manifest.dump.migrations.length, all.length - 2)
    const { there } = await restored(folder)
    const { rows } = await there.house.database.pool.query('select count(*)::int as n from schema_migration')
    assert.equal(rows[0].n, all.length)
    await there.close()
    const newer = await copied()
    const told = await readManifest(newer)
    told.dump.migrations.push({ name: '29990101_0000_from_the_future', checksum: ids.next() })
    await rewritten(newer, told)
    assert.match(await refused(newer), /newer Walkdown .*29990101_0000_from_the_future/)
    told.dump.migrations.pop()
    told.dump.migrations[0] = { name: all[0]?.name ?? '', checksum: 'another' }
    await rewritten(newer, told)
    assert.match(await refused(newer), /The migration .* of the backup differs/)
  })

  test('a stored file that is missing or altered stops the backup with a message that contains its name, and no manifest is written', async () => {
    const folder = join(root, 'no file')
    const [{ sha256: key }] = await house.rows('select sha256 from stored_file limit 1')
    const lost = { ...house.house, storage: { ...house.house.storage, open: () => Promise.reject(new Error('gone')) } }
    await assert.rejects(backUp(lost, engine, await nameOf(), folder, quiet), new RegExp(`${key.slice(0, 4)}|is missing from the storage`))
    assert.ok(!(await readdir(folder)).includes(MANIFEST))
  })
})

async function flipped(path: string): Promise<void> {
  const bytes = await readFile(path)
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  await writeFile(path, bytes)
}

async function rewritten(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest)
  await writeFile(join(folder, MANIFEST), text)
  await writeFile(join(folder, MANIFEST_DIGEST), `${sha256(text)}  ${MANIFEST}\n`)
}
