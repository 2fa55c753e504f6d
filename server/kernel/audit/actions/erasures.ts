// Erasure from the audit log. An entry of the same chain lists what is erased, signed with a key that no copy of the database contains; anything
// else that is missing is a fault. The entry also gives the state of each record from then on, so that its row can still be compared.
import { hashVersion } from '../../../../shared/proof/algorithms.ts'
import { wordsText } from '../../../../shared/proof/entry.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Db } from '../../../base/db.ts'
import { digestBy, type Id, ids } from '../../../base/ids.ts'
import { encipherer } from '../../person-data/door.ts'
import { kindNamed } from '../../records/door.ts'
import { changesBetween, ERASURE, type Erased, type Erasure, erasureText, UPGRADE, type Upgrade } from '../domain.ts'
import { clearEntry, entriesAbout, entriesOfType, presentRow } from '../queries.ts'
import { freshSalt, geometryDigest, versionNow } from './digests.ts'
import { spelled, stateDigest } from './seal.ts'

/** The signer: a key of the site or of the platform (`kernel/statements`). */
type Signer = { kid: string; sign(text: string): string }

/** Name that is shown in place of an erased person's. */
export const FORMER = 'Former user'

/**
 * Erases the content of entries about these records: their changes, and the names in them. It is part of the caller's transaction, and the entry that
 * lists them is sealed with it.
 */
export async function eraseEntries(
  ctx: Ctx,
  site_id: Id,
  about: readonly { kind: string; id: Id }[],
  reason: string,
  signer: Signer,
): Promise<void> {
  const records: Erased['records'] = []
  for (const { kind: name, id } of about) {
    const kind = kindNamed(name)
    const row = kind === undefined ? null : spelled(await presentRow(ctx.db, kind, site_id, id))
    if (kind === undefined || row === null) continue
    const salt = freshSalt()
    const present = { site_id, record_id: id, table_name: kind.table, before: null, after: row }
    const changes = (await encipherer(ctx, [present]))(present, changesBetween(null, row, kind, geometryDigest))
    const fields = Object.fromEntries(changes.map(({ path, after }) => [path, after]))
    records.push({ kind: name, id, fields, state: stateDigest(versionNow(ctx), salt, row, kind), salt })
  }
  const entries: Erased['entries'] = []
  for (const entry of await entriesAbout(
    ctx.db,
    site_id,
    about.map(({ id }) => id),
  )) {
    // Names in entries of version 1 have no digest of their own; the entry that begins version 2 protects them.
    const words = entry.v === 1 || entry.words_salt === null ? null : { actor_name: entry.actor_name, entity_label: FORMER, reason: null }
    if (entry.salt === null && words === null) continue
    const words_digest = entry.words_salt === null ? null : digestBy(hashVersion(entry.v) ?? 2, entry.words_salt + wordsText(entry))
    await clearEntry(ctx.db, site_id, entry.seq, words, words_digest)
    entries.push({ seq: entry.seq, changes: true, words })
  }
  const erased: Erased = { entries, records }
  const signature = signer.sign(erasureText(site_id, erased))
  ctx.trail.entries.push({
    site_id,
    entity_type: ERASURE,
    entity_id: ids.next(),
    entity_label: FORMER,
    note: { action: 'delete', reason },
    changes: [
      { path: 'erased', before: null, after: erased },
      { path: 'signature', before: null, after: { kid: signer.kid, signature } },
    ],
  })
}

/** Lists every erasure of a chain, oldest first, as described in its entry. */
export async function erasuresOf(db: Db, site_id: Id): Promise<Erasure[]> {
  return (await entriesOfType(db, site_id, ERASURE)).flatMap(({ seq, v, changes }) => {
    const told = (path: string) => changes?.find(change => change.path === path)?.after
    const [erased, signed] = [told('erased'), told('signature')] as [Erased | undefined, { kid: string; signature: string } | undefined] // made by eraseEntries
    return erased === undefined || signed === undefined ? [] : [{ seq, v: hashVersion(v) ?? 2, erased, ...signed }]
  })
}

/** Returns what the entry that began version 2 protects; null if the chain never had another version. */
export async function upgradeOf(db: Db, site_id: Id): Promise<Upgrade | null> {
  const [first] = await entriesOfType(db, site_id, UPGRADE)
  if (first === undefined || first.v === 1) return null
  const told = (path: string) => first.changes?.find(change => change.path === path)?.after
  const fixed = told('entries') as { digests: string[]; size: number; through: number } | undefined // in the form that the migration makes; the chain proves it
  const erased = (told('erased') ?? []) as number[] // in the same form
  if (fixed === undefined || fixed.through !== first.seq - 1) return null
  return { seq: first.seq, ...fixed, erased: new Set(erased) }
}
