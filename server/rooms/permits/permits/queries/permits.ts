import { boundsOf, type Geometry } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { newColumns, setColumns } from '../../../../base/columns.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import type { OnBehalfOf } from '../domain/content.ts'
import type { CheckAnswer, LastDecision, StampedControls } from '../domain/facts.ts'
import type { Warning } from '../domain/warnings.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    /** Only what the geometry kernel has read. */
    'permit.place_geometry': Geometry | null
    'permit.pre_checks': CheckAnswer[]
    'permit.rams': unknown[]
    'permit.stage1_controls': StampedControls | null
    'permit.stage2_controls': StampedControls | null
    /** The warnings that were shown when it was issued. */
    'permit.issue_warnings': Warning[]
    'permit.last_decision': LastDecision | null
    /** The receiver that a hand-back was signed for; null if the signer signed for themselves. */
    'permit_signature.on_behalf_of': OnBehalfOf | null
    'permit_signature.presence': unknown
    /** What the signature covers, in the form of `contentOf` at that time. */
    'permit_signature.content': unknown
  }
}

/** A permit as the database has it. */
export type PermitRow = Row<'permit'>

/** The columns of a permit that a step or an edit can set. */
export type PermitSet = Partial<
  Omit<PermitRow, 'site_id' | 'id' | 'version' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by' | 'place_bounds'>
>

/** The box follows from the geometry. */
const boundsFrom = ({ place_geometry: geometry }: PermitSet) =>
  geometry === undefined ? {} : { place_bounds: geometry === null ? null : boxed(boundsOf(geometry)) }

/** Inserts a new permit. */
export async function insertPermit(
  db: Db,
  row: PermitSet & Pick<PermitRow, 'site_id' | 'id' | 'status' | 'source' | 'workflow_definition_id' | 'workflow_version'>,
): Promise<void> {
  await db
    .insertInto('permit')
    .values({ ...newColumns('permit', row), ...boundsFrom(row) })
    .execute()
}

/** Updates a permit. */
export async function savePermit(db: Db, permit: Pick<PermitRow, 'site_id' | 'id'>, set: PermitSet): Promise<void> {
  if (Object.keys(set).length > 0)
    await db
      .updateTable('permit')
      .set({ ...setColumns('permit', set), ...boundsFrom(set) })
      .where('site_id', '=', permit.site_id)
      .where('id', '=', permit.id)
      .execute()
}

/** Deletes a draft that was never submitted. */
export async function dropPermit(db: Db, permit: Pick<PermitRow, 'site_id' | 'id'>): Promise<void> {
  await db.deleteFrom('permit_attachment').where('site_id', '=', permit.site_id).where('permit_id', '=', permit.id).execute()
  await db.deleteFrom('permit').where('site_id', '=', permit.site_id).where('id', '=', permit.id).execute()
}

/** Returns a permit by its id, locked when it is about to be written. */
export async function permitRow(db: Db, site_id: Id, id: Id, lock: 'change' | 'share' | 'none'): Promise<PermitRow | null> {
  const how = lock === 'change' ? sql`for no key update` : lock === 'share' ? sql`for share` : sql``
  const { rows } = await sql<PermitRow>`select * from permit where site_id = ${site_id} and id = ${id} ${how}`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns several permits by id. Children are locked before parents: a copy or an edit of a child locks it first and then its parent, so there is no
 * deadlock.
 */
export async function permitsLocked(db: Db, site_id: Id, ids: readonly Id[]): Promise<PermitRow[]> {
  const { rows } = await sql<PermitRow>`
    with recursive above(id, parent_id, depth) as (
      select id, parent_id, 0 from permit where site_id = ${site_id} and id = any(${ids}::uuid[])
      union all
      select a.id, q.parent_id, a.depth + 1 from above a join permit q on q.site_id = ${site_id} and q.id = a.parent_id where a.depth < 50
    ), deep as (select id, max(depth) as depth from above group by id)
    select p.* from permit p join deep d on d.id = p.id where p.site_id = ${site_id} order by d.depth desc, p.id for no key update of p`.execute(
    db,
  )
  return rows
}

/** Returns which of these numbers the site already has. */
export async function numbersTaken(db: Db, site_id: Id, numbers: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    permit_number: string
  }>`select permit_number from permit where site_id = ${site_id} and permit_number = any(${numbers}::text[])`.execute(db)
  return new Set(rows.map(r => r.permit_number))
}

/** An attachment of a permit. */
export type AttachmentRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  permit_id: Id
  slot: string | null
  filename: string
  sha256: string
  media_type: string
  size: number
  width: number | null
  height: number | null
}

/** Lists the attachments of permits, oldest first. */
export async function attachmentsOf(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<AttachmentRow[]> {
  return db
    .selectFrom('permit_attachment')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('permit_id', 'in', [...permit_ids])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Attaches a file. */
export async function insertAttachment(db: Db, row: Omit<AttachmentRow, 'version' | 'created_at' | 'created_by'>): Promise<void> {
  await db.insertInto('permit_attachment').values(row).execute()
}

/** Removes an attachment. */
export async function dropAttachment(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('permit_attachment').where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** A signature of a permit. */
export type SignatureRow = Omit<Row<'permit_signature'>, 'version' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by'>

/** Lists the signatures of permits, in order. */
export async function signaturesOf(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<SignatureRow[]> {
  const { rows } = await sql<SignatureRow>`
    select site_id, id, permit_id, number, kind, signer_id, signer_name, signer_role, signed_at, note, statement, on_behalf_of, presence, content, content_hash, prev_hash, hash, voided_at, void_reason
    from permit_signature where site_id = ${site_id} and permit_id = any(${permit_ids}::uuid[]) order by permit_id, number`.execute(db)
  return rows
}

/** Returns a permit's signatures as the audit log has them, with those that no longer exist, and whether they were voided. */
export async function notedSignatures(db: Db, site_id: Id, permit_id: Id): Promise<{ id: Id; voided: boolean }[]> {
  const { rows } = await sql<{ id: Id; voided: boolean }>`
    select entity_id as id, bool_or(coalesce(changes @> '[{"path": "voided_at"}]', false) and action <> 'sign') as voided from audit_entry
    where site_id = ${site_id} and entity_type = 'permit_signature' and parent_id = ${permit_id} group by entity_id having bool_or(action = 'sign')`.execute(
    db,
  )
  return rows
}

/** Adds a signature to the chain. */
export async function insertSignature(db: Db, row: Omit<SignatureRow, 'voided_at' | 'void_reason'>): Promise<void> {
  await db.insertInto('permit_signature').values(newColumns('permit_signature', row)).execute()
}

/** Voids the valid signatures of these kinds; they stay in the chain. */
export async function voidSignatures(
  db: Db,
  site_id: Id,
  permit_id: Id,
  kinds: readonly string[],
  at: Instant,
  reason: string,
): Promise<void> {
  await db
    .updateTable('permit_signature')
    .set({ voided_at: at, void_reason: reason })
    .where('site_id', '=', site_id)
    .where('permit_id', '=', permit_id)
    .where('kind', 'in', [...kinds])
    .where('voided_at', 'is', null)
    .execute()
}
