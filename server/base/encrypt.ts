import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { CIPHERS, type Cipher } from '../../shared/proof/algorithms.ts'

/**
 * Encrypts bytes. `about` says what they belong to: they can't be decrypted as those of anything else. The label of the cipher comes first, except that of
 * AES-256-GCM, which is empty.
 */
export function encrypted(key: Uint8Array, plain: Uint8Array, about = '', cipher: Cipher = 'aes-256-gcm'): string {
  const nonce = randomBytes(12)
  const work = made(cipher, key, nonce).setAAD(Buffer.from(about), { plaintextLength: plain.length })
  return CIPHERS[cipher] + Buffer.concat([nonce, work.update(plain), work.final(), work.getAuthTag()]).toString('base64')
}

/** Decrypts what `encrypted` has made. Throws if the key, the bytes or `about` differ, or if no cipher has its label. */
export function decrypted(key: Uint8Array, text: string, about = ''): Buffer {
  const cipher = cipherOf(text)
  if (cipher === null) throw new Error(`The cipher “${text.slice(0, text.indexOf(':'))}” isn’t known.`)
  const bytes = Buffer.from(text.slice(CIPHERS[cipher].length), 'base64')
  const work = opened(cipher, key, bytes.subarray(0, 12)).setAAD(Buffer.from(about), { plaintextLength: bytes.length - 28 })
  work.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([work.update(bytes.subarray(12, -16)), work.final()])
}

/** Returns the cipher with which a value was encrypted, by its label; null if no cipher has it. */
export const cipherOf = (text: string): Cipher | null =>
  text.startsWith(CIPHERS['chacha20-poly1305']) ? 'chacha20-poly1305' : text.includes(':') ? null : 'aes-256-gcm'

const LENGTH = { authTagLength: 16 }

const made = (cipher: Cipher, key: Uint8Array, nonce: Uint8Array) =>
  cipher === 'aes-256-gcm' ? createCipheriv('aes-256-gcm', key, nonce, LENGTH) : createCipheriv('chacha20-poly1305', key, nonce, LENGTH)

const opened = (cipher: Cipher, key: Uint8Array, nonce: Uint8Array) =>
  cipher === 'aes-256-gcm' ? createDecipheriv('aes-256-gcm', key, nonce, LENGTH) : createDecipheriv('chacha20-poly1305', key, nonce, LENGTH)
