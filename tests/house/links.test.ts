import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import '../../server/app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter(file => !file.endsWith('.test.ts') && !file.includes('server/demo/'))
    .map(file => readFileSync(`${root}${file}`, 'utf8'))
    .join('\n')
const server = textOf('server/**/*.ts')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(found => found[1] ?? '')

/** Returns a URL with every variable part replaced by the same placeholder, without the part after `?` and `#`. */
const shapeOf = (address: string): string =>
  address
    .replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '*')
    .replace(/\{\w+\}|:\w+|\$\w+/g, '*')
    .replace(/[?#].*$/, '')
    .replace(/(?<=\w)\*$/, '') // `/join${signing_in ? '?sign_in=1' : ''}`

/** The manifests of the app’s rooms: pages below a site, and pages outside of any. */
const rooms = textOf('web/rooms/*/*/room.ts')
const OUTSIDE = /outside: \[[^\]]*\]/g
const outside = (rooms.match(OUTSIDE) ?? []).flatMap(text => all(text, /path: '([^']+)'/g))

/** Lists the pages of the app below a site, its other pages, and pages that the service renders itself. */
const pages = new Set(
  [
    ...all(rooms.replace(OUTSIDE, ''), /path: '([^']+)'/g).map(path => `/sites/$site${path}`),
    ...outside,
    ...all(textOf('web/shell/router.tsx'), /getParentRoute: \(\) => root,\s+path: '([^']+)'/g),
    ...all(textOf('web/shell/router.tsx'), /getParentRoute: \(\) => site,\s+path: '([^']+)'/g).map(path =>
      `/sites/$site${path}`.replace(/\/$/, ''),
    ),
    ...all(server, /\b(?:app|under)\.get(?:<.*>)?\(\s*'([^']+)'/g),
    ...all(server, /url: '(\/[^']+)'/g),
    '/verify',
  ].map(shapeOf),
)

/** Links in the code of notifications, tasks, emails, documents and codes. */
const written = [
  ...all(server, /\blink(?:_pattern)?: '(\/[^']+)'/g),
  ...all(server, /public_url\}(\/(?!api\b|oidc\/auth)[^`]*)`/g),
  ...all(server, /\$\{public_url\}(\/join[^`]*)`/g),
].filter(link => shapeOf(link) !== '/oidc')

describe('links', () => {
  test('9.18 every link in an email, notification, task, document or code leads to an existing page', () => {
    assert.ok(written.length > 15, `only ${written.length} links were found`)
    for (const known of ['/join', '/verify', '/u', '/u/*', '/oidc/reset', '/oidc/confirm'])
      assert.ok(
        written.some(link => shapeOf(link) === known),
        `${known} is among the links that were found`,
      )
    assert.deepEqual([...new Set(written.filter(link => !pages.has(shapeOf(link))))], [])
  })

  test('9.18 the service shows the app at each of the app’s URLs', () => {
    const shown = all(server, /const PAGES = \[([^\]]+)\]/g)[0] ?? ''
    assert.ok(outside.includes('/join'), 'pages outside of any site were found')
    for (const page of [...outside, ...all(textOf('web/shell/router.tsx'), /getParentRoute: \(\) => root,\s+path: '([^']+)'/g)])
      assert.ok(shown.includes(`'${shapeOf(page)}'`) || page.startsWith('/sites/'), `${page} is in server/web.ts`)
  })
})
