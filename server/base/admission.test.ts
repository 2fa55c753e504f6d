import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chance as seeded } from '../../tests/chance.ts'
import { type Admission, MOST_WAITING, openAdmission, type Rank, SLOW_MS, SLOW_TIMES, TARGET_MS, TARGET_WORKS } from './admission.ts'

/** What happened to one request; times in milliseconds. */
type Fared = { rank: Rank; came: number; entered: number | null; refused: number | null; done: number | null }

/**
 * Simulates a machine with a clock of its own. It divides its time between all admitted requests, so that more at once are slower. Requests arrive at
 * random times, `per_second` of each rank, whatever happened to earlier ones.
 */
function simulate(options: {
  seconds: number
  per_second: Partial<Record<Rank, number>>
  work_ms?: number
  places?: number
  until_s?: number
}) {
  const { seconds, per_second, work_ms = 1, places = 8, until_s = seconds } = options
  const chance = seeded(7)
  let now = 0
  const admission: Admission = openAdmission({ now: () => now, places })
  const fared: Fared[] = []
  let busy: { left: number; end(): void }[] = []
  let most_waiting = 0
  let most_working = 0
  const STEP = 0.25
  const next: Partial<Record<Rank, number>> = {}
  const gap = (rate: number) => (-Math.log(1 - chance.next()) / rate) * 1000
  for (const rank of Object.keys(per_second) as Rank[]) next[rank] = gap(per_second[rank] ?? 1)
  for (; now < seconds * 1000; now += STEP) {
    for (const rank of Object.keys(per_second) as Rank[]) {
      for (let at = next[rank] ?? 0; at <= now; at = next[rank] ?? 0) {
        next[rank] = at + gap(per_second[rank] ?? 1)
        if (at > until_s * 1000) continue
        const one: Fared = { rank, came: now, entered: null, refused: null, done: null }
        fared.push(one)
        const place = admission.ask(
          rank,
          () => {
            one.entered = now
            busy.push({
              left: work_ms * (0.5 + chance.next()),
              end() {
                one.done = now
                place.leave()
              },
            })
          },
          () => {
            one.refused = now
          },
        )
      }
    }
    // One processor, shared.
    const share = STEP / Math.max(1, busy.length)
    for (const one of busy) one.left -= share
    const ended = busy.filter(one => one.left <= 0)
    busy = busy.filter(one => one.left > 0)
    for (const one of ended) one.end()
    admission.look()
    most_waiting = Math.max(most_waiting, admission.state().waiting)
    most_working = Math.max(most_working, admission.state().working)
  }
  const steady = fared.filter(one => one.came > 2000 && one.came < (until_s - 0.5) * 1000)
  const sorted = (list: number[]) => list.sort((a, b) => a - b)
  const p99 = (list: number[]) => sorted(list)[Math.floor(list.length * 0.99)] ?? 0
  const of = (rank: Rank | null) => {
    const mine = steady.filter(one => rank === null || one.rank === rank)
    const done = mine.filter(one => one.done !== null)
    return {
      asked: mine.length,
      goodput: done.length / (until_s - 2.5),
      waited_ms: p99(done.map(one => (one.entered ?? 0) - one.came)),
      share: done.length / mine.length,
      p99_ms: p99(done.map(one => (one.done ?? 0) - one.came)),
      refused_within_ms: p99(mine.filter(one => one.refused !== null).map(one => (one.refused ?? 0) - one.came)),
    }
  }
  return { admission, fared, of, most_waiting, most_working }
}

