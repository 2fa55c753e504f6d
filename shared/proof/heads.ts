// Heads of audit logs as they are sent to another system: the last number and hash of each log at a moment, signed with the platform's key. Stored elsewhere, they show whether a log
// was cut, rewritten or deleted since, even by a person who can recompute every hash.
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

/** Returns whether a value that was read from a file can be such heads. */
export function isHeads(value: unknown): value is SignedHeads {
  if (typeof value !== 'object' || value === null) return false
  const v = value as Partial<SignedHeads> // each part is checked below
  const text = (x: unknown) => typeof x === 'string'
  const head = (x: LogHead) => text(x?.site_id) && Number.isInteger(x?.seq) && text(x?.hash)
  return v.form === HEADS_FORM && text(v.at) && text(v.kid) && text(v.signature) && Array.isArray(v.heads) && v.heads.every(head)
}

/** Returns whether one of these keys signed the heads. A revoked key proves nothing. */
export async function headsSigned(signed: SignedHeads, keys: readonly PublicKey[]): Promise<boolean> {
  const key = keys.find(one => one.kid === signed.kid && one.revoked_at === null)
  const signature = bytesOf64(signed.signature)
  return key !== undefined && signature !== null && signedBy(key, headsText(signed), signature)
}
