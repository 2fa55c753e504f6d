import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fewestStatements } from '../../../../bench/record.ts'
import { useHouse } from '../../../../tests/world.ts'
import { allKinds } from '../../../kernel/records/door.ts'
import { rowFaults } from './door.ts'

describe('records compared with their audit log', () => {
  const house = useHouse()

  test('R9 a comparison asks once which kinds a site has, and then only about those, in three statements each', async () => {
    const w = await house.world()
    const { db } = house.house.database
    const sent = await fewestStatements(async () => {
      for await (const fault of rowFaults(db, w.site_id, house.house.settings)) assert.fail(JSON.stringify(fault))
    })
    const kinds = await house.rows(
      'select kind from record_directory where site_id = $1 union select entity_type from audit_entry where site_id = $1',
      [w.site_id],
    )
    assert.ok(kinds.length > 3 && allKinds().length > 2 * kinds.length, `${kinds.length} of ${allKinds().length} kinds`)
    assert.ok(sent.length <= 5 + 3 * kinds.length, `${sent.length} statements for ${kinds.length} kinds`)
  })
})
