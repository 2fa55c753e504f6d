// Uploads and the malware scanner: no file gets past it, by any endpoint.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Route } from '../server/base/http.ts'
import { openScanner } from '../server/base/scanner.ts'
import { scannerFinding } from '../server/commands/doctor.ts'
import { routes } from '../server/groups.ts'
import { checksOf } from '../server/rooms/operate/health/door.ts'
import type { Call, Tour } from './calls.ts'
import { asked, CALLS } from './cases.ts'
import { EICAR, type Mood, openClamd } from './clamd.ts'
import { makeCall, tour } from './tour.ts'
import { toured } from './toured.ts'
import { type Part, type Reply, useHouse } from './world.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const LIMIT = 1024 * 1024
const clamd = await openClamd({ limit: LIMIT })
const uploads = routes.filter(route => route.upload !== undefined)

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const isFile = (part: Part): part is Part & { value: Buffer } => Buffer.isBuffer(part.value)
/** Returns the same call with more bytes at the end of its files. */
const withMore = (call: Call, more: Buffer): Call => ({
  ...call,
  parts: (call.parts ?? []).map(part => (isFile(part) ? { ...part, value: Buffer.concat([part.value, more]) } : part)),
})

/** Returns what remains in a folder for temporary files after the jobs that are working on stored plans there have had their time. */
async function leftBehind(folder: string): Promise<string[]> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await readdir(folder)).length === 0) return []
    await sleep(50)
  }
  return readdir(folder)
}

