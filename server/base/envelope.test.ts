import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'

describe('refusals by constraints of the database', () => {
  const house = useHouse()

  /** Creates two contractors that break a unique index which no code checks first, and returns the refusal. */
  async function twice(index: string, body: Record<string, unknown>): Promise<{ status: number; error: Record<string, unknown> }> {
    const w = await house.world()
    const add = (name: string) => w.as('admin').post('/contractors/', { site_id: w.site_id, name, ...body })
    await house.rows(`create unique index for_a_test on contractor ${index}`)
    try {
      const first = await add('Kestrel Lifting')
      assert.equal(first.status, 201, first.text)
      const { status, body: said } = await add('Kite Cranes')
      return { status, error: said.error }
    } finally {
      await house.rows('drop index for_a_test')
    }
  }

  test('a value that must be unique, and that only the database has checked, is refused with its fields', async () => {
    const { status, error } = await twice("(site_id, fold_text(registration_number)) where registration_number <> ''", {
      registration_number: '01234567',
    })
    assert.deepEqual([status, error.code, error.reason], [409, 'conflict', 'key_taken'])
    assert.equal(error.detail, 'Another record already has this registration number. Change it, then try again.')
    assert.deepEqual(error.fields, [{ path: 'registration_number', message: 'is already used by another record.' }])
  })

  test('several fields that must be unique together are all named, and a key made from a field is named as the field', async () => {
    const { error } = await twice("(site_id, phone, left(name_key, 1)) where phone <> ''", { phone: '1' })
    assert.equal(error.detail, 'Another record already has this phone and name. Change one of them, then try again.')
    assert.deepEqual(
      (error.fields as { path: string }[]).map(field => field.path), // checked by the assertion
      ['phone', 'name'],
    )
  })

  test('a column that is no field of the request isn’t named', async () => {
    const { error } = await twice("(site_id, created_by, logo_version) where email <> ''", { email: 'office@kestrel.example' })
    assert.deepEqual([error.reason, error.fields], ['key_taken', undefined])
    assert.equal(error.detail, 'Another record already has this value. Change it, then try again.')
  })
})
