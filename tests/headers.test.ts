// The security headers of every kind of response: of the API, the pages, the sign-in protocol, and refusals before a route is known.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { policyOf } from '../server/web.ts'
import { permitWorld } from './permits.ts'
import { useHouse } from './world.ts'

const REPLIES = [
  '/api/health/live',
  '/api/auth/me',
  '/api/nowhere',
  '/api/openapi.json',
  '/api/docs',
  '/api/sites/%ff',
  '/nowhere',
  '/metrics',
  '/verify',
  '/verify/page.js',
  '/verify/page.css',
  '/oidc/forgot',
  '/oidc/reset',
  '/oidc/confirm',
  '/u',
  '/oidc/sign-in/unknown',
  '/oidc/.well-known/openid-configuration',
  '/oidc/jwks',
  '/oidc/auth',
  '/oidc/session/end',
]

describe('security headers', () => {
  const house = useHouse({ CLOCK: 'system', PUBLIC_URL: 'https://permits.example.com', TRUST_PROXY: '1' })
  const ask = (url: string, accept: string) => house.edge.app.inject({ url, headers: { accept } })

  test('10.4 every response has HSTS for a year and subdomains, nosniff, no referrer, no framing and a policy; text declares its charset', async () => {
    for (const url of REPLIES)
      for (const accept of ['application/json', 'text/html']) {
        const { headers, statusCode } = await ask(url, accept)
        const said = `${url} ${accept} ${statusCode}`
        assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', said)
        assert.equal(headers['x-content-type-options'], 'nosniff', said)
        assert.equal(headers['referrer-policy'], 'no-referrer', said)
        const policy = String(headers['content-security-policy'])
        for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
          assert.ok(policy.includes(rule), `${said}: ${policy}`)
        assert.match(String(headers['content-type']), /^(text|application)\/[\w.+-]+; charset=utf-8$/, said)
        // Discovery and public keys are for everyone, by definition.
        const shared = url.includes('.well-known') || url.endsWith('/jwks')
        assert.equal(headers['access-control-allow-origin'], shared ? '*' : undefined, said)
        assert.equal(headers['x-powered-by'] ?? headers.server, undefined, said)
      }
  })

  test('10.4 responses of the API and of the sign-in are stored by no browser and no proxy', async () => {
    for (const url of REPLIES.filter(path => /^\/(api|oidc)/.test(path) && !path.endsWith('/jwks') && !path.includes('.well-known')))
      assert.match(String((await ask(url, 'text/html')).headers['cache-control']), /no-store/, url)
  })

  test('V14.3.2 pictures, files and documents of people are stored by no browser; only the logo of a contractor, by its version, is', async () => {
    const w = await permitWorld(house)
    const made = await w.at('approved')
    const value = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c86432' } })
      .jpeg()
      .toBuffer()
    const by = w.as('hse')
    await by.send('POST', `/permits/applications/${made.id}/attachments`, [{ name: 'file', filename: 'north.jpg', value }])
    const { url } = (await w.read(made)).attachments.at(-1)
    const file = String(url).replace(/^\/api/, '')
    const printed = `/permits/applications/${made.id}/document`
    for (const path of [file, `${file}?variant=thumb`, `${file}?variant=preview`, printed]) {
      const first = await by.get(path)
      const again = await by.get(path, { 'if-none-match': String(first.headers.etag) })
      const part = await by.get(path, { range: 'bytes=0-9' })
      assert.deepEqual([first.status, again.status, part.status], [200, 304, 206], path)
      for (const { headers } of [first, again, part]) assert.equal(headers['cache-control'], 'no-store', path)
    }
    const contractor_id = await w.contractor('Logo Ltd')
    const logo = await w
      .as('coordinator')
      .send('PUT', `/contractors/${contractor_id}/logo`, [{ name: 'file', filename: 'logo.jpg', value }])
    assert.equal(logo.status, 200, logo.text)
    const kept = async (query: string) =>
      String((await by.get(`/contractors/${contractor_id}/logo/image${query}`)).headers['cache-control'])
    assert.match(await kept('?size=64&v=1'), /^private, max-age=\d+, immutable$/)
    assert.equal(await kept('?size=64'), 'no-store')
  })

  test('10.4 TRACE and other methods that no URL has are refused, and a directory is never listed', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'CONNECT'] as const) {
      const reply = await house.edge.app.inject({ method: method as 'GET', url: '/api/health/live' }) // the types know fewer methods
      assert.ok(reply.statusCode >= 400 && !reply.body.includes('live'), method)
    }
    for (const url of ['/assets/', '/icons/', '/verify/', '/.git/config', '/.env', '/package.json', '/verify/../package.json']) {
      const { statusCode, body } = await ask(url, 'application/json')
      assert.ok(statusCode === 404 || (url === '/verify/' && statusCode === 200), `${url}: ${statusCode}`)
      assert.doesNotMatch(body, /Index of|"dependencies"|repositoryformatversion/)
    }
  })

  test('10.4 the app loads and runs only what comes from the service, and its one inline script by its hash', () => {
    const policy = policyOf('<html><script>start()</script></html>', 'https://maps.example', 'wss://permits.example.com')
    assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; style-src 'self';/)
    assert.match(policy, /connect-src 'self' wss:\/\/permits\.example\.com https:\/\/maps\.example;/)
    for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"])
      assert.ok(policy.includes(rule), rule)
    assert.doesNotMatch(policy, /unsafe|\*|http:/)
  })
})

