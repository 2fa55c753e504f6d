// A person with an authenticator app, as the pages of the second factor meet them. The codes are computed here, independently of the service.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type Browser, type Owner, openBrowser, type openProvider, type Page } from './provider.ts'
import type { TestHouse } from './world.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code that an app shows at an instant (RFC 6238). */
export function codeAt(secret: string, at: string | number): string {
  const bits = [...secret].map(letter => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(new Date(at).getTime() / 30_000)))
  const mac = createHmac('sha1', key).update(step).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Returns the secret on the page that sets up a second factor. */
export const secretIn = (page: Page): string => (/class="secret">([^<]+)</.exec(page.html)?.[1] ?? '').replaceAll(' ', '')
/** Lists the recovery codes on a page. */
export const codesIn = (page: Page): string[] => [...page.html.matchAll(/<li>([^<]+)<\/li>/g)].map(found => found[1] ?? '')
/** Returns the ticket on the page of the second factor. */
export const ticketIn = (page: Page): string => /name="ticket" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
/** Returns the sentence that says what is wrong on a page. */
export const faultIn = (page: Page): string | null => /<div class="alert" role="alert">.*?<p>(.*?)<\/p>/.exec(page.html)?.[1] ?? null

/** Submits one of the forms of the page of the second factor. */
export async function pressFactor(browser: Browser, page: Page, step: string, typed: Record<string, string> = {}): Promise<Page> {
  return browser.submit({ ...page, html: `<form action="/oidc/second-factor/${step}">` }, { ticket: ticketIn(page), ...typed })
}

/** Opens the page of the second factor with the password and, if there is one, a code. */
export async function openFactorPage(
  url: string,
  browser: Browser,
  owner: Pick<Owner, 'email' | 'password'>,
  code?: string,
): Promise<Page> {
  const page = await browser.submit(await browser.get(`${url}/oidc/second-factor`), { email: owner.email, password: owner.password })
  return code === undefined ? page : browser.submit(page, { code })
}

/** Sets up a person's second factor on the page for it. Returns the secret and the recovery codes. */
export async function setUpApp(
  house: TestHouse,
  provider: ReturnType<typeof openProvider>,
  owner: Pick<Owner, 'email' | 'password'>,
  browser = openBrowser(),
): Promise<{ secret: string; codes: string[] }> {
  const page = await pressFactor(browser, await openFactorPage(provider.url, browser, owner), 'set-up')
  const secret = secretIn(page)
  const done = await pressFactor(browser, page, 'confirm', { code: codeAt(secret, house.house.clock.now()) })
  const codes = codesIn(done)
  assert.equal(codes.length, 10, faultIn(done) ?? done.html.slice(-600))
  return { secret, codes }
}
