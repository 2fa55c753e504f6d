import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { documentPath } from '../../server/base/openapi.ts'
import { codesOf } from '../../server/base/openapi-parts.ts'
import { TARGET, type TSchema } from '../../server/base/schema.ts'
import { makeChecker } from '../../server/base/validate.ts'
import { apiDocument } from '../../server/document.ts'
import { routes } from '../../server/groups.ts'
import { allPermissions } from '../../server/kernel/access/door.ts'
import { allKinds } from '../../server/kernel/records/door.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Subjects of routes that aren't a kind of record, with what they refer to instead. */
const OTHER_SUBJECTS = [
  'audit',
  'diag',
  'email',
  'health',
  'job_run',
  'live',
  'notification_preference',
  'permit_board',
  'push_subscription',
  'queue',
  'weather',
]

describe('the list of routes', () => {
  test('every route has a unique name <kind>.<verb>', () => {
    const names = routes.map(route => route.name)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
    const subjects = new Set([...allKinds().map(kind => kind.name), ...OTHER_SUBJECTS])
    assert.deepEqual(
      names.filter(name => !/^[a-z_]+(\.[a-z_]+)+$/.test(name) || !subjects.has(name.split('.')[0] ?? '')),
      [],
    )
  })

  test('every permission that a route needs belongs to a role, or is a superadmin’s', () => {
    const unknown = routes.flatMap(route =>
      'needs' in route.access && !allPermissions().has(route.access.needs) ? [route.access.needs] : [],
    )
    assert.deepEqual(unknown, [])
  })

  test('every route has a summary in the imperative, a description in sentences, and a response', () => {
    assert.deepEqual(
      routes
        .filter(route => !/^[A-Z][a-z]+ [^.]{1,55}$/.test(route.summary) || /^[A-Z][a-z]+s /.test(route.summary))
        .map(route => route.name),
      [],
    )
    assert.deepEqual(
      routes.filter(route => !/^[A-Z`].*[.!]$/.test(route.says)).map(route => route.name),
      [],
    )
    assert.deepEqual(
      routes.filter(route => route.method === 'GET' && route.reply === null && route.produces === undefined).map(route => route.name),
      [],
    )
  })

  test('every schema compiles, and every field has a description', () => {
    const schemas = routes.flatMap(route => [route.query, route.body, route.reply].filter((s): s is TSchema => s != null))
    const checker = makeChecker(schemas)
    for (const schema of schemas) {
      checker.check(schema, {}, [])
      try {
        checker.write(schema, {})
      } catch {
        // an empty object that doesn't fit isn't a fault of the schema
      }
    }
    const silent: string[] = []
    const fragments: string[] = []
    const walk = (schema: TSchema, path: string, depth: number) => {
      const s = ((schema as { [TARGET]?: TSchema })[TARGET] ?? schema) as {
        properties?: Record<string, TSchema>
        items?: TSchema
        $id?: string
      }
      if (depth > 8) return
      for (const [name, field] of Object.entries(s.properties ?? {})) {
        const { description, $ref, anyOf } = field as { description?: string; $ref?: string; anyOf?: unknown }
        if (!description && $ref === undefined && anyOf === undefined && (field as { properties?: unknown }).properties === undefined)
          silent.push(`${path}.${name}`)
        // A noun phrase says what the field contains: "Number of entries by kind", not "By kind".
        if (/^(By|For|In|On|At|Per|With|true|false) /.test(description ?? '')) fragments.push(`${path}.${name}: ${description}`)
        walk(field, `${path}.${name}`, depth + 1)
      }
      if (s.items !== undefined) walk(s.items, `${path}[]`, depth + 1)
    }
    for (const schema of schemas) walk(schema, (schema as { $id?: string }).$id ?? '', 0)
    assert.deepEqual([...new Set(silent)], [])
    assert.deepEqual([...new Set(fragments)], [])
  })

  test('every route is called in some api.test.ts', () => {
    const tests = globSync(['server/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
      .map(file => readFileSync(`${root}${file}`, 'utf8'))
      .join('\n')
    const called = (path: string): boolean => {
      const pieces = path
        .replace(/\/$/, '')
        .split('/')
        .map(part => (part.startsWith(':') ? '\\$\\{[^}]+\\}' : part.replace(/[.]/g, '\\.')))
      if (new RegExp(`${pieces.join('/')}/?[\`'"?#]`).test(tests)) return true
      // Or the last part of the path comes from a variable: `/permits/applications/${id}/${verb}` with 'endorse'.
      const verb = path.split('/').at(-1) ?? ''
      return (
        !verb.startsWith(':') &&
        new RegExp(`${[...pieces.slice(0, -1), '\\$\\{[^}]+\\}'].join('/')}[\`'"?]`).test(tests) &&
        new RegExp(`['"\`]${verb}['"\`]`).test(tests)
      )
    }
    assert.deepEqual([...new Set(routes.filter(route => !called(route.path)).map(route => `${route.method} ${route.path}`))], [])
  })

  test('the API document contains every route with its refusals', () => {
    const document = apiDocument('0') as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    }
    for (const route of routes) {
      const operation = document.paths[documentPath(route)]?.[route.method.toLowerCase()]
      assert.ok(operation, route.name)
      assert.ok(Object.keys(operation.responses).length >= 2, route.name)
      if (!('open' in route.access)) assert.ok(codesOf(route).includes('unauthenticated'))
    }
  })
})
