// The clashes that are stored, read and written by the job that follows the site.
import type { EpisodeEvent } from '../../../../../shared/conflicts/episodes.ts'
import type { Severity } from '../../../../../shared/conflicts/rules.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { ClashRow, EpisodeRow, StoredPlace, StoredSide } from '../../kit/domain/stored.ts'

/** How far clashes are known on a site. */
export type SiteState = { horizon_to: Instant; lon: number | null; lat: number | null; followed_to: Instant }

/** Returns how far clashes are known on a site; null if none were computed yet. */
export async function siteState(db: Db, site_id: Id): Promise<SiteState | null> {
  const row = await db
    .selectFrom('clash_site')
    .select(['horizon_to', 'lon', 'lat', 'followed_to'])
    .where('site_id', '=', site_id)
    .executeTakeFirst()
  return row ?? null
}

/** Stores how far clashes are known. */
export async function keepState(db: Db, site_id: Id, state: SiteState): Promise<void> {
  await db
    .insertInto('clash_site')
    .values({ site_id, ...state })
    .onConflict(conflict => conflict.column('site_id').doUpdateSet(state))
    .execute()
}

const live = (now: Instant) => sql`(c.to_at is null or c.to_at > ${now}::timestamptz)`
const COLUMNS = sql`c.id, c.episode_id, c.rule_id, c.rule_version, c.origin_id, c.severity, c.from_at, c.to_at, c.a, c.b, c.distance_m, c.level_gap, c.nearest,
  c.reasons, c.building_ids, c.level_indexes, c.zone_ids, c.detected_at`

/** Returns the clashes that aren't over: all, or those of sides. */
export async function liveClashes(db: Db, site_id: Id, now: Instant, sides: readonly Id[] | null): Promise<ClashRow[]> {
  const of = (column: string) =>
    sql`select ${COLUMNS} from clash c where c.site_id = ${site_id} and ${live(now)} and c.${sql.ref(column)} = any(${sides ?? []}::uuid[])`
  const { rows } =
    sides === null
      ? await sql<ClashRow>`select ${COLUMNS} from clash c where c.site_id = ${site_id} and ${live(now)} order by c.id`.execute(db)
      : await sql<ClashRow>`${of('a_id')} union ${of('b_id')}`.execute(db)
  return rows
}

/** Returns the clashes of episodes that aren't over. */
export async function liveOfEpisodes(db: Db, site_id: Id, now: Instant, ids: readonly Id[]): Promise<ClashRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ClashRow>`
    select ${COLUMNS} from clash c where c.site_id = ${site_id} and c.episode_id = any(${ids}::uuid[]) and ${live(now)}`.execute(db)
  return rows
}

/** The key of an episode. */
export type Key = { origin_id: Id; lineage_a: Id; lineage_b: Id }

/** Locks and returns these episodes, and those with these keys that are open or ended at most 72 hours ago. */
export async function lockEpisodes(db: Db, site_id: Id, ids: readonly Id[], keys: readonly Key[], now: Instant): Promise<EpisodeRow[]> {
  if (ids.length + keys.length === 0) return []
  const { rows } = await sql<EpisodeRow>`
    select e.* from clash_episode e where e.site_id = ${site_id} and e.id in (
      select unnest(${ids}::uuid[])
      union select o.id from jsonb_to_recordset(${jsonb(keys)}::jsonb) k (origin_id uuid, lineage_a uuid, lineage_b uuid)
      join clash_episode o on o.site_id = ${site_id} and o.origin_id = k.origin_id and o.lineage_a = k.lineage_a and o.lineage_b = k.lineage_b
        and (o.status = 'open' or o.ended_at >= ${now}::timestamptz - interval '72 hours'))
    order by e.id for no key update`.execute(db)
  return rows
}

/** Returns the ids of open episodes at which the clock has to look. */
export async function episodesToLookAt(db: Db, site_id: Id, now: Instant, limit: number): Promise<Id[]> {
  const rows = await db
    .selectFrom('clash_episode')
    .select('id')
    .where('site_id', '=', site_id)
    .where('status', '=', 'open')
    .where('look_at', '<=', now)
    .orderBy('look_at')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}

/** What is shown of an episode besides its facts; null if nothing of that has changed. */
export type Shown = { rule_id: Id; a: StoredSide; b: StoredSide; place: StoredPlace } | null
/** An episode to write. */
export type EpisodeWrite = EpisodeRow & { shown: Shown }

const EPISODE = sql`id uuid, version int, origin_id uuid, lineage_a uuid, lineage_b uuid, contractor_a uuid, contractor_b uuid, status text, severity text,
  peak_severity text, least_distance_m double precision, first_at timestamptz, last_at timestamptz, clash_count int, opened_at timestamptz, ended_at timestamptz,
  end_reason text, reopened_count int, next_at timestamptz, look_at timestamptz, shown jsonb`
const CHANGING = [
  ...[
    'version',
    'contractor_a',
    'contractor_b',
    'status',
    'severity',
    'peak_severity',
    'least_distance_m',
    'first_at',
    'last_at',
    'clash_count',
  ],
  ...['ended_at', 'end_reason', 'reopened_count', 'next_at', 'look_at'],
]
const FIXED = ['id', 'origin_id', 'lineage_a', 'lineage_b', 'opened_at']

