import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../tests/permits.ts'
import { type Part, useHouse } from '../../tests/world.ts'

const FILE: Part = { name: 'file', filename: 'note.txt', value: 'read me' }

describe('conditional requests and parts of files', () => {
  const house = useHouse()

  test('RFC 9110 §13.1.2 a HEAD with the present `ETag` gets 304 like a GET, and a range that isn’t there is stored by nobody', async () => {
    const w = await permitWorld(house)
    const { app } = house.edge
    const authorization = `Bearer ${w.as('admin').token}`
    const url = `/api/sites/${w.site_id}`
    const { headers } = await app.inject({ url, headers: { authorization } })
    for (const method of ['GET', 'HEAD'] as const)
      for (const [tag, status] of [
        [headers.etag, 304],
        ['*', 304],
        ['"0"', 200],
      ] as const) {
        const said = await app.inject({ method, url, headers: { authorization, 'if-none-match': String(tag) } })
        assert.equal(said.statusCode, status, `${method} ${tag}`)
      }
    const draft = await w.draft()
    const made = await w.as('member').send('POST', `/permits/applications/${draft.id}/attachments`, [FILE])
    const path = String(made.headers.location).replace(/^\/api/, '')
    const beyond = await w.as('member').get(path, { range: 'bytes=9999-' })
    assert.deepEqual([beyond.status, beyond.headers['content-range'], beyond.headers['cache-control']], [416, 'bytes */7', 'no-store'])
  })
})
