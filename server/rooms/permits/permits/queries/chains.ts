import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { SignatureRow } from '../../kit/queries/permits.ts'
import { signaturesOf } from './signatures.ts'

/** Returns one permit's signatures with what each covers, in order. */
export const chainRows = (db: Db, site_id: Id, permit_id: Id): Promise<SignatureRow[]> => signaturesOf(db, site_id, [permit_id])

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

/** Returns the files of a site's permits after this id. */
export async function filesOfPermits(
  db: Db,
  site_id: Id,
  after: Id,
  limit: number,
): Promise<{ id: Id; sha256: string; size: number; label: string }[]> {
  const { rows } = await sql<{ id: Id; sha256: string; size: number; label: string }>`
    select a.id, a.sha256, a.size, coalesce(p.permit_number, 'a draft') || ', ' || a.filename as label from permit_attachment a
    left join permit p on p.site_id = a.site_id and p.id = a.permit_id
    where a.site_id = ${site_id} and a.id > ${after} order by a.id limit ${limit}`.execute(db)
  return rows
}
