import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chance, seedOf, times } from '../../tests/chance.ts'
import { hour, PERIOD, permit, point, rule, SITE, side, stretch } from '../../tests/sides.ts'
import type { Clash } from './clashes.ts'
import { endReasonOf, type Situation } from './ends.ts'
import { type EndReason, type Episode, elapsedMinutes, episodeKey, type Kept, keyOfClash } from './episodes.ts'
import { type Folded, foldClashes } from './fold.ts'
import type { Rule } from './rules.ts'
import type { Side } from './sides.ts'
import { acceptedFacts, isSettling, lapseOf, STANCES } from './stances.ts'
import { indexOf, sweep } from './sweep.ts'

const NEAR = rule('near', { a: { kinds: ['worker'] }, b: { kinds: ['permit'] }, when: { within_m: 10 } })
const work = permit('p', ['HW'], [stretch(point(0), 0, 9000)])
/** A gang near the permit on some days: day 0 is the day of the tests. */
const gang = (days: readonly number[], east = 8, contractor_id = 'x'): Side[] =>
  days.map(day => side('worker', `g${day}`, [stretch(point(east), day * 24 + 8, day * 24 + 16)], { contractor_id }, { lineage_id: 'g' }))

/** What a site has stored, and what each fold changes. */
function store(rules: readonly Rule[] = [NEAR]) {
  let ids = 0
  let clashes: Kept[] = []
  let episodes: Episode[] = []
  return {
    clashes: () => clashes,
    episodes: () => episodes,
    only(): Episode {
      const [one, ...more] = episodes
      assert.ok(one !== undefined && more.length === 0, `${episodes.length} episodes`)
      return one
    },
    fold(sides: readonly Side[], now: number, reason: EndReason = 'separated', swept: (clash: Kept) => boolean = () => true): Folded {
      const fresh = sweep(
        indexOf([work, ...sides], rules, SITE),
        { from: now - 24 * 3_600_000, to: Math.max(PERIOD.to, now) + 90 * 24 * 3_600_000 },
        now,
      )
      const folded = foldClashes({
        stored: clashes.filter(clash => clash.to > now),
        fresh,
        episodes,
        now,
        isSwept: swept,
        reasonOf: () => reason,
        newId: () => `id${++ids}`,
      })
      const gone = new Map(folded.ended.map(one => [one.clash.id, one.cut_at]))
      const changed = new Map(folded.changed.map(one => [one.id, one]))
      clashes = [
        ...clashes.flatMap(clash => {
          const cut = gone.get(clash.id)
          return cut === undefined ? [changed.get(clash.id) ?? clash] : cut === null ? [] : [{ ...clash, to: cut }]
        }),
        ...folded.inserted,
      ]
      const next = new Map(folded.episodes.map(one => [one.id, one]))
      episodes = [
        ...episodes.map(one => next.get(one.id) ?? one),
        ...folded.episodes.filter(one => !episodes.some(({ id }) => id === one.id)),
      ]
      return folded
    },
  }
}
const events = (folded: Folded) => folded.events.map(({ kind, reason }) => (reason === null ? kind : `${kind} ${reason}`))
const hours = (list: readonly Clash[]) => list.map(({ from, to }) => [(from - hour(0)) / 3_600_000, (to - hour(0)) / 3_600_000])