describe('what leaves the service', () => {
  const house = useHouse()

  test('10.4 a file name of a person is encoded in the download, which is an attachment that no browser guesses the type of', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    const url = `/permits/applications/${draft.id}/attachments`
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
    const filename = '../a b";x=\u202e<b>ö.pdf'
    const parts = [{ name: 'file', filename, type: 'text/html', value: pdf }]
    const added = await w.as('member').send('POST', url, parts)
    assert.equal(added.status, 201, added.text)
    const { headers } = await w.as('member').get(`${url}/${added.body.id}/download`)
    const said = String(headers['content-disposition'])
    assert.match(said, /^attachment; filename="[^"\\\r\n]+"; filename\*=UTF-8''[\w.%!~*'()-]+$/)
    assert.ok(!/[^\x20-\x7e]/.test(said) && !said.includes('..'), said)
    assert.deepEqual([headers['content-type'], headers['x-content-type-options']], ['application/pdf', 'nosniff'])
  })

  test('10.4 an unexpected fault is a 500 that reveals nothing, is logged under its request id with the id of the person, and changes nothing', async () => {
    const w = await house.world()
    const body = { name: 'Kestrel Lifting' }
    const { log } = house.house
    const logged: { given: Record<string, unknown>; message: string }[] = []
    const error = (given: Record<string, unknown>, message: string) => logged.push({ given, message })
    Object.assign(house.house, { log: Object.assign(Object.create(log), { error }) })
    await house.rows('alter table contractor rename to contractor_gone')
    const failed = await w.as('admin').post('/contractors/', { site_id: w.site_id, ...body })
    await house.rows('alter table contractor_gone rename to contractor')
    Object.assign(house.house, { log })
    assert.deepEqual([failed.status, failed.body.error.code], [500, 'internal_error'])
    assert.doesNotMatch(failed.text, /relation|contractor|select|insert|\.ts|at /)
    await house.house.lines.flush()
    const lines = await house.rows("select message, user_id, site_id from diag_line where request_id = $1 and kind = 'error'", [
      failed.headers['x-request-id'],
    ])
    assert.match(lines[0]?.message ?? '', /relation .* does not exist/)
    const { user_id } = w.as('admin')
    assert.deepEqual([lines[0]?.user_id, lines[0]?.site_id], [user_id, w.site_id])
    const [line] = logged
    assert.deepEqual([line?.message, line?.given.actor, line?.given.site_id], ['request failed', user_id, w.site_id])
    assert.deepEqual(Object.keys(line?.given ?? {}).sort(), ['actor', 'err', 'operation', 'request_id', 'site_id'])
    assert.equal((await w.as('admin').post('/contractors/', { site_id: w.site_id, ...body })).status, 201, 'nothing of it was left')
  })
})
