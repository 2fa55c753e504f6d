import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'
import { routes } from '../groups.ts'

const ID = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'

describe('methods of the URLs', () => {
  const house = useHouse({}, { web: true })
  const ask = (method: string, url: string, payload?: string) =>
    // The types of the framework know fewer methods than Node.js.
    house.edge.app.inject({ method: method as 'GET', url, ...(payload === undefined ? {} : { payload }) })

  test('conventions §1 405 is what every method gets that a path doesn’t have, with `Allow`, also outside the API and before a body is read', async () => {
    for (const [url, allow] of [
      ['/api/contractors/', 'GET, POST, HEAD'],
      [`/api/contractors/${ID}?x=1`, 'PATCH, DELETE'],
      ['/api/auth/me/', 'GET, HEAD'],
      ['http://localhost/api/auth/me', 'GET, HEAD'],
      [`/api/tiles/floor-plan/${ID}/1/2/3.png`, 'GET, HEAD'],
      ['/api/health/live', 'GET, HEAD'],
      ['/api/ws', 'GET, HEAD'],
      ['/verify', 'GET, HEAD'],
      ['/sites/some/page', 'GET, HEAD'],
    ] as const)
      for (const method of [...METHODS, 'GET'].filter(one => one !== 'CONNECT' && !allow.split(', ').includes(one))) {
        const said = await ask(method, url, method === 'GET' ? undefined : '{')
        assert.deepEqual([said.statusCode, said.headers.allow], [405, allow], `${method} ${url}`)
        if (method !== 'HEAD') assert.equal(said.json().error.code, 'method_not_allowed')
      }
  })

  test('conventions §1 Paths: a fixed word wins over an id in `Allow`, and every endpoint lists its own method', async () => {
    for (const { path, method } of routes) {
      const said = await ask('TRACE', `/api${path.replace(/:[a-z_]+/g, ID)}`)
      assert.equal(said.statusCode, 405, path)
      assert.ok(String(said.headers.allow).split(', ').includes(method), `${method} ${path}: ${said.headers.allow}`)
    }
  })

  test('conventions §1 404 is what a path gets that isn’t there, with every method, and also if no file could have its name', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
      assert.equal((await ask(method, '/api/nowhere')).statusCode, 404, method)
    for (const url of ['/api//contractors/', `/api/${'x'.repeat(5000)}`, '/api/%00', '//api/sites', '/.env']) {
      const said = await ask('GET', url)
      assert.deepEqual([said.statusCode, said.json().error.code], [404, 'not_found'], url.slice(0, 40))
    }
  })
})
