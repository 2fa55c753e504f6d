// R13 (`tools/proofs.ts`): the file storage, the mail relay or the database stops responding. Every request gets a defined response, everything works again once it
// is back, and nothing is lost. FAULTS makes it longer. Full disks are in full.test.ts, the end of the database in recovery.test.ts.
import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { CommitInDoubt, databaseGone, openDatabase, sql } from '../../server/base/db.ts'
import { relayEvents } from '../../server/kernel/events/door.ts'
import { bytesFault } from '../../server/kernel/evidence/door.ts'
import { runJob } from '../../server/kernel/jobs/door.ts'
import { dispatchDue } from '../../server/kernel/notices/door.ts'
import { type Bucket, openBucket } from '../bucket.ts'
import { times } from '../chance.ts'
import { testEngine } from '../engine.ts'
import { readMail, sendMails } from '../outbox.ts'
import { permitWorld } from '../permits.ts'
import { freePort } from '../port.ts'
import { openRelay, type Relay } from '../relay.ts'
import { MONDAY, type Reply, type TestHouse, useHouse } from '../world.ts'

const FAULTS = times('FAULTS', 1)

const isAway = (reply: Reply) => {
  assert.deepEqual([reply.status, reply.body?.error?.code], [503, 'unavailable'], reply.text)
  assert.ok(Number(reply.headers['retry-after']) > 0)
}

/** Checks what happens while the storage of this house is unavailable: `cut` makes it unavailable, `mend` available again. */
async function withoutStorage(house: TestHouse, round: string, cut: () => Promise<void>, mend: () => Promise<void>): Promise<void> {
  const w = await permitWorld(house)
  const draft = await w.draft()
  const path = `/permits/applications/${draft.id}/attachments`
  const attach = (words: string) => w.as('member').send('POST', path, [{ name: 'file', value: Buffer.from(words), filename: 'method.txt' }])
  const kept = await attach(`Kept before, ${round}`)
  assert.equal(kept.status, 201, kept.text)
  const read = () => w.as('member').get(`${path}/${kept.body.id}/download`)
  const issued = await w.at('issued', { categories: ['GEN'] })
  const orders = await house.rows(`select id from job_run where kind = 'make_paper' and site_id = $1 and state = 'queued' order by id`, [
    w.site_id,
  ])
  assert.ok(orders.length > 0)
  const print = async (id: string) => {
    await runJob(house.house, id).catch(() => {})
    return (await house.rows('select state, error_code from job_run where id = $1', [id]))[0]
  }
  const counted = async () =>
    (await house.rows('select (select count(*) from stored_file)::int as files, (select count(*) from audit_entry)::int as entries'))[0]
  const before_ = await counted()
  await cut()
  try {
    isAway(await attach(`Sent meanwhile, ${round}`))
    const refused = await read()
    isAway(refused)
    assert.deepEqual(
      [refused.headers.etag, refused.headers['content-disposition'], refused.headers['cache-control']],
      [undefined, undefined, 'no-store'],
      'a refusal has no headers of a file',
    )
    assert.deepEqual(await counted(), before_)
    assert.equal((await w.read(issued)).status, 'issued', 'the rest works')
    for (const { id } of orders) assert.deepEqual(await print(id), { state: 'queued', error_code: 'unavailable' })
    const [file] = await house.rows('select sha256, size from stored_file where site_id = $1 limit 1', [w.site_id])
    await assert.rejects(bytesFault(house.house, file), 'a storage that is away says nothing about a file')
  } finally {
    await mend()
  }
  assert.equal((await attach(`Sent meanwhile, ${round}`)).status, 201)
  assert.equal((await read()).text, `Kept before, ${round}`)
  for (const { id } of orders) assert.equal((await print(id)).state, 'succeeded', 'a document asked for meanwhile is made')
}

describe('a file storage that can’t be reached', () => {
  const house = useHouse({}, { pool: 8 })
  const root = () => join(house.house.data_dir, 'files')

  test('R13 storage: the service survives a drive that is unmounted', async () => {
    for (let i = 0; i < FAULTS; i++)
      await withoutStorage(
        house,
        `unmounted ${i}`,
        () => rename(root(), `${root()}.away`),
        () => rename(`${root()}.away`, root()),
      )
  })

  test('R13 storage: the service survives a path that is no longer a directory', async () => {
    for (let i = 0; i < FAULTS; i++)
      await withoutStorage(
        house,
        `no directory ${i}`,
        async () => {
          await rename(root(), `${root()}.away`)
          await writeFile(root(), '')
        },
        async () => {
          await rm(root())
          await rename(`${root()}.away`, root())
        },
      )
  })
})

const bucket_port = await freePort()

