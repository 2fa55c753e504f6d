import { compactVerify, createLocalJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import type { Verified } from '../../../base/edge-options.ts'
import { Refused, refuse, type TokenFault, unauthenticated } from '../../../base/errors.ts'
import { sha256 } from '../../../base/ids.ts'
import { ALGORITHMS, claimsFault, MIN_RSA_BITS, soundKeys } from '../domain.ts'
import { externalKeys, KEYS_FRESH_MS, REMEMBERED, type Source } from './external.ts'
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
const LONGEST_TOKEN = 16_384

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
      key: createLocalJWKSet({ keys: soundKeys({ keys: jwks }, MIN_RSA_BITS).keys }),
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
      // The keys of the built-in provider are read once, so verifying a token again would find the same.
      const fresh = external === null ? Number.POSITIVE_INFINITY : now + KEYS_FRESH_MS
      const until = Math.min(((payload.exp ?? 0) + GRACE_SECONDS) * 1000, fresh)
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
export async function signatureFault(token: string, set: unknown, min_rsa_bits = MIN_RSA_BITS): Promise<TokenFault | null> {
  try {
    await compactVerify(token, createLocalJWKSet({ keys: soundKeys(set, min_rsa_bits).keys }), { algorithms: ALGORITHMS })
    return null
  } catch (error) {
    return faultOf(error)[0]
  }
}
