// What surrounds a permit and decides on its steps: parent, children, files, signatures, the overdue permits of its contractor.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import type { ParentFacts, Status } from '../domain/facts.ts'

/** A child permit in the facts of its parent. */
export type ChildRow = {
  id: Id
  status: Status
  permit_number: string | null
  source: 'requested' | 'imported'
  requestor_id: Id | null
  requestor_name: string | null
  receiver_id: Id | null
  contractor_id: Id | null
  categories: string[]
  submitted_at: Instant | null
  endorsed_at: Instant | null
  approved_at: Instant | null
  issued_at: Instant | null
  issue_signed_at: Instant | null
  handed_back_at: Instant | null
  start_at: Instant | null
  end_at: Instant | null
}

/** What surrounds a permit: its parent, its open children, its attachments, its contractor's overdue permits, the end of its signature chain. */
export type AroundRow = {
  id: Id
  parent: ParentFacts | null
  children: ChildRow[]
  attachments: { slot: string | null; filename: string; sha256: string }[]
  overdue: string[]
  last_signature: { number: number; hash: string } | null
  /** For a draft: the numbers of all its children, in any state; otherwise empty. */
  named_by: (string | null)[]
  /** The open extension request. */
  open_extension: { id: Id; requested_by: Id; requested_end_at: Instant } | null
  /** Codes that the issuer who signed is no longer appointed for, while the countersignature is due. */
  issuer_uncovered: string[]
  /** Name of the receiver of a live or expired permit: a hand-back can be signed for them. */
  receiver_name: string | null
}

/** Returns the SQL of an instant inside JSON, in our format. */
export const utc = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

// A text that is made once, because it is part of every statement of a list and doesn't depend on the request.
const COLUMNS = `      (select jsonb_build_object('id', q.id, 'permit_number', q.permit_number, 'status', q.status, 'start_at', ${utc('q.start_at')}, 'end_at', ${utc('q.end_at')})
        from permit q where q.site_id = p.site_id and q.id = p.parent_id) as parent,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'status', c.status, 'permit_number', c.permit_number, 'source', c.source, 'requestor_id', c.requestor_id, 'requestor_name', u.name,
          'receiver_id', c.receiver_id, 'contractor_id', c.contractor_id, 'categories', to_jsonb(c.categories), 'submitted_at', c.submitted_at, 'endorsed_at', c.endorsed_at,
          'approved_at', c.approved_at, 'issued_at', c.issued_at, 'issue_signed_at', c.issue_signed_at,
          'handed_back_at', ${utc('c.handed_back_at')}, 'start_at', ${utc('c.start_at')}, 'end_at', ${utc('c.end_at')}) order by c.permit_number, c.id)
        from permit c left join app_user u on u.id = c.requestor_id
        where c.site_id = p.site_id and c.parent_id = p.id and c.status not in ('closed', 'rejected', 'withdrawn')), '[]') as children,
      coalesce((select jsonb_agg(jsonb_build_object('slot', a.slot, 'filename', a.filename, 'sha256', a.sha256)) from permit_attachment a
        where a.site_id = p.site_id and a.permit_id = p.id), '[]') as attachments,
      (select jsonb_build_object('number', g.number, 'hash', g.hash) from permit_signature g where g.site_id = p.site_id and g.permit_id = p.id order by g.number desc limit 1) as last_signature,
      (select jsonb_build_object('id', x.id, 'requested_by', x.requested_by, 'requested_end_at', ${utc('x.requested_end_at')}) from permit_extension x where x.site_id = p.site_id and x.permit_id = p.id and x.status = 'requested') as open_extension,
      case when p.status = 'approved' and p.issuer_id is not null then array(
        select code from unnest(p.categories) code where not exists (
          select 1 from permit_appointment a join membership m on m.site_id = a.site_id and m.user_id = a.user_id and m.status = 'active'
          left join permit_type t on t.site_id = a.site_id and t.id = a.permit_type_id
          where a.site_id = p.site_id and a.user_id = p.issuer_id and a.revoked_at is null and (a.permit_type_id is null or t.code = code)) order by code)
        else '{}' end as issuer_uncovered,
      case when p.status in ('issued', 'expired') then (select u.name from app_user u where u.id = p.receiver_id) end as receiver_name,
      case when p.status = 'draft' then array(select c.permit_number from permit c where c.site_id = p.site_id and c.parent_id = p.id order by c.permit_number) else '{}' end as named_by`

const OVERDUE = `coalesce((select array_agg(o.permit_number order by o.permit_number) from permit o
        where o.site_id = p.site_id and o.contractor_id = p.contractor_id and o.status = 'expired' and o.source = 'requested' and o.id <> p.id), '{}')`

const WITH_GATE = sql.raw(`${COLUMNS}, ${OVERDUE} as overdue`)
const WITHOUT_GATE = sql.raw(`${COLUMNS}, '{}'::text[] as overdue`)

/** The columns of an AroundRow, for the permit `p` of a statement. If `gate` is false, overdue permits aren't needed. */
export const aroundColumns = (gate: boolean) => (gate ? WITH_GATE : WITHOUT_GATE)

/** Returns the surroundings of permits, one row each, in one statement. */
export async function aroundPermits(db: Db, site_id: Id, permit_ids: readonly Id[], gate: boolean): Promise<Map<Id, AroundRow>> {
  const { rows } = await sql<AroundRow>`
    select p.id, ${aroundColumns(gate)} from permit p where p.site_id = ${site_id} and ${among('p.id', permit_ids, 'uuid')}`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}
