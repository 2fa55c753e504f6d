// Episodes as people read them.

import type { BlockerCategory, Effect } from '../../../../../shared/blockers.ts'
import type { Severity } from '../../../../../shared/conflicts/rules.ts'
import type { StanceKind } from '../../../../../shared/conflicts/stances.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { andAmong } from '../../../../base/plans.ts'
import { hasBlockerFrom, type Token } from '../../../flow/blockers/door.ts'
import type { EpisodeRow, StoredPlace, StoredSide } from '../../kit/domain/stored.ts'

/** An episode with its rule, its active decision, and what its clashes mean for the work. */
export type ClashEpisodeRow = EpisodeRow & {
  site_id: Id
  rule_id: Id
  rule_name: string
  updated_at: Instant
  a: StoredSide
  b: StoredSide
  place: StoredPlace
  stance_id: Id | null
  stance_kind: StanceKind | null
  effect: Effect
  affected: string
  task_lead_hours: number | null
  has_consequence: boolean
  instruction: string
  /** What the site has set for its clashes; null if it hasn’t. */
  loss_share_percent: number | null
  blocker_category: BlockerCategory | null
}

/** Episodes with what is shown of them: e, its rule r, what the site has set for it c, and the active decision s. */
export const FROM = sql`
  clash_episode e join clash_rule r on r.site_id = e.site_id and r.id = e.rule_id
  left join clash_consequence c on c.site_id = e.site_id and c.clash_rule_id = e.rule_id
  left join clash_stance s on s.site_id = e.site_id and s.episode_id = e.id and s.lapsed_at is null and s.replaced_at is null and s.withdrawn_at is null`
/** What an episode of `FROM` means for the work. */
export const EFFECT = sql`coalesce(c.effect, case when e.severity = 'red' then 'stops' else 'none' end)`
/** What is shown of an episode of `FROM`. */
export const SHOWN = sql`e.*, r.name as rule_name, s.id as stance_id, s.kind as stance_kind, ${EFFECT} as effect, coalesce(c.affected, 'later') as affected,
    c.task_lead_hours, c.id is not null as has_consequence, coalesce(c.instruction, '') as instruction, c.loss_share_percent, c.blocker_category`
const SELECT = sql`select ${SHOWN} from ${FROM}`

/** Returns an episode; null if the site has none with this id. With `lock`, locks it for a change. */
export async function episodeOfSite(db: Db, site_id: Id, id: Id, lock: boolean): Promise<ClashEpisodeRow | null> {
  const { rows } =
    await sql<ClashEpisodeRow>`${SELECT} where e.site_id = ${site_id} and e.id = ${id} ${lock ? sql`for no key update of e` : sql``}`.execute(
      db,
    )
  return rows[0] ?? null
}

