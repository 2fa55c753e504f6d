// R9 against an attacker who can recompute hashes: heads stored on another system show what a check of the database alone can't.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { House } from '../server/base/ctx.ts'
import { type Db, passThrough } from '../server/base/db.ts'
import { PLATFORM, sha256 } from '../server/base/ids.ts'
import { verifyHeads } from '../server/commands/verify-heads.ts'
import { faultsOf } from '../server/commands/verify-site.ts'
import { verifyChain } from '../server/kernel/audit/door.ts'
import { chainAfter } from '../server/kernel/audit/queries.ts'
import { runSchedules } from '../server/kernel/jobs/door.ts'
import { factsText, linkText, wordsText } from '../shared/proof/entry.ts'
import type { SignedHeads } from '../shared/proof/heads.ts'
import { altered } from './altered.ts'
import { mailsTo, sendMails } from './outbox.ts'
import { useHouse, type World } from './world.ts'

describe('10.4 heads of the audit log are stored on another system', () => {
  const house = useHouse({}, { without_stock: true })
  const taken: { name: string; body: string; signed: SignedHeads }[] = []
  let w: World
  let address = ''

  before(async () => {
    w = await house.world()
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks).toString('utf8')
      if (request.method === 'POST') taken.push({ name: String(request.headers['x-walkdown-document']), body, signed: JSON.parse(body) })
      response.end(taken.at(-1)?.body ?? '')
    }).listen(0, '127.0.0.1')
    server.unref()
    await new Promise(done => server.once('listening', done))
    const bound = server.address()
    address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/heads`
    ;(house.house.settings as { audit_witness_url: string | null }).audit_witness_url = address // settings are read once; this is one of them
    await house.clock('2026-03-17T09:00:00Z')
    await runSchedules(house.house, 'audit_witness')
  })

  const noted = async (text: string) => {
    const file = join(house.house.data_dir, 'heads.txt')
    await writeFile(file, text)
    return file
  }
  const compared = async (db: Db | null, source: string, site: string | null = null) => {
    const said: string[] = []
    const there = db === null ? house.house : ({ database: { snapshot: (work: (db: Db) => unknown) => work(db) } } as unknown as House) // the altered state is seen only in its own transaction
    return { code: await verifyHeads(there, source, site, line => said.push(line)), said: said.join('\n') }
  }

  test('10.4 the signed heads of all logs are sent to the witness, and `verify --head` compares them, from a file or a URL', async () => {
    const [sent] = taken
    assert.ok(sent !== undefined && /^audit-heads-2026-03-17T09-/.test(sent.name))
    assert.deepEqual(sent.signed.heads.map(head => head.site_id).sort(), [PLATFORM, w.site_id].sort())
    assert.equal((await compared(null, address)).code, 0)
    assert.equal((await compared(null, await noted(sent.body))).code, 0)
    const forged = sent.body.replace(/"seq":(\d+)/, (_, n) => `"seq":${Number(n) - 1}`)
    const { code, said } = await compared(null, await noted(forged))
    assert.equal(code, 1)
    assert.match(said, /aren’t signed with a key of this installation/)
    await assert.rejects(compared(null, await noted('nothing')), /contains no head/)
  })

  test('10.4 a log that was rewritten with every hash recomputed passes every check but this one', async () => {
    const [sent] = taken
    const file = await noted(sent?.body ?? '')
    const rewrite = async (db: Db) => {
      // What an insider does: another name in the last entry, then every digest and hash that follows from it.
      const at = `site_id = '${w.site_id}'`
      const { rows } = await passThrough(db, `select max(seq)::int - 1 as seq from audit_entry where ${at}`)
      const [last] = await chainAfter(db, w.site_id, Number(rows[0]?.seq), 1)
      assert.ok(last !== undefined)
      const forged = { ...last, actor_name: 'Somebody' }
      const words_digest = sha256(forged.words_salt + wordsText(forged))
      const facts = sha256(factsText({ ...forged, site_id: w.site_id, words_digest }))
      const hash = sha256(last.prev_hash + linkText({ ...forged, facts }))
      await passThrough(db, `update audit_entry set actor_name = 'Somebody', hash = '${hash}' where ${at} and seq = ${last.seq}`)
      await passThrough(db, `update site_head set hash = '${hash}' where ${at}`)
      const faults = []
      for await (const fault of faultsOf(house.house, db, w.site_id, false)) faults.push(fault)
      assert.deepEqual(faults, [], 'the database alone shows nothing')
      return compared(db, file)
    }
    const seen = await altered(house.house, [`select 1 as one`], rewrite)
    assert.equal(seen?.code, 1)
    assert.match(seen?.said ?? '', /has a different entry here: the log has been rewritten/)
  })

  test('10.4 a log cut at its end with its head moved back, or a site deleted as a whole, is found by the heads and by the platform’s own log', async () => {
    const file = await noted(taken[0]?.body ?? '')
    const at = `site_id = '${w.site_id}'`
    const tables = await house.rows(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'site_id' and table_name not like 'audit_%'`,
    )
    for (const statements of [
      [
        `delete from audit_entry a where ${at} and seq = (select max(seq) from audit_entry where ${at}) returning id`,
        `update site_head set seq = seq - 1, hash = (select hash from audit_entry where ${at} order by seq desc limit 1) where ${at} returning site_id`,
      ],
      [`delete from audit_entry where ${at} returning id`, ...tables.map(({ name }) => `delete from "${name}" where ${at}`)],
    ]) {
      const seen = await altered(house.house, statements, async db => {
        const faults = []
        for await (const fault of faultsOf(house.house, db, PLATFORM, false)) faults.push(fault)
        return { ...(await compared(db, file)), faults }
      })
      assert.equal(seen?.code, 1)
      assert.match(seen?.said ?? '', /no longer has this entry/)
      assert.ok(
        seen?.faults.some(f => f.where.includes(w.site_id) && /of the platform’s audit log recorded its head/.test(f.detail)),
        JSON.stringify(seen?.faults),
      )
    }
  })

  test('10.4 a log of an erased site isn’t said to contain its head', async () => {
    const all = taken[0]?.signed.heads ?? []
    const own = all.find(head => head.site_id === w.site_id)
    const erased = `update audit_entry set entity_type = 'site', action = 'delete', entity_id = '${w.site_id}', changes = '[{"path": "erased"}]'
      where site_id = '${PLATFORM}' and seq = (select max(seq) from audit_entry where site_id = '${PLATFORM}') returning id`
    const body = taken[0]?.body ?? ''
    const seen = await altered(house.house, [erased], async db => ({
      both: await compared(db, await noted(body)),
      alone: await compared(db, await noted(`${own?.seq};${own?.hash}`), w.site_id),
    }))
    const gone = `Site ${w.site_id} was erased, so its audit log can’t be compared.`
    assert.deepEqual(seen?.both, { code: 0, said: `${gone}\nThe other log still contains its head.` })
    assert.deepEqual(seen?.alone, { code: 0, said: `${gone}\nNo log was compared.` })
  })

  test('10.4 administrators get the heads by email, and `verify --head` can compare them', async () => {
    await sendMails(house)
    const [{ email }] = await house.rows(
      `select u.email from app_user u join membership m on m.user_id = u.id where m.site_id = $1 and m.role = 'admin' and m.status = 'active'`,
      [w.site_id],
    )
    const mail = (await mailsTo(house, email)).find(one => /heads of your audit logs/.test(one.subject))
    assert.ok(mail !== undefined)
    assert.equal((await compared(null, await noted(mail.text))).code, 0)
    const other = mail.text.replace(/;[0-9a-f]{64}/, `;${'0'.repeat(64)}`)
    assert.equal((await compared(null, await noted(other))).code, 1)
    assert.equal((await verifyChain(house.house.database.db, PLATFORM)).fault, null)
  })
})
