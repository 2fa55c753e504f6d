import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Clamd, EICAR, openClamd } from '../../tests/clamd.ts'
import { openScanner, type Scanner, scannerPlace } from './scanner.ts'
import { readSettings, SettingsError } from './settings.ts'

/** The longest time for a scan that ends by itself, and for one that doesn't. */
const PATIENT = 60
const HURRIED = 1
const LIMIT = 1024 * 1024

describe('the client of a malware scanner', () => {
  let folder = ''
  let clamd: Clamd
  let scanner: Scanner
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walkdown-scanner-'))
    clamd = await openClamd({ limit: LIMIT })
    scanner = openTo(clamd.url)
  })
  after(async () => {
    await clamd.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const openTo = (url: string, seconds = PATIENT): Scanner => {
    const place = scannerPlace(url)
    assert.ok(place !== null)
    return openScanner(place, seconds)
  }
  const put = async (bytes: Buffer): Promise<string> => {
    const path = join(folder, randomBytes(8).toString('hex'))
    await writeFile(path, bytes)
    return path
  }

  test('10.4 a clean file is sent whole, byte by byte, whether it is empty, small, or has many chunks', async () => {
    clamd.mood = 'well'
    for (const size of [0, 1, 65_535, 65_536, 65_537, 700_000, LIMIT]) {
      const bytes = randomBytes(size)
      assert.deepEqual(await scanner.scan(await put(bytes)), { result: 'clean' }, String(size))
      assert.equal(clamd.received.at(-1), createHash('sha256').update(bytes).digest('hex'), String(size))
    }
  })

  test('10.4 malware is found wherever it is in a file, and has a name', async () => {
    clamd.mood = 'well'
    const found = { result: 'found', name: 'Eicar-Test-Signature' }
    // The second one crosses the border between two chunks.
    for (const bytes of [EICAR, Buffer.concat([randomBytes(65_500), EICAR]), Buffer.concat([randomBytes(300_000), EICAR, randomBytes(9)])])
      assert.deepEqual(await scanner.scan(await put(bytes)), found)
  })

  test('10.4 a file that is larger than the scanner accepts has its own result, even if the scanner stops reading early', async () => {
    clamd.mood = 'well'
    assert.deepEqual(await scanner.scan(await put(randomBytes(LIMIT + 1))), { result: 'too_large' })
    assert.deepEqual(await scanner.scan(await put(Buffer.concat([randomBytes(LIMIT), EICAR]))), { result: 'too_large' })
  })

  for (const [mood, does, why] of [
    ['silent', 'never answers', /took too long/],
    ['dies', 'ends the connection in the middle of the file', /ECONNRESET|EPIPE|closed the connection/],
    ['torn', 'ends the connection in the middle of its answer', /closed the connection without an answer/],
    ['hasty', 'approves before it has seen the whole file', /answered “stream: OK”|ECONNRESET|EPIPE/],
    ['faulty', 'has a fault of its own', /answered “stream: Can\?+t allocate memory ERROR”/],
    ['endless', 'answers without end', /doesn’t end/],
  ] as const)
    test(`10.4 a file isn’t clean if the scanner ${does}; the same file is scanned once the scanner works again`, async () => {
      const path = await put(randomBytes(mood === 'hasty' ? 8 * LIMIT : 600_000))
      clamd.mood = mood
      const scan = await openTo(clamd.url, mood === 'silent' ? HURRIED : PATIENT).scan(path)
      clamd.mood = 'well'
      assert.equal(scan.result, 'away')
      assert.match(scan.result === 'away' ? scan.why : '', why)
      assert.equal((await scanner.scan(path)).result, mood === 'hasty' ? 'too_large' : 'clean')
    })

  test('10.4 a connection that breaks while a file is being sent is tried again, with the whole file', async () => {
    const bytes = Buffer.concat([randomBytes(600_000), EICAR])
    const path = await put(bytes)
    clamd.mood = 'stumbles'
    assert.deepEqual(await scanner.scan(path), { result: 'found', name: 'Eicar-Test-Signature' })
    assert.equal(clamd.received.at(-1), createHash('sha256').update(bytes).digest('hex'))
  })

  test('10.4 while nothing listens, no file is clean; afterwards files are scanned again', async () => {
    clamd.mood = 'well'
    const path = await put(randomBytes(100))
    await clamd.stop()
    try {
      assert.equal((await scanner.scan(path)).result, 'away')
      assert.equal(await scanner.responds(900), false)
    } finally {
      await clamd.start()
    }
    assert.deepEqual(await scanner.scan(path), { result: 'clean' })
    assert.equal(await scanner.responds(900), true)
    clamd.mood = 'silent'
    assert.equal(await scanner.responds(50), false)
  })

  test('10.4 at most four files are scanned at the same time; others wait, and fifty wait at most', async () => {
    clamd.mood = 'held'
    clamd.most = 0
    const path = await put(randomBytes(100))
    const many = Array.from({ length: 55 }, () => scanner.scan(path))
    assert.match(JSON.stringify(await many.at(-1)), /Too many files are waiting/)
    const others = many.slice(0, 54).map(async scan => (await scan).result)
    // The scanner answers whenever it has four files, until all are done.
    let done = false
    const all = Promise.all(others).finally(() => {
      done = true
    })
    while (!done) {
      await new Promise(go => setImmediate(go))
      clamd.release()
    }
    assert.deepEqual(new Set(await all), new Set(['clean']))
    assert.ok(clamd.most >= 1 && clamd.most <= 4, String(clamd.most))
  })

  test('10.4 a file that waits for its turn waits no longer than a scan can take', async () => {
    clamd.mood = 'silent'
    const path = await put(randomBytes(100))
    const hurried = openTo(clamd.url, HURRIED)
    const scans = await Promise.all(Array.from({ length: 9 }, () => hurried.scan(path)))
    assert.deepEqual(
      scans.map(scan => scan.result === 'away' && scan.why),
      scans.map(() => 'The scanner took too long.'),
    )
    clamd.mood = 'well'
    assert.deepEqual(await scanner.scan(path), { result: 'clean' })
  })

  test('10.4 a scanner on the same machine is reached by its socket', async () => {
    const local = await openClamd({ path: join(folder, 'clamd socket.ctl') })
    try {
      const there = openTo(`unix://${folder}/clamd%20socket.ctl`)
      assert.deepEqual(await there.scan(await put(EICAR)), { result: 'found', name: 'Eicar-Test-Signature' })
      assert.equal(await there.responds(900), true)
    } finally {
      await local.stop()
    }
    assert.equal((await openTo(`unix://${folder}/nothing`).scan(await put(EICAR))).result, 'away')
  })

  test('10.4 SCAN_URL is the address of a scanner or the path of its socket; anything else is refused', () => {
    const of = (SCAN_URL: string) => readSettings({ SCAN_URL }).scanner?.place
    assert.equal(readSettings({}).scanner, null)
    assert.deepEqual(of('tcp://scanner.example.com:3311'), { host: 'scanner.example.com', port: 3311 })
    assert.deepEqual(of('tcp://scanner.example.com'), { host: 'scanner.example.com', port: 3310 })
    assert.deepEqual(of('tcp://[::1]:3310/'), { host: '::1', port: 3310 })
    assert.deepEqual(of('unix:///run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' })
    for (const wrong of [
      'scanner:3310',
      'http://scanner:3310',
      'tcp://scanner/path',
      'tcp://a:b@scanner',
      'unix://run/clamd.ctl',
      'unix:///',
      'tcp://',
    ])
      assert.throws(
        () => of(wrong),
        (error: Error) => error instanceof SettingsError && /SCAN_URL/.test(error.message),
        wrong,
      )
    assert.equal(readSettings({ SCAN_URL: 'tcp://scanner', SCAN_SECONDS: '45' }).scanner?.seconds, 45)
    assert.throws(() => readSettings({ SCAN_SECONDS: '0' }), /SCAN_SECONDS must be a whole number from 1 to 300/)
  })
})