describe('uploads and the malware scanner', () => {
  const house = useHouse({ SCAN_URL: clamd.url, SCAN_SECONDS: '3' }, { prepared: toured })
  let t: Tour
  before(async () => {
    t = await tour(house)
  })
  after(() => clamd.stop())

  /** Everything that is stored, and every upload that was left behind. */
  const stored = async () => ({
    files: (await house.rows('select site_id, sha256 from stored_file order by 1, 2')).map(row => row.sha256),
    bytes: (await readdir(join(house.house.data_dir, 'files'), { recursive: true })).sort(),
    left: await leftBehind(join(house.house.data_dir, 'tmp')),
  })
  const attach = (value: Buffer, headers: Record<string, string> = {}, filename = 'plan.txt'): Promise<Reply> =>
    t
      .as('coordinator')
      .send('POST', `/permits/applications/${t.params.permit_id}/attachments`, [{ name: 'file', value, filename }], headers)
  const text = (size: number) => Buffer.from('plan '.repeat(Math.ceil(size / 5)).slice(0, size))
  const calledOf = async (name: string): Promise<Call> => {
    const make = CALLS.get(name)
    assert.ok(make !== undefined, `cases.ts has no call of ${name}`)
    return make(t)
  }

  for (const route of uploads.filter(asked))
    test(`10.4 ${route.name} refuses a file with malware and stores nothing; a clean file reaches the scanner whole before it is used`, async () => {
      clamd.mood = 'well'
      const call = await calledOf(route.name)
      const before = await stored()
      const reply = await makeCall(t, route, withMore(call, EICAR))
      assert.deepEqual(
        [reply.status, reply.body?.error?.code, reply.body?.error?.reason],
        [422, 'validation_failed', 'malware_found'],
        reply.text,
      )
      assert.deepEqual(await stored(), before)

      const good = await makeCall(t, route, call)
      assert.ok(good.status < 300, good.text)
      const sent = (call.parts ?? []).filter(isFile).map(part => digest(part.value))
      assert.ok(sent.length > 0)
      assert.deepEqual(clamd.received.slice(-sent.length), sent)
      assert.deepEqual((await stored()).left, [])
    })

  test('10.4 the person reads a plain sentence, and the log has what the scanner found, but not the name of the file', async () => {
    clamd.mood = 'well'
    const bytes = Buffer.concat([text(200), EICAR])
    const { status, body, headers } = await attach(bytes, {}, 'Ann Lee.txt')
    assert.equal(status, 422)
    assert.equal(
      body.error.detail,
      '“Ann Lee.txt” contains malware, so it was refused and nothing was stored. Scan the device that the file comes from, and send a clean file.',
    )
    assert.deepEqual(body.error.fields, [{ path: 'file', message: 'contains malware.' }])
    await house.house.lines.flush()
    const [line] = await house.rows(
      'select kind, level, name, message, user_id, site_id from diag_line where request_id = $1 and kind = $2',
      [headers['x-request-id'], 'malware_found'],
    )
    assert.deepEqual(line, {
      kind: 'malware_found',
      level: 'warn',
      name: 'permit_attachment.create',
      message: `Eicar-Test-Signature (SHA-256 ${digest(bytes)}, ${bytes.length} bytes)`,
      user_id: t.as('coordinator').user_id,
      site_id: t.site_id,
    })
    assert.deepEqual(await house.rows(`select 1 from diag_line where message like '%Ann Lee%'`), [])
  })

  const isAway = (reply: Reply) => {
    assert.deepEqual(
      [reply.status, reply.body?.error?.code, reply.body?.error?.reason],
      [503, 'unavailable', 'scanner_unavailable'],
      reply.text,
    )
    assert.equal(reply.headers['retry-after'], '10')
    assert.match(reply.body.error.detail, /couldn’t be scanned for malware, so nothing was stored\. Try again/)
  }

  for (const [mood, does] of [
    ['silent', 'never answers'],
    ['dies', 'ends the connection in the middle of a file'],
    ['faulty', 'has a fault of its own'],
  ] as [Mood, string][])
    test(`10.4 if the scanner ${does}, nothing is stored; the same request succeeds once the scanner works again`, async () => {
      const before = await stored()
      const [bytes, headers] = [text(500 + mood.length), { 'idempotency-key': `scan-${mood}` }]
      clamd.mood = mood
      const refused = await attach(bytes, headers)
      clamd.mood = 'well'
      isAway(refused)
      assert.deepEqual(await stored(), before)
      const again = await attach(bytes, headers)
      assert.equal(again.status, 201, again.text)
      assert.ok((await stored()).files.includes(digest(bytes)))
      await house.house.lines.flush()
      const lines = await house.rows('select level, kind from diag_line where request_id = $1 and kind = $2', [
        refused.headers['x-request-id'],
        'scan_failed',
      ])
      assert.deepEqual(lines, [{ level: 'error', kind: 'scan_failed' }])
    })

  test('10.4 while the scanner is down, uploads are refused and everything else works; a repeated request still gets its response', async () => {
    clamd.mood = 'well'
    const headers = { 'idempotency-key': 'scan-before' }
    const first = await attach(text(300), headers)
    assert.equal(first.status, 201, first.text)
    const calls: [Route, Call][] = []
    for (const route of uploads) calls.push([route, await calledOf(route.name)])
    await clamd.stop()
    try {
      const before = await stored()
      isAway(await attach(text(301)))
      for (const [route, call] of calls) isAway(await makeCall(t, route, call))
      assert.deepEqual(await stored(), before)
      assert.deepEqual((await attach(text(300), headers)).body, first.body)
      assert.equal((await t.as('coordinator').get(`/permits/applications/${t.params.permit_id}`)).status, 200)
      const checks = await checksOf({ ...house.house })
      assert.deepEqual(
        [checks.scanner?.status, checks.scanner?.message],
        ['degraded', 'The malware scanner isn’t responding, so uploaded files are refused.'],
      )
    } finally {
      await clamd.start()
    }
    assert.equal((await attach(text(301))).status, 201)
    assert.equal((await checksOf({ ...house.house })).scanner?.status, 'ok')
  })

  test('10.4 a file that is too large for the scanner is refused with 413 and stored nowhere', async () => {
    clamd.mood = 'well'
    const before = await stored()
    const { status, body } = await attach(text(LIMIT + 1))
    assert.deepEqual([status, body.error.code, body.error.reason], [413, 'too_large', 'scanner_limit'])
    assert.match(body.error.detail, /too large for the malware scanner/)
    assert.deepEqual(await stored(), before)
  })

  test('10.4 files that are being scanned don’t keep other requests waiting', async () => {
    const { scanner, settings } = house.house
    assert.ok(settings.scanner !== null)
    house.house.scanner = openScanner(settings.scanner.place, 120) // a slow machine must not end these scans
    clamd.mood = 'held'
    // Far more than the places for requests that are served at the same time, even if those that only wait count less.
    const sent = Array.from({ length: 50 }, (_, n) => attach(text(400 + n)))
    try {
      while (clamd.now < 4) await new Promise(go => setImmediate(go))
      const reply = await t.as('coordinator').get(`/permits/applications/${t.params.permit_id}`)
      assert.deepEqual([reply.status, clamd.now], [200, 4])
    } finally {
      clamd.mood = 'well'
      clamd.release()
      await Promise.all(sent)
      house.house.scanner = scanner
    }
    assert.deepEqual([...new Set((await Promise.all(sent)).map(reply => reply.status))], [201])
  })

  test('10.4 only the scan marks a received file as one that can be used', () => {
    const files = globSync('server/**/*.ts', { cwd: root }).filter(file =>
      /\bSCANNED\b|\bas Upload\b/.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(files.sort(), ['server/base/files.ts', 'server/base/scanned.ts'])
  })

  test('10.4 the doctor sends the scanner a file that it must find, and says what is wrong with the scanner', async () => {
    clamd.mood = 'well'
    assert.deepEqual(await scannerFinding(house.house), {
      of: 'scanner',
      how: 'well',
      says: 'the malware scanner finds the test file of EICAR',
    })
    clamd.mood = 'blind'
    assert.match((await scannerFinding(house.house)).says, /doesn’t find the test file of EICAR\. Update its signatures/)
    clamd.mood = 'faulty'
    const fault = await scannerFinding(house.house)
    assert.equal(fault.how, 'wrong')
    assert.match(fault.says, /every uploaded file is refused: .*ERROR.* Check SCAN_URL and the scanner\.$/)
    assert.deepEqual((await stored()).left, [])
    assert.match((await scannerFinding({ ...house.house, scanner: null })).says, /files aren’t scanned \(SCAN_URL\)/)
  })

  test('10.4 a request that is refused for another reason doesn’t reach the scanner', async () => {
    clamd.mood = 'well'
    const scans = clamd.received.length
    const path = `/permits/applications/${t.params.permit_id}/attachments`
    const parts = [{ name: 'file', value: text(50), filename: 'a.txt' }]
    const stranger = await house.person('Sue Stray')
    assert.equal((await stranger.send('POST', path, parts)).status, 404)
    assert.equal((await t.as('member').send('POST', '/permits/upload', [{ name: 'site_id', value: t.site_id }, ...parts])).status, 403)
    assert.equal((await t.as('coordinator').send('POST', path, [...parts, { name: 'unknown', value: '1' }])).status, 422)
    assert.equal(clamd.received.length, scans)
  })
})
