import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { isRecord } from '../../../../shared/narrow.ts'
import { MINUTE, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { refuse, unavailable } from '../../../base/errors.ts'
import { sha256 } from '../../../base/ids.ts'
import { type Short, shortKeysSay, soundKeys } from '../domain.ts'

/** How long keys, and the results of verified tokens, are used before they are fetched or verified again. */
export const KEYS_FRESH_MS = 5 * MINUTE
export const REMEMBERED = 20_000
/** The same unknown key is looked up at most once a minute; different ones, `LOOKUPS` in a row and one more every twelve seconds. */
const UNKNOWN_KEY_MS = MINUTE
const LOOKUPS = 5
const LOOKUP_EVERY_MS = 12_000
const PATIENCE_MS = 5000

/** Keys with which a token is verified, and what it must say. */
export type Source = { key: JWTVerifyGetKey; issuer: string; typ: string | null }

/** Thrown if the provider responds with something that can't be used; the message contains no host name. */
export class ProviderFault extends Error {}

type Keys = { key: JWTVerifyGetKey; any: boolean; short: Short[] }
type Found = Keys & { issuer: string; jwks_uri: string; document: Record<string, unknown> }

async function ask(url: string, signal = AbortSignal.timeout(PATIENCE_MS)): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new ProviderFault(`The identity provider responded with ${response.status}.`)
  const said: unknown = await response.json()
  if (!isRecord(said)) throw new ProviderFault('The identity provider’s response isn’t an object.')
  return said
}

async function discover(configured: string, signal?: AbortSignal) {
  const document = await ask(`${configured}/.well-known/openid-configuration`, signal)
  const { issuer, jwks_uri } = document
  if (typeof issuer !== 'string' || typeof jwks_uri !== 'string')
    throw new ProviderFault('The identity provider’s discovery document has no issuer or no keys.')
  if (issuer.replace(/\/$/, '') !== configured)
    throw new ProviderFault('The identity provider’s discovery document has another issuer than OIDC_ISSUER.', { cause: issuer })
  return { document, issuer, jwks_uri }
}

/** Fetches the provider's keys, and tells those with which a token can be verified from RSA keys that are too short. */
async function keysAt(jwks_uri: string, min_rsa_bits: number, signal?: AbortSignal): Promise<Keys> {
  const { keys, short } = soundKeys(await ask(jwks_uri, signal), min_rsa_bits)
  return { key: createLocalJWKSet({ keys }), any: keys.length > 0, short }
}

/**
 * Asks an external provider whether it responds and whether its RSA keys are long enough, for the health check. Returns the keys that are refused,
 * and whether others are left with which people can sign in.
 */
export async function askProvider(house: House, signal: AbortSignal): Promise<{ any: boolean; refused: string | null }> {
  const { oidc_issuer, oidc_min_rsa_bits } = house.settings
  const { jwks_uri } = await discover(oidc_issuer ?? '', signal)
  const { any, short } = await keysAt(jwks_uri, oidc_min_rsa_bits, signal)
  return { any, refused: short.length === 0 ? null : shortKeysSay(short, oidc_min_rsa_bits) }
}

