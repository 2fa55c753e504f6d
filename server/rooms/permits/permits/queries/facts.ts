import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { DEFAULT_POLICY, type Policy } from '../../permit-config/domain.ts'
import type { PermitType } from '../../permit-types/domain/sets.ts'
import type { ParentFacts, Status } from '../domain/facts.ts'

/** The facts about the site and the caller that every permit needs. */
export type SiteFactsRow = Policy & {
  types: (PermitType & { id: Id })[]
  /** Codes that the caller's active appointments cover; `all` for every type. */
  appointed_codes: string[]
  appointed_all: boolean
  /** The site's IANA time zone. */
  timezone: string
}

/** Returns types, policy and the caller's appointments, in one statement. With `lock`, the appointments are locked until the end of the transaction. */
export async function siteFactsFor(db: Db, site_id: Id, user_id: Id | null, lock: boolean): Promise<SiteFactsRow> {
  if (lock && user_id !== null) {
    await sql`select 1 from permit_appointment where site_id = ${site_id} and user_id = ${user_id} and revoked_at is null order by id for share`.execute(
      db,
    )
  }
  const { rows } = await sql<SiteFactsRow>`
    select coalesce(c.coverage_policy_enabled, ${DEFAULT_POLICY.coverage_policy_enabled}) as coverage_policy_enabled,
      coalesce(c.close_out_gate_enabled, ${DEFAULT_POLICY.close_out_gate_enabled}) as close_out_gate_enabled, c.nominee_user_id, c.deputy_nominee_user_id,
      coalesce(c.expiring_warning_lead_hours, ${DEFAULT_POLICY.expiring_warning_lead_hours}) as expiring_warning_lead_hours,
      coalesce(c.activation_gap_lead_hours, ${DEFAULT_POLICY.activation_gap_lead_hours}) as activation_gap_lead_hours,
      (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'code', t.code, 'name', t.name, 'active', t.active, 'requires_parent', t.requires_parent, 'is_extendable', t.is_extendable,
        'single_stage', t.single_stage, 'requires_powra', t.requires_powra, 'pre_checks', t.pre_checks, 'expected_attachments', t.expected_attachments,
        'default_duration_hours', t.default_duration_hours)), '[]') from permit_type t where t.site_id = s.id) as types,
      (select coalesce(array_agg(t.code), '{}') from permit_appointment a join permit_type t on t.site_id = a.site_id and t.id = a.permit_type_id
        where a.site_id = s.id and a.user_id = ${user_id} and a.revoked_at is null) as appointed_codes,
      exists (select 1 from permit_appointment a where a.site_id = s.id and a.user_id = ${user_id} and a.revoked_at is null and a.permit_type_id is null) as appointed_all,
      s.timezone
    from (select site_id as id, timezone from site where site_id = ${site_id}) s left join permit_config c on c.site_id = s.id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The facts of the site are missing.')
  return row
}

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
  /** Numbers of all its children, whatever became of them. */
  named_by: (string | null)[]
  /** The open extension request. */
  open_extension: { id: Id; requested_by: Id; requested_end_at: Instant } | null
  /** Codes that the issuer who signed is no longer appointed for, while the countersignature is due. */
  issuer_uncovered: string[]
  /** Name of the receiver of a live or expired permit: a hand-back can be signed for them. */
  receiver_name: string | null
}

/** Returns the surroundings of permits, one row each, in one statement. If `gate` is false, overdue permits aren't needed. */
export async function aroundPermits(db: Db, site_id: Id, permit_ids: readonly Id[], gate: boolean): Promise<Map<Id, AroundRow>> {
  const { rows } = await sql<AroundRow>`
    select p.id,
      (select jsonb_build_object('id', q.id, 'permit_number', q.permit_number, 'status', q.status, 'start_at', ${utc(sql`q.start_at`)}, 'end_at', ${utc(sql`q.end_at`)})
        from permit q where q.site_id = p.site_id and q.id = p.parent_id) as parent,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'status', c.status, 'permit_number', c.permit_number, 'source', c.source, 'requestor_id', c.requestor_id, 'requestor_name', u.name,
          'receiver_id', c.receiver_id, 'contractor_id', c.contractor_id, 'categories', to_jsonb(c.categories), 'submitted_at', c.submitted_at, 'endorsed_at', c.endorsed_at,
          'approved_at', c.approved_at, 'issued_at', c.issued_at, 'issue_signed_at', c.issue_signed_at,
          'handed_back_at', ${utc(sql`c.handed_back_at`)}, 'start_at', ${utc(sql`c.start_at`)}, 'end_at', ${utc(sql`c.end_at`)}) order by c.permit_number, c.id)
        from permit c left join app_user u on u.id = c.requestor_id
        where c.site_id = p.site_id and c.parent_id = p.id and c.status not in ('closed', 'rejected', 'withdrawn')), '[]') as children,
      coalesce((select jsonb_agg(jsonb_build_object('slot', a.slot, 'filename', a.filename, 'sha256', a.sha256)) from permit_attachment a
        where a.site_id = p.site_id and a.permit_id = p.id), '[]') as attachments,
      (select jsonb_build_object('number', g.number, 'hash', g.hash) from permit_signature g where g.site_id = p.site_id and g.permit_id = p.id order by g.number desc limit 1) as last_signature,
      (select jsonb_build_object('id', x.id, 'requested_by', x.requested_by, 'requested_end_at', ${utc(sql`x.requested_end_at`)}) from permit_extension x where x.site_id = p.site_id and x.permit_id = p.id and x.status = 'requested') as open_extension,
      case when p.status = 'approved' and p.issuer_id is not null then array(
        select code from unnest(p.categories) code where not exists (
          select 1 from permit_appointment a left join permit_type t on t.site_id = a.site_id and t.id = a.permit_type_id
          where a.site_id = p.site_id and a.user_id = p.issuer_id and a.revoked_at is null and (a.permit_type_id is null or t.code = code)) order by code)
        else '{}' end as issuer_uncovered,
      case when p.status in ('issued', 'expired') then (select u.name from app_user u where u.id = p.receiver_id) end as receiver_name,
      case when p.status = 'draft' then array(select c.permit_number from permit c where c.site_id = p.site_id and c.parent_id = p.id order by c.permit_number) else '{}' end as named_by,
      ${
        gate
          ? sql`coalesce((select array_agg(o.permit_number order by o.permit_number) from permit o
              where o.site_id = p.site_id and o.contractor_id = p.contractor_id and o.status = 'expired' and o.source = 'requested' and o.id <> p.id), '{}')`
          : sql`'{}'::text[]`
      } as overdue
    from permit p where p.site_id = ${site_id} and p.id = any(${permit_ids as Id[]}::uuid[])`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

const utc = (column: ReturnType<typeof sql>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Returns a published version of a site's workflow; versions never change. */
export async function workflowGraph(db: Db, site_id: Id, workflow_id: Id, number: number): Promise<Graph | null> {
  const row = await db
    .selectFrom('permit_workflow_version')
    .select('graph')
    .where('site_id', '=', site_id)
    .where('workflow_id', '=', workflow_id)
    .where('number', '=', number)
    .executeTakeFirst()
  return (row?.graph ?? null) as Graph | null // only what the validator accepted is written there
}

/** Returns a site's active workflows, each in its newest published version. */
export async function activeWorkflows(
  db: Db,
  site_id: Id,
): Promise<{ id: Id; number: number; permit_type_code: string | null; graph: Graph }[]> {
  const { rows } = await sql<{ id: Id; number: number; permit_type_code: string | null; graph: Graph }>`
    select w.id, w.published as number, w.permit_type_code, v.graph from permit_workflow w
    join permit_workflow_version v on v.site_id = w.site_id and v.workflow_id = w.id and v.number = w.published
    where w.site_id = ${site_id} and w.removed_at is null and w.published > 0 order by w.permit_type_code nulls first`.execute(db)
  return rows
}

/** Returns the active members whose active appointments cover all of these codes, who can issue, and those who are appointed for any of them. */
export async function appointedFor(db: Db, site_id: Id, codes: readonly string[]): Promise<{ all: Id[]; any: Id[] }> {
  const { rows } = await sql<{ user_id: Id; covers: number; whole: boolean }>`
    select a.user_id, count(distinct t.code)::int as covers, bool_or(a.permit_type_id is null) as whole
    from permit_appointment a
    join membership m on m.site_id = a.site_id and m.user_id = a.user_id and m.status = 'active'
    left join permit_type t on t.site_id = a.site_id and t.id = a.permit_type_id and t.code = any(${codes as string[]}::text[])
    where a.site_id = ${site_id} and a.revoked_at is null and (a.permit_type_id is null or t.code is not null)
    group by a.user_id order by a.user_id`.execute(db)
  return { all: rows.filter(r => r.whole || r.covers >= codes.length).map(r => r.user_id), any: rows.map(r => r.user_id) }
}
