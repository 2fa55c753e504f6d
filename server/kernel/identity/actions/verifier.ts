import { compactVerify, createLocalJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isRecord } from '../../../../shared/narrow.ts'
import { MINUTE, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import type { Verified } from '../../../base/edge-options.ts'
import { Refused, refuse, type TokenFault, unauthenticated, unavailable } from '../../../base/errors.ts'
import { sha256 } from '../../../base/ids.ts'
import { ALGORITHMS, claimsFault, soundKeys } from '../domain.ts'
import { BUILT_IN, builtInIssuer, providerKeys } from './keys.ts'

/** Verifies access tokens (`site-and-people.md` §5): RS256, ES256 or EdDSA of the configured issuer, never `none` or HS…. */
export type Verifier = {
  verify(authorization: string | undefined): Promise<Verified>
  /** Returns the content of a token that was verified before and is still valid, without verifying it again; null for any other. */
  proven(authorization: string | undefined): Verified | null
  /** Returns the discovery document of the external provider, or refuses with 503 while it can't be reached; null with the built-in provider. */
  discovery(): Promise<Record<string, unknown> | null>
  /** Returns whether keys of the issuer have been loaded, for the health check. */
  ready(): boolean
}

const GRACE_SECONDS = 60
const REMEMBERED = 20_000
const LONGEST_TOKEN = 16_384
/** How long keys, and the results of verified tokens, are used before they are fetched or verified again. */
const KEYS_FRESH_MS = 5 * MINUTE
/** The same unknown key is looked up at most once a minute; different ones, `LOOKUPS` in a row and one more every twelve seconds. */
const UNKNOWN_KEY_MS = MINUTE
const LOOKUPS = 5
const LOOKUP_EVERY_MS = 12_000
const PATIENCE_MS = 5000

type Source = { key: JWTVerifyGetKey; issuer: string; typ: string | null }

/** Makes this installation's verifier. Keys of an external issuer are fetched when they are first needed. */
export function makeVerifier(house: House): Verifier {
  const { settings } = house
  const remembered = new Map<string, { verified: Verified; until: number; keys: number }>()
  const external = settings.oidc_issuer === null ? null : externalKeys(house, settings.oidc_issuer)
  let own: Promise<Source> | null = null
  let loaded = false

  async function source(): Promise<Source> {
    if (external !== null) return external.source()
    own ??= providerKeys(house).then(({ jwks }) => ({
      key: createLocalJWKSet({ keys: soundKeys({ keys: jwks }) }),
      issuer: builtInIssuer(house),
      typ: 'at+jwt',
    }))
    own.catch(() => {
      own = null
    })
    const keys = await own
    loaded = true
    return keys
  }

  const believed = (bearer: string): Verified | null => {
    const hash = sha256(bearer)
    const known = remembered.get(hash)
    if (known === undefined) return null
    // With a new set of keys, a token is verified again, so that a withdrawn key ends its tokens.
    if (ms(house.clock.now()) < known.until && known.keys === (external?.generation() ?? 0)) return known.verified
    remembered.delete(hash)
    return null
  }

  return {
    ready: () => external?.ready() ?? loaded,
    discovery: async () => external?.discovery() ?? null,
    proven(authorization) {
      const bearer = bearerOf(authorization)
      return bearer === null ? null : believed(bearer)
    },
    async verify(authorization) {
      if (authorization === undefined || authorization.trim() === '')
        refuse(unauthenticated('missing', 'You aren’t signed in. Sign in and try again.'))
      const bearer = bearerOf(authorization)
      if (bearer === null) return refuse(unauthenticated('malformed', 'The Authorization header must be "Bearer" followed by a token.'))
      if (bearer.length > LONGEST_TOKEN)
        return refuse(unauthenticated('malformed', `The token has more than ${LONGEST_TOKEN} characters. Sign in again.`))
      const known = believed(bearer)
      if (known !== null) return known
      const { key, issuer, typ } = await source()
      const now = ms(house.clock.now())
      const keys = external?.generation() ?? 0
      const payload = await checked(bearer, key, issuer, settings.oidc_audience, typ, now)
      const verified: Verified = { issuer: external === null ? BUILT_IN : issuer, subject: payload.sub ?? '', bearer, claims: payload }
      if (remembered.size >= REMEMBERED) remembered.clear()
      const until = Math.min(((payload.exp ?? 0) + GRACE_SECONDS) * 1000, now + KEYS_FRESH_MS)
      remembered.set(sha256(bearer), { verified, until, keys })
      return verified
    },
  }
}

/** Returns the token in an Authorization header; null if there is none in the expected form. */
const bearerOf = (authorization: string | undefined): string | null =>
  /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1] ?? null

