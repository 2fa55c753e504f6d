// What the service keeps secret in the database is encrypted with SECRETS_KEY, if it is set: the secrets of the installation, and keys of person data.
import { isRecord } from '../../shared/narrow.ts'
import { cipherOf, decrypted, encrypted } from './encrypt.ts'
import { sha256 } from './ids.ts'
import type { Settings } from './settings.ts'

/** The settings that say how secrets are encrypted. */
export type Wrapping = Pick<Settings, 'secrets_keys' | 'algorithms'>

/** Encrypts a value with the present SECRETS_KEY; unchanged without one. `about` says what it belongs to: it can't be decrypted as anything else. */
export function wrapped({ secrets_keys, algorithms }: Wrapping, about: string, value: unknown): unknown {
  const [key] = secrets_keys
  return key === undefined ? value : { encrypted: encrypted(key, Buffer.from(JSON.stringify(value)), about, algorithms.key_cipher) }
}

/** Decrypts a value as it is stored. `present`: it is stored as the settings say now. Returns null if no key fits. */
export function unwrapped(
  { secrets_keys, algorithms }: Wrapping,
  about: string,
  stored: unknown,
): { value: unknown; present: boolean } | null {
  if (!isRecord(stored) || typeof stored.encrypted !== 'string') return { value: stored, present: secrets_keys.length === 0 }
  for (const [i, key] of secrets_keys.entries()) {
    try {
      return {
        value: JSON.parse(decrypted(key, stored.encrypted, about).toString()),
        present: i === 0 && cipherOf(stored.encrypted) === algorithms.key_cipher,
      }
    } catch {
      // it was encrypted with another key
    }
  }
  return null
}

/** Identifies the present SECRETS_KEY and cipher without showing the key; empty without one. */
export function wrappedBy({ secrets_keys, algorithms }: Wrapping): string {
  const [key] = secrets_keys
  return key === undefined ? '' : `${algorithms.key_cipher} ${sha256(key).slice(0, 16)}`
}
