import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routes } from '../server/groups.ts'
import { documented, faultOf } from './documented.ts'
import { useHouse } from './world.ts'

describe('responses and the API document', () => {
  const operations = documented()
  const of = (name: string) => operations.get(name) ?? assert.fail(`The document has no ${name}.`)
  const house = useHouse()

  test('10.13 a status or a type that the document doesn’t have is a fault', () => {
    const list = of('contractor.list')
    assert.equal(faultOf(list, 200, 'application/json; charset=utf-8', '[]'), null)
    assert.equal(faultOf(list, 204, undefined, undefined), 'at all')
    assert.equal(faultOf(list, 200, 'text/csv', 'a'), 'as "text/csv"')
    assert.equal(faultOf(undefined, 200, 'application/json', '{}'), 'at all')
  })

  test('10.13 each operation has 422, 429, 500, 503 and 507; a response that asks to wait says how long; a site that the caller can’t see is 404', () => {
    for (const route of routes) {
      const { responses } = of(route.name)
      for (const status of ['422', '429', '500', '503', '507']) assert.ok(responses[status] !== undefined, `${route.name} ${status}`)
      for (const status of ['429', '503', '507'])
        assert.ok(responses[status]?.headers?.['Retry-After'] !== undefined, `${route.name} ${status}`)
      const site = [route.query, route.body].some(schema => JSON.stringify(schema ?? {}).includes('"site_id"'))
      if (site && 'needs' in route.access) assert.ok(responses['404'] !== undefined, route.name)
    }
  })

  test('10.13 the document has the responses that were once sent and not documented', () => {
    for (const [name, status, type] of [
      ['push_subscription.put', '201', 'application/json'],
      ['task.list', '404', 'application/json'],
      ['audit.list', '200', 'text/csv'],
      ['permit_attachment.download', '200', 'image/webp'],
      ['permit_attachment.download', '206', 'application/pdf'],
      ['smart_group.create', '200', 'application/json'],
    ] as const)
      assert.ok(of(name).responses[status]?.content?.[type] !== undefined, `${name} ${status} ${type}`)
    for (const name of ['diag.show_client_config', 'permit.list_wallet', 'site.show', 'permit_attachment.download'])
      assert.ok(of(name).responses['304'] !== undefined, name)
  })

  test('10.13 the test server compares each response that it sends with the document', async () => {
    const seen = await house.nobody.get('/diag/client-config')
    const again = await house.nobody.get('/diag/client-config', { 'if-none-match': String(seen.headers.etag) })
    assert.deepEqual([seen.status, again.status], [200, 304])
  })
})
