import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, untilTick } from './now.ts'

const NOON = Date.parse('2026-03-16T12:00:00.000Z')
const MINUTE = 60_000

describe('when a clock on screen ticks', () => {
  test('9.26 a clock ticks at the next start or end that is shown, and after a minute at the latest', () => {
    const edges = edgesOf([
      { start_at: '2026-03-16T12:00:20.000Z', end_at: '2026-03-16T18:00:00.000Z' },
      { start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T12:00:10.000Z' },
      { start_at: null, end_at: null },
    ])
    assert.equal(untilTick(NOON, edges, MINUTE), 10_000)
    assert.equal(untilTick(NOON + 10_000, edges, MINUTE), 10_000)
    assert.equal(untilTick(NOON + 20_000, edges, MINUTE), MINUTE)
    assert.equal(untilTick(NOON, [], MINUTE), MINUTE)
  })

  test('9.26 a clock never ticks without a pause, though permits start milliseconds apart', () => {
    assert.equal(untilTick(NOON, ['2026-03-16T12:00:00.001Z'], MINUTE), 250)
  })
})