async function checked(
  bearer: string,
  key: JWTVerifyGetKey,
  issuer: string,
  audience: string,
  typ: string | null,
  now: number,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(bearer, key, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: GRACE_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ['exp', 'sub'],
      ...(typ === null ? {} : { typ }),
    })
    const fault = claimsFault(payload)
    return fault === null ? payload : refuse(unauthenticated('malformed', `${fault} Contact your administrator.`))
  } catch (error) {
    if (error instanceof Refused) throw error
    return refuse(unauthenticated(...faultOf(error)))
  }
}

function faultOf(error: unknown): [TokenFault, string] {
  if (error instanceof errors.JWTExpired) return ['expired', 'Your session has ended. Sign in again.']
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return ['wrong_issuer', 'The token comes from another identity provider. Sign in again.']
    if (error.claim === 'aud') return ['wrong_audience', 'The token is for another service. Sign in again.']
    if (error.reason === 'check_failed' && (error.claim === 'nbf' || error.claim === 'iat'))
      return [
        'expired',
        'The token isn’t valid yet: the clocks of the service and the identity provider differ. Contact your administrator.',
      ]
    return ['malformed', 'The token isn’t an access token of this service. Sign in again.']
  }
  if (
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JWKSMultipleMatchingKeys
  ) {
    return ['bad_signature', 'The signature of the token isn’t valid. Sign in again.']
  }
  if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
    return ['malformed', 'The token can’t be read. Sign in again.']
  // A key of the provider that can't be used: nothing that it signed is accepted.
  if (error instanceof DOMException) return ['bad_signature', 'The signature of the token isn’t valid. Sign in again.']
  throw error
}

/** Checks a signature with the keys of a set and nothing else in the token, as the published test vectors require. */
export async function signatureFault(token: string, set: unknown): Promise<TokenFault | null> {
  try {
    await compactVerify(token, createLocalJWKSet({ keys: soundKeys(set) }), { algorithms: ALGORITHMS })
    return null
  } catch (error) {
    return faultOf(error)[0]
  }
}

type Found = { key: JWTVerifyGetKey; issuer: string; jwks_uri: string; document: Record<string, unknown> }

async function ask(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`The identity provider responded with ${response.status}.`)
  const said: unknown = await response.json()
  if (!isRecord(said)) throw new Error('The identity provider’s response isn’t an object.')
  return said
}

const keysAt = async (jwks_uri: string): Promise<JWTVerifyGetKey> => createLocalJWKSet({ keys: soundKeys(await ask(jwks_uri)) })

/** Keys of an external provider: found by discovery and remembered. An unknown key causes a new look-up, at most once a minute for the same key. */
function externalKeys(house: House, configured: string) {
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

  async function find(): Promise<Found> {
    const document = await ask(`${configured}/.well-known/openid-configuration`)
    const { issuer, jwks_uri } = document
    if (typeof issuer !== 'string' || typeof jwks_uri !== 'string') throw new Error('The discovery document has no issuer or no keys.')
    if (issuer.replace(/\/$/, '') !== configured) throw new Error(`The discovery document of ${configured} has another issuer, ${issuer}.`)
    found = { key: await keysAt(jwks_uri), issuer, jwks_uri, document }
    refreshed = now()
    return found
  }

  /** Fetches the keys again; parallel callers share one request. */
  function fetchKeys(known: Found): Promise<void> {
    fetching ??= keysAt(known.jwks_uri)
      .then(fresh => {
        known.key = fresh
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

  const key: JWTVerifyGetKey = async (header, token) => {
    const known = await present()
    try {
      return await known.key(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // Another request may already be fetching the provider's newest key.
      if (fetching !== null) {
        await fetching.catch(() => away())
        return known.key(header, token)
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
      return known.key(header, token)
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
