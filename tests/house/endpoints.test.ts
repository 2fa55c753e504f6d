import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { loose } from '../../server/base/schema.ts'
import { routes } from '../../server/groups.ts'

const rows = (file: string) =>
  readFileSync(new URL(`../../contract/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .slice(1)
    .filter(line => line.trim() !== '')
    .map(line => line.split('\t'))

const shape = (method: string, path: string) => `${method} ${path.replace(/\{[a-z_]+\}|:[a-z_]+/g, '{}').replace(/\/$/, '')}`

describe('the endpoint list', () => {
  const given = rows('endpoints.tsv').map(([area = '', method = '', path = '']) => ({ area, key: shape(method, path) }))
  const extras = rows('extras.tsv').map(([method = '', path = '']) => shape(method, path))
  const gaps = new Set(rows('gaps.tsv').map(([method = '', path = '']) => (path === '' ? method : shape(method, path))))
  const ours = new Set(routes.map(route => shape(route.method, route.path)))

  test('every row has a route, or is in the list of declared gaps', () => {
    const missing = given.filter(row => !ours.has(row.key) && !gaps.has(row.key) && !gaps.has(row.area)).map(row => row.key)
    assert.deepEqual(missing, [])
  })

  test('every declared gap still exists, so that the list only becomes shorter', () => {
    const areas = Map.groupBy(given, row => row.area)
    const closed = [...gaps].filter(gap => (areas.has(gap) ? areas.get(gap)?.some(row => ours.has(row.key)) : ours.has(gap)))
    assert.deepEqual(closed, [])
  })

  test('every route is in the list, or among our own extra ones', () => {
    const known = new Set([...given.map(row => row.key), ...extras])
    assert.deepEqual(
      [...ours].filter(key => !known.has(key)),
      [],
    )
    assert.deepEqual(
      extras.filter(key => !ours.has(key) && !gaps.has(key)),
      [],
      'an extra without a route',
    )
  })

  test('V14.2.1 an endpoint with a secret in its URL has a way without: the query’s in a header, the path’s in the body of a second endpoint', () => {
    const SECRET = /^(?:\w+_)?(?:token|secret|password|endpoint|api_key|ticket)$/
    const namesIn = (schema: Parameters<typeof loose>[0]) => Object.keys(loose(schema).properties ?? {})
    const inQuery = routes.flatMap(route =>
      namesIn(route.query)
        .filter(name => SECRET.test(name))
        .map(name => ({ route, name })),
    )
    const inPath = routes.flatMap(route =>
      [...route.path.matchAll(/\/:([a-z_]+)/g)].flatMap(([part, name = '']) => (SECRET.test(name) ? [{ route, part, name }] : [])),
    )
    assert.ok(inQuery.length > 3 && inPath.length > 1, 'such endpoints were found')
    assert.deepEqual(
      [
        ...inQuery.filter(({ route, name }) => route.in_header?.[name] === undefined),
        ...inPath.filter(({ route, part, name }) => {
          const twin = routes.find(one => one.method === route.method && one.path === route.path.replace(part, ''))
          return !namesIn(twin?.body).includes(name)
        }),
      ].map(({ route, name }) => `${route.name}: ${name}`),
      [],
    )
  })
})
