import type { Instant } from '../../../../shared/time.ts'
import { newColumns } from '../../../base/columns.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { among } from '../../../base/plans.ts'
import type { SignatureRow } from '../kit/queries/permits.ts'
import type { Noted } from './domain.ts'

/** Lists the signatures of permits, in order. */
export async function signaturesOf(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<SignatureRow[]> {
  const { rows } = await sql<SignatureRow>`
    select site_id, id, permit_id, number, kind, signer_id, signer_name, signer_role, signed_at, note, statement, on_behalf_of, presence, content, content_hash, prev_hash, hash, voided_at, void_reason
    from permit_signature where site_id = ${site_id} and ${among('permit_id', permit_ids, 'uuid')} order by permit_id, number`.execute(db)
  return rows
}

/** Returns the signatures of permits as the audit log has them, with those that no longer exist, and whether they were voided. */
export async function notedSignatures(
  db: Db,
  site_id: Id,
  permit_ids: readonly Id[],
): Promise<{ permit_id: Id; id: Id; voided: boolean }[]> {
  const { rows } = await sql<{ permit_id: Id; id: Id; voided: boolean }>`
    select parent_id as permit_id, entity_id as id, bool_or(coalesce(changes @> '[{"path": "voided_at"}]', false) and action <> 'sign') as voided from audit_entry
    where site_id = ${site_id} and entity_type = 'permit_signature' and ${among('parent_id', permit_ids, 'uuid')}
    group by parent_id, entity_id having bool_or(action = 'sign')`.execute(db)
  return rows
}

/** Lists what the audit log has of a permit after the step in which it was signed, in order. */
export async function notedAfter(db: Db, site_id: Id, permit_id: Id, signature_id: Id): Promise<Noted[]> {
  const { rows } = await sql<Noted>`
    select e.seq, coalesce(e.changes, '[]') as changes from audit_entry e
    where e.site_id = ${site_id} and not e.quiet and e.entity_id = ${permit_id}
      and e.seq > (
        select max(b.seq) from audit_entry s join audit_entry b on b.site_id = s.site_id and b.batch_id = s.batch_id
        where s.site_id = ${site_id} and s.entity_id = ${signature_id} and s.action = 'sign')
    order by e.seq`.execute(db)
  return rows
}

/** Adds a signature to the chain. */
export async function insertSignature(db: Db, row: Omit<SignatureRow, 'voided_at' | 'void_reason'>): Promise<void> {
  await db.insertInto('permit_signature').values(newColumns('permit_signature', row)).execute()
}

/** Voids the valid signatures of these kinds on these permits; they stay in the chain. */
export async function voidSignatures(
  db: Db,
  site_id: Id,
  permit_ids: readonly Id[],
  kinds: readonly string[],
  at: Instant,
  reason: string,
): Promise<void> {
  await db
    .updateTable('permit_signature')
    .set({ voided_at: at, void_reason: reason })
    .where('site_id', '=', site_id)
    .where('permit_id', 'in', [...permit_ids])
    .where('kind', 'in', [...kinds])
    .where('voided_at', 'is', null)
    .execute()
}

/** Returns permits of a site after this id that were ever signed, by their rows or by the audit log. */
export async function signedPermits(db: Db, site_id: Id, after: Id, limit: number): Promise<{ id: Id; label: string }[]> {
  const { rows } = await sql<{ id: Id; label: string }>`
    select p.id, coalesce(p.permit_number, p.title, 'draft') as label from permit p
    where p.site_id = ${site_id} and p.id > ${after} and (
      exists (select 1 from permit_signature g where g.site_id = p.site_id and g.permit_id = p.id)
      or exists (select 1 from audit_entry e where e.site_id = p.site_id and e.entity_type = 'permit_signature' and e.parent_id = p.id))
    order by p.id limit ${limit}`.execute(db)
  return rows
}
