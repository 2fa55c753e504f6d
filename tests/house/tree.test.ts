import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { groups } from '../../server/groups.ts'
import { circleOf, groupUses, roomUses } from '../../tools/gen/groups.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')
const files = (...patterns: string[]) => globSync(patterns, { cwd: root }).sort()
/** Returns the folder of the room or kernel that a file belongs to. */
const ownerOf = (file: string) =>
  file
    .split('/')
    .slice(0, file.startsWith('server/rooms/') ? 4 : 3)
    .join('/')
const WORDS = ['schema', 'domain', 'queries', 'actions', 'routes', 'jobs', 'door', 'room', 'kit']
/** Returns code without comments and strings, to check what it does. */
const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')

describe('the tree', () => {
  test('a room consists of eight kinds of file: one file each, or a folder of that name', () => {
    const strange = files('server/rooms/**/*.ts', 'server/kernel/**/*.ts').filter(file => {
      if (file.endsWith('.test.ts') || file.endsWith('.gen.ts') || file.endsWith('/cases.ts')) return false
      // A room is in the folder of its group; what the rooms of a group share is in the group's folder `kit`, which can have folders of the same names.
      const rest = file.split('/').slice(file.startsWith('server/rooms/') ? 4 : 3)
      if (file.startsWith('server/rooms/') && file.split('/')[3] === 'kit' && rest.length === 1) return false
      const word = (rest.length === 1 ? basename(file, '.ts') : rest[0]) ?? ''
      return !WORDS.includes(word) || rest.length > 2
    })
    assert.deepEqual(strange, [])
  })

  test('a docstring is above what it describes: one that says what is returned or listed isn’t above a type, and none is above another', () => {
    const astray = files('{server,shared,web,tests,tools,bench}/**/*.{ts,tsx}').flatMap(file =>
      [...read(file).matchAll(/^\/\*\* ?(?:\n \* )?((?:(?!\*\/)[\s\S])*)\*\/\n(\/\*\*|(?:export )?(?:type|interface) .*)/gm)]
        .filter(([, said = '', next = '']) => next === '/**' || (/^(?:Returns|Lists)\b/.test(said) && !next.includes('=>')))
        .map(([, said = '']) => `${file}: ${said.trim()}`),
    )
    assert.deepEqual(astray, [])
  })

  test('there are no index files and no barrels', () => {
    assert.deepEqual(files('server/**/index.ts', 'shared/**/index.ts'), [])
  })

  test('rooms, kernels and shared code get time and randomness from outside', () => {
    const clocks = files('server/rooms/**/*.ts', 'server/kernel/**/*.ts', 'shared/**/*.ts')
      .filter(file => !file.endsWith('.test.ts'))
      .filter(file => /Date\.now\(|new Date\(\)|Math\.random\(|[^.\w]setTimeout\(|[^.\w]setInterval\(/.test(bare(read(file))))
    assert.deepEqual(clocks, [])
  })

  test('only one file reads the environment', () => {
    const readers = files('server/**/*.ts')
      .filter(file => file !== 'server/main.ts' && !file.endsWith('.test.ts'))
      .filter(file => /process\.env/.test(bare(read(file))))
    assert.deepEqual(readers, [])
  })

  test('only the owner of a table writes it; others read it with joins', () => {
    const writers = new Map<string, Set<string>>()
    for (const file of files('server/rooms/**/*.ts', 'server/kernel/**/*.ts')) {
      if (file.endsWith('.test.ts')) continue
      for (const [, , table] of read(file).matchAll(/(insertInto|updateTable|deleteFrom)\('([a-z_]+)'/g)) {
        if (table !== undefined) writers.set(table, (writers.get(table) ?? new Set()).add(ownerOf(file)))
      }
      for (const [, , table] of read(file).matchAll(
        /\b(insert into|update|delete from) ([a-z_]+)( set | \(|\s+(as )?[a-z]{1,2} set | where )/g,
      )) {
        if (table !== undefined && !['of'].includes(table)) writers.set(table, (writers.get(table) ?? new Set()).add(ownerOf(file)))
      }
    }
    assert.deepEqual(
      [...writers].filter(([, by]) => by.size > 1).map(([table, by]) => `${table}: ${[...by].join(', ')}`),
      [],
    )
  })

  test('hooks of tests are inside describe, because all files share one process', () => {
    const loose = files('server/**/*.test.ts', 'shared/**/*.test.ts', 'tests/**/*.test.ts').filter(file =>
      /^(before|after|beforeEach|afterEach)\(/m.test(read(file)),
    )
    assert.deepEqual(loose, [])
  })

  test('tests of a room are in its folder, and every room has an api.test.ts, and cases.ts if it has endpoints', () => {
    const rooms = new Set(files('server/rooms/*/*/room.ts').map(dirname))
    const tested = new Set(files('server/rooms/*/*/api.test.ts').map(dirname))
    assert.deepEqual(
      [...rooms].filter(room => !tested.has(room)),
      [],
    )
    const cased = new Set(files('server/rooms/*/*/cases.ts').map(dirname))
    const calling = groups.flatMap(group =>
      group.rooms.flatMap(room => (room.routes?.length ? [`server/rooms/${group.name}/${room.name}`] : [])),
    )
    assert.deepEqual(calling.sort(), [...cased].sort())
  })

  test('every room is in the folder of its group, and neither groups nor rooms form a circle', () => {
    const listed = groups.flatMap(group => group.rooms.map(room => `server/rooms/${group.name}/${room.name}/room.ts`))
    assert.deepEqual(listed.sort(), files('server/rooms/*/*/room.ts'))
    assert.equal(circleOf(groupUses()), null)
    assert.equal(circleOf(roomUses()), null)
    assert.deepEqual(
      circleOf([
        { from: 'plan', to: 'flow' },
        { from: 'flow', to: 'map' },
        { from: 'map', to: 'plan' },
      ]),
      ['plan', 'flow', 'map', 'plan'],
    )
  })

  test('the lockfile contains no registry host', () => {
    assert.doesNotMatch(read('package-lock.json'), /"resolved"/)
  })

  test('dependencies are pinned', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([, version]) => !/^(npm:[@a-z/-]+@)?\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(String(version)),
    )
    assert.deepEqual(loose, [])
  })
})