describe('a bucket that can’t be reached', () => {
  const house = useHouse({
    STORAGE_URL: `s3://files/site?endpoint=http://127.0.0.1:${bucket_port}&region=eu-west-2`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  })
  let bucket: Bucket
  before(async () => {
    bucket = await openBucket(bucket_port)
  })
  after(() => bucket.close())

  for (const how of ['down', 503] as const)
    test(`R13 storage: the service survives ${how === 'down' ? 'a bucket that accepts no connections' : 'a bucket that responds 503 to everything'}`, async () => {
      for (let i = 0; i < FAULTS; i++)
        await withoutStorage(
          house,
          `${how} ${i}`,
          () => bucket.be(how),
          () => bucket.be('up'),
        )
    })
})

const mail_port = await freePort()

describe('a mail relay that is down', () => {
  const house = useHouse({ SMTP_URL: `smtp://127.0.0.1:${mail_port}`, MAIL_FROM: 'Walkdown <permits@walkdown.test>' }, { pool: 8 })
  const forward = (seconds: number) => house.clock(new Date(Date.parse(house.house.clock.now()) + seconds * 1000).toISOString())
  const opened: { relay: Relay | null } = { relay: null }
  after(() => opened.relay?.close())

  test('R13 mail: every step succeeds while the relay is down; once it is up, each email arrives exactly once', async () => {
    for (let i = 0; i < FAULTS; i++) {
      house.clock(MONDAY)
      const w = await permitWorld(house)
      const invited = `new.person.${i}@people.test`
      const live = await w.at('issued', { categories: ['GEN'] })
      const asked = await w.step(live, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z', reason: 'Rain' })
      assert.equal(asked.status, 201, asked.text)
      await w.at('endorsed', { categories: ['HW'] })
      const invitation = await w.as('admin').post(`/invites/sites/${w.site_id}`, { email: invited, role: 'viewer' })
      assert.equal(invitation.status, 201, invitation.text)
      await relayEvents(house.house, w.site_id)
      const waiting = async () =>
        house.rows(`select s.state from notification_send s where s.site_id = $1 and s.channel = 'email' and s.state <> 'skipped'`, [
          w.site_id,
        ])
      forward(61)
      await dispatchDue(house.house)
      const deferred = await sendMails(house)
      assert.ok(
        deferred.some(one => one.outcome === 'deferred'),
        JSON.stringify(deferred),
      )
      const before_ = await waiting()
      assert.ok(before_.length > 0 && before_.every(send => send.state === 'queued'), JSON.stringify(before_))

      const relay = await openRelay(mail_port)
      opened.relay = relay
      forward(61)
      await dispatchDue(house.house)
      await sendMails(house)
      forward(61)
      await dispatchDue(house.house)
      await sendMails(house)
      const after_ = await waiting()
      assert.ok(
        after_.every(send => send.state === 'sent'),
        JSON.stringify(after_),
      )
      const mails = relay.received.map(one => ({
        to: one.to,
        id: /^Message-ID: (.*)$/im.exec(one.raw)?.[1],
        subject: readMail(one.raw).subject,
      }))
      assert.equal(new Set(mails.map(mail => mail.id)).size, mails.length, 'an email was sent twice')
      assert.equal(mails.filter(mail => mail.to === invited).length, 1, JSON.stringify(mails))
      await relay.close()
      opened.relay = null
    }
  })
})

describe('a database that goes silent', () => {
  const house = useHouse({}, { pool: 8 })

  test('R13 silence: a connection without a response is closed, its work is refused as unavailable, and the next one works', async t => {
    const { database } = house.house.database.pool.options
    const own = openDatabase(await testEngine(), { database: String(database), max: 1, silence_ms: 300 })
    const pid = async () => (await own.pool.query('select pg_backend_pid() as pid')).rows[0].pid as number
    try {
      process.kill(await pid(), 0)
    } catch {
      await own.close()
      return t.skip('the database is on another machine')
    }
    try {
      for (let i = 0; i < FAULTS; i++) {
        const silent = await pid()
        process.kill(silent, 'SIGSTOP')
        await assert.rejects(own.pool.query('select 1'), databaseGone).finally(() => process.kill(silent, 'SIGCONT'))
        assert.notEqual(await pid(), silent)

        // In a transaction: before the commit nothing was changed, and during it no one can know.
        const opening = { actor_kind: 'job', actor_id: null, now: MONDAY }
        let stopped = 0
        const goOn = () => process.kill(stopped, 'SIGCONT')
        await assert
          .rejects(
            own.transaction(opening, async db => {
              const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
              stopped = rows[0]?.pid ?? 0
              process.kill(stopped, 'SIGSTOP')
              await sql`select 1`.execute(db)
              return { result: null, last: null }
            }),
            error => databaseGone(error) && !(error instanceof CommitInDoubt),
          )
          .finally(goOn)
        await assert
          .rejects(
            own.transaction(opening, async db => {
              const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
              stopped = rows[0]?.pid ?? 0
              process.kill(stopped, 'SIGSTOP')
              return { result: null, last: { text: 'select 1', values: [] } }
            }),
            error => error instanceof CommitInDoubt,
          )
          .finally(goOn)
        assert.equal(typeof (await pid()), 'number')
      }
    } finally {
      await own.close()
    }
  })
})
