// What a change concerns (tools/testing/changed.ts): too many tests only take longer, too few would hide a fault until everything runs.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addsOnly, concernedBy, MATRICES } from '../../tools/testing/changed.ts'
import { longestFirst } from '../../tools/testing/durations.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tests = globSync(['{server,shared,web,tests}/**/*.test.ts'], { cwd: root })
const by = (...changed: string[]) => concernedBy(changed, tests)
const HOUSE = tests.filter(file => file.startsWith('tests/house/'))

describe('what a change concerns', () => {
  test('a room concerns its own tests, those of the rooms that use it, the house tests and the matrices over these rooms', () => {
    const { files, rooms } = by('server/rooms/site/label-styles/actions.ts')
    assert.ok(files?.includes('server/rooms/site/label-styles/api.test.ts'))
    assert.ok([...HOUSE, ...MATRICES].every(file => files?.includes(file)))
    assert.ok(rooms?.includes('site/label-styles') && rooms.length < 5, rooms?.join(' '))
    assert.ok((files?.length ?? 0) < tests.length / 3, `${files?.length} of ${tests.length}`)
    const used = by('server/rooms/permits/permit-types/queries.ts')
    assert.ok(used.rooms?.includes('permits/permit-config') && used.files?.includes('server/rooms/permits/permit-config/api.test.ts'))
  })

  test('what everything depends on concerns everything', () => {
    for (const file of [
      'server/base/edge.ts',
      'server/kernel/audit/domain.ts',
      'server/migrations/x.sql',
      'server/groups.ts',
      'tests/world.ts',
      'package.json',
    ])
      assert.deepEqual([by(file).files, by(file).rooms], [null, null], file)
  })

  test('a new room concerns no more than a changed one: its tables, its types and its line in the list of rooms are used by nothing else', () => {
    const table = `create table crane (site_id uuid not null, id uuid not null);
      create index crane_by_id on crane (id); -- by id
      select make_record('crane');`
    assert.ok(addsOnly('server/migrations/x.sql', null, table))
    assert.ok(!addsOnly('server/migrations/x.sql', null, `${table} create index permit_by_crane on permit (id);`))
    assert.ok(!addsOnly('server/migrations/x.sql', null, `${table} alter table permit add crane_id uuid;`))
    assert.ok(!addsOnly('server/migrations/x.sql', '', table), 'a migration that was there is changed')
    assert.ok(addsOnly('server/groups.ts', "import { a } from './a.ts'", "import { a } from './a.ts'\nimport { b } from './b.ts'"))
    assert.ok(!addsOnly('server/groups.ts', "import { a } from './a.ts'", "import { b } from './b.ts'"))
    assert.ok(!addsOnly('server/base/edge.ts', '', ''))
    assert.ok(!addsOnly('server/groups.ts', '', null), 'removed')
  })

  test('a fixture concerns the tests that mention it, a test itself, and a page of documents no more than the house tests', () => {
    assert.ok(by('tests/data/permits/register-2000.xlsx').files?.includes('tests/race/kills.test.ts'))
    assert.deepEqual(by('server/rooms/site/shifts/api.test.ts').files?.sort(), [...HOUSE, 'server/rooms/site/shifts/api.test.ts'].sort())
    assert.deepEqual(by('docs/decisions/999-nothing.md').files?.sort(), [...HOUSE].sort())
  })

  test('a matrix that changed itself runs over everything', () => {
    const { files, rooms } = by('tests/access.test.ts', 'server/rooms/site/label-styles/actions.ts')
    assert.ok(files?.includes('tests/access.test.ts'))
    assert.equal(rooms, null)
  })

  test('the longest files run first, and a file that never ran counts as one of average length', () => {
    const last = new Map([
      ['quick', 0.2],
      ['slow', 60],
    ])
    assert.deepEqual(longestFirst(['quick', 'new', 'slow'], last), ['slow', 'new', 'quick'])
  })
})
