import { createHash, randomBytes } from 'node:crypto'

/** A UUID as text, lower case. Ours are version 7, so that they sort by the time they were made. */
export type Id = string

/** The id that stands for the platform itself where a site's id is asked: its chain, its site-less records. */
export const PLATFORM: Id = '00000000-0000-0000-0000-000000000000'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text is a UUID of any version. */
export const isId = (text: string): boolean => UUID.test(text)

let last = 0
let counter = 0

/** Makes ids: UUIDv7 (RFC 9562) with a counter, so that those made here one after the other also sort so. */
export const ids = {
  /** The next id. The time in it is the machine's own, also with `CLOCK=manual`: ids order, they do not date. */
  next(): Id {
    const now = Date.now()
    if (now > last) {
      last = now
      counter = randomBytes(2).readUInt16BE() & 0x7ff
    } else if (++counter > 0xfff) {
      last += 1
      counter = 0
    }
    const bytes = randomBytes(16)
    bytes.writeUIntBE(last, 0, 6)
    bytes.writeUInt16BE(0x7000 | counter, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
}

/** A secret of 256 random bits for links and invitations, base64url. Keep only its `sha256`. */
export const secretToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of text (as UTF-8) or bytes, in lower-case hex. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
