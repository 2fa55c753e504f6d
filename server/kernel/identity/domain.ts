import type { JWK } from 'jose'
import { localeOf } from '../../../shared/locale.ts'

/** Signature algorithms that are accepted from any issuer; never `none` or HS…. */
export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']

/** Small primes that reveal the moduli of a flawed generator of RSA keys (CVE-2017-15361): modulo each of them, the modulus is a power of 65537. */
const MARKS = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157]

const flawed = (n: bigint): boolean =>
  MARKS.every(prime => {
    const rest = Number(n % BigInt(prime))
    let power = 1
    for (let i = 0; i < prime; i++) {
      if (power === rest) return true
      power = (power * (65537 % prime)) % prime
    }
    return false
  })

/** Shortest RSA key of a provider unless a setting permits shorter ones: 3,072 bits give 128 bits of security (NIST SP 800-57). */
export const MIN_RSA_BITS = 3072
/** No setting permits shorter RSA keys than these (RFC 7518 §3.3). */
const LEAST_RSA_BITS = 2048

const numberOf = (text: unknown): bigint => {
  if (typeof text !== 'string' || !/^[\w-]+$/.test(text)) return 0n
  const hex = [...atob(text.replaceAll('-', '+').replaceAll('_', '/'))].map(c => c.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return BigInt(`0x${hex || '0'}`)
}

const lengthOf = (n: bigint): number => n.toString(2).length

function sound(key: JWK): boolean {
  switch (key.kty) {
    case 'RSA': {
      const [n, e] = [numberOf(key.n), numberOf(key.e)]
      return lengthOf(n) >= LEAST_RSA_BITS && n % 2n === 1n && e >= 3n && e % 2n === 1n && !flawed(n)
    }
    case 'EC':
      return key.crv === 'P-256'
    case 'OKP':
      return key.crv === 'Ed25519'
    default:
      return false
  }
}

/** An RSA key of a provider that is sound except that it is shorter than the setting requires. */
export type Short = { kid: string | null; bits: number }

/**
 * Returns the keys of a provider's key set that can verify signatures (P-256, Ed25519, and public RSA keys with enough bits), and the RSA keys for
 * RS256 that are only too short.
 */
export function soundKeys(set: unknown, min_rsa_bits: number): { keys: JWK[]; short: Short[] } {
  const listed = typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys) ? set.keys : []
  const all = listed.filter((key): key is JWK => typeof key === 'object' && key !== null && 'kty' in key).filter(sound)
  const bitsOf = (key: JWK) => (key.kty === 'RSA' ? lengthOf(numberOf(key.n)) : Number.POSITIVE_INFINITY)
  const signs = (key: JWK) => (key.use ?? 'sig') === 'sig' && (key.alg ?? 'RS256') === 'RS256'
  return {
    keys: all
      .filter(key => bitsOf(key) >= min_rsa_bits)
      .map(({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, ...open }) => open),
    short: all
      .filter(key => bitsOf(key) < min_rsa_bits && signs(key))
      .map(key => ({ kid: typeof key.kid === 'string' ? key.kid : null, bits: bitsOf(key) })),
  }
}

/** Returns the sentences that say why RSA keys of the provider are refused. */
export function shortKeysSay(short: Short[], min_rsa_bits: number): string {
  const bits = Math.min(...short.map(key => key.bits))
  return `The identity provider has an RSA key of ${bits} bits, and OIDC_MIN_RSA_BITS requires ${min_rsa_bits}.`
}

/** A token's claims about a person. Only issuer and subject identify them; OpenID Connect doesn't promise that any other claim is unique or stable. */
export type Claims = {
  issuer: string
  subject: string
  name: string | null
  email: string | null
  email_verified: boolean
  locale: string | null
  timezone: string | null
  /** Seconds since 1970; null if the token doesn't include it. */
  issued_at: number | null
}

/** Longest subject that is accepted: OpenID Connect Core §2 allows 255 ASCII characters. */
const LONGEST_SUBJECT = 255
/** The last second that a date can represent. */
const LAST_SECOND = 8_640_000_000_000

/** Returns why the claims of a token with a valid signature can't be used; null if they can. */
export function claimsFault(claims: Record<string, unknown>): string | null {
  const { sub, iat, exp, nbf } = claims
  if (typeof sub !== 'string' || sub === '') return 'The token has no subject (sub).'
  if (sub.length > LONGEST_SUBJECT) return `The subject of the token (sub) has more than ${LONGEST_SUBJECT} characters.`
  if (!sub.isWellFormed() || /\p{Cc}/u.test(sub)) return 'The subject of the token (sub) has characters that can’t be stored.'
  for (const [name, time] of Object.entries({ iat, exp, nbf }))
    if (time !== undefined && !(typeof time === 'number' && Number.isFinite(time) && time >= 0 && time <= LAST_SECOND))
      return `The token’s ${name} isn’t a time.`
  return null
}

const textOf = (value: unknown, max = 200): string | null => {
  if (typeof value !== 'string') return null
  const clean = value
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return clean === '' || !clean.isWellFormed() ? null : clean.slice(0, max)
}

/** Returns the claims of a person; the name falls back as described in `site-and-people.md` §5. `email_verified` is false unless the token says true. */
export function claimsOf(issuer: string, subject: string, claims: Record<string, unknown>): Claims {
  const email = textOf(claims.email, 320)
  const given = textOf([claims.given_name, claims.family_name].filter(part => typeof part === 'string').join(' '))
  const name = textOf(claims.name) ?? given ?? textOf(claims.preferred_username)
  return {
    issuer,
    subject,
    name,
    email: email?.includes('@') ? email : null,
    email_verified: claims.email_verified === true || claims.email_verified === 'true',
    // Some identity providers write en_GB (OpenID Connect Core, 5.1).
    locale: localeOf(textOf(claims.locale, 35)?.replaceAll('_', '-') ?? ''),
    timezone: textOf(claims.zoneinfo, 60),
    issued_at: typeof claims.iat === 'number' ? Math.floor(claims.iat) : null,
  }
}

/** Returns the name to show, from claims or known values. */
export const shownName = (claims: Pick<Claims, 'name' | 'email'>): string => claims.name ?? claims.email?.split('@')[0] ?? 'Unnamed'

/** Returns whether the settings make this person a superadmin: by subject, or by a verified address. Never "the first to sign in". */
export function listedAsSuperadmin(
  claims: Pick<Claims, 'subject' | 'email' | 'email_verified'>,
  settings: { superadmin_subjects: readonly string[]; superadmin_emails: readonly string[] },
): boolean {
  if (settings.superadmin_subjects.includes(claims.subject)) return true
  return claims.email_verified && claims.email !== null && settings.superadmin_emails.includes(claims.email.toLowerCase())
}
