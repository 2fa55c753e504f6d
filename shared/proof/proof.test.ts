import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { readCsv } from './audit-log.ts'
import { canonicalJson, digestOf } from './canonical.ts'
import { believe, type PublicKey, readStatement, type Statement, statementIn, textOf, verdictOf } from './statement.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const hex = (n: number) =>
  fc.array(fc.integer({ min: 0, max: 15 }), { minLength: n, maxLength: n }).map(d => d.map(x => x.toString(16)).join(''))
const uuid = fc.uuid()
const instant = fc.integer({ min: 0, max: 4e9 }).map(s => new Date(s * 1000).toISOString())
const statement: fc.Arbitrary<Statement> = fc.record(
  {
    kid: fc.constant('mX3_a9Qk'),
    site_id: uuid,
    permit_id: uuid,
    site_code: fc.string({ maxLength: 12 }).map(s => s.toWellFormed()),
    number: fc.string({ unit: 'grapheme', maxLength: 40 }).map(s => s.toWellFormed()),
    state: fc.constantFrom('requested', 'issued', 'closed', 'awaiting_countersign', 'handed_back'),
    as_at: instant,
    issued_at: fc.option(instant, { nil: null }),
    start_at: fc.option(instant, { nil: null }),
    end_at: fc.option(instant, { nil: null }),
    content_hash: hex(64),
    chain_head: fc.option(hex(64), { nil: null }),
    signatures: fc.integer({ min: 0, max: 5000 }),
  },
  { noNullPrototype: true },
)
const signed = (s: Statement) => `${textOf(s)}.${sign(null, Buffer.from(textOf(s)), privateKey).toString('base64url')}`
const keyOf = (s: Statement): PublicKey => ({
  kid: s.kid,
  site_id: s.site_id,
  jwk: { kty: 'OKP', crv: 'Ed25519', x: String(publicKey.export({ format: 'jwk' }).x) },
  signs_from: '2026-01-01T00:00:00.000Z',
  signs_until: '2027-01-01T00:00:00.000Z',
  revoked_at: null,
})

describe('proof: canonical JSON and digests in a browser', () => {
  test('§4.2 the output equals the canonical form of RFC 8785 for every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        assert.equal(canonicalJson(value), canonicalize(value))
      }),
      { numRuns: 2000 },
    )
  })

  test('§4.2 SHA-256 gives the published digests of the empty string and of three letters', async () => {
    assert.equal(await digestOf(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    assert.equal(await digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('proof: statements', () => {
  test('§4.2 a signed statement in a URL is read back unchanged, field by field, and needs no escaping in the URL', async () => {
    await fc.assert(
      fc.asyncProperty(statement, async said => {
        const text = signed(said)
        assert.match(text, /^[A-Za-z0-9._~%!*'()-]+$/)
        const address = `https://permits.example.com/verify#${text}`
        assert.equal(statementIn(address), text)
        assert.equal(statementIn(new URL(address).href), text)
        assert.deepEqual(await believe(text, [keyOf(said)]), { statement: said, doubt: null })
      }),
      { numRuns: 200 },
    )
  })

  test('R9 a statement with any one character changed is rejected, and is never read as the same statement', async () => {
    let changed = 0
    await fc.assert(
      fc.asyncProperty(statement, fc.nat(), fc.constantFrom(...'abcXYZ019_-.%~'), async (said, at, sign_) => {
        const text = signed(said)
        const spot = at % text.length
        if (text[spot] === sign_) return
        const other = text.slice(0, spot) + sign_ + text.slice(spot + 1)
        const { doubt } = await believe(other, [keyOf(said)])
        assert.notEqual(doubt, null, `${text}\n${other}`)
        changed++
      }),
      { numRuns: 600 },
    )
    assert.ok(changed > 500)
  })

  test('§4.2 a key of another site, an unknown key and a revoked key are not accepted', async () => {
    const [said] = fc.sample(statement, { numRuns: 1, seed: 7 })
    assert.ok(said)
    const key = keyOf(said)
    const doubt = async (keys: PublicKey[]) => (await believe(signed(said), keys)).doubt
    assert.equal(await doubt([]), 'unknown_key')
    assert.equal(await doubt([{ ...key, site_id: said.permit_id }]), 'unknown_key')
    assert.equal(await doubt([{ ...key, revoked_at: key.signs_until }]), 'revoked_key')
    assert.equal(await doubt([key]), null)
    for (const nothing of ['', 'W1', 'W1.a.b', 'https://example.com', signed(said).slice(0, -5), `W2${signed(said).slice(2)}`])
      assert.equal(readStatement(nothing), null, nothing)
  })

  test('§4.2 a document alone is valid only when it is live and inside its window', () => {
    const window = { start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' }
    const worth = (state: Statement['state'], now: string) => verdictOf({ state, ...window }, now)
    assert.equal(worth('issued', '2026-03-16T09:59:59.000Z'), 'not_yet')
    assert.equal(worth('issued', '2026-03-16T10:00:00.000Z'), 'valid')
    assert.equal(worth('issued', '2026-03-16T17:59:59.000Z'), 'valid')
    assert.equal(worth('issued', '2026-03-16T18:00:00.000Z'), 'over')
    const noon = '2026-03-16T12:00:00.000Z'
    for (const state of ['requested', 'endorsed', 'approved', 'awaiting_countersign', 'corrections_requested'] as const)
      assert.equal(worth(state, noon), 'not_live')
    assert.deepEqual(
      (['handed_back', 'expired', 'closed', 'rejected', 'withdrawn'] as const).map(state => worth(state, noon)),
      ['handed_back', 'expired', 'closed', 'ended', 'ended'],
    )
  })
})

describe('proof: CSV', () => {
  test('§15 a CSV file is read back exactly as it was written, whatever its cells contain', async () => {
    const { csvOf } = await import('../csv.ts')
    const { plainCell } = await import('./cell.ts')
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }), rows => {
        const [header = [], ...rest] = rows
        const text = csvOf(header, rest)
        const records = readCsv(text)
        assert.equal(`\ufeff${records.map(r => `${r.raw}\r\n`).join('')}`, text)
        assert.deepEqual(
          records.map(r => r.cells.map(plainCell)),
          rows,
        )
      }),
    )
    assert.throws(() => readCsv('a,"b'), /has no closing quote/)
  })
})