/** Stores new episodes and changes known ones. A new one must have what is shown. */
export async function writeEpisodes(db: Db, site_id: Id, rows: readonly EpisodeWrite[], now: Instant): Promise<void> {
  if (rows.length === 0) return
  const source = sql`jsonb_to_recordset(${jsonb(rows)}::jsonb) r (${EPISODE})`
  const columns = [...FIXED, ...CHANGING]
  await sql`
    update clash_episode e set ${sql.join(CHANGING.map(name => sql`${sql.ref(name)} = r.${sql.ref(name)}`))}, updated_at = ${now},
      rule_id = coalesce((r.shown ->> 'rule_id')::uuid, e.rule_id), a = coalesce(r.shown -> 'a', e.a), b = coalesce(r.shown -> 'b', e.b),
      place = coalesce(r.shown -> 'place', e.place)
    from ${source} where e.site_id = ${site_id} and e.id = r.id`.execute(db)
  await sql`
    insert into clash_episode (site_id, updated_at, rule_id, a, b, place, ${sql.join(columns.map(name => sql.ref(name)))})
    select ${site_id}, ${now}, (r.shown ->> 'rule_id')::uuid, r.shown -> 'a', r.shown -> 'b', r.shown -> 'place', ${sql.join(columns.map(name => sql`r.${sql.ref(name)}`))}
    from ${source} where not exists (select 1 from clash_episode e where e.site_id = ${site_id} and e.id = r.id)`.execute(db)
}

const CLASH = sql`id uuid, episode_id uuid, rule_id uuid, rule_version int, origin_id uuid, severity text, from_at timestamptz, to_at timestamptz, a jsonb, b jsonb,
  distance_m double precision, level_gap int, nearest jsonb, reasons jsonb, building_ids uuid[], level_indexes int[], zone_ids uuid[], detected_at timestamptz`
const FACTS = [
  ...['episode_id', 'rule_id', 'rule_version', 'severity', 'from_at', 'to_at', 'a', 'b', 'distance_m', 'level_gap', 'nearest', 'reasons'],
  ...['building_ids', 'level_indexes', 'zone_ids'],
]

/** Stores new clashes. */
export async function insertClashes(db: Db, site_id: Id, rows: readonly ClashRow[]): Promise<void> {
  if (rows.length === 0) return
  const columns = ['id', 'origin_id', 'detected_at', ...FACTS].map(name => sql.ref(name))
  await sql`
    insert into clash (site_id, a_id, b_id, ${sql.join(columns)})
    select ${site_id}, (r.a ->> 'id')::uuid, (r.b ->> 'id')::uuid, ${sql.join(columns)} from jsonb_to_recordset(${jsonb(rows)}::jsonb) r (${CLASH})`.execute(
    db,
  )
}

/** Changes stored clashes. */
export async function updateClashes(db: Db, site_id: Id, rows: readonly ClashRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update clash c set ${sql.join(FACTS.map(name => sql`${sql.ref(name)} = r.${sql.ref(name)}`))}, a_id = (r.a ->> 'id')::uuid, b_id = (r.b ->> 'id')::uuid
    from jsonb_to_recordset(${jsonb(rows)}::jsonb) r (${CLASH}) where c.site_id = ${site_id} and c.id = r.id`.execute(db)
}

/** Ends clashes: those that had begun stay until then, and the others are removed. */
export async function endClashes(db: Db, site_id: Id, ends: readonly { id: Id; cut_at: Instant | null }[]): Promise<void> {
  const cut = ends.filter(end => end.cut_at !== null)
  const gone = ends.filter(end => end.cut_at === null).map(end => end.id)
  if (gone.length > 0) await sql`delete from clash where site_id = ${site_id} and id = any(${gone}::uuid[])`.execute(db)
  if (cut.length > 0)
    await sql`
      update clash c set to_at = r.cut_at from jsonb_to_recordset(${jsonb(cut)}::jsonb) r (id uuid, cut_at timestamptz)
      where c.site_id = ${site_id} and c.id = r.id`.execute(db)
}

/** What happened to an episode, with its facts then. */
export type HappenedRow = {
  episode_id: Id
  kind: EpisodeEvent['kind'] | string
  severity: Severity
  distance_m: number
  reason: string | null
}

/** Adds to what happened to episodes, in this order. */
export async function addHappened(db: Db, site_id: Id, events: readonly HappenedRow[], now: Instant): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event, at) => ({ at, ...event }))
  await sql`
    insert into clash_episode_event (site_id, episode_id, number, kind, at, severity, distance_m, reason)
    select ${site_id}, r.episode_id, row_number() over (partition by r.episode_id order by r.at)
      + coalesce((select max(n.number) from clash_episode_event n where n.site_id = ${site_id} and n.episode_id = r.episode_id), 0),
      r.kind, ${now}, r.severity, r.distance_m, r.reason
    from jsonb_to_recordset(${jsonb(rows)}::jsonb) r (at int, episode_id uuid, kind text, severity text, distance_m double precision, reason text)`.execute(
    db,
  )
}
