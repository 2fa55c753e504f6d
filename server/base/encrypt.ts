import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts bytes with AES-256-GCM. `about` says what they belong to: they can't be decrypted as those of anything else. */
export function encrypted(key: Uint8Array, plain: Uint8Array, about = ''): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** Decrypts what `encrypted` has made. Throws if the key, the bytes or `about` differ. */
export function decrypted(key: Uint8Array, text: string, about = ''): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 }).setAAD(Buffer.from(about))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
}
