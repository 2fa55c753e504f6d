import type { Geometry } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import type { Row } from '../../../../base/rows.ts'
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

/** The columns that a card shows, or that its flags depend on. */
export const CARD = [
  'site_id',
  'id',
  'version',
  'created_at',
  'updated_at',
  'permit_number',
  'status',
  'source',
  'requestor_id',
  'receiver_id',
  'contractor_id',
  'categories',
  'parent_id',
  'title',
  'description',
  'controls',
  'location',
  'building_id',
  'level_index',
  'zone_id',
  'place_geometry',
  'start_at',
  'end_at',
  'pre_checks',
  'rams_document_ids',
  'workflow_definition_id',
  'workflow_version',
  'pinned_single_stage',
  'pinned_requires_parent',
  'submitted_at',
  'endorsed_at',
  'approved_at',
  'issuer_id',
  'issue_signed_at',
  'issued_at',
  'handed_back_at',
  'fire_watch_until',
  'closed_at',
  'last_decision',
  'set_id',
] as const satisfies readonly (keyof PermitRow)[]

/** A permit as a card needs it. */
export type CardRow = Pick<PermitRow, (typeof CARD)[number]>

/** Returns a permit by its id, locked when it is about to be written. */
export async function permitRow(db: Db, site_id: Id, id: Id, lock: 'change' | 'share' | 'none'): Promise<PermitRow | null> {
  const how = lock === 'change' ? sql`for no key update` : lock === 'share' ? sql`for share` : sql``
  const { rows } = await sql<PermitRow>`select * from permit where site_id = ${site_id} and id = ${id} ${how}`.execute(db)
  return rows[0] ?? null
}

/** Returns permits by their ids, without checking what the caller can see. */
export async function permitsById(db: Db, site_id: Id, ids: readonly Id[]): Promise<PermitRow[]> {
  const { rows } = await sql<PermitRow>`select * from permit where site_id = ${site_id} and ${among('id', ids, 'uuid')}`.execute(db)
  return rows
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

/** A signature of a permit. */
export type SignatureRow = Omit<Row<'permit_signature'>, 'version' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by'>

/** An extension request, as it is in the database. */
export type ExtensionRow = {
  site_id: Id
  id: Id
  version: number
  permit_id: Id
  requested_by: Id
  requested_at: Instant
  requested_end_at: Instant
  previous_end_at: Instant
  reason: string | null
  status: 'requested' | 'approved' | 'rejected' | 'superseded' | 'lapsed'
  decided_by: Id | null
  decided_at: Instant | null
  decision_reason: string | null
  signature_id: Id | null
}
