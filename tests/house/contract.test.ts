import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { CODES } from '../../server/base/errors.ts'
import { documentPath } from '../../server/base/openapi.ts'
import { codesOf, exampleOf } from '../../server/base/openapi-parts.ts'
import type { TSchema } from '../../server/base/schema.ts'
import { makeChecker } from '../../server/base/validate.ts'
import { apiDocument } from '../../server/document.ts'
import { routes } from '../../server/groups.ts'

type Json = Record<string, unknown>
type Content = Record<string, { schema?: Json; example?: unknown; examples?: Json }>
type Operation = {
  operationId: string
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
  parameters: Json[]
}

// Through JSON, as clients receive it.
const document = JSON.parse(JSON.stringify(apiDocument('0'))) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}
const operations = Object.values(document.paths).flatMap(path => Object.values(path))

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null
const partsOf = (schema: Json): Json[] =>
  [schema.items, schema.additionalProperties, ...(Array.isArray(schema.anyOf) ? schema.anyOf : [])].filter(isJson)

/** Returns whether a field is described: by itself, by the schema that it refers to or, if it is an object, by its own fields. */
const speaks = (field: Json): boolean =>
  typeof field.description === 'string' || field.$ref !== undefined || field.properties !== undefined || partsOf(field).some(speaks)

/** Lists the fields of a schema without a description. */
function mute(schema: Json, at: string): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(speaks(field) ? [] : [`${at}.${name}`]),
    ...mute(field, `${at}.${name}`),
  ])
  return [...own, ...partsOf(schema).flatMap(part => mute(part, at))]
}

describe('the API document', () => {
  test('every JSON body and every JSON response has an example that fits its schema', () => {
    const shapes = routes.flatMap(r => [r.query, r.body, r.reply, r.of].filter((s): s is TSchema => s != null))
    const checker = makeChecker(shapes)
    const bad = routes.flatMap(route =>
      [route.body, route.reply].flatMap(schema => {
        const faults: { path: string; message: string }[] = []
        if (schema != null) checker.check(schema, exampleOf(schema), faults)
        return faults.slice(0, 1).map(fault => `${route.name}: ${fault.path} ${fault.message}`)
      }),
    )
    assert.deepEqual(bad, [])
    const without = operations.flatMap(({ operationId, requestBody, responses }) => {
      const [good] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const contents = [requestBody?.content, good?.[1].content].map(content => content?.['application/json'])
      return contents.some(content => content !== undefined && content.example === undefined) ? [operationId] : []
    })
    assert.deepEqual(without, [])
  })

  test('every field and every parameter has a description', () => {
    const shapes = Object.entries(document.components.schemas).flatMap(([name, schema]) => mute(schema, name))
    const inline = operations.flatMap(({ operationId, requestBody, responses, parameters }) => [
      ...parameters.filter(p => typeof p.description !== 'string').map(p => `${operationId} ?${String(p.name)}`),
      ...[requestBody?.content, ...Object.values(responses).map(r => r.content)].flatMap(content =>
        Object.values(content ?? {}).flatMap(({ schema }) => (schema === undefined ? [] : mute(schema, operationId))),
      ),
    ])
    assert.deepEqual([...shapes, ...inline], [])
  })

  test('every possible refusal of a route is in the document, under its status, with an example', () => {
    for (const route of routes) {
      const path = document.paths[documentPath(route)]
      const operation = path?.[route.method.toLowerCase()]
      for (const code of codesOf(route)) {
        const examples = operation?.responses[String(CODES[code])]?.content?.['application/json']?.examples
        assert.ok(examples?.[code] !== undefined, `${route.name}: ${code}`)
      }
    }
  })

  test('the checked-in document equals the generated one, and contains no server', () => {
    const kept = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8'))
    assert.deepEqual(kept.servers, [{ url: '/api', description: 'This installation' }])
    assert.deepEqual(kept.paths, document.paths, 'run npm run gen')
    assert.deepEqual(kept.components, document.components, 'run npm run gen')
  })
})
