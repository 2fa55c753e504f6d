import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { linkIn, mailsTo, sendMails } from '../../../tests/outbox.ts'
import { openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'

describe('links in emails', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const seen: string[] = []
  before(() => void house.edge.app.server.on('request', ({ url }) => seen.push(url ?? '')))

  test('V14.2.1 the page of a link runs one script, allowed by its hash, loads nothing, and is stored nowhere', async () => {
    for (const path of ['/oidc/reset', '/oidc/confirm', '/u']) {
      const reply = await fetch(`${provider.url}${path}`)
      const html = await reply.text()
      const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
      assert.deepEqual([reply.status, scripts.length], [200, 1], path)
      const hash = createHash('sha256')
        .update(scripts[0] ?? '')
        .digest('base64')
      const policy = reply.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'sha256-[^ ]+'$/)
      assert.ok(policy.endsWith(`script-src 'sha256-${hash}'`), path)
      assert.deepEqual([reply.headers.get('referrer-policy'), reply.headers.get('cache-control')], ['no-referrer', 'no-store'], path)
      assert.doesNotMatch(html, /<script [^>]*src|onclick|http:\/\/(?!127)|https:\/\//)
      assert.match(html, new RegExp(`<form id="link-form" method="post" action="${path}">.*<label for="link">`))
    }
  })

  test('V14.2.1 without scripts, a person pastes the link and chooses a password; no URL that the service sees contains the token', async () => {
    await personWithAccount(house, 'Rita', 'rita@example.com')
    const browser = openBrowser()
    await browser.submit(await browser.get(`${provider.url}/oidc/forgot`), { email: 'rita@example.com' })
    await sendMails(house)
    const link = linkIn(mailsTo(house, 'rita@example.com').at(-1), `${provider.url}/oidc/reset#`)
    const paste = async (text: string) => browser.submit(await browser.get(`${provider.url}/oidc/reset`), { link: text })
    for (const text of [link, ` ${link}\n`, link.split('#')[1] ?? '', link.replace('#', '?token=')]) {
      const page = await paste(text)
      assert.deepEqual([page.status, page.html.includes('rita@example.com')], [200, true], text)
    }
    for (const text of ['', 'rubbish', `${provider.url}/oidc/reset`, `${link}x`]) assert.equal((await paste(text)).status, 400, text)
    const done = await browser.submit(await paste(link), { password: 'kelp barn tax window', again: 'kelp barn tax window' })
    assert.match(done.html, /Password changed/)
    const token = new URL(link).hash.slice(1)
    assert.equal(token.length, 43)
    assert.deepEqual(
      seen.filter(url => url.includes(token)),
      [],
    )
  })

  test('V14.2.1 a link from an older email, with its token in the query, still works and leaves the address bar at once', async () => {
    await personWithAccount(house, 'Petra', 'petra@example.com', { confirmed: false })
    const browser = openBrowser()
    await browser.submit(await browser.get(`${provider.url}/oidc/sign-in`), { email: 'petra@example.com', password: PASSPHRASE })
    await sendMails(house)
    const link = linkIn(mailsTo(house, 'petra@example.com').at(-1), `${provider.url}/oidc/confirm#`)
    const older = link.replace('#', '?token=')
    const reply = await fetch(older, { redirect: 'manual' })
    assert.deepEqual([reply.status, new URL(reply.headers.get('location') ?? '', provider.url).href], [303, link])
    const done = await browser.submit(await browser.get(older), { password: PASSPHRASE })
    assert.match(done.html, /Email address confirmed/)
  })
})
