import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'
import { readSettings } from '../base/settings.ts'
import { databaseFindings, diskFindings, examine, healthFindings, settingsFindings, storageFinding, written } from './doctor.ts'
import { listenFault, portFault } from './port.ts'

const taken = async <T>(work: (port: number) => Promise<T>): Promise<T> => {
  const server = createServer(socket => socket.destroy())
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  try {
    return await work(typeof address === 'object' && address !== null ? address.port : 0)
  } finally {
    await new Promise(done => server.close(done))
  }
}

describe('the doctor', () => {
  const house = useHouse()

  test('settings that can’t be read are listed one by one, and nothing else is checked', async () => {
    const found = await examine({ PORT: 'many', SITE_CREATION: 'nobody' })
    assert.deepEqual(
      found.map(f => [f.of, f.how]),
      [
        ['settings', 'wrong'],
        ['settings', 'wrong'],
      ],
    )
    assert.match(written(found).join('\n'), /WRONG {2}settings +PORT must be a whole number/)
  })

  test('a public URL without TLS, emails that nobody gets, and a manual clock need attention', () => {
    const at = (env: Record<string, string>) => settingsFindings(readSettings(env)).map(f => f.how)
    assert.deepEqual(at({}), ['well'])
    assert.deepEqual(at({ HOST: '0.0.0.0' }), ['well', 'look', 'look'])
    assert.deepEqual(at({ CLOCK: 'manual' }), ['well', 'look'])
  })

  test('a port that is in use is reported with advice on what to do, and before the first start there is no database to check', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'walkdown-doctor-'))
    await taken(async port => {
      assert.match((await portFault('127.0.0.1', port)) ?? '', /is used by another program\. Stop that program, or set PORT/)
      const found = await examine({ PORT: String(port), DATA_DIR })
      assert.deepEqual(
        found.filter(f => f.how !== 'well').map(f => f.of),
        ['port', 'database'],
      )
    })
    assert.equal(await portFault('127.0.0.1', 0), null)
    assert.match(listenFault(Object.assign(new Error(), { code: 'EACCES' }), 'localhost', 80), /1024 or more/)
    assert.match((await portFault('192.0.2.1', 4190)) ?? '', /isn’t an address of this machine/)
    await rm(DATA_DIR, { recursive: true, force: true })
  })

  test('a database server that doesn’t respond is one fault in one sentence, without its address', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'walkdown-doctor-'))
    const found = await examine({ PORT: '0', DATA_DIR, DATABASE_URL: 'postgresql://walkdown:secret@127.0.0.1:9/walkdown' })
    const faults = found.filter(f => f.how === 'wrong')
    assert.deepEqual(
      faults.map(f => f.says),
      ['The database server isn’t responding. Check DATABASE_URL.'],
    )
    await rm(DATA_DIR, { recursive: true, force: true })
  })

  test('an up-to-date database is fine: its version, its migrations, its clock, and the health of the service', async () => {
    const { systemClock } = await import('../base/clock.ts')
    const now = { ...house.house, clock: systemClock, settings: readSettings({ SUPERADMIN_EMAILS: 'root@walkdown.test' }) }
    const found = [...(await databaseFindings(now)), ...(await healthFindings(now))]
    assert.deepEqual(
      found.filter(f => f.how !== 'well'),
      [],
    )
    assert.match(found[0]?.says ?? '', /^PostgreSQL 1\d/)
    const [, , clock] = await databaseFindings({ ...now, clock: house.house.clock })
    assert.match(clock?.says ?? '', /differ by .* s\. Synchronise both with a time server/)
  })

  test('the storage is tested by writing and reading, and the free space of the disk is shown', async () => {
    assert.equal((await storageFinding(house.house)).how, 'well')
    const [disk] = await diskFindings(house.house.data_dir)
    assert.match(disk?.says ?? '', /GB free/)
    const broken = { ...house.house, storage: { ...house.house.storage, keep: () => Promise.reject(new Error('403.')) } }
    assert.match((await storageFinding(broken)).says, /Nothing can be stored in DATA_DIR: 403\. Check DATA_DIR\.$/)
  })
})
