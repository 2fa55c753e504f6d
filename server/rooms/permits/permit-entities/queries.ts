import { COUNTED } from '../../../../shared/conflicts/effective.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { isLinked, isUncovered, type LinkedPermit, type PermitFacts, type TokenKind, tokenKinds } from '../../../kernel/covers/door.ts'
import { DEFAULT_POLICY } from '../kit/domain/policy.ts'

/** A link, with its permit. */
export type LinkRow = LinkedPermit & { entity_id: Id; entity_type: string }

/** Returns the links of things with their permits, by the start of the permit; `seen` limits them to permits that the caller sees. */
export async function linksOf(
  db: Db,
  site_id: Id,
  entity_ids: readonly Id[],
  seen: ReturnType<typeof sql<boolean>>,
): Promise<(LinkRow & { seen: boolean })[]> {
  if (entity_ids.length === 0) return []
  const { rows } = await sql<LinkRow & { seen: boolean }>`
    select l.entity_id, l.entity_type, p.id, p.permit_number, p.title, p.status, p.categories, p.start_at, p.end_at, coalesce(${seen}, false) as seen
    from permit_entity l join permit p on p.site_id = l.site_id and p.id = l.permit_id
    where l.site_id = ${site_id} and l.entity_id = any(${entity_ids}::uuid[]) order by p.start_at, p.id`.execute(db)
  return rows
}

/** Returns what conditions can ask about the permits of a row `t`, as far as they are seen; types count only of permits that are in review or live. */
export function linkedFacts(seen: ReturnType<typeof sql<boolean>>): PermitFacts {
  const links = sql`from permit_entity l join permit p on p.site_id = l.site_id and p.id = l.permit_id
    where l.site_id = t.site_id and l.entity_id = t.id and ${seen}`
  return {
    permit_types: sql`array(select distinct unnest(p.categories) ${links} and p.status = any(${COUNTED}::text[]) order by 1)`,
    permit_statuses: sql`array(select distinct p.status ${links} order by 1)`,
    has_live_permit: sql`exists (select 1 ${links} and p.status = 'issued')`,
  }
}

/** Returns what a permit is linked to. */
export async function linkedTo(db: Db, site_id: Id, permit_id: Id): Promise<{ entity_type: string; entity_id: Id }[]> {
  return db
    .selectFrom('permit_entity')
    .select(['entity_type', 'entity_id'])
    .where('site_id', '=', site_id)
    .where('permit_id', '=', permit_id)
    .orderBy('entity_type')
    .orderBy('id')
    .execute()
}

/** Links things to a permit and returns those that were not linked before. */
export async function insertLinks(db: Db, site_id: Id, permit_id: Id, entity_type: string, entity_ids: readonly Id[]): Promise<Id[]> {
  if (entity_ids.length === 0) return []
  const rows = await db
    .insertInto('permit_entity')
    .values(entity_ids.map(entity_id => ({ site_id, id: ids.next(), permit_id, entity_type, entity_id })))
    .onConflict(conflict => conflict.columns(['site_id', 'permit_id', 'entity_id']).doNothing())
    .returning('entity_id')
    .execute()
  return rows.map(row => row.entity_id)
}

/** Returns the links of a permit, or of every permit, with these things, locked. */
export async function linksAmong(
  db: Db,
  site_id: Id,
  permit_id: Id | null,
  entity_ids: readonly Id[],
): Promise<{ id: Id; permit_id: Id; entity_id: Id }[]> {
  if (entity_ids.length === 0) return []
  const { rows } = await sql<{ id: Id; permit_id: Id; entity_id: Id }>`
    select id, permit_id, entity_id from permit_entity
    where site_id = ${site_id} ${permit_id === null ? sql`` : sql`and permit_id = ${permit_id}`} and entity_id = any(${entity_ids}::uuid[])
    order by id for update`.execute(db)
  return rows
}

