import type { Instant } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { RuleContent } from '../domain/kinds.ts'

/** A stored rule: a site's own, or a site's changes to a standard one. */
export type RuleRow = RuleContent & {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  updated_at: Instant
  source: 'shipped' | 'site'
  based_on_id: Id | null
  number: number
  deleted_at: Instant | null
}

/** A rule in one of its versions. */
export type VersionRow = {
  rule_id: Id
  number: number
  content: RuleContent
  valid_from: Instant
  valid_to: Instant | null
  changed_by: Id | null
  changed_by_name: string | null
  changes: string[]
}

/** A rule in one of its versions, with the numbers of the events between which it was active: after the first, up to the second. */
export type ActiveVersion = {
  rule_id: Id
  number: number
  content: RuleContent
  source: 'shipped' | 'site'
  author_id: Id | null
  from_event_no: number
  to_event_no: number | null
}

/** Returns the versions of a site’s rules for an event kind that were active when the event of this number was committed, or became active later. */
export async function versionsSince(db: Db, site_id: Id, event_kind: string, event_no: number): Promise<ActiveVersion[]> {
  const { rows } = await sql<ActiveVersion>`
    select v.rule_id, v.number, v.content, r.source, r.created_by as author_id, v.from_event_no, v.to_event_no
    from notification_rule_version v join notification_rule r on r.site_id = v.site_id and r.id = v.rule_id
    where v.site_id = ${site_id} and v.event_kind = ${event_kind} and (v.to_event_no is null or v.to_event_no >= ${event_no})`.execute(db)
  return rows
}

/** Lists a site's stored rules, without the deleted ones. */
export async function ruleRows(db: Db, site_id: Id, ids?: readonly Id[]): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select * from notification_rule where site_id = ${site_id} and deleted_at is null ${ids === undefined ? sql`` : sql`and id = any(${ids}::uuid[])`}
    order by name, id`.execute(db)
  return rows
}

/** Returns one rule, unless it is deleted; with `lock`, locks it for a change. */
export async function ruleRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<RuleRow | null> {
  const { rows } = await sql<RuleRow>`
    select * from notification_rule where site_id = ${site_id} and id = ${id} and deleted_at is null ${lock ? sql`for update` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Counts a site's own rules. */
export async function ownRules(db: Db, site_id: Id): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from notification_rule where site_id = ${site_id} and source = 'site' and deleted_at is null`.execute(db)
  return rows[0]?.n ?? 0
}

/** Stores a rule, or the changes to it. */
export async function saveRule(db: Db, row: Omit<RuleRow, 'version' | 'created_at' | 'created_by' | 'updated_at'>): Promise<void> {
  const { site_id, id, ...rest } = row
  const name_key = row.source === 'site' ? row.name.normalize('NFC').toLowerCase() : null
  const values = { ...rest, name_key, when: jsonb(row.when), audience: jsonb(row.audience), channels: [...row.channels] }
  await db
    .insertInto('notification_rule')
    .values({ site_id, id, ...values })
    .onConflict(conflict => conflict.columns(['site_id', 'id']).doUpdateSet(values))
    .execute()
}

/**
 * Ends the active version of a rule and starts the next; with `content` null there is no next one. The site head is locked from here to the end of the
 * transaction, so that every event is committed either before this change or after it.
 */
export async function nextVersion(
  db: Db,
  rule: { site_id: Id; rule_id: Id; number: number; event_kind: string },
  content: RuleContent | null,
  change: { at: Instant; by: Id | null; changes: readonly string[] },
): Promise<void> {
  const { site_id, rule_id, number, event_kind } = rule
  const { rows } = await sql<{ event_no: number }>`select event_no from site_head where site_id = ${site_id} for update`.execute(db)
  const event_no = rows[0]?.event_no ?? 0
  await sql`
    update notification_rule_version set valid_to = ${change.at}, to_event_no = ${event_no}
    where site_id = ${site_id} and rule_id = ${rule_id} and to_event_no is null`.execute(db)
  if (content === null) return
  await db
    .insertInto('notification_rule_version')
    .values({
      site_id,
      rule_id,
      number,
      event_kind,
      content: jsonb(content),
      valid_from: change.at,
      from_event_no: event_no,
      changed_by: change.by,
      changes: jsonb(change.changes),
    })
    .execute()
}

/** Lists a rule's versions, newest first. */
export async function versionRows(db: Db, site_id: Id, rule_id: Id): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.rule_id, v.number, v.content, v.valid_from, v.valid_to, v.changed_by, u.name as changed_by_name, v.changes
    from notification_rule_version v left join app_user u on u.id = v.changed_by
    where v.site_id = ${site_id} and v.rule_id = ${rule_id} order by v.number desc`.execute(db)
  return rows
}

/** Returns which of these ids are sites. */
export async function sitesAmong(db: Db, ids: readonly Id[]): Promise<Id[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('site')
    .select('site_id')
    .where('site_id', 'in', [...ids])
    .execute()
  return rows.map(row => row.site_id)
}
