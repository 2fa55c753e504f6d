// Which tests run again on another kind of server (tools/testing/proven.ts): one too few would hide a statement that it answers otherwise.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readSources } from '../../tools/testing/imports.ts'
import { commonGround, readProofs, sqlOf } from '../../tools/testing/proven.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = readSources()
const ground = commonGround()
const SHIFTS = 'server/rooms/site/shifts/api.test.ts'
const STYLES = 'server/rooms/site/label-styles/api.test.ts'
const RECORDS = 'server/kernel/records/hold.test.ts'
/** Returns which of the three tests have other SQL once this file has changed. */
const touched = (file: string): string[] => {
  assert.ok(sources.has(file), `${file} doesn’t exist`)
  const after = new Map(sources).set(file, `${sources.get(file)}\n// changed`)
  return [SHIFTS, STYLES, RECORDS].filter(one => sqlOf(one, sources, ground) !== sqlOf(one, after, ground))
}

describe('what has passed on another kind of server', () => {
  test('a statement of a room concerns the tests of the room, a statement of a kernel everything that can reach it, and a text without SQL nothing', () => {
    assert.deepEqual(touched('server/rooms/site/shifts/queries.ts'), [SHIFTS])
    assert.deepEqual(touched('server/kernel/records/queries.ts'), [SHIFTS, STYLES, RECORDS])
    assert.deepEqual(touched('server/base/db.ts'), [SHIFTS, STYLES, RECORDS])
    assert.deepEqual(touched('server/rooms/site/shifts/schema.ts'), [])
  })

  test('a test that has changed runs again, and so does everything with another migration or driver', () => {
    assert.deepEqual(touched(SHIFTS), [SHIFTS])
    assert.notEqual(sqlOf(RECORDS, sources, ground), sqlOf(RECORDS, sources, `${ground} changed`))
  })

  test('what has passed is of one version of one server, and only of files that exist', () => {
    let record = ''
    const on = (server: string) => readProofs(server, record, text => (record = text))
    assert.ok(!on('15.18').has(SHIFTS))
    on('15.18').keep([SHIFTS, 'server/rooms/site/gone/api.test.ts'], [SHIFTS, STYLES])
    assert.deepEqual(record.split('\n').length, 3)
    assert.ok(on('15.18').has(SHIFTS) && !on('15.18').has(STYLES))
    assert.ok(!on('15.19').has(SHIFTS))
    on('15.19').keep([STYLES], [SHIFTS, STYLES])
    assert.ok(!on('15.19').has(SHIFTS) && on('15.19').has(STYLES), 'what passed on another server doesn’t count')
  })

  test('the record of the package has only files that exist', () => {
    const [, ...lines] = readFileSync(`${root}tools/proven.tsv`, 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      lines.map(line => line.split('\t')[0] ?? '').filter(file => !existsSync(root + file)),
      [],
    )
  })
})
