// `docs/adding-an-area.md`: what `npm run new-room` writes works for every area that the specification names, whatever its noun.
import assert from 'node:assert/strict'
import { stripTypeScriptTypes } from 'node:module'
import { describe, test } from 'node:test'
import { roomFiles } from '../../tools/room-files.ts'
import { useHouse } from '../world.ts'

/** Nouns that are words of SQL or of TypeScript, have no plural, or begin with a vowel. */
const AREAS = ['orders', 'checks', 'groups', 'cases', 'defaults', 'import', 'stock', 'site-diary', 'inspections', 'diary-recipients']

describe('the files of a new room', () => {
  const house = useHouse()

  test('§2 the migration makes a table of records for any noun, also for one that is a word of SQL', async () => {
    for (const area of AREAS) await house.house.database.pool.query(roomFiles(area).migration)
    const rows = await house.rows(
      `select distinct event_object_table as name from information_schema.triggers where trigger_name like 'record_%'`,
    )
    const made = new Set(rows.map(row => row.name))
    for (const name of ['order', 'check', 'group', 'case', 'default', 'import', 'stock', 'site_diary', 'inspection', 'diary_recipient'])
      assert.ok(made.has(name), name)
  })

  test('§2 the code can be read for any noun, and the record and the area have different names', () => {
    for (const area of AREAS) {
      const { files, plural } = roomFiles(area)
      for (const [name, content] of Object.entries(files)) assert.doesNotThrow(() => stripTypeScriptTypes(content), `${area}: ${name}`)
      const [, record] = /export const (\w+) =/.exec(files['door.ts'] ?? '') ?? []
      assert.ok(record !== undefined && record !== plural, `${area}: ${record}`)
      assert.match(files['actions.ts'] ?? '', new RegExp(`export const ${plural} = resource`))
    }
  })

  test('the words are those of the noun', () => {
    assert.match(roomFiles('orders').files['schema.ts'] ?? '', /The fields of an order,/)
    assert.match(roomFiles('diary-recipients').files['schema.ts'] ?? '', /The fields of a diary recipient,/)
  })
})
