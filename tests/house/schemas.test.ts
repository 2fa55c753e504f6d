// The schemas of the endpoints are valid themselves. The service doesn't check that when it starts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { FORMATS, loose, type TSchema, VERBATIM } from '../../server/base/schema.ts'
import { namedShapes } from '../../server/base/validate.ts'
import { routes } from '../../server/groups.ts'

describe('the schemas of the endpoints', () => {
  const ajv = new Ajv({ strict: false, formats: FORMATS })
  ajv.addKeyword(VERBATIM)

  test('conventions §5 every schema of an endpoint, and every named schema in it, is a valid JSON Schema', () => {
    const own = routes.flatMap(route => [route.query, route.body, route.reply, route.of].filter((one): one is TSchema => one != null))
    const all = new Set([...own, ...namedShapes(own).values()])
    assert.ok(all.size > 300, `${all.size} schemas`)
    for (const schema of all)
      assert.equal(ajv.validateSchema(schema), true, `${loose(schema).$id ?? JSON.stringify(schema).slice(0, 200)}: ${ajv.errorsText()}`)
  })

  test('conventions §5 a schema with a mistake is found', () => {
    assert.equal(ajv.validateSchema({ type: 'object', required: 'name' }), false)
    assert.equal(ajv.validateSchema({ type: 'text' }), false)
  })
})
