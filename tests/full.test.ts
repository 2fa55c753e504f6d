// Full disks: a real small file system under the storage, a tablespace on one, and a limit on the size of files. There is never a 500,
// nothing is left half done, and everything works again once there is space.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test as once, type TestContext } from 'node:test'
import sharp from 'sharp'
import { ids } from '../server/base/ids.ts'
import { runJob } from '../server/kernel/jobs/door.ts'
import { chance, times } from './chance.ts'
import { type PermitWorld, permitWorld } from './permits.ts'
import { mounted } from './small-disk.ts'
import { multipart, type Reply, useHouse } from './world.ts'

const chaos = chance(9)

/** FAULTS repeats each proof of R13 (`tools/proofs.ts`). */
const FAULTS = times('FAULTS', 1)
const test = (title: string, body: (t: TestContext) => Promise<unknown>) =>
  once(title, async t => {
    for (let round = 0; round < FAULTS; round++) await body(t)
  })
const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => chaos.below(256)))
const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.4\n'), bytes(size), Buffer.from('\n%%EOF\n')])
const picture = () =>
  sharp(bytes(60 * 60 * 3), { raw: { width: 60, height: 60, channels: 3 } })
    .png()
    .toBuffer()

/** Limits the size in bytes of the files that this process can write, or removes the limit. */
const limitFiles = (size: number | 'unlimited') => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`])

const isFull = (reply: Reply) => {
  assert.deepEqual([reply.status, reply.body?.error?.code, reply.body?.error?.reason], [507, 'unavailable', 'storage_full'], reply.text)
  assert.ok(Number(reply.headers['retry-after']) > 0)
  assert.match(reply.body.error.detail, /no space left.*nothing was changed/)
}

describe('a full disk', () => {
  const house = useHouse()
  let w: PermitWorld
  let draft: { id: string }
  before(async () => {
    w = await permitWorld(house)
    draft = await w.draft()
    await mkdir(join(house.house.data_dir, 'files'), { recursive: true })
  })

  const attach = (value: Buffer, filename = 'plan.pdf') =>
    w.as('member').send('POST', `/permits/applications/${draft.id}/attachments`, [{ name: 'file', value, filename }])
  const left = async (folder: string) => {
    const found = await readdir(join(house.house.data_dir, folder), { recursive: true, withFileTypes: true })
    return found.filter(one => one.isFile() && one.name !== 'filler').map(one => one.name)
  }
  const counted = async () =>
    (await house.rows('select (select count(*) from stored_file)::int as files, (select count(*) from audit_entry)::int as entries'))[0]

  test('10.9 a file larger than the system’s limit is refused with 507, and leaves nothing behind', async () => {
    const before = await counted()
    limitFiles(50_000)
    let reply: Reply
    try {
      reply = await attach(pdf(120_000))
    } finally {
      limitFiles('unlimited')
    }
    isFull(reply)
    assert.deepEqual(await left('tmp'), [])
    assert.deepEqual(await counted(), before)
    assert.equal((await attach(pdf(120_000))).status, 201)
  })

  for (const folder of ['tmp', 'files']) {
    test(`10.9 with no space left for ${folder}, each upload is refused with 507; once there is space, each succeeds`, async t => {
      const small = mounted(join(house.house.data_dir, folder), 'size=1m')
      if (small === null) return t.skip('this account may not mount a file system; the limit on the size of files is tested above')
      try {
        await small.fill()
        const before = await counted()
        isFull(await attach(pdf(80_000)))
        isFull(
          await w
            .as('coordinator')
            .send('PUT', `/contractors/${w.acme}/logo`, [{ name: 'file', value: await picture(), filename: 'logo.png' }]),
        )
        assert.deepEqual(await left(folder), [])
        assert.deepEqual(await counted(), before)

        // Over a real connection, the response arrives even though the upload was cut off.
        const { payload, type } = multipart([{ name: 'file', value: pdf(3_000_000), filename: 'large.pdf' }])
        const address = await house.edge.app
          .listen({ port: 0 })
          .catch(() => `http://127.0.0.1:${(house.edge.app.server.address() as { port: number }).port}`)
        const answer = await fetch(`${address}/api/permits/applications/${draft.id}/attachments`, {
          method: 'POST',
          body: new Uint8Array(payload),
          headers: { authorization: `Bearer ${w.as('member').token}`, 'content-type': type },
        })
        assert.equal(answer.status, 507, await answer.text())

        await small.free()
        assert.equal((await attach(pdf(80_000))).status, 201)
      } finally {
        small.leave()
      }
    })
  }

  test('10.9 a preview that can’t be stored is refused for now, and the picture is not marked as damaged', async t => {
    const { body: shown } = await attach(await picture(), 'view.png')
    const folder = join(house.house.data_dir, 'tmp')
    const small = mounted(folder, 'size=64k')
    if (small === null) return t.skip('this account may not mount a file system')
    const ask = () => w.as('member').get(`/permits/applications/${draft.id}/attachments/${shown.id}/download?variant=preview`)
    try {
      await small.fill()
      isFull(await ask())
      await small.free()
      const reply = await ask()
      assert.deepEqual([reply.status, reply.headers['x-preview-problem'], reply.headers['content-type']], [200, undefined, 'image/webp'])
    } finally {
      small.leave()
    }
  })

  test('10.9 a document that can’t be stored for lack of space is printed later', async t => {
    await w.at('issued', { categories: ['GEN'] })
    const [{ id }] = await house.rows(
      `select id from job_run where kind = 'make_paper' and state = 'queued' order by queued_at desc limit 1`,
    )
    const small = mounted(join(house.house.data_dir, 'tmp'), 'size=64k')
    if (small === null) return t.skip('this account may not mount a file system')
    const run = async () => {
      await runJob(house.house, id).catch(() => {})
      return (await house.rows('select state, error_code, error_detail from job_run where id = $1', [id]))[0]
    }
    try {
      await small.fill()
      const first = await run()
      assert.deepEqual([first.state, first.error_code], ['queued', 'unavailable'])
      assert.match(first.error_detail, /no space left/)
      assert.deepEqual(await left('tmp'), [])
      await small.free()
    } finally {
      small.leave()
    }
    assert.equal((await run()).state, 'succeeded')
  })

  test('10.9 a database without space refuses a write with 507, and accepts it once there is space', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'walkdown-space-'))
    const [{ directory }] = await house.rows(`select current_setting('data_directory') as directory`)
    const owner = await stat(directory).catch(() => null)
    const small = owner === null ? null : mounted(folder, `size=6m,uid=${owner.uid},gid=${owner.gid},mode=700`)
    if (small === null) return t.skip('this account may not mount a file system')
    const space = `small_${process.pid}`
    try {
      await house.rows(`create tablespace ${space} location '${folder}'`)
      await house.rows(`alter table permit set tablespace ${space}`)
      await small.fill()
      const write = () =>
        w.as('member').post('/permits/applications', {
          site_id: w.site_id,
          categories: ['HW'],
          // Text that doesn’t shrink, so that the table grows.
          description: Array.from({ length: 120 }, () => ids.next()).join(' '),
        })
      let reply = await write()
      for (let tries = 0; tries < 100 && reply.status === 201; tries++) reply = await write()
      isFull(reply)
      await small.free()
      assert.equal((await write()).status, 201)
    } finally {
      await house.rows(`alter table permit set tablespace pg_default`)
      await house.rows(`drop tablespace if exists ${space}`)
      small.leave()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
