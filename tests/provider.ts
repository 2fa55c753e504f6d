// The built-in provider over real HTTP, as an app and a browser without scripts use it: `openid-client` is the app.
import { before } from 'node:test'
import * as client from 'openid-client'
import { linkActor } from '../server/base/actor.ts'
import { writing } from '../server/base/ctx.ts'
import { hashPassword, makeAccount } from '../server/kernel/accounts/door.ts'
import type { TestHouse } from './world.ts'

/** A browser: cookies by path, redirects followed within our own server, forms submitted with the values they contain. */
export type Browser = {
  get(url: string): Promise<Page>
  submit(page: Page, typed: Record<string, string>): Promise<Page>
  cookies: Map<string, { value: string; path: string }>
}
/** The current URL. `left` is the app's URL to which the browser was redirected. */
export type Page = { url: string; status: number; html: string; headers: Headers; left: URL | null }

/** A person with an account. */
export type Owner = { email: string; password: string; account_id: string; user_id: string }

export const PASSPHRASE = 'wet paint on the door'

export async function personWithAccount(
  house: TestHouse,
  name: string,
  email: string,
  more: { password?: string; confirmed?: boolean; must_change_password?: boolean } = {},
): Promise<Owner> {
  const password = more.password ?? PASSPHRASE
  const password_hash = await hashPassword(password)
  const { account, user_id } = await writing(house.house, { actor: linkActor('test'), cause: 'test' }, ctx =>
    makeAccount(ctx, {
      email,
      name,
      password_hash,
      confirmed: more.confirmed ?? true,
      must_change_password: more.must_change_password ?? false,
    }),
  )
  return { email, password, account_id: account.id, user_id }
}

/** Opens a browser. `stops`: the redirects that it doesn't follow; the URL is `left` then. */
export function openBrowser(stops: (url: URL) => boolean = () => false): Browser {
  const cookies: Browser['cookies'] = new Map()
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      const path = attributes.find(a => a.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
      const key = `${path} ${name}`
      if (value === '') cookies.delete(key)
      else cookies.set(key, { value, path })
    }
  }
  const header = (url: string) =>
    [...cookies]
      .filter(([, { path }]) => new URL(url).pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
      .join('; ')
  const go = async (url: string, init: RequestInit): Promise<Page> => {
    let response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: header(url), 'sec-fetch-site': 'same-origin' },
    })
    keep(response)
    let at = url
    for (let hops = 0; hops < 10 && response.status >= 300 && response.status < 400; hops++) {
      const next = new URL(response.headers.get('location') ?? '', at)
      if (!next.pathname.startsWith('/oidc') || stops(next))
        return { url: at, status: response.status, html: '', headers: response.headers, left: next }
      at = next.href
      response = await fetch(at, { redirect: 'manual', headers: { cookie: header(at) } })
      keep(response)
    }
    return { url: at, status: response.status, html: await response.text(), headers: response.headers, left: null }
  }
  return {
    cookies,
    async get(url) {
      const page = await go(url, {})
      const { hash } = new URL(page.url)
      // People without scripts paste what is after the #.
      return hash !== '' && page.html.includes('id="link-form"') ? this.submit(page, { link: url }) : page
    },
    submit(page, typed) {
      const form = /<form([^>]*)>/.exec(page.html)?.[1] ?? ''
      const action = /action="([^"]*)"/.exec(form)?.[1] ?? page.url
      const fields = Object.fromEntries(
        [...page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(m => [m[1] ?? '', m[2] ?? '']),
      )
      return go(new URL(action, page.url).href, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, ...typed }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    },
  }
}

/** Starts the provider of a service on a free port; call it inside `describe`. */
export function openProvider(house: TestHouse) {
  const opened = { url: '' }
  before(async () => {
    await house.edge.app.listen({ host: '127.0.0.1', port: 0 })
    const address = house.edge.app.server.address()
    if (typeof address !== 'object' || address === null) throw new Error('No port.')
    opened.url = `http://127.0.0.1:${address.port}`
    house.house.settings.public_url = opened.url
  })
  const discovered = () =>
    client.discovery(new URL(`${opened.url}/oidc`), 'walkdown-web', undefined, client.None(), { execute: [client.allowInsecureRequests] })

  /** Returns the URL to which an app sends the browser, and what the app needs afterwards. */
  async function begin(more: Record<string, string> = {}) {
    const config = await discovered()
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const nonce = client.randomNonce()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: `${opened.url}/signed-in`,
      scope: 'openid profile email offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...more,
    })
    const finish = (left: URL, with_verifier = verifier) =>
      client.authorizationCodeGrant(config, left, { pkceCodeVerifier: with_verifier, expectedState: state, expectedNonce: nonce })
    return { config, url: url.href, finish }
  }

  return {
    get url() {
      return opened.url
    },
    discovered,
    begin,
    /** Signs a person in through the pages, up to the tokens. */
    async signIn(browser: Browser, owner: Pick<Owner, 'email' | 'password'>, more: Record<string, string> = {}) {
      const { config, url, finish } = await begin(more)
      let page = await browser.get(url)
      if (page.left === null) page = await browser.submit(page, { email: owner.email, password: owner.password })
      if (page.left === null)
        throw new Error(`Not signed in (${page.status}): ${page.html.replace(/<style>.*?<\/style>/s, '').slice(0, 2000)}`)
      return { config, tokens: await finish(page.left), left: page.left }
    },
    /** Returns the person of a token, according to the API. */
    async me(access_token: string) {
      const response = await fetch(`${opened.url}/api/auth/me`, { headers: { authorization: `Bearer ${access_token}` } })
      // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
      return { status: response.status, body: (await response.json()) as any }
    },
    async api(method: string, path: string, access_token: string, body?: unknown) {
      return fetch(`${opened.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    },
  }
}
