import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../contract/limits.gen.ts'
import { shapeOf } from './form-fields.ts'

describe('765 fields of a form', () => {
  test('the limits of a form’s fields are those that the service checks', () => {
    assert.deepEqual(shapeOf(limits.NewContractor, 'name'), { required: true, maxLength: 200, optional: false })
    assert.deepEqual(shapeOf(limits.NewContractor, 'short_name'), { maxLength: 12, optional: true })
    assert.deepEqual(shapeOf(limits.NewInviteLink, 'max_uses').min, 1)
    assert.deepEqual(shapeOf(limits.NewContractor, 'not_in_the_body'), { optional: true })
  })
})
