import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'

describe('the page /verify', () => {
  const house = useHouse()
  const read = async (path: string) => {
    const { statusCode, headers, payload } = await house.edge.app.inject({ method: 'GET', url: path })
    assert.equal(statusCode, 200, path)
    return { headers, payload }
  }

  test('§4.2 the page is public, loads nothing from other origins and has no inline script', async () => {
    const { headers, payload } = await read('/verify')
    const policy = String(headers['content-security-policy'])
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      assert.ok(policy.includes(rule), rule)
    assert.doesNotMatch(policy, /unsafe/)
    assert.doesNotMatch(payload, /<script(?![^>]*src=)|\son[a-z]+=|https?:\/\//)
    assert.match(payload, /<noscript>/)
  })

  test('9.26 the worker caches the fonts of the page, so that it looks the same without a connection', async () => {
    const css = (await read('/verify/page.css')).payload
    const worker = (await read('/verify/worker.js')).payload
    assert.doesNotMatch(worker, /\.\.\.PARTS|-VERSION/)
    const fonts = [...css.matchAll(/url\(([^)]+)\)/g)].map(([, path = '']) => path)
    for (const path of fonts) assert.ok(worker.includes(`'${path}'`), path)
  })

  test('§4.2 every file that the page loads is cached by its worker, exists, and is JavaScript', async () => {
    const page = await read('/verify')
    const worker = await read('/verify/worker.js')
    assert.equal(worker.headers['service-worker-allowed'], '/verify')
    const kept = [...worker.payload.matchAll(/'(\/verify[a-z./-]*)'/g)].map(found => found[1] ?? '')
    const asked = [...page.payload.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(found => found[1] ?? '')
    const script = (await read('/verify/page.js')).payload
    const imported = [...script.matchAll(/from '\.(\/proof\/[a-z-]+\.ts)'/g)].map(found => `/verify${found[1]}`)
    assert.equal(imported.length, 3)
    assert.equal(new Set(kept).size, kept.length)
    for (const path of [...asked, ...imported]) assert.ok(kept.includes(path), `the worker caches ${path}`)
    for (const path of kept) {
      const { headers, payload } = await read(path)
      if (!path.endsWith('.ts')) continue
      assert.match(String(headers['content-type']), /^text\/javascript/)
      for (const [, inner = ''] of payload.matchAll(/^import .* from '(\.[^']+)'/gm)) {
        const needed = new URL(inner, `http://page${path}`).pathname
        assert.ok(kept.includes(needed), `${path} needs ${needed}`)
      }
    }
    const { payload } = await read('/verify/proof/canonical.ts')
    const module_ = await import(`data:text/javascript,${encodeURIComponent(payload)}`)
    assert.equal(module_.canonicalJson({ b: [1, null], a: 'x' }), '{"a":"x","b":[1,null]}')
  })
})
