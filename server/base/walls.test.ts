import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instant, offsetAt, offsetChanges, wallOf } from '../../shared/time.ts'
import { chance, seedOf } from '../../tests/chance.ts'
import { useHouse } from '../../tests/world.ts'
import { sql } from './db.ts'
import { ofZone, wallSql } from './walls.ts'

const FIRST = Date.UTC(2010, 0, 1)
const LAST = Date.UTC(2050, 0, 1)
/** Zones with half hours, two-hour summers, a lost day, clocks that go back for a month, and rules that have changed lately. */
const ODD = [
  ...['UTC', 'Europe/London', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Antarctica/Troll'],
  ...['Pacific/Apia', 'Africa/Casablanca', 'America/Edmonton', 'Europe/Kyiv'],
]

describe('wall-clock time in statements (conventions §1)', () => {
  const house = useHouse()

  test('a statement gives every instant the wall-clock time that it has in memory, also around each change of the clocks', async () => {
    const d = chance(seedOf(20260327, 'changes'))
    const all = Intl.supportedValuesOf('timeZone')
    for (const zone of [...ODD, ...[1, 2, 3, 4].map(() => d.of(all))]) {
      const changes = offsetChanges(zone)
        .slice(1)
        .flatMap(({ from }) => [from - 1, from, from + 1])
      const others = Array.from({ length: 200 }, () => FIRST + d.below(LAST - FIRST))
      const instants = [...changes, ...others].map(instant)
      const { rows } = await sql<{ at: string; wall: string | null }>`
        select t as at, to_char(${wallSql(zone, sql`t`)}, 'YYYY-MM-DD HH24:MI') as wall from unnest(${instants}::timestamptz[]) t`.execute(
        house.house.database.db,
      )
      assert.equal(rows.length, instants.length)
      for (const { at, wall } of rows) {
        const { date, time } = wallOf(zone, at)
        assert.equal(wall, `${date} ${time}`, `${zone} ${at}`)
      }
    }
    const { rows } = await sql<{ wall: unknown }>`select ${wallSql('Europe/London', sql`null::timestamptz`)} as wall`.execute(
      house.house.database.db,
    )
    assert.equal(rows[0]?.wall, null)
  })

  test('each change of the clocks is found once, at its minute', () => {
    const london = offsetChanges('Europe/London')
    assert.equal(london.length, 1 + 2 * 40)
    assert.deepEqual(
      london.find(({ from }) => from > Date.UTC(2026, 2, 1)),
      { from: Date.UTC(2026, 2, 29, 1), offset: 3_600_000 },
    )
    assert.equal(offsetChanges('UTC').length, 1)
    for (const zone of ODD) for (const { from, offset } of offsetChanges(zone)) assert.equal(offsetAt(zone, from), offset)
  })

  test('a statement about several sites uses the value of each site’s zone', async () => {
    const here = await house.world({ timezone: 'Asia/Kathmandu' })
    const there = await house.world({ timezone: 'America/New_York' })
    const value = await ofZone(house.house.database.db, zone => `of ${zone}`)
    const { rows } = await sql<{ value: string }>`
      select ${value} as value from site s where s.site_id = any(${[here.site_id, there.site_id]}::uuid[]) order by 1`.execute(
      house.house.database.db,
    )
    assert.deepEqual(
      rows.map(row => row.value),
      ['of America/New_York', 'of Asia/Kathmandu'],
    )
  })
})
