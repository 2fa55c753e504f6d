import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atSite, bandOf, inLowerCase, statusWord } from './words.ts'

const at = (instant: string | null) => (instant === null ? '—' : atSite('Europe/London', instant))
const PERMIT = {
  status: 'issued',
  source: 'requested',
  start_at: '2026-03-20T08:00:00.000Z',
  end_at: '2026-03-20T17:00:00.000Z',
  issue_signed_at: '2026-03-16T09:00:00.000Z',
  handed_back_at: null,
  handed_back_complete: null,
} as const

describe('the words of a document', () => {
  test('9.26 a permit is called live without a date only inside its window', () => {
    const before = bandOf(PERMIT, '2026-03-20T07:59:59.999Z', at)
    assert.deepEqual(
      [before.word, before.tone, before.says],
      [
        'LIVE FROM Fri 20 Mar 2026, 08:00',
        'act',
        'Don’t start work before Fri 20 Mar 2026, 08:00; work can go on until Fri 20 Mar 2026, 17:00, under the conditions below.',
      ],
    )
    const during = bandOf(PERMIT, '2026-03-20T08:00:00.000Z', at)
    assert.deepEqual([during.word, during.tone], ['LIVE', 'live'])
    assert.match(during.says, /^Work can go on until Fri 20 Mar 2026, 17:00/)
    assert.equal(bandOf({ ...PERMIT, start_at: null }, '2026-03-16T09:00:00.000Z', at).word, 'LIVE')
    assert.equal(bandOf({ ...PERMIT, handed_back_at: '2026-03-17T09:00:00.000Z' }, '2026-03-17T09:00:00.000Z', at).word, 'HANDED BACK')
  })

  test('9.10 a permit whose window has ended is never called live, whatever its status', () => {
    for (const source of ['requested', 'imported'] as const)
      assert.equal(bandOf({ ...PERMIT, source }, '2026-03-20T17:00:00.000Z', at).word, 'WINDOW ENDED')
  })

  test('9.26 an imported permit says from when it is live, and that it wasn’t issued here', () => {
    const { word, says } = bandOf({ ...PERMIT, source: 'imported', issue_signed_at: null }, '2026-03-16T09:00:00.000Z', at)
    assert.equal(word, 'LIVE FROM Fri 20 Mar 2026, 08:00, IMPORTED')
    assert.match(says, /^Don’t start work before Fri 20 Mar 2026, 08:00; .*This permit wasn’t issued in Walkdown\.$/)
    assert.equal(inLowerCase(word), 'live from Fri 20 Mar 2026, 08:00, imported')
  })

  test('9.26 a related permit is never called live, because its window isn’t known here', () => {
    const words = (['issued', 'expired', 'approved'] as const).map(status => [
      statusWord({ permit_number: 'PTW-000001', status }),
      statusWord({ permit_number: 'PTW-000001', status, signed: true, handed_back: status !== 'approved' }),
    ])
    assert.deepEqual(words, [
      ['issued', 'handed back'],
      ['expired', 'handed back'],
      ['approved, not issued', 'awaiting countersignature'],
    ])
  })
})
