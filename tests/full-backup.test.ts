// Backup and restore on full disks: each says what to do, nothing half done looks complete, and both work once there is space.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openHouse } from '../server/app.ts'
import { directly, occupant } from '../server/base/dump.ts'
import type { Engine } from '../server/base/engine.ts'
import { createDatabase, dropDatabase } from '../server/base/migrate.ts'
import { backUp } from '../server/commands/backup.ts'
import { provenWhole, readManifest } from '../server/commands/bundle.ts'
import { CommandError } from '../server/commands/command.ts'
import { restoreFrom } from '../server/commands/restore.ts'
import { closeQueue } from '../server/kernel/jobs/door.ts'
import { chance } from './chance.ts'
import { testEngine } from './engine.ts'
import { permitWorld } from './permits.ts'
import { mounted } from './small-disk.ts'
import { testSettings, useHouse } from './world.ts'

const chaos = chance(3)
const pdf = (size: number) =>
  Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.from(Array.from({ length: size }, () => chaos.below(256))), Buffer.from('\n%%EOF\n')])
const quiet = () => {}
const NOT_ALLOWED = 'this account may not mount a file system'

describe('backup and restore on a full disk', () => {
  const house = useHouse({}, { without_stock: true })
  let engine: Engine
  let root: string
  let name: string
  let whole: string
  const databases: string[] = []

  before(async () => {
    engine = await testEngine()
    root = await mkdtemp(join(tmpdir(), 'walkdown-full-'))
    const w = await permitWorld(house)
    const draft = await w.draft()
    for (let i = 0; i < 3; i++)
      await w
        .as('member')
        .send('POST', `/permits/applications/${draft.id}/attachments`, [{ name: 'file', value: pdf(200_000), filename: `plan ${i}.pdf` }])
    // More than fits between the database and the file at once, so that a copy is under way when the disk is full.
    await house.rows(
      `insert into diag_line (id, at, source, level, kind, name, message)
       select gen_random_uuid(), now(), 'server', 'warn', 'request', 'test.fill', repeat(md5(n::text) || md5((n * 7)::text), 6) from generate_series(1, 40000) n`,
    )
    name = (await house.rows('select current_database() as name'))[0].name
    whole = join(root, 'whole')
    await backUp(house.house, engine, name, whole, quiet)
  })
  after(async () => {
    for (const database of databases) await dropDatabase(engine, database)
    await rm(root, { recursive: true, force: true })
  })

  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => assert.fail('It was not refused.'),
      (it: unknown) => it,
    )
    assert.ok(error instanceof CommandError && error.code === 1, String(error))
    return error.message
  }
  const sizeOf = async (folder: string): Promise<number> => {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(one => one.isFile())
    const sizes = await Promise.all(files.map(async one => Math.ceil((await stat(join(one.parentPath, one.name))).size / 4096) * 4096))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  test('10.9 a backup for which there is too little space says so and leaves nothing, wherever the disk becomes full', async t => {
    const disk = await mkdtemp(join(root, 'disk-'))
    const small = mounted(disk, 'size=32m')
    if (small === null) return t.skip(NOT_ALLOWED)
    try {
      const folder = join(disk, 'backup')
      const needed = (await sizeOf(whole)) + 64 * 4096
      let refused = 0
      for (const leave of [0, ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(tenths => Math.round((needed * tenths) / 10)), needed - 60 * 4096]) {
        await small.fill(leave)
        const said = await refusal(
          backUp(house.house, engine, name, folder, quiet).then(async manifest => {
            await provenWhole(folder, manifest)
            await rm(folder, { recursive: true })
            throw new CommandError('complete', 1)
          }),
        )
        await small.free()
        if (said === 'complete') continue
        refused++
        assert.match(said, /There is no space left in .*backup.*deleted.*Free some space/)
        assert.deepEqual(await readdir(folder).catch(() => []), [], `nothing is left with ${leave} bytes`)
      }
      assert.ok(refused >= 9, `${refused} refused`)
      await backUp(house.house, engine, name, folder, quiet)
      await provenWhole(folder, await readManifest(folder))
    } finally {
      small.leave()
    }
  })

  /** Opens an empty database, with its data on the given tablespace if there is one, and an empty data directory. */
  const target = async (space: string | null = null) => {
    const database = `walkdown_full_${process.pid}_${databases.length}`
    databases.push(database)
    await createDatabase(engine, database)
    if (space !== null) await house.rows(`alter database ${database} set tablespace ${space}`)
    const made = await openHouse(testSettings(), engine, { database, data_dir: await mkdtemp(join(root, 'data-')), pool: 4 })
    return {
      house: made,
      database,
      restore: () => restoreFrom(made, engine, database, whole, {}, quiet),
      async close() {
        await closeQueue(made)
        await made.database.close()
      },
    }
  }

  test('10.9 a restore whose files don’t fit says so, the target stays empty, and the same restore succeeds once there is space', async t => {
    const there = await target()
    const folder = join(there.house.data_dir, 'files')
    await mkdir(folder, { recursive: true })
    const small = mounted(folder, 'size=4m')
    if (small === null) {
      await there.close()
      return t.skip(NOT_ALLOWED)
    }
    try {
      await small.fill(300_000)
      assert.match(await refusal(there.restore()), /There is no space left.*stored files.*the database is still empty.*Free some space/)
      assert.equal(await directly(engine, there.database, occupant), null)
      await small.free()
      const { manifest, broken } = await there.restore()
      assert.deepEqual(broken, [])
      for (const { sha256 } of manifest.files) assert.ok(await there.house.storage.has(sha256))
    } finally {
      await there.close()
      small.leave()
    }
  })

  test('10.9 a restore whose rows don’t fit says so, the target stays empty, and the same restore succeeds once there is space', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-space-'))
    const [{ directory }] = await house.rows(`select current_setting('data_directory') as directory`)
    const owner = await stat(directory).catch(() => null)
    const small = owner === null ? null : mounted(folder, `size=96m,uid=${owner.uid},gid=${owner.gid},mode=700`)
    if (small === null) return t.skip(NOT_ALLOWED)
    const space = `small_backup_${process.pid}`
    try {
      await house.rows(`create tablespace ${space} location '${folder}'`)
      const there = await target(space)
      try {
        await small.fill(16 * 1024 * 1024) // the schema fits, the rows don't
        assert.match(await refusal(there.restore()), /There is no space left.*database.*the database is still empty.*Free some space/)
        await small.free()
        assert.equal(await directly(engine, there.database, occupant), null)
        const { broken, manifest } = await there.restore()
        assert.deepEqual(broken, [])
        const { rows } = await there.house.database.pool.query('select count(*)::int as n from diag_line')
        assert.equal(rows[0].n, manifest.dump.tables.find(table => table.name === 'diag_line')?.rows)
      } finally {
        await there.close()
      }
    } finally {
      for (const database of databases.splice(0)) await dropDatabase(engine, database)
      await house.rows(`drop tablespace if exists ${space}`)
      small.leave()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
