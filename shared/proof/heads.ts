// Heads of audit logs as they are sent to another system: the last number and hash of each log at a moment, signed with the platform's key. Stored elsewhere, they show whether a log
// was cut, rewritten or deleted since, even by a person who can recompute every hash.
import { fieldsIn } from '../narrow.ts'
import { canonicalJson } from './canonical.ts'
import { bytesOf64, type PublicKey, signedBy } from './statement.ts'

/** Format name. */
export const HEADS_FORM = 'walkdown audit heads 1'

/** The end of a log: its last number and hash. The platform has the id of zeros. */
export type LogHead = { site_id: string; seq: number; hash: string }

/** The heads of all logs of an installation, signed. */
export type SignedHeads = { form: string; at: string; heads: LogHead[]; kid: string; signature: string }

/** Returns the text that the signature covers. */
export const headsText = ({ form, at, heads }: Pick<SignedHeads, 'form' | 'at' | 'heads'>): string =>
  `walkdown audit heads ${canonicalJson({ form, at, heads })}`

const isText = (value: unknown): value is string => typeof value === 'string'

/** Returns whether a value is the end of a log. */
export function isHead(value: unknown): value is LogHead {
  const { site_id, seq, hash } = fieldsIn(value)
  return isText(site_id) && Number.isInteger(seq) && isText(hash)
}

/** Returns whether a value that was read from a file can be such heads. */
export function isHeads(value: unknown): value is SignedHeads {
  const { form, at, heads, kid, signature } = fieldsIn(value)
  return form === HEADS_FORM && isText(at) && isText(kid) && isText(signature) && Array.isArray(heads) && heads.every(isHead)
}

/** Returns whether one of these keys signed the heads. A revoked key proves nothing. */
export async function headsSigned(signed: SignedHeads, keys: readonly PublicKey[]): Promise<boolean> {
  const key = keys.find(one => one.kid === signed.kid && one.revoked_at === null)
  const signature = bytesOf64(signed.signature)
  return key !== undefined && signature !== null && signedBy(key, headsText(signed), signature)
}
