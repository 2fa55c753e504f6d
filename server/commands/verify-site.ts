// Everything on a site that can be proven: its audit log, its rows against the audit log, the signatures on its permits, the bytes of its files and
// documents.
import type { House } from '../base/ctx.ts'
import type { Db } from '../base/db.ts'
import { type Id, PLATFORM } from '../base/ids.ts'
import { verifyChain } from '../kernel/audit/door.ts'
import { bytesFault, filesAfter } from '../kernel/evidence/door.ts'
import { papersAfter } from '../kernel/papers/door.ts'
import { rowFaults } from '../rooms/operate/audit/door.ts'
import { signatureFaults } from '../rooms/permits/permit-signatures/door.ts'
import { filesOfPermits } from '../rooms/permits/permits/door.ts'
import { missingLog, notedHeadFaults, type SiteFault, secretFaults, unsignedErasures } from './verify-places.ts'

export type { SiteFault } from './verify-places.ts'

const PIECE = 500

async function* pieces<T>(
  read: (after: string, limit: number) => Promise<T[]>,
  key: (item: T) => string,
  first: string,
): AsyncGenerator<T> {
  for (let after = first; ; ) {
    const piece = await read(after, PIECE)
    yield* piece
    const last = piece.at(-1)
    if (last === undefined || piece.length < PIECE) return
    after = key(last)
  }
}

/** Lists every fault of a site with its place, and repairs nothing. If `bytes` is false, the files are not read. */
export async function* faultsOf(house: Pick<House, 'storage' | 'settings'>, db: Db, site_id: Id, bytes = true): AsyncGenerator<SiteFault> {
  const { fault } = await verifyChain(db, site_id)
  if (fault !== null) yield { part: 'audit log', where: `seq ${fault.seq}`, detail: fault.detail }
  yield* missingLog(db, site_id)
  yield* unsignedErasures(db, site_id)
  if (site_id === PLATFORM) {
    yield* secretFaults(db)
    yield* notedHeadFaults(db)
  }
  for await (const row of rowFaults(db, site_id, house.settings))
    yield { part: 'record', where: `${row.kind} ${row.id} (${row.label})`, detail: row.detail }
  if (site_id === PLATFORM) return
  for await (const { permit_id, label, ...found } of signatureFaults(db, site_id)) {
    const of = { part: 'signature' as const, where: `permit ${permit_id} (${label})` }
    if (found.fault !== null) yield { ...of, detail: found.fault.detail }
    else
      yield {
        ...of,
        detail: `Signature ${found.outdated} is of the text before the permit was returned for corrections. It was edited after that, and ended without another review.`,
        harmless: true,
      }
  }
  if (!bytes) return
  // Each file is checked once, however many records show it; a fault is reported for each of those records.
  const faults = new Map<string, string>()
  const held = new Set<string>()
  for await (const file of pieces(
    (after, limit) => filesAfter(db, site_id, after, limit),
    f => f.sha256,
    '',
  )) {
    held.add(file.sha256)
    const found = await bytesFault(house, file)
    if (found !== null) faults.set(file.sha256, found)
  }
  const told = new Set<string>()
  const judged = (sha256: string) => {
    told.add(sha256)
    return held.has(sha256) ? (faults.get(sha256) ?? null) : 'The stored file is missing.'
  }
  for await (const file of pieces(
    (after, limit) => filesOfPermits(db, site_id, after, limit),
    f => f.id,
    PLATFORM,
  )) {
    const found = judged(file.sha256)
    if (found !== null) yield { part: 'file', where: `attachment ${file.id} (${file.label})`, detail: found }
  }
  for await (const paper of pieces(
    (after, limit) => papersAfter(db, site_id, after, limit),
    p => p.id,
    PLATFORM,
  )) {
    const found = judged(paper.sha256)
    if (found !== null)
      yield {
        part: 'document',
        where: `document ${paper.id} (${paper.occasion} of ${paper.subject_kind} ${paper.subject_id})`,
        detail: found,
      }
  }
  for (const [sha256, detail] of faults) if (!told.has(sha256)) yield { part: 'file', where: `file ${sha256}`, detail }
}