/** Makes the source of an external provider's keys: found by discovery and remembered. An unknown key causes a new look-up, at most once a minute for the same key. */
export function externalKeys(house: House, configured: string) {
  const min_rsa_bits = house.settings.oidc_min_rsa_bits
  let found: Found | null = null
  let finding: Promise<Found> | null = null
  let refreshed = 0
  /** Key ids that were not found, when, and whether the provider was unavailable then. */
  let looked = new Map<string, { at: number; failed: boolean }>()
  let lookups = { left: LOOKUPS, at: 0 }
  let generation = 0
  let fetching: Promise<void> | null = null
  const now = () => ms(house.clock.now())
  const away = () => refuse(unavailable('The identity provider can’t be reached, so your sign-in can’t be checked. Try again in a moment.'))

  const tell = (short: Short[]) => {
    if (short.length > 0) house.log.warn({ keys: short, min_rsa_bits }, shortKeysSay(short, min_rsa_bits))
  }

  async function find(): Promise<Found> {
    const { document, issuer, jwks_uri } = await discover(configured)
    found = { ...(await keysAt(jwks_uri, min_rsa_bits)), issuer, jwks_uri, document }
    tell(found.short)
    refreshed = now()
    return found
  }

  /** Fetches the keys again; parallel callers share one request. */
  function fetchKeys(known: Found): Promise<void> {
    fetching ??= keysAt(known.jwks_uri, min_rsa_bits)
      .then(fresh => {
        if (JSON.stringify(fresh.short) !== JSON.stringify(known.short)) tell(fresh.short)
        Object.assign(known, fresh)
        refreshed = now()
        generation++
      })
      .finally(() => {
        fetching = null
      })
    return fetching
  }

  async function present(): Promise<Found> {
    if (found === null) {
      finding ??= find().finally(() => {
        finding = null
      })
      return finding.catch(error => {
        house.log.warn({ err: error }, 'identity provider')
        return away()
      })
    }
    // Keys don't expire by themselves: while the provider is unavailable, the known keys stay valid (`site-and-people.md` §5).
    if (now() - refreshed > KEYS_FRESH_MS) {
      refreshed = now()
      // Withdrawn keys are dropped after the provider's next response.
      fetchKeys(found).catch(error => house.log.warn({ err: error }, 'identity provider'))
    }
    return found
  }

  /** Returns whether another look-up is allowed now: five in a row, then one every twelve seconds. */
  function mayLook(): boolean {
    const back = Math.floor((now() - lookups.at) / LOOKUP_EVERY_MS)
    if (back > 0) lookups = { left: Math.min(LOOKUPS, lookups.left + back), at: now() }
    if (lookups.left === 0) return false
    lookups.left--
    return true
  }

  /** Returns the key of a token. If it is too short, the token isn't called invalid, because the app would sign its user out until the key or the setting is changed. */
  const keyOf = async (known: Found, ...[header, token]: Parameters<JWTVerifyGetKey>) => {
    try {
      return await known.key(header, token)
    } catch (error) {
      const short = header.alg === 'RS256' && known.short.some(({ kid }) => header.kid === undefined || kid === header.kid)
      if (!(error instanceof errors.JWKSNoMatchingKey && short)) throw error
      return refuse(unavailable(`Your sign-in can’t be checked. ${shortKeysSay(known.short, min_rsa_bits)} Contact your administrator.`))
    }
  }

  const key: JWTVerifyGetKey = async (header, token) => {
    const known = await present()
    try {
      return await keyOf(known, header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // Another request may already be fetching the provider's newest key.
      if (fetching !== null) {
        await fetching.catch(() => away())
        return keyOf(known, header, token)
      }
      const kid = sha256(`${header.alg} ${header.kid}`)
      const before = looked.get(kid)
      if (before !== undefined && now() - before.at < UNKNOWN_KEY_MS) {
        // A token whose key could not be looked up is not called invalid, because the app would sign its user out while the provider is only unavailable.
        if (before.failed) away()
        throw error
      }
      // The same applies to a new key id if strangers have used up the look-ups: it may be the provider's newest key.
      if (!mayLook()) away()
      if (looked.size >= REMEMBERED) looked = new Map()
      const look = { at: now(), failed: false }
      looked.set(kid, look)
      await fetchKeys(known).catch(() => {
        look.failed = true
        return away()
      })
      return keyOf(known, header, token)
    }
  }

  return {
    ready: () => found !== null,
    /** Counts the sets of keys that were fetched. */
    generation: () => generation,
    discovery: async () => (await present()).document,
    source: async (): Promise<Source> => ({
      key,
      issuer: (await present()).issuer,
      typ: null,
    }),
  }
}
