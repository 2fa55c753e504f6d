import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { testEngine } from '../../tests/engine.ts'
import { permitWorld } from '../../tests/permits.ts'
import { testSettings, useHouse } from '../../tests/world.ts'
import { openHouse } from '../app.ts'
import { createDatabase, dropDatabase } from '../base/migrate.ts'
import { closeQueue } from '../kernel/jobs/door.ts'
import { backUp } from './backup.ts'
import { momentOf, readManifest } from './bundle.ts'
import { restoreFrom } from './restore.ts'

describe('the moment of a backup', () => {
  const house = useHouse({ CLOCK: 'system' })
  let root = ''
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'walkdown-moment-'))
  })
  after(() => rm(root, { recursive: true, force: true }))

  test('10.10 every write that was acknowledged before the moment of a backup is in it, and the restore shows the same moment', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    // Stored files are copied after the tables, and people continue to write meanwhile.
    for (let n = 0; n < 20; n++) {
      const value = Buffer.from(`%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n%${n}\n`)
      const sent = await w
        .as('member')
        .send('POST', `/permits/applications/${draft.id}/attachments`, [{ name: 'file', value, filename: `${n}.pdf` }])
      assert.equal(sent.status, 201, sent.text)
    }
    let stop = false
    const acknowledged: { id: string; at: string }[] = []
    const writers = [0, 1, 2].map(async n => {
      for (let i = 0, last = false; !last; i++) {
        last = stop
        const body = { site_id: w.site_id, name: `Load ${n} ${i}`, start_time: '18:00', end_time: '22:00', weekdays: [6] }
        const { status, body: shift, text } = await w.as('hse').post('/shifts/', body)
        assert.equal(status, 201, text)
        acknowledged.push({ id: shift.id, at: house.house.clock.now() })
      }
    })
    while (acknowledged.length < 5) await new Promise(done => setImmediate(done))
    const folder = join(root, 'backup')
    const [{ name }] = await house.rows('select current_database() as name')
    const engine = await testEngine()
    const manifest = await backUp(house.house, engine, name, folder, () => {})
    stop = true
    await Promise.all(writers)

    const copied = gunzipSync(await readFile(join(folder, 'tables', 'shift.copy.gz'))).toString()
    const before = acknowledged.filter(({ at }) => at < manifest.made_at)
    assert.ok(before.length > 0 && before.length < acknowledged.length, `${before.length} of ${acknowledged.length} came before`)
    assert.deepEqual(
      before.filter(({ id }) => !copied.includes(id)),
      [],
    )
    assert.match(manifest.log_position ?? '', /^[0-9A-F]+\/[0-9A-F]+$/)

    const database = `walkdown_moment_${process.pid}`
    await createDatabase(engine, database)
    const there = await openHouse(testSettings(), engine, { database, data_dir: await mkdtemp(join(root, 'data-')), pool: 4 })
    try {
      const said: string[] = []
      const { manifest: restored } = await restoreFrom(there, engine, database, folder, { drop_queue: true }, line => said.push(line))
      assert.equal(momentOf(restored), momentOf(await readManifest(folder)))
      assert.ok(
        said.some(line => line.includes(`${manifest.made_at} (log position ${manifest.log_position})`)),
        said.join('\n'),
      )
    } finally {
      await closeQueue(there)
      await there.database.close()
      await dropDatabase(engine, database)
    }
  })
})
