import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Stop } from '../../../messages/alerts/domain.ts'
import type { PermitType } from '../../permit-types/domain/sets.ts'
import { DEFAULT_POLICY, type Policy } from '../domain/policy.ts'
import type { StoppedPermit } from '../domain/stops.ts'
import { utc } from './around.ts'

/** An alert that stops work; one of an area stop has its id, and the permits that have been revalidated for it. */
export type ActiveStop = Stop & { area_stop_id: Id | null; released: Id[] }

/** The facts about the site and the caller that every permit needs. */
export type SiteFactsRow = Policy & {
  types: (PermitType & { id: Id })[]
  /** Codes that the caller's active appointments cover; `all` for every type. */
  appointed_codes: string[]
  appointed_all: boolean
  /** The site's IANA time zone. */
  timezone: string
  /** Names of contractors that have left the site, by id. */
  contractors_left: Record<Id, string>
  /** Alerts that stop work and aren't over; some of them start later. */
  stops: ActiveStop[]
  /** Permits that have to be revalidated, for each of their stops, oldest first. Only live ones of them are stopped. */
  stopped: StoppedPermit[]
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
      s.timezone,
      (select coalesce(jsonb_object_agg(t.id, t.name), '{}') from contractor t where t.site_id = s.id and t.status = 'left') as contractors_left,
      (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'title', a.title, 'severity', a.severity, 'activities', a.activities, 'levels', a.levels, 'area', a.area,
        'building_id', a.place ->> 'building_id', 'contractor_ids', a.contractor_ids,
        'area_stop_id', (select b.id from area_stop b where b.site_id = a.site_id and b.alert_id = a.id),
        'released', (select coalesce(jsonb_agg(e.permit_id), '[]') from area_stop b join area_stop_permit e on e.site_id = b.site_id and e.stop_id = b.id
          where b.site_id = a.site_id and b.alert_id = a.id and e.revalidated_at is not null), 'start_at', ${sql.raw(utc('a.start_at'))}) order by a.danger desc, a.start_at desc, a.id), '[]')
        from alert a where a.site_id = s.id and a.deleted_at is null and a.state in ('scheduled', 'active', 'overdue') and a.effect = 'stops') as stops,
      (select coalesce(jsonb_agg(jsonb_build_object('permit_id', e.permit_id, 'stop_id', e.stop_id, 'alert_id', b.alert_id, 'reason', b.reason, 'stopped_at', ${sql.raw(utc('e.created_at'))},
        'lifted', a.deleted_at is not null or a.state not in ('active', 'overdue') or a.effect <> 'stops') order by e.created_at, e.id), '[]')
        from area_stop_permit e join area_stop b on b.site_id = e.site_id and b.id = e.stop_id join alert a on a.site_id = b.site_id and a.id = b.alert_id
        join permit p on p.site_id = e.site_id and p.id = e.permit_id and p.status in ('issued', 'expired')
        where e.site_id = s.id and e.revalidated_at is null) as stopped
    from (select site_id as id, timezone from site where site_id = ${site_id}) s left join permit_config c on c.site_id = s.id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The facts of the site are missing.')
  return row
}

/** Returns a published version of a site's workflow; versions never change. */
export async function workflowGraph(db: Db, site_id: Id, workflow_id: Id, number: number): Promise<Graph | null> {
  const row = await db
    .selectFrom('permit_workflow_version')
    .select('graph')
    .where('site_id', '=', site_id)
    .where('workflow_id', '=', workflow_id)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.graph ?? null
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
