// Digests of the parts of an entry, by the hash of its version.
import { randomBytes } from 'node:crypto'
import { AUDIT_HASHES, type HashVersion } from '../../../../shared/proof/algorithms.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { digestBy, type Id, sha256 } from '../../../base/ids.ts'
import { type Change, canonical, genesisText, plainly } from '../domain.ts'

/** Returns changes as canonical JSON. Their three keys are already in order as written here; a library would sort them for each of a million fields. */
const canonicalChanges = (changes: readonly Change[]): string =>
  `[${changes.map(({ path, before, after }) => `{"after":${plainly(after)},"before":${plainly(before)},"path":${JSON.stringify(path)}}`).join(',')}]`

/** Returns the digest of the changes of an entry: H(salt ‖ JCS(changes)), with the hash of the entry's version. */
export const digestOf = (v: HashVersion, salt: string, changes: readonly Change[] | null): string =>
  digestBy(v, salt + (changes === null ? 'null' : canonicalChanges(changes)))

// Salts are generated many at a time, because a call for each entry of an import would take most of its time.
let salts = Buffer.alloc(0)
/** 16 random bytes in hex. */
export function freshSalt(): string {
  if (salts.length < 16) salts = randomBytes(16 * 256)
  const salt = salts.toString('hex', 0, 16)
  salts = salts.subarray(16)
  return salt
}

/** Returns the hash that the first entry of a chain follows. */
export const genesisOf = (site_id: Id): string => sha256(genesisText(site_id))

/** Returns the version of the hash that new entries have. */
export const versionNow = (ctx: Pick<Ctx, 'house'>): HashVersion => AUDIT_HASHES[ctx.house.settings.algorithms.audit_hash]

/** Returns what an entry stores about a geometry. */
export const geometryDigest = (geometry: unknown) => ({ sha256: sha256(canonical(geometry)) })
