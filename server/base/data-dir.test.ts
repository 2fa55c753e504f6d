import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sweepLeftovers } from '../commands/leftovers.ts'
import { closeDataDir } from './data-dir.ts'
import { makeLog } from './log.ts'
import { readSettings } from './settings.ts'
import { openStorage } from './storage.ts'

describe('the data directory', () => {
  let root = ''
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'walkdown-data-dir-'))
    await chmod(root, 0o755)
  })
  after(() => rm(root, { recursive: true, force: true }))
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  const closed = async (path: string): Promise<string[]> => {
    const said: string[] = []
    await closeDataDir(path, true, line => said.push(line))
    return said
  }

  test('10.9 the data directory is created for its owner only, and its parents with the usual mode', async () => {
    const path = join(root, 'a', 'b', 'data')
    assert.deepEqual(await closed(path), [])
    assert.equal(await modeOf(path), '700')
    assert.notEqual(await modeOf(join(root, 'a')), '700')
  })

  test('10.9 a directory that other accounts can enter is closed to them at the start, with a message', async () => {
    const path = join(root, 'open')
    await mkdir(join(path, 'files'), { recursive: true })
    await chmod(path, 0o755)
    const [said] = await closed(path)
    assert.match(said ?? '', /is open to other accounts on this machine \(mode 0755\)\. Now only its owner can open it\./)
    assert.equal(await modeOf(path), '700')
    assert.deepEqual(await closed(path), [])
  })

  test('10.9 a directory with other programs’ files is left unchanged, with a message about what to do', async () => {
    const path = join(root, 'shared')
    await mkdir(path)
    await chmod(path, 0o755)
    await writeFile(join(path, 'something else.txt'), '')
    const [said] = await closed(path)
    assert.match(said ?? '', /files that aren’t Walkdown’s.*run: chmod 700/)
    assert.equal(await modeOf(path), '755')
  })

  test('10.9 a start deletes temporary and incomplete files, and nothing else', async () => {
    const data_dir = join(root, 'left')
    const whole = 'ab'.repeat(32)
    const there = ['tmp/upload', `files/ab/ab/${whole}.1.half`, 'outbox/letter.eml.half', 'keys/seal.key.1']
    const stays = [`files/ab/ab/${whole}`, 'outbox/letter.eml', 'keys/seal.key']
    for (const file of [...there, ...stays]) {
      await mkdir(join(data_dir, file, '..'), { recursive: true })
      await writeFile(join(data_dir, file), 'x')
      await utimes(join(data_dir, file), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000))
    }
    const house = { data_dir, storage: openStorage(readSettings({}), data_dir), log: makeLog('silent') }
    assert.equal(await sweepLeftovers(house, false), 0, 'another process may be writing them')
    assert.equal(await sweepLeftovers(house, true), there.length)
    const left = (await readdir(data_dir, { recursive: true, withFileTypes: true })).filter(one => one.isFile())
    assert.deepEqual(left.map(one => join(one.parentPath, one.name)).sort(), stays.map(file => join(data_dir, file)).sort())
  })
})
