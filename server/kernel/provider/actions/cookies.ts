// The cookies of the provider. The library gives those of one sign-in a path of their own, so that two tabs can sign in side by side. Browsers accept
// `__Host-`, which keeps every other place from setting a cookie, only for the whole host. So over HTTPS the browser gets names with the id of the sign-in
// instead of a path, and the library gets back the names and paths that it knows; its signatures cover those.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { House } from '../../../base/ctx.ts'

/** Returns whether people use the service over HTTPS. */
export const isSecure = (house: House): boolean => house.settings.public_url.startsWith('https:')

/** Names of the cookies, as the library knows them. */
export const cookieNames = (secure: boolean) => ({
  session: `${secure ? '__Host-' : ''}walkdown_session`,
  interaction: SIGN_IN,
  resume: RESUME,
})

const SIGN_IN = 'walkdown_sign_in'
const RESUME = 'walkdown_resume'
/** What the library sets: a name, its value, and a path that ends with the id of the sign-in. */
const SET = /^(walkdown_(?:sign_in|resume))(\.sig)?=([^;]*);(.*?) path=\/oidc\/(?:sign-in|auth)\/([\w-]+)(?=;|$)/i
/** What the browser sends. */
const SENT = /^__Host-(walkdown_(?:sign_in|resume))\.([\w-]+)(\.sig)?$/
/** The page of a sign-in, or where it continues. */
const PLACE = /^(?:\/oidc)?\/(sign-in|auth)\/([\w-]+)(?=[/?]|$)/

/** Sign-ins of one browser that can be under way; the oldest ends when another begins, so that a request never becomes too long. */
const AT_ONCE = 8

/** Returns whether the library has this name for a cookie of a sign-in. */
const isOwn = (name: string) => /^walkdown_(sign_in|resume)(\.sig)?$/.test(name)

const pairs = (header: string) =>
  header
    .split(';')
    .map(one => one.trim())
    .filter(one => one !== '')
    .map(text => ({ text, name: text.slice(0, text.indexOf('=')) }))

/**
 * Gives the library the cookies of the sign-in to which the URL belongs, under the names that it knows, and no others that have such names: those were not
 * set by this host over HTTPS. Returns the ids of the other sign-ins of this browser, oldest first, as browsers send them (RFC 6265 §5.4). The value
 * of such a cookie is the id of its sign-in.
 */
export function forLibrary(headers: IncomingHttpHeaders, url: string): string[] {
  if (headers.cookie === undefined) return []
  const [, place, uid] = PLACE.exec(url) ?? []
  const wanted = place === 'sign-in' ? SIGN_IN : RESUME
  const others = new Set<string>()
  const kept: string[] = []
  for (const { text, name } of pairs(headers.cookie)) {
    const [, own, id = '', sig = ''] = SENT.exec(name) ?? []
    if (own === undefined) {
      if (!isOwn(name)) kept.push(text)
    } else if (id !== uid) others.add(id)
    else if (own === wanted && (sig !== '' || text === `${name}=${uid}`)) kept.push(`${own}${sig}${text.slice(name.length)}`)
  }
  headers.cookie = kept.join('; ')
  return [...others]
}

/** Writes the cookies that the library has set on a response as the browser gets them. */
export function rename(response: ServerResponse, others: readonly string[]): void {
  const set = [response.getHeader('set-cookie') ?? []].flat().map(String)
  if (set.length === 0) return
  const renamed = forBrowser(set, others)
  if (renamed.length === 0) response.removeHeader('set-cookie')
  else response.setHeader('set-cookie', renamed)
}

/** Returns the cookies that the library sets, as the browser gets them. `others`: further sign-ins of this browser, oldest first. */
function forBrowser(set: readonly string[], others: readonly string[]): string[] {
  const begun = new Set<string>()
  const over = new Set<string>()
  const renamed = set.flatMap(cookie => {
    const [whole, name, sig = '', value = '', attributes = '', uid = ''] = SET.exec(cookie) ?? []
    // The library deletes a wrong signature under a name that the browser doesn't have.
    if (whole === undefined) return isOwn(cookie.slice(0, cookie.indexOf('='))) ? [] : cookie
    if (sig === '' && value !== '') begun.add(uid)
    else if (sig === '' && name === RESUME) over.add(uid)
    return `__Host-${name}.${uid}${sig}=${value};${attributes} path=/${cookie.slice(whole.length)}`
  })
  if (begun.size > 0) for (const uid of others.slice(0, Math.max(0, others.length + begun.size - AT_ONCE))) over.add(uid)
  const dropped = [...over].flatMap(uid =>
    [SIGN_IN, RESUME].flatMap(name =>
      ['', '.sig'].map(
        sig => `__Host-${name}.${uid}${sig}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=lax; secure; httponly`,
      ),
    ),
  )
  const named = (cookie: string) => cookie.slice(0, cookie.indexOf('='))
  const already = new Set(renamed.map(named))
  return [...renamed, ...dropped.filter(cookie => !already.has(named(cookie)))]
}
