// Verifies the signature chain of a permit from its start, and reports where it was altered; repairs nothing.
import { fieldsIn, keysOf } from '../../../../../shared/narrow.ts'
import type { Db } from '../../../../base/db.ts'
import { type Id, PLATFORM, sha256 } from '../../../../base/ids.ts'
import { canonical, geometryDigest } from '../../../../kernel/audit/door.ts'
import { contentOf, type Signed } from '../../kit/domain/content.ts'
import { isEditable } from '../../kit/domain/facts.ts'
import { placeOfRow } from '../../kit/domain/place.ts'
import { type AttachmentRow, attachmentsOf, type PermitRow, permitsById, type SignatureRow } from '../../kit/queries/permits.ts'
import { editedAfterReturn } from '../domain.ts'
import { notedAfter, notedSignatures, signaturesOf, signedPermits } from '../queries.ts'
import { firstHash, signatureHash } from './sign.ts'

/** Where a chain was altered: at which signature, and what about it. */
export type SignatureFault = {
  number: number
  what: 'missing' | 'link' | 'content' | 'hash' | 'unrecorded' | 'voiding' | 'permit'
  detail: string
}

/** What a verification found: how many signatures, and the first fault. `outdated`: the last one, if it is of a text that was edited after a return for corrections. */
export type SignatureReport = { signatures: number; fault: SignatureFault | null; outdated?: number }

/**
 * Checks that every signature follows from the one before it, covers what it says it covers, and is in the audit log, whose own chain shows what was
 * removed from the end. The permit must still say what was signed last.
 */
export async function verifySignatures(db: Db, site_id: Id, permit_id: Id): Promise<SignatureReport> {
  const [report] = await verifyMany(db, site_id, [permit_id])
  return report ?? { signatures: 0, fault: null }
}

/** Does the same for several permits, in their order. */
async function verifyMany(db: Db, site_id: Id, ids: readonly Id[]): Promise<SignatureReport[]> {
  if (ids.length === 0) return []
  const of = <T extends { permit_id: Id }>(rows: readonly T[]) => Map.groupBy(rows, row => row.permit_id)
  const signed = of(await signaturesOf(db, site_id, ids))
  const noted = of(await notedSignatures(db, site_id, ids))
  const permits = new Map((await permitsById(db, site_id, ids)).map(permit => [permit.id, permit]))
  const files = of(await attachmentsOf(db, site_id, ids))
  const reports: SignatureReport[] = []
  for (const id of ids) {
    const [rows, permit, own] = [signed.get(id) ?? [], permits.get(id), files.get(id) ?? []]
    const fault = chainFault(id, rows, noted.get(id) ?? [], permit, own)
    const last = rows.at(-1)
    const outdated =
      fault?.what === 'permit' &&
      permit !== undefined &&
      last !== undefined &&
      ROUND.includes(last.kind) &&
      (await isOutdated(db, permit, own, last))
    reports.push({ signatures: rows.length, ...(outdated ? { fault: null, outdated: fault.number } : { fault }) })
  }
  return reports
}

const ROUND: readonly string[] = ['stage1_approve', 'stage2_approve', 'issue', 'countersign']

/** Returns a geometry as the audit log has it. */
const digestOrNull = (geometry: unknown) => (geometry == null ? null : geometryDigest(geometry))

/** Returns the columns of a place that was signed, as the audit log has them. */
function placeInLog(place: unknown): Record<string, unknown> {
  const { building_id, level_index, zone_id, point, polygon } = fieldsIn(place)
  const { lon, lat } = fieldsIn(point)
  return {
    building_id,
    level_index,
    zone_id,
    place_geometry: digestOrNull(point === undefined ? polygon : { type: 'Point', coordinates: [lon, lat] }),
  }
}

/** Returns whether a permit differs from its last signature only by edits after it had been returned, before decision 1096 voided such signatures. */
async function isOutdated(db: Db, permit: PermitRow, files: readonly AttachmentRow[], last: SignatureRow): Promise<boolean> {
  const { attachments, place, permit_id: _id, ...signed } = last.content as Signed // contentOf made it
  // A signed file is never removed, whatever the history says.
  if (!hasAll(attachments, files)) return false
  return editedAfterReturn(
    { signed: { ...signed, ...placeInLog(place) }, now: { ...permit, place_geometry: digestOrNull(permit.place_geometry) } },
    await notedAfter(db, permit.site_id, permit.id, last.id),
  )
}

const same = (a: unknown, b: unknown) => canonical(a) === canonical(b)

