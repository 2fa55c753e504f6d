import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { instant, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { ids, secretToken } from '../../../base/ids.ts'
import { platformSecret } from './secrets.ts'

/** Signing keys of the built-in provider and keys for its cookies. They are in the database, so that every node uses the same ones. */
export type ProviderKeys = { jwks: JWK[]; cookies: string[] }

/** Returns this installation's keys; made on the first call. */
export async function providerKeys(house: House): Promise<ProviderKeys> {
  const make = async (): Promise<ProviderKeys> => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    return {
      jwks: [{ ...(await exportJWK(privateKey)), kid: ids.next(), alg: 'ES256', use: 'sig' }],
      cookies: [secretToken(), secretToken()],
    }
  }
  return (await platformSecret(house, 'oidc', make)) as ProviderKeys // only this function writes it
}

/** Stored issuer of people who sign in with the built-in provider. Its URL may change with PUBLIC_URL; their identity must stay the same. */
export const BUILT_IN = 'built-in'

/** Returns the URL of the built-in provider: the `iss` of its tokens. */
export const builtInIssuer = (house: House): string => `${house.settings.public_url}/oidc`

/** Lifetime of an access token of the built-in provider, in seconds. */
export const ACCESS_TOKEN_SECONDS = 15 * 60

/** Creates an access token for a person. */
export type Mint = (
  person: { subject: string; name: string; email: string | null; email_verified: boolean },
  options?: { seconds?: number; claims?: Record<string, unknown> },
) => Promise<string>

/**
 * Returns what creates access tokens of the built-in provider without a sign-in, with the key of this moment: for `walkdown token` and tests. They have the same form
 * as the tokens for the app; refused with an external issuer.
 */
export async function openMint(house: House): Promise<Mint> {
  if (house.settings.oidc_issuer !== null) throw new Error('Tokens come from the external provider (OIDC_ISSUER is set).')
  const { jwks } = await providerKeys(house)
  const jwk = jwks[0]
  if (jwk === undefined) throw new Error('The built-in provider has no key.')
  const key = await importJWK(jwk, 'ES256')
  return ({ subject, name, email, email_verified }, options = {}) => {
    const now = Math.floor(ms(house.clock.now()) / 1000)
    return new SignJWT({
      name,
      ...(email === null ? {} : { email, email_verified }),
      client_id: house.settings.oidc_client_id,
      ...options.claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid ?? '' })
      .setIssuer(builtInIssuer(house))
      .setSubject(subject)
      .setAudience(house.settings.oidc_audience)
      .setIssuedAt(now)
      .setExpirationTime(now + (options.seconds ?? ACCESS_TOKEN_SECONDS))
      .setJti(ids.next())
      .sign(key)
  }
}

/** Creates one access token, as `openMint` does. */
export const mintToken = async (house: House, ...[person, options]: Parameters<Mint>): Promise<string> =>
  (await openMint(house))(person, options)

/** Converts seconds since 1970 to an instant. */
export const ofSeconds = (seconds: number) => instant(seconds * 1000)
