import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'
import { fontFaces } from './docs.ts'

describe('pages that the service makes itself', () => {
  const house = useHouse()
  const get = (url: string, accept: string) => house.edge.app.inject({ method: 'GET', url, headers: { accept } })

  test('9.26 for an unknown URL a browser gets a page, and a program gets the envelope', async () => {
    for (const url of ['/nowhere', '/api/nowhere', '/oidc/nowhere', '/join/more']) {
      const page = await get(url, 'text/html,application/xhtml+xml,*/*;q=0.8')
      assert.deepEqual([page.statusCode, page.headers['content-type']], [404, 'text/html; charset=utf-8'], url)
      assert.match(page.body, /<h1>Page not found<\/h1>/)
      assert.match(page.body, /href="\/"/)
      for (const accept of ['application/json', '*/*']) {
        const answer = await get(url, accept)
        assert.deepEqual([answer.statusCode, answer.json().error.code], [404, 'not_found'], `${url} ${accept}`)
      }
    }
  })

  test('9.26 the sign-in pages, unknown URLs and /verify have the fonts and the logo of the app', async () => {
    const mark = 'fill="#e2711d"' // the edge of the card
    for (const url of ['/oidc/forgot', '/nowhere', '/verify']) {
      const { body, headers } = await get(url, 'text/html')
      assert.ok(body.includes(mark), url)
      assert.match(String(headers['content-security-policy']), /font-src 'self'/)
      const style = url === '/verify' ? (await get('/verify/page.css', 'text/css')).body : body
      assert.match(style, /IBM Plex Sans/)
      assert.ok(style.includes(fontFaces()), url)
    }
  })
})