/** Returns whether a permit still has all files that were signed. */
const hasAll = (signed: Signed['attachments'], now: Signed['attachments']): boolean =>
  signed.every(file => now.some(({ slot, filename, sha256: hash }) => same(file, { slot, filename, sha256: hash })))

function chainFault(
  permit_id: Id,
  rows: readonly SignatureRow[],
  noted: readonly { id: Id; voided: boolean }[],
  permit: PermitRow | undefined,
  files: readonly AttachmentRow[],
): SignatureFault | null {
  let prev_hash = firstHash(permit_id)
  for (const [i, row] of rows.entries()) {
    const fault = faultIn(row, i + 1, prev_hash)
    if (fault !== null) return fault
    prev_hash = row.hash
  }
  if (noted.length > rows.length) {
    const number = rows.length + 1
    return { number, what: 'missing', detail: `The audit log contains signature ${number}, but the permit doesn’t.` }
  }
  for (const row of rows) {
    const { number } = row
    const note = noted.find(n => n.id === row.id)
    if (note === undefined) return { number, what: 'unrecorded', detail: `Signature ${number} isn’t in the audit log.` }
    if (note.voided !== (row.voided_at !== null))
      return {
        number,
        what: 'voiding',
        detail: `Signature ${number} was ${note.voided ? 'voided, but isn’t marked as voided' : 'never voided'}.`,
      }
  }
  const last = rows.at(-1)
  if (permit === undefined || last === undefined || last.voided_at !== null || isEditable(permit.status) || permit.status === 'requested')
    return null
  const changed = changedSince(permit, files, last.content as Signed) // contentOf made it
  return changed.length === 0
    ? null
    : { number: last.number, what: 'permit', detail: `The permit has changed since signature ${last.number}: ${changed.join(', ')}.` }
}

const unlinked = (number: number): string =>
  number === 1 ? 'Signature 1 isn’t the first signature of this permit.' : `Signature ${number} doesn’t match the previous one.`

function faultIn(row: SignatureRow, number: number, prev_hash: string): SignatureFault | null {
  if (row.number !== number) return { number, what: 'missing', detail: `Signature ${number} is missing.` }
  if (row.prev_hash !== prev_hash) return { number, what: 'link', detail: unlinked(number) }
  if (sha256(canonical(row.content)) !== row.content_hash)
    return { number, what: 'content', detail: `The content covered by signature ${number} was altered.` }
  const { permit_id, kind, signer_id, signer_name, signer_role, signed_at, note, statement, on_behalf_of, content_hash } = row
  const hash = signatureHash(prev_hash, {
    permit_id,
    number,
    kind,
    signer_id,
    signer_name,
    signer_role,
    signed_at,
    note,
    statement,
    ...(on_behalf_of === null ? {} : { on_behalf_of }),
    content_hash,
  })
  return hash === row.hash ? null : { number, what: 'hash', detail: `Signature ${number} was altered.` }
}

/**
 * Returns the names of the signed fields that the permit no longer has as they were signed. Files can be added until the end, but a signed one is
 * never removed.
 */
function changedSince(permit: PermitRow, attachments: Parameters<typeof contentOf>[1], signed: Signed): string[] {
  let now: Signed
  try {
    now = contentOf({ ...permit, place: placeOfRow(permit) }, attachments)
  } catch {
    // A row that was altered can have a form that no code expects. That is a fault of the row, and the check goes on.
    return ['content that can’t be read']
  }
  const kept = hasAll(signed.attachments, now.attachments)
  // The place of an imported permit can be found later, in the words that it was signed with.
  const found = permit.source === 'imported' && signed.place === null
  const names = keysOf(now).filter(name => !(name === 'place' && found))
  return names.filter(name => (name === 'attachments' ? !kept : !same(now[name], signed[name])))
}

const PIECE = 200

/** A permit whose signatures don't verify, or whose last one is of a text that was edited after a return for corrections. */
type Found = { permit_id: Id; label: string } & ({ fault: SignatureFault } | { fault: null; outdated: number })

/** Returns every such permit of a site. */
export async function* signatureFaults(db: Db, site_id: Id): AsyncGenerator<Found> {
  for (let after: Id = PLATFORM; ; ) {
    const piece = await signedPermits(db, site_id, after, PIECE)
    const reports = await verifyMany(
      db,
      site_id,
      piece.map(({ id }) => id),
    )
    for (const [i, { id, label }] of piece.entries()) {
      const { fault = null, outdated } = reports[i] ?? {}
      if (fault !== null) yield { permit_id: id, label, fault }
      else if (outdated !== undefined) yield { permit_id: id, label, fault, outdated }
    }
    const last = piece.at(-1)
    if (last === undefined || piece.length < PIECE) return
    after = last.id
  }
}
