// Codes of the second factor: those of an authenticator app (TOTP, RFC 6238) and recovery codes.
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { type Instant, ms } from '../../../../shared/time.ts'
import { sha256 } from '../../../base/ids.ts'

/** What every authenticator app understands, and nothing else. */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Steps by which the clock of a phone can differ, in either direction. */
const DRIFT = 1

/** Makes the secret of an authenticator app: 160 bits, in base 32. */
export const newSecret = (): string => new Secret({ buffer: new Uint8Array(randomBytes(20)).buffer }).base32

/** Returns the URL with which an authenticator app learns its secret, in the form that the QR code contains. */
export const appUrl = (secret: string, email: string): string =>
  new TOTP({ ...KIND, issuer: 'Walkdown', label: email, secret: Secret.fromBase32(secret) }).toString()

/** Returns the step of thirty seconds to which a code belongs, if it is valid now; null if it isn't. */
export function stepOfCode(secret: string, code: string, now: Instant): number | null {
  const timestamp = ms(now)
  const drift = TOTP.validate({ ...KIND, token: code, secret: Secret.fromBase32(secret), timestamp, window: DRIFT })
  return drift === null ? null : TOTP.counter({ period: KIND.period, timestamp }) + drift
}

/** Number of recovery codes that a person gets at once. */
export const RECOVERY_CODES = 10
/** Base 32 without letters that look like digits (Crockford). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 4
const RECOVERY_LETTERS = 24

/** Makes recovery codes: 120 bits each, in six groups of four characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    groups([...randomBytes(RECOVERY_LETTERS)].map(byte => LETTERS[byte % LETTERS.length]).join(''), '-'),
  )

/** Splits text into groups of four characters, which are easier to copy. */
export const groups = (text: string, between = ' '): string => text.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join(between) ?? ''

/** What a person typed: a code of the app, a recovery code, or neither. */
export type Typed = { kind: 'code'; code: string } | { kind: 'recovery_code'; hash: string } | { kind: 'neither' }

/** Reads a code as people type it: with spaces or hyphens, in any case, and with an O for a zero. */
export function typedCode(text: string): Typed {
  const bare = text
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
  if (/^\d{6}$/.test(bare)) return { kind: 'code', code: bare }
  const code = bare.replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === RECOVERY_LETTERS && [...code].every(letter => LETTERS.includes(letter))
    ? { kind: 'recovery_code', hash: recoveryHash(code) }
    : { kind: 'neither' }
}

/** Hashes a recovery code for storage. It has 120 bits, so a hash without salt or cost is enough. */
export const recoveryHash = (code: string): string => sha256(`recovery ${code.replaceAll('-', '')}`)