/** Deletes links. */
export async function deleteLinks(db: Db, site_id: Id, link_ids: readonly Id[]): Promise<void> {
  if (link_ids.length === 0) return
  await db
    .deleteFrom('permit_entity')
    .where('site_id', '=', site_id)
    .where('id', 'in', [...link_ids])
    .execute()
}

/** The site's lead time. */
const lead = sql`make_interval(hours => coalesce((select c.activation_gap_lead_hours from permit_config c where c.site_id = t.site_id),
  ${DEFAULT_POLICY.activation_gap_lead_hours}))`

/** What a row is: ahead, or there now. */
const stateAt = (now: Instant) => sql`case when t.start_at > ${now} then 'approaching' else 'open' end`

/** The first position of a machine. Only machines have further ones; of everything else it is the record itself. */
const machine = sql`coalesce((to_jsonb(t) ->> 'source_plant_id')::uuid, t.id)`

/**
 * The rows `t` of a kind that are there or start within the lead time, that need a permit because the site requires one or because a person linked one, that none
 * covers at their start (or now, if that has passed), and that weren't reported in this state. A machine that is moved isn't reported again within a day.
 */
const due = ({ kind, there }: TokenKind, now: Instant) => sql`
  from ${sql.table(kind)} t
  where t.deleted_at is null and tstzrange(t.start_at, t.end_at) && tstzrange(${now}::timestamptz, ${now}::timestamptz + ${lead}, '[]')
    and ${there(now, now)} and (${isUncovered} or ${isLinked})
    and not exists (
      select 1 from permit_entity l join permit p on p.site_id = l.site_id and p.id = l.permit_id
      where l.site_id = t.site_id and l.entity_id = t.id and p.status = 'issued'
        and tstzrange(p.start_at, p.end_at) @> greatest(t.start_at, ${now}::timestamptz))
    and not exists (select 1 from permit_gap g where g.site_id = t.site_id and g.entity_id = t.id and g.state = ${stateAt(now)})
    and not exists (
      select 1 from permit_gap g where g.site_id = t.site_id and g.machine_id = ${machine} and g.state = ${stateAt(now)}
        and g.told_at > ${now}::timestamptz - interval '24 hours')`

/** Returns the sites with work to report. */
export async function sitesWithGaps(db: Db, now: Instant): Promise<Id[]> {
  const any = tokenKinds().map(kind => sql`exists (select 1 ${due(kind, now)} and t.site_id = s.site_id)`)
  if (any.length === 0) return []
  const { rows } = await sql<{ site_id: Id }>`
    select s.site_id from site s where s.deleted_at is null and s.nuked_at is null and (${sql.join(any, sql` or `)})
    order by s.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

/** Work that no live permit covers. */
type Gap = { id: Id; name: string; contractor_id: Id | null; start_at: Instant; state: 'approaching' | 'open'; permits: Id[] }

/** Writes down which things of a kind are reported, and returns them: each is written once, however many processes do this. */
export async function takeGaps(db: Db, site_id: Id, kind: TokenKind, now: Instant, limit: number): Promise<Gap[]> {
  const { rows } = await sql<Gap>`
    with gap as (
      select t.site_id, t.id, t.name, t.contractor_id, t.start_at, ${stateAt(now)} as state, ${machine} as machine_id
      ${due(kind, now)} and t.site_id = ${site_id} order by t.start_at, t.id limit ${limit}),
    told as (
      insert into permit_gap (site_id, entity_id, state, machine_id, told_at)
      select site_id, id, state, machine_id, ${now} from gap on conflict do nothing returning entity_id)
    select gap.id, gap.name, gap.contractor_id, gap.start_at, gap.state,
      array(select l.permit_id from permit_entity l where l.site_id = gap.site_id and l.entity_id = gap.id order by l.permit_id) as permits
    from gap join told on told.entity_id = gap.id order by gap.start_at, gap.id`.execute(db)
  return rows
}