/** Gives episodes their next version, because what was decided about them has changed: people who have seen them before would decide about something else. */
export async function nextVersions(db: Db, site_id: Id, ids: readonly Id[], now: Instant): Promise<void> {
  await sql`update clash_episode set version = version + 1, updated_at = ${now} where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(
    db,
  )
}

type Sql = ReturnType<typeof sql>
/** Returns a further condition, if there is a value to filter by. */
export const when = (value: unknown, condition: Sql): Sql => (value === undefined ? sql`` : sql`and ${condition}`)
/** Returns the condition that one of these contractors has a side; none if nothing is asked for. */
export const ofContractors = (ids: readonly Id[] | undefined): Sql =>
  when(ids, sql`(e.contractor_a = any(${ids ?? []}::uuid[]) or e.contractor_b = any(${ids ?? []}::uuid[]))`)
/** Returns the condition that one of these contractors has a side; null among them: a side has no contractor; null instead of them: no condition. */
export const inScope = (scope: readonly (Id | null)[] | null): Sql =>
  scope?.includes(null) === true
    ? sql`and (e.contractor_a = any(${scope}::uuid[]) or e.contractor_b = any(${scope}::uuid[]) or e.contractor_a is null or e.contractor_b is null)`
    : ofContractors(scope?.filter(id => id !== null))

/** What a list of episodes is filtered by. `scope`: the contractors whose clashes the caller sees; null for all. */
export type EpisodeFilter = {
  id?: readonly Id[]
  from?: Instant
  to?: Instant
  status?: readonly string[]
  severity?: readonly string[]
  rule_id?: readonly Id[]
  sides?: readonly Id[]
  contractor_id?: readonly Id[]
  stance?: readonly string[]
  end_reason?: readonly string[]
  owner_user_id?: readonly Id[]
  updated_since?: Instant
  has_blocker?: boolean
  /** The contractors whose blockers the caller sees; null for all. */
  blocker_scope: readonly Id[] | null
  scope: readonly (Id | null)[] | null
}

type Page = { limit: number; after: readonly (string | number | null)[] | null }

/** Returns episodes, those first that were opened last. */
export async function episodesOf(db: Db, site_id: Id, filter: EpisodeFilter, { limit, after }: Page): Promise<ClashEpisodeRow[]> {
  const {
    id,
    from,
    to,
    status,
    severity,
    rule_id,
    sides,
    contractor_id,
    stance,
    end_reason,
    owner_user_id,
    updated_since,
    has_blocker,
    blocker_scope,
    scope,
  } = filter
  const { rows } = await sql<ClashEpisodeRow>`${SELECT}
    where e.site_id = ${site_id} ${inScope(scope)} ${andAmong('e.id', id, 'uuid')} ${andAmong('e.status', status, 'text')}
      ${when(from, sql`(e.last_at is null or e.last_at > ${from}::timestamptz)`)} ${when(to, sql`e.first_at < ${to}::timestamptz`)}
      ${andAmong('e.peak_severity', severity, 'text')} ${andAmong('e.rule_id', rule_id, 'uuid')}
      ${when(sides, sql`exists (select 1 from clash x where x.site_id = e.site_id and x.episode_id = e.id and (x.a_id = any(${sides ?? []}::uuid[]) or x.b_id = any(${sides ?? []}::uuid[])))`)}
      ${ofContractors(contractor_id)}
      ${when(stance, sql`coalesce(s.kind, 'none') = any(${stance}::text[])`)} ${andAmong('e.end_reason', end_reason, 'text')} ${andAmong('s.owner_user_id', owner_user_id, 'uuid')}
      ${when(updated_since, sql`e.updated_at >= ${updated_since}::timestamptz`)}
      ${when(has_blocker, sql`${hasBlockerFrom('clash_episode', 'e', blocker_scope)} = ${has_blocker}`)}
      ${after === null ? sql`` : sql`and (e.opened_at < ${after[0]}::timestamptz or (e.opened_at = ${after[0]}::timestamptz and e.id > ${after[1]}::uuid))`}
    order by e.opened_at desc, e.id limit ${limit}`.execute(db)
  return rows
}

/** Returns the times of the clashes of episodes that have begun. */
export async function begunTimes(
  db: Db,
  site_id: Id,
  ids: readonly Id[],
  now: Instant,
): Promise<{ episode_id: Id; from_at: Instant; to_at: Instant | null }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ episode_id: Id; from_at: Instant; to_at: Instant | null }>`
    select c.episode_id, c.from_at, c.to_at from clash c
    where c.site_id = ${site_id} and c.episode_id = any(${ids}::uuid[]) and c.from_at <= ${now}::timestamptz`.execute(db)
  return rows
}

/** What happened to an episode. */
export type HappenedRow = { episode_id: Id; kind: string; at: Instant; severity: Severity; distance_m: number; reason: string | null }

/** Returns what happened to episodes, oldest first. */
export async function happenedTo(db: Db, site_id: Id, ids: readonly Id[]): Promise<HappenedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<HappenedRow>`
    select episode_id, kind, at, severity, distance_m, reason from clash_episode_event where site_id = ${site_id} and episode_id = any(${ids}::uuid[])
    order by episode_id, number`.execute(db)
  return rows
}

/** Returns the start of the clash of an episode that is there now, or else of the last one that has begun; null if all of it is ahead. */
export async function begunAt(db: Db, site_id: Id, episode_id: Id, now: Instant): Promise<Instant | null> {
  const { rows } = await sql<{ from_at: Instant }>`
    select c.from_at from clash c where c.site_id = ${site_id} and c.episode_id = ${episode_id} and c.from_at <= ${now}::timestamptz
    order by (c.to_at is null or c.to_at > ${now}::timestamptz) desc,
      case when c.to_at is null or c.to_at > ${now}::timestamptz then c.from_at end, c.from_at desc limit 1`.execute(db)
  return rows[0]?.from_at ?? null
}

/** Returns the gangs and machines of a contractor that are linked to a permit, by what stays the same when they repeat or move. */
export async function linkedTokens(db: Db, site_id: Id, permit_id: Id, contractor_id: Id): Promise<Token[]> {
  const of = (kind: 'worker' | 'plant', lineage: Sql): Sql => sql`
    select ${kind}::text as kind, ${lineage} as lineage_id from permit_entity l join ${sql.table(kind)} t on t.site_id = l.site_id and t.id = l.entity_id
    where l.site_id = ${site_id} and l.permit_id = ${permit_id} and l.entity_type = ${kind} and t.contractor_id = ${contractor_id} and t.deleted_at is null`
  const { rows } = await sql<Token>`
    ${of('worker', sql`coalesce(t.schedule_group_id, t.id)`)} union ${of('plant', sql`coalesce(t.schedule_group_id, t.source_plant_id, t.id)`)}
    order by kind desc, lineage_id limit 500`.execute(db)
  return rows
}
