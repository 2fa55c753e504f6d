import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Alert, dialled, faceOf, isOver, stopsOf, toRead, untilStep, whenOf } from './model.ts'

const period = (from: string, to: string | null) => ({
  from,
  to,
  effect: 'none' as const,
  activities: [],
  place: null,
  radius_m: null,
  levels: [],
})
const alert = (more: Partial<Alert> = {}): Alert =>
  ({
    ...{ id: 'a', title: 'Live cable', severity: 'danger', effect: 'none', state: 'active', activities: [], created_by: 'mia' },
    ...{ start_at: '2026-03-16T09:00:00.000Z', end_at: null, periods: [period('2026-03-16T09:00:00.000Z', null)] },
    ...more,
  }) as Alert // as far as these functions look at it

describe('alerts in the app', () => {
  test('§16 danger stays in the banner until the person has read it; reopened, it comes back; who raised it knows', () => {
    const one = alert()
    assert.deepEqual(toRead([one], {}, 'hal'), [one])
    assert.deepEqual(toRead([one], { a: 1 }, 'hal'), [])
    const again = alert({
      periods: [period('2026-03-16T09:00:00.000Z', '2026-03-16T10:00:00.000Z'), period('2026-03-16T11:00:00.000Z', null)],
    })
    assert.deepEqual(toRead([again], { a: 1 }, 'hal'), [again])
    assert.deepEqual(toRead([one], {}, 'mia'), [])
  })

  test('§16 a list of alerts is read again when one of them starts or ends, and often while one is due; danger that is overdue has no time to wait for', () => {
    const now = Date.parse('2026-03-16T09:00:00.000Z')
    const until = (more: Partial<Alert>) => untilStep([alert(more)], now, 600_000)
    assert.equal(until({}), 600_000)
    assert.equal(until({ state: 'scheduled', start_at: '2026-03-16T09:05:00.000Z' }), 300_000)
    assert.equal(until({ end_at: '2026-03-16T09:04:00.000Z' }), 240_000)
    assert.equal(until({ end_at: '2026-03-16T08:59:50.000Z' }), 15_000)
    assert.equal(until({ state: 'overdue', end_at: '2026-03-16T08:00:00.000Z' }), 600_000)
    assert.equal(until({ state: 'scheduled', start_at: '2026-03-16T12:00:00.000Z' }), 600_000)
  })

  test('§16 the banner is for danger and stopped work that is active, not for other alerts', () => {
    const stops = alert({ severity: 'warning', effect: 'stops', activities: ['lifting'] })
    assert.deepEqual(toRead([stops], {}, 'hal'), [stops])
    for (const other of [{ severity: 'warning' as const }, { state: 'resolved' as const }, { state: 'scheduled' as const }])
      assert.deepEqual(toRead([alert(other)], {}, 'hal'), [])
    assert.deepEqual(toRead([alert({ state: 'overdue' })], {}, 'hal').length, 1)
  })

  test('an alert says in words when it is active and what it stops; its shape and colour say how grave it is', () => {
    const zone = 'Europe/London'
    assert.match(whenOf(alert(), zone), /09:00.*until someone resolves it/)
    assert.match(whenOf(alert({ severity: 'info', end_at: '2026-03-16T12:00:00.000Z' }), zone), /until .*12:00/)
    assert.match(whenOf(alert({ end_at: '2026-03-16T12:00:00.000Z' }), zone), /until someone resolves it/)
    const over = alert({ state: 'resolved', periods: [period('2026-03-16T09:00:00.000Z', '2026-03-16T10:30:00.000Z')] })
    assert.match(whenOf(over, zone), /09:00 to .*10:30/)
    assert.equal(isOver(over), true)
    assert.equal(stopsOf(alert({ activities: ['lifting', 'mewp'] })), 'Stops: Lifting, Work from platforms')
    assert.equal(stopsOf(alert()), null)
    assert.deepEqual(
      [alert(), alert({ severity: 'warning', effect: 'stops' }), alert({ severity: 'warning' }), alert({ severity: 'info' })].map(
        one => faceOf(one).kind,
      ),
      ['stop', 'stop', 'warn', 'act'],
    )
  })
  test('§1 the emergency phone can be called if it is one number; a text with an extension is only shown', () => {
    assert.deepEqual(['+44 20 7946 0999', '(020) 7946-0999', '112', '020 7946 0999 ext 12', 'Gatehouse', '112 / 999'].map(dialled), [
      '+442079460999',
      '02079460999',
      '112',
      null,
      null,
      null,
    ])
  })
})
