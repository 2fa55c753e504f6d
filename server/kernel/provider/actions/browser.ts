// Binds the code of a sign-in that ends at one of our own pages to the browser that it was made for, so that nobody can use it with the URL alone.
import { later, MINUTE } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { secretToken, sha256 } from '../../../base/ids.ts'
import { dropItem, itemBy, keepItem } from '../../accounts/door.ts'
import { isSecure } from './cookies.ts'

const KIND = 'CodeBrowser'

/** Returns the name of the cookie of a code. Each code has its own, so that two tabs can sign in side by side. */
const nameOf = (house: House, code: string): string => `${isSecure(house) ? '__Host-' : ''}walkdown_code.${sha256(code).slice(0, 16)}`

/** Returns the cookie of a code. Browsers accept the prefix `__Host-` only for the whole host. */
const cookieOf = (house: House, to: { code: string; path: string; value: string; seconds: number }): string =>
  `${nameOf(house, to.code)}=${to.value}; path=${isSecure(house) ? '/' : to.path}; max-age=${to.seconds}; samesite=lax; httponly${isSecure(house) ? '; secure' : ''}`

/** Returns what is stored for a code and the secret of its browser. */
const hashOf = (code: string, secret: string): string => sha256(`${code} ${secret}`)

/** Binds the code in a redirect to one of these pages, and returns the cookie for the browser; null for any other redirect. */
export async function bindCode(house: House, location: string, paths: readonly string[]): Promise<string | null> {
  const { public_url } = house.settings
  const path = paths.find(one => location.startsWith(`${public_url}${one}?`))
  const code = path === undefined ? null : new URL(location).searchParams.get('code')
  if (path === undefined || code === null) return null
  const value = secretToken()
  await keepItem(house.database.db, {
    kind: KIND,
    id_hash: hashOf(code, value),
    uid_hash: null,
    grant_hash: null,
    account_id: null,
    payload: {},
    expires_at: later(house.clock.now(), MINUTE),
  })
  return cookieOf(house, { code, path, value, seconds: 60 })
}

/**
 * Returns how to unbind a code that this browser may use; null if the code was made for another browser. Unbinding returns the cookie that deletes the one
 * of the code; null if another request has unbound the code in the meantime.
 */
export async function boundTo(
  house: House,
  code: string,
  path: string,
  cookies: string | undefined,
): Promise<(() => Promise<string | null>) | null> {
  const name = `${nameOf(house, code)}=`
  const found = (cookies ?? '')
    .split(';')
    .map(one => one.trim())
    .find(one => one.startsWith(name))
  if (found === undefined) return null
  const hash = hashOf(code, found.slice(name.length))
  if ((await itemBy(house.database.db, 'id_hash', KIND, hash, house.clock.now())) === null) return null
  return async () => {
    if (!(await dropItem(house.database.db, KIND, hash))) return null
    return cookieOf(house, { code, path, value: '', seconds: 0 })
  }
}
