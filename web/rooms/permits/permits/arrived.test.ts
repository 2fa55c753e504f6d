import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shows } from './arrived.ts'

const file = { slot: null, filename: 'a.png', sha256: 'aa' }
const signature = { kind: 'countersign', content_hash: 'h1', voided_at: null }
// biome-ignore lint/suspicious/noExplicitAny: only the fields under test are given.
const permit = { attachments: [file], signatures: [signature], extensions: [{ requested_end_at: '2026-03-16T20:00:00.000Z' }] } as any

describe('actions sent days ago', () => {
  test('U6 a file has arrived when the permit has one with the same bytes and name', () => {
    assert.ok(shows(permit, { file: { name: 'a.png', slot: null, sha256: 'aa', type: '' } }))
    assert.ok(!shows(permit, { file: { name: 'a.png', slot: null, sha256: 'bb', type: '' } }))
    assert.ok(!shows(permit, { file: { name: 'b.png', slot: null, sha256: 'aa', type: '' } }))
  })

  test('U6 a signature has arrived when the permit has one of its kind over the same content; a voided one does not count', () => {
    const sent = { step: 'countersign', body: { content_hash: 'h1' } }
    assert.ok(shows(permit, sent))
    assert.ok(!shows(permit, { ...sent, body: { content_hash: 'h2' } }))
    assert.ok(!shows(permit, { ...sent, step: 'close_out' }))
    assert.ok(!shows({ ...permit, signatures: [{ ...signature, voided_at: '2026-03-16T12:00:00.000Z' }] }, sent))
  })

  test('U6 an extension request has arrived when it is among the permit’s extension requests', () => {
    assert.ok(shows(permit, { step: 'request_extension', body: { requested_end_at: '2026-03-16T20:00:00.000Z' } }))
    assert.ok(!shows(permit, { step: 'withdraw', body: {} }))
  })
})
