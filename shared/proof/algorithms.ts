// Every algorithm whose results are stored, in one place (decision 842). Each stored value says by which it was made, so that values by several of
// them can be verified side by side, and another can be used from any moment on.

/** Hashes of the audit logs by their version, with the name that every browser knows. Of SHA-512, the first 256 bits are used (FIPS 180-4, SP 800-107 §5.1). */
export const ENTRY_HASHES = {
  1: { name: 'SHA-256' },
  2: { name: 'SHA-256' },
  3: { name: 'SHA-512' },
} as const

/** Version of an entry of the audit log: 1 covers eight of its fields, 2 and 3 cover all of them. */
export type HashVersion = keyof typeof ENTRY_HASHES

/** Returns the version with this number; null if there is none. */
export const hashVersion = (v: number): HashVersion | null => (v === 1 || v === 2 || v === 3 ? v : null)

/** Returns the digest of text by the hash of a version of the audit log, in lower-case hex: always 256 bits. */
export async function digestBy(version: HashVersion, text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest(ENTRY_HASHES[version].name, new TextEncoder().encode(text)))
  return [...bytes.subarray(0, 32)].map(b => b.toString(16).padStart(2, '0')).join('')
}

/** Versions of entries whose hash covers every field, as AUDIT_HASH selects them. */
export const AUDIT_HASHES = { 'sha-256': 2, 'sha-512': 3 } as const

/** Keys with which a site signs, by the curve in their public key. Signatures have 64 bytes with either. */
export const SIGNATURES = {
  Ed25519: { kty: 'OKP', key: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
  'P-256': { kty: 'EC', key: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
} as const

/** Curve of a key with which a site signs. */
export type Curve = keyof typeof SIGNATURES

/** Returns the curve with this name; null if no key can be on it. */
export const curveOf = (crv: string): Curve | null => (crv === 'Ed25519' || crv === 'P-256' ? crv : null)

/** Ciphers of stored keys and secrets, all with authentication, and the label that what they encrypted begins with. Values without a label are AES-256-GCM. */
export const CIPHERS = { 'aes-256-gcm': '', 'chacha20-poly1305': 'chacha20-poly1305:' } as const

/** Cipher of a stored key or secret. */
export type Cipher = keyof typeof CIPHERS

/** What new values are made with, as the settings say. */
export type Algorithms = { audit_hash: keyof typeof AUDIT_HASHES; key_cipher: Cipher; signing_keys: Curve }
