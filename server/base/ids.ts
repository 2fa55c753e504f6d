import { hash, randomBytes, randomFillSync } from 'node:crypto'
import { ENTRY_HASHES, type HashVersion } from '../../shared/proof/algorithms.ts'

export { isId } from '../../shared/ids.ts'

/** A UUID as lower-case text. Ours are version 7, so they sort by the time when they were made. */
export type Id = string

/** The platform's own id, used where a site's id is required: its audit chain, and records without a site. */
export const PLATFORM: Id = '00000000-0000-0000-0000-000000000000'

let last = 0
let counter = 0

// Random bytes are made for many ids at a time, because a call for each id of an import would take longer than the rest of the id.
const POOL = Buffer.alloc(16 * 256)
let used = POOL.length

/** Returns 16 random bytes that nothing else gets. */
function random16(): Buffer {
  if (used === POOL.length) {
    randomFillSync(POOL)
    used = 0
  }
  used += 16
  return POOL.subarray(used - 16, used)
}

/** Makes ids: UUIDv7 (RFC 9562) with a counter, so that ids that this process makes one after another are in order. */
export const ids = {
  /** Returns the next id. Its time is the machine's own, even with `CLOCK=manual`: ids are there for their order, not for a date. */
  next(): Id {
    const now = Date.now()
    if (now > last) {
      last = now
      counter = random16().readUInt16BE() & 0x7ff
    } else if (++counter > 0xfff) {
      last += 1
      counter = 0
    }
    const bytes = random16()
    bytes.writeUIntBE(last, 0, 6)
    bytes.writeUInt16BE(0x7000 | counter, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
}

/** Makes a secret of 256 random bits for links and invitations, base64url. Store only its `sha256`. */
export const secretToken = (): string => randomBytes(32).toString('base64url')

/** Returns the SHA-256 of text (as UTF-8) or bytes, in lower-case hex. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'hex')

/** Returns the digest of text by the hash of a version of the audit log, in lower-case hex: always 256 bits. */
export const digestBy = (version: HashVersion, text: string): string =>
  ENTRY_HASHES[version].name === 'SHA-512' ? hash('sha512', text, 'hex').slice(0, 64) : sha256(text)
