import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = globSync(['server/**/*.{ts,js}', 'shared/**/*.ts', 'web/**/*.{ts,tsx}', 'bin/*.js'], { cwd: root }).filter(
  file => !/\.test\.ts$|\.gen\.|\.d\.ts$/.test(file),
)
/** Code without comments. */
const bare = (file: string) =>
  readFileSync(`${root}${file}`, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
const using = (pattern: RegExp) => files.filter(file => pattern.test(bare(file)))
const all = (pattern: RegExp) => [...new Set(files.flatMap(file => [...bare(file).matchAll(pattern)].map(found => found[1] ?? '')))].sort()

describe('dangerous functions', () => {
  test('10.4 no text is run as code, and none becomes HTML but the drawings of the verify page', () => {
    assert.ok(files.length > 500)
    assert.deepEqual(using(/\beval\(|new Function\(|from 'node:vm'|setTimeout\(\s*['"`]/), [])
    assert.deepEqual(using(/dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(|srcdoc/), [
      'server/verify/page.js',
    ])
    assert.match(bare('server/verify/page.js'), /innerHTML = `<svg [^`$]*>\$\{SHAPES\[shape\]\}<\/svg>`/, 'fixed drawings alone')
    assert.deepEqual(using(/\.innerHTML\s*=(?! `<svg)/), [])
  })

  test('10.4 programs are started in three files, with arguments as a list and never through a shell', () => {
    assert.deepEqual(using(/'node:child_process'/).sort(), [
      'server/base/child/open.ts',
      'server/base/engine.ts',
      'server/kernel/imports/actions/process.ts',
    ])
    assert.deepEqual(using(/shell:\s*true|\bexecSync\(|\bexecFile\(|[^.\w]exec\(/), [])
  })

  test('10.4 messages between windows stay within our origin: they use channels and our own worker, never a window of another page', () => {
    assert.deepEqual(using(/window\.(addEventListener\(\s*'message'|onmessage)|(opener|parent|top)\.postMessage|targetOrigin/), [])
    assert.deepEqual(using(/addEventListener\(\s*'message'/), using(/(self|channel|windows|socket)\.addEventListener\(\s*'message'/))
  })

  test('10.4 only approved algorithms are used, and chance that has to be secret comes from the system', () => {
    assert.deepEqual(all(/create(?:Hash|Hmac)\('([\w-]+)'/g), ['sha256'])
    assert.deepEqual(all(/(?<![.\w])hash\('([\w-]+)'/g), ['sha256', 'sha512'])
    assert.deepEqual(all(/create(?:Cipheriv|Decipheriv)\('([\w-]+)'/g), ['aes-256-gcm', 'chacha20-poly1305'])
    assert.deepEqual(all(/generateKeyPair(?:Sync)?\('([\w-]+)'/g), ['ES256', 'ec', 'ed25519'])
    assert.deepEqual(all(/namedCurve: '([\w-]+)'/g), ['P-256'])
    assert.deepEqual(all(/argon2\('([\w-]+)'/g), ['argon2id'])
    assert.deepEqual(
      using(/rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED/),
      ['server/base/mail.ts'],
      'a relay on the same machine',
    )
    // Spreads the reconnections and the retries of apps; nothing there is secret.
    assert.deepEqual(using(/Math\.random\(/), ['web/base/api.ts', 'web/base/live.ts', 'web/base/outbox.ts', 'web/base/query.ts'])
  })

  test('9.27 an effect never returns what a browser returns: newer browsers return a promise for scrolling, and React would call it as a function', () => {
    const effects = /use(?:Layout)?Effect\(\(\) => (?!void |\(\) =>|\{)[^\n]*\.(?:scroll\w*|focus|blur|play|animate|show\w*|request\w*)\(/
    assert.match('useEffect(() => panel.current?.scrollIntoView(), [])', effects)
    assert.deepEqual(using(effects), [])
  })

  test('conventions §1 statements take wall-clock time from the service, not from the time-zone database of PostgreSQL, which can be older or newer', () => {
    assert.ok(using(/at time zone 'UTC'/).includes('server/base/walls.ts'))
    assert.deepEqual(using(/at time zone (?!'UTC')/i), [])
  })

  test('V14.3.3 the app stores content only through the store that encrypts it; what is stored otherwise is listed here', () => {
    const app = (pattern: RegExp) => using(pattern).filter(file => file.startsWith('web/'))
    assert.deepEqual(app(/indexedDB/), ['web/base/database.ts'])
    // The first request of the app reads what is stored, without the key; the keeper encrypts what is still plain.
    assert.deepEqual(app(/from '[^']*\/database\.ts'/).sort(), [
      'web/base/keyring.ts',
      'web/base/later/keeper.ts',
      'web/base/store.ts',
      'web/early.ts',
    ])
    assert.deepEqual(app(/\bcaches\b|cookieStore|document\.cookie|navigator\.storage\.getDirectory/), ['web/sw.ts'], 'the built app alone')
    assert.deepEqual(
      Object.fromEntries(
        app(/localStorage|sessionStorage/).map(file => [file, [...bare(file).matchAll(/(?:local|session)Storage/g)].length]),
      ),
      {
        'web/base/auth.ts': 5, // the session's tokens, until sign-out; the removal of the visits
        'web/base/config-kept.ts': 2, // the configuration, which everybody gets
        'web/base/kept-user.ts': 1, // reads the tokens
        'web/base/looks-kept.ts': 2, // theme and sizes
        'web/base/pins.ts': 2, // the ids of pinned groups; removed at sign-out
        'web/base/visit.ts': 2, // when a site was last open; removed at sign-out
        'web/main.tsx': 1, // the pseudo-locale
        'web/base/newer.ts': 2, // when the page reloaded itself
        'web/rooms/account/join/data.ts': 3, // an invitation, until it was used
        'web/rooms/map/map/plans/prefs.ts': 2, // which plans are hidden, and how strong the others are
        'web/rooms/messages/alerts/unread.ts': 2, // the ids of alerts that were read; removed at sign-out
        'web/rooms/messages/notifications/push.ts': 3, // the id of the key for push notifications
        'web/rooms/operate/audit/parts/check.tsx': 2, // the head of a site's audit log: a number and a hash
        'web/shell/last-site.ts': 2, // the id of the site that was open last
      },
    )
  })
})