describe('admission under load', () => {
  // The simulated machine handles a thousand requests a second.
  const unloaded = simulate({ seconds: 6, per_second: { read: 200 } }).of(null)
  const peak = simulate({ seconds: 6, per_second: { read: 950 } }).of(null)

  test('10.6 below capacity no request is refused', () => {
    assert.equal(unloaded.share, 1)
    assert.ok(simulate({ seconds: 6, per_second: { read: 800 } }).of(null).share === 1)
  })

  for (const times of [2, 3, 10])
    test(`10.6 at ${times} times the capacity, throughput is at least 90 % of its peak, p99 of admitted requests is limited, others are refused at once, and memory is limited`, () => {
      const { of, most_waiting, most_working } = simulate({ seconds: 8, per_second: { read: 1000 * times } })
      const crowd = of(null)
      assert.ok(crowd.goodput >= 0.9 * peak.goodput, `${crowd.goodput} of ${peak.goodput}`)
      // Eight requests share the machine, so each takes eight times as long as alone, after a short wait.
      assert.ok(crowd.p99_ms <= 8 * 1.5 + TARGET_MS + 5, `p99 ${crowd.p99_ms}`)
      assert.ok(crowd.refused_within_ms <= TARGET_WORKS * 10, `refused after ${crowd.refused_within_ms}`)
      assert.ok(most_waiting <= MOST_WAITING && most_working <= 8)
    })

  test('10.6 in a crowd, requests don’t wait longer because the queue was empty for a moment', () => {
    // Each request takes as long as half of what a queue may last, so the queue is often empty for a moment.
    const crowd = simulate({ seconds: 12, per_second: { read: 300 }, work_ms: 10, places: 3 }).of(null)
    assert.ok(crowd.goodput >= 90, `${crowd.goodput} of 100`)
    assert.ok(crowd.waited_ms <= TARGET_MS + 10, `waited ${crowd.waited_ms}`)
    assert.ok(crowd.p99_ms <= 4 * 15, `p99 ${crowd.p99_ms}; an unloaded one takes up to 15 ms`)
  })

  test('10.6 a crowd of exports refuses no reads', () => {
    const { of } = simulate({ seconds: 20, per_second: { export: 60, read: 15 }, work_ms: 20, places: 3 })
    assert.ok(of('export').share < 0.9, `exports ${of('export').share}`)
    assert.ok(of('read').share > 0.99, `reads ${of('read').share}`)
  })

  test('10.6 steps are served before reads, and reads before exports', () => {
    const { of } = simulate({ seconds: 8, per_second: { step: 500, read: 2000, export: 500 } })
    assert.ok(of('step').share > 0.99, `steps ${of('step').share}`)
    assert.ok(of('read').share > 0.15 && of('read').share < 0.35, `reading ${of('read').share}`)
    assert.ok(of('export').share < 0.05, `exports ${of('export').share}`)
    const steps = simulate({ seconds: 8, per_second: { step: 3000, read: 500 } }).of('read')
    assert.ok(steps.share < 0.05, 'steps alone fill the machine')
  })

  test('10.6 exports wait for each other, use only some of the places, and don’t count as overload', () => {
    const { admission, of } = simulate({ seconds: 4, per_second: { export: 15, read: 15 }, work_ms: 20 })
    assert.equal(of('read').share, 1)
    assert.ok(of('export').share > 0.95, `exports ${of('export').share}`)
    assert.equal(admission.state().overloaded, false)
  })

  test('10.6 a few callers who repeat slow requests don’t count as overload', () => {
    let now = 0
    const admission = openAdmission({ now: () => now, places: 4 })
    let refused = 0
    const ends: { at: number; end(): void }[] = []
    const come = (i: number) => {
      const place = admission.ask(
        'read',
        () =>
          ends.push({
            at: now + 70 + ((i * 7) % 20), // each takes this long
            end() {
              place.leave()
              come(i + 1)
            },
          }),
        () => {
          refused++
        },
      )
    }
    for (let i = 0; i < 12; i++) come(i)
    for (; now < 20_000; now++) {
      for (const one of ends.splice(0)) {
        if (one.at <= now) one.end()
        else ends.push(one)
      }
      admission.look()
    }
    assert.equal(refused, 0)
  })

  test('10.6 a burst isn’t overload, and all of it is served', () => {
    let now = 0
    const admission = openAdmission({ now: () => now, places: 4 })
    const done: string[] = []
    const entered: { leave(): void }[] = []
    for (let i = 0; i < 60; i++) {
      const place = admission.ask(
        'read',
        () => entered.push({ leave: () => place.leave() }),
        () => done.push('refused'),
      )
    }
    for (; now < 90; now += 1) {
      entered.shift()?.leave()
      admission.look()
    }
    assert.deepEqual([done, admission.state().waiting], [[], 0])
  })

  test('10.6 after the overload, no request is refused', () => {
    const { admission, fared } = simulate({ seconds: 6, per_second: { read: 3000 }, until_s: 3 })
    assert.deepEqual([admission.state().overloaded, admission.state().waiting, admission.state().working], [false, 0, 0])
    assert.ok(
      fared.every(one => (one.done === null) !== (one.refused === null)),
      'each is answered, once',
    )
  })

  test('10.6 slow requests that wait for something else don’t block others, up to a limit', () => {
    let now = 0
    const admission = openAdmission({ now: () => now, places: 4 })
    let entered = 0
    const ask = () =>
      admission.ask(
        'read',
        () => entered++,
        () => {},
      )
    for (let i = 0; i < 4; i++) ask()
    ask()
    assert.equal(entered, 4)
    now = SLOW_MS
    admission.look()
    assert.equal(entered, 5)
    for (let i = 0; i < 100; i++) {
      for (let k = 0; k < 4; k++) ask()
      now += SLOW_MS
      admission.look()
    }
    assert.equal(entered, 4 * SLOW_TIMES)
  })

  test('10.6 a caller who gives up leaves the queue, and a place is released only once', () => {
    const admission = openAdmission({ now: () => 0, places: 1 })
    const first = admission.ask(
      'read',
      () => {},
      () => {},
    )
    const second = admission.ask(
      'read',
      () => assert.fail('it had gone'),
      () => assert.fail('it had gone'),
    )
    second.leave()
    first.leave()
    first.leave()
    assert.deepEqual([admission.state().working, admission.state().waiting], [0, 0])
  })
})
