// When people are asked to settle clashes: what it depends on, and what they were asked.
import type { Severity } from '../../../../../shared/conflicts/rules.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** An episode, as far as its tasks depend on it. */
export type TaskFacts = {
  id: Id
  label: string
  status: 'open' | 'ended'
  severity: Severity
  next_at: Instant | null
  /** Hours before the start, if the site has said so; null also means that nobody is asked. */
  has_consequence: boolean
  lead_hours: number | null
  settled: boolean
  /** The active decision to resolve it. */
  due_at: Instant | null
  owner_user_id: Id | null
  /** Whether that person is still an active member of the site. */
  owner_is_here: boolean
  owner_contractor_id: Id | null
  task_at: Instant | null
  task_raised: boolean
  overdue_at: Instant | null
  overdue_raised: boolean
}

/** These episodes, or those of a rule that are open. */
type Those = { ids: readonly Id[] } | { rule_id: Id }
const those = (of: Those) => ('ids' in of ? sql`e.id = any(${of.ids}::uuid[])` : sql`e.rule_id = ${of.rule_id} and e.status = 'open'`)

/** Locks episodes, so that nobody settles one while its tasks are raised. */
export async function lockAsked(db: Db, site_id: Id, of: Those): Promise<void> {
  await sql`select 1 from clash_episode e where e.site_id = ${site_id} and ${those(of)} order by e.id for no key update`.execute(db)
}

/** Returns what the tasks of episodes depend on. */
export async function taskFacts(db: Db, site_id: Id, of: Those): Promise<TaskFacts[]> {
  const { rows } = await sql<TaskFacts>`
    select e.id, r.name as label, e.status, e.severity, e.next_at, c.id is not null as has_consequence, c.task_lead_hours as lead_hours,
      coalesce(s.kind in ('accepted', 'not_a_clash'), false) as settled, s.due_at, s.owner_user_id, s.owner_contractor_id,
      exists (select 1 from membership m where m.site_id = e.site_id and m.user_id = s.owner_user_id and m.status = 'active') as owner_is_here,
      k.task_at, coalesce(k.task_raised, false) as task_raised, k.overdue_at, coalesce(k.overdue_raised, false) as overdue_raised
    from clash_episode e join clash_rule r on r.site_id = e.site_id and r.id = e.rule_id
    left join clash_asked k on k.site_id = e.site_id and k.episode_id = e.id
    left join clash_consequence c on c.site_id = e.site_id and c.clash_rule_id = e.rule_id
    left join clash_stance s on s.site_id = e.site_id and s.episode_id = e.id and s.lapsed_at is null and s.replaced_at is null and s.withdrawn_at is null
    where e.site_id = ${site_id} and ${those(of)} order by e.id`.execute(db)
  return rows
}

/** What people are asked about an episode. */
export type TaskState = Pick<TaskFacts, 'id' | 'task_at' | 'task_raised' | 'overdue_at' | 'overdue_raised'>

/** Stores what people are asked. */
export async function keepTaskState(db: Db, site_id: Id, rows: readonly TaskState[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into clash_asked (site_id, episode_id, task_at, task_raised, overdue_at, overdue_raised)
    select ${site_id}, r.id, r.task_at, r.task_raised, r.overdue_at, r.overdue_raised
    from jsonb_to_recordset(${jsonb(rows)}::jsonb) r (id uuid, task_at timestamptz, task_raised boolean, overdue_at timestamptz, overdue_raised boolean)
    on conflict (site_id, episode_id) do update set task_at = excluded.task_at, task_raised = excluded.task_raised, overdue_at = excluded.overdue_at,
      overdue_raised = excluded.overdue_raised`.execute(db)
}