describe('episodes', () => {
  test('CL-4 ten days are ten clashes and one episode; a stance covers it until the gang comes more than 1 m nearer', () => {
    const days = Array.from({ length: 10 }, (_, i) => i)
    const s = store()
    assert.deepEqual(events(s.fold(gang(days), hour(7))), ['opened'])
    assert.deepEqual([s.clashes().length, s.only().clash_count, s.only().first_at, s.only().last_at], [10, 10, hour(8), hour(9 * 24 + 16)])
    const stance = acceptedFacts(s.only())
    assert.equal(lapseOf(stance, s.only()), null)
    s.fold(gang(days, 7), hour(7))
    assert.equal(lapseOf(stance, s.only()), null, 'exactly 1 m nearer')
    const { changed, inserted } = s.fold(gang(days, 5), hour(7))
    assert.deepEqual([changed.length, inserted.length, s.only().least_distance_m], [10, 0, 5])
    assert.equal(lapseOf(stance, s.only()), 'nearer')
  })

  test('§0.1 clashes with a gap of more than 72 h are different episodes', () => {
    const s = store()
    // From 16:00 on day 0 to 08:00 on day 3 are 64 hours, to day 4 88 hours.
    s.fold(gang([0, 3]), hour(7))
    assert.equal(s.episodes().length, 1)
    const other = store()
    other.fold(gang([0, 4]), hour(7))
    assert.deepEqual(
      other.episodes().map(one => one.clash_count),
      [1, 1],
    )
    assert.equal(new Set([...other.episodes().map(episodeKey), ...other.clashes().map(keyOfClash)]).size, 1)
  })

  test('§4.4 the last clash is over: elapsed; the key clashes again within 72 h: the same episode is open; later: a new one', () => {
    const s = store()
    s.fold(gang([0]), hour(7))
    assert.deepEqual(events(s.fold(gang([0]), hour(20))), ['ended elapsed'])
    assert.deepEqual([s.only().status, s.only().ended_at, s.only().end_reason], ['ended', hour(16), 'elapsed'])
    assert.deepEqual(events(s.fold(gang([0, 2]), hour(21))), ['reopened'])
    assert.deepEqual([s.only().status, s.only().reopened_count, s.only().clash_count, s.only().first_at], ['open', 1, 2, hour(8)])
    s.fold(gang([0, 2]), hour(70))
    assert.deepEqual(events(s.fold(gang([0, 2, 7]), hour(70 + 73))), ['opened'])
    assert.equal(s.episodes().length, 2)
  })

  test('§4.4 severity that rises or falls worsens or eases an episode, and its peak stays', () => {
    const red = rule('near', { ...NEAR, outcome: { severity: 'red' }, version: 2 })
    const s = store()
    s.fold(gang([0]), hour(7))
    const index = (one: Rule) => sweep(indexOf([work, ...gang([0])], [one], SITE), PERIOD, hour(7))
    let [stored, episode] = [s.clashes(), s.only()]
    const kinds: string[] = []
    for (const one of [red, NEAR]) {
      const folded = foldClashes({
        stored,
        fresh: index(one),
        episodes: [episode],
        now: hour(7),
        isSwept: () => true,
        reasonOf: () => 'rule_changed',
        newId: () => 'new',
      })
      kinds.push(...events(folded))
      assert.deepEqual([folded.changed.length, folded.inserted.length], [1, 0])
      stored = folded.changed
      episode = folded.episodes[0] ?? episode
    }
    assert.deepEqual([kinds, episode.severity, episode.peak_severity], [['worsened', 'eased'], 'amber', 'red'])
  })

  test('§4.4 what was separated ends now, and is reopened when it comes back', () => {
    const s = store()
    s.fold(gang([0, 1]), hour(7))
    assert.deepEqual(events(s.fold(gang([0, 1], 50), hour(9), 'separated')), ['ended separated'])
    // The clash of today has begun: it stays until now. The one of tomorrow is removed.
    assert.deepEqual(hours(s.clashes()), [[8, 9]])
    assert.deepEqual([s.only().ended_at, s.only().last_at, s.only().clash_count], [hour(9), hour(9), 1])
    assert.deepEqual(events(s.fold(gang([0, 1]), hour(10))), ['reopened'])
    assert.deepEqual(hours(s.clashes()), [
      [8, 9],
      [10, 16],
      [32, 40],
    ])
  })

  test('§4.4 an episode that ended more than 72 h ago isn’t reopened, even if its clashes were still ahead', () => {
    for (const [later, kinds] of [
      [72, ['reopened']],
      [73, ['opened']],
    ] as const) {
      const s = store()
      s.fold(gang([10]), hour(7))
      s.fold(gang([10], 50), hour(9))
      assert.deepEqual(events(s.fold(gang([10]), hour(9 + later))), kinds)
    }
  })

  test('§4.3 point 5: what is over stays as it was found, and facts that change during a clash cut it at that moment', () => {
    const s = store()
    s.fold(gang([0, 1]), hour(7))
    const folded = s.fold(gang([0, 1], 6), hour(10))
    assert.deepEqual(events(folded), [])
    assert.deepEqual(
      s.clashes().map(({ from, to, distance_m }) => [(from - hour(0)) / 3_600_000, (to - hour(0)) / 3_600_000, distance_m]),
      [
        [8, 10, 8],
        [32, 40, 6],
        [10, 16, 6],
      ],
    )
    // Deleting one side the next evening rewrites nothing (CL-7).
    s.fold([], hour(45), 'removed')
    assert.deepEqual(hours(s.clashes()), [
      [8, 10],
      [32, 40],
      [10, 16],
    ])
    assert.equal(s.only().end_reason, 'elapsed')
  })

  test('§4.3 a clash that is found after it began is reported from now on, and one that is over isn’t reported at all', () => {
    const s = store()
    s.fold(gang([-1, 0]), hour(10))
    assert.deepEqual(hours(s.clashes()), [[10, 16]])
  })

  test('§4.3 a fold of the same facts changes nothing, and clashes that weren’t swept stay', () => {
    const s = store()
    s.fold(gang([0, 1]), hour(7))
    const same = s.fold(gang([0, 1]), hour(9))
    assert.deepEqual([same.inserted, same.changed, same.ended, same.episodes, same.events], [[], [], [], [], []])
    const part = s.fold(gang([1]), hour(9), 'removed', clash => clash.a.id === 'g1')
    assert.deepEqual([part.ended, part.events], [[], []])
    const longer = s.fold(
      gang([0, 1]).map(one => ({ ...one, footprint: one.footprint.map(each => ({ ...each, to: each.to + 3_600_000 })) })),
      hour(9),
    )
    assert.deepEqual(
      [longer.inserted.length, hours(longer.changed)],
      [
        0,
        [
          [8, 17],
          [32, 41],
        ],
      ],
    )
  })

  test('CL-6 after random edits over time, what is stored from now on equals a rebuild, and every clash is in an episode of its key', () => {
    const at = chance(seedOf(916, 'changes'))
    const s = store()
    let now = hour(0)
    let there = gang([0])
    for (let n = 0; n < times('CONFLICT_FOLDS', 300); n++) {
      now += (at.odds(0.05) ? 100 : at.below(5)) * 3_600_000
      const day = Math.floor((now - hour(0)) / (24 * 3_600_000)) + at.below(6)
      const [one] = gang([day], at.of([3, 8, 9, 40]), at.of(['x', 'y']))
      there = [...there.filter(side => side.id !== one?.id && at.odds(0.95)), ...(one === undefined || at.odds(0.2) ? [] : [one])]
      s.fold(there, now)
      const clipped = (list: readonly Clash[]) =>
        list
          .filter(clash => clash.to > now)
          .map(({ from, to, a, b, distance_m, severity, nearest }) =>
            JSON.stringify([Math.max(from, now), to, a, b, distance_m, severity, nearest]),
          )
          .sort()
      const rebuilt = sweep(indexOf([work, ...there], [NEAR], SITE), { from: now, to: Infinity }, now)
      assert.deepEqual(clipped(s.clashes()), clipped(rebuilt), `fold ${n}, seed ${at.seed}`)
      for (const episode of s.episodes()) {
        const own = s.clashes().filter(clash => clash.episode_id === episode.id)
        assert.equal(own.length, episode.clash_count, `fold ${n}, seed ${at.seed}`)
        assert.equal(episode.status, own.some(clash => clash.to > now) ? 'open' : 'ended', `fold ${n}, seed ${at.seed}`)
        assert.ok(own.every(clash => keyOfClash(clash) === episodeKey(episode)))
      }
    }
    assert.ok(s.episodes().length > 3, `${s.episodes().length} episodes`)
  })

  test('§4.4 why a clash ended: closed out, removed, the rule, the profile, another time, another place', () => {
    const [clash] = sweep(indexOf([work, ...gang([0])], [NEAR], SITE), PERIOD, hour(7))
    assert.ok(clash !== undefined)
    const situation = (more: Partial<Situation>, sides: readonly Side[] = [work, ...gang([0])]): Situation => ({
      rules: new Map([['near', NEAR]]),
      is_switched: false,
      sides: new Map(sides.map(one => [one.id, one])),
      isClosedOut: () => false,
      ...more,
    })
    const rules = (more: Partial<Rule>) => new Map([['near', { ...NEAR, ...more }]])
    const moved = (from: number, to: number) => [work, side('worker', 'g0', [stretch(point(50), from, to)])]
    assert.deepEqual(
      [
        endReasonOf(clash, situation({ isClosedOut: id => id === 'p' }, gang([0]))),
        endReasonOf(clash, situation({}, [work])),
        endReasonOf(clash, situation({ rules: new Map() })),
        endReasonOf(clash, situation({ rules: new Map(), is_switched: true })),
        endReasonOf(clash, situation({ rules: rules({ enabled: false }) })),
        endReasonOf(clash, situation({ rules: rules({ version: 2 }) })),
        endReasonOf(clash, situation({}, moved(8, 16))),
        endReasonOf(clash, situation({}, moved(16, 20))),
      ],
      ['closed_out', 'removed', 'rule_removed', 'profile_switched', 'rule_off', 'rule_changed', 'separated', 'retimed'],
    )
  })

  test('§4.5 a stance lapses when it gets worse, nearer or longer, or a side gets another contractor; only two kinds settle', () => {
    const s = store()
    s.fold(gang([0, 1]), hour(7))
    const episode = s.only()
    const stance = acceptedFacts(episode)
    const lapse = (more: Partial<Episode>) => lapseOf(stance, { ...episode, ...more })
    assert.deepEqual(
      [
        lapse({ severity: 'red' }),
        lapse({ least_distance_m: 6.999 }),
        lapse({ least_distance_m: 7 }),
        lapse({ last_at: episode.last_at + 1 }),
        lapse({ contractors: ['y', null] }),
        lapse({ severity: 'amber', least_distance_m: 9, last_at: hour(9) }),
      ],
      ['worse', 'nearer', null, 'longer', 'contractor_changed', null],
    )
    assert.equal(lapseOf(acceptedFacts(episode, hour(10)), episode), 'longer')
    assert.deepEqual(STANCES.filter(isSettling), ['accepted', 'not_a_clash'])
  })

  test('§4.1 elapsed minutes are those that have really passed, each counted without duplicates', () => {
    const list = [
      { from: hour(8), to: hour(10) },
      { from: hour(9), to: hour(11) },
      { from: hour(12), to: Infinity },
    ]
    assert.deepEqual([elapsedMinutes(list, hour(7)), elapsedMinutes(list, hour(9.5)), elapsedMinutes(list, hour(13))], [0, 90, 240])
  })
})
