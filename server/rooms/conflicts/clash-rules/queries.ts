import type { RuleContent } from '../../../../shared/conflicts/rules.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'
import type { RuleState } from './domain.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'clash_rule.content': RuleContent
    'clash_rule.system_content': RuleContent | null
    'clash_rule_version.state': RuleState
  }
}

/** A rule as it is stored. */
export type RuleRow = Row<'clash_rule'>

/** Returns the profile that is active; null on a site without one. */
export async function activeProfileId(db: Db, site_id: Id): Promise<Id | null> {
  const row = await db
    .selectFrom('rule_profile')
    .select('id')
    .where('site_id', '=', site_id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns whether a profile exists. */
export async function isProfile(db: Db, site_id: Id, id: Id): Promise<boolean> {
  const row = await db
    .selectFrom('rule_profile')
    .select('id')
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The rules of a site, by name. */
const rulesOn = (db: Db, site_id: Id) =>
  db.selectFrom('clash_rule').selectAll().where('site_id', '=', site_id).where('deleted_at', 'is', null).orderBy('name').orderBy('id')

/** Lists the rules of a profile by name. */
export const rulesOf = (db: Db, site_id: Id, profile_id: Id): Promise<RuleRow[]> =>
  rulesOn(db, site_id).where('profile_id', '=', profile_id).execute()

/** Lists the rules of the active profile by name. */
export function activeRules(db: Db, site_id: Id): Promise<RuleRow[]> {
  const active = db.selectFrom('rule_profile').select('id').where('site_id', '=', site_id).where('is_active', '=', true)
  return rulesOn(db, site_id).where('profile_id', '=', active).execute()
}

/**
 * Returns a rule, deleted ones too: their versions stay readable. With `lock`, locks it for a change. A rule is deleted with its profile, of which only the
 * profile is marked.
 */
export async function ruleRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<RuleRow | null> {
  const query = db
    .selectFrom('clash_rule as r')
    .innerJoin('rule_profile as p', join => join.onRef('p.site_id', '=', 'r.site_id').onRef('p.id', '=', 'r.profile_id'))
    .selectAll('r')
    .select('p.deleted_at as profile_deleted_at')
    .where('r.site_id', '=', site_id)
    .where('r.id', '=', id)
  const found = await (lock ? query.forUpdate('r') : query).executeTakeFirst()
  if (found === undefined) return null
  const { profile_deleted_at, ...row } = found
  return { ...row, deleted_at: row.deleted_at ?? profile_deleted_at }
}

/** A rule to store, at its first version. */
export type NewRow = RuleState & {
  id: Id
  profile_id: Id
  origin_id: Id
  system_key: string | null
  system_revision: number | null
  system_content: RuleContent | null
}

/** Returns the form of a name that is there once. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

/** Stores rules with their first versions. */
export async function insertRules(db: Db, site_id: Id, rows: readonly NewRow[], now: Instant, by: Id | null): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('clash_rule')
    .values(
      rows.map(({ content, system_content, ...row }) => ({
        site_id,
        ...row,
        name_key: nameKey(row.name),
        content: jsonb(content),
        system_content: system_content === null ? null : jsonb(system_content),
      })),
    )
    .execute()
  await db
    .insertInto('clash_rule_version')
    .values(
      rows.map(({ id, name, description, enabled, content }) => ({
        ...{ site_id, rule_id: id, number: 1, valid_from: now, changed_by: by },
        state: jsonb({ name, description, enabled, content }),
      })),
    )
    .execute()
}

/** What a new version says about itself. */
export type Change = { at: Instant; by: Id | null; note: string | null; reverted_from: number | null }

/** Stores the next version of a rule. `system`: what it follows from now on, if that changes. */
export async function updateRule(
  db: Db,
  { site_id, id, number }: RuleRow,
  { content, ...state }: RuleState,
  change: Change,
  system: { system_revision: number; system_content: RuleContent } | null = null,
): Promise<void> {
  const follows = system === null ? {} : { system_revision: system.system_revision, system_content: jsonb(system.system_content) }
  await db
    .updateTable('clash_rule')
    .set({ ...state, name_key: nameKey(state.name), content: jsonb(content), number: number + 1, ...follows })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
  await endVersion(db, site_id, id, change.at)
  await db
    .insertInto('clash_rule_version')
    .values({
      ...{ site_id, rule_id: id, number: number + 1, state: jsonb({ ...state, content }), valid_from: change.at },
      ...{ changed_by: change.by, change_note: change.note, reverted_from: change.reverted_from },
    })
    .execute()
}

const endVersion = (db: Db, site_id: Id, id: Id, at: Instant) =>
  sql`update clash_rule_version set valid_to = ${at} where site_id = ${site_id} and rule_id = ${id} and valid_to is null`.execute(db)

/** Deletes a rule; its versions stay. */
export async function deleteRow(db: Db, site_id: Id, id: Id, now: Instant): Promise<void> {
  await db.updateTable('clash_rule').set({ deleted_at: now }).where('site_id', '=', site_id).where('id', '=', id).execute()
  await endVersion(db, site_id, id, now)
}

/** A version of a rule. */
export type VersionRow = {
  number: number
  state: RuleState
  valid_from: Instant
  valid_to: Instant | null
  changed_by: Id | null
  changed_by_name: string | null
  change_note: string | null
  reverted_from: number | null
}

/** Lists the versions of a rule, newest first. */
export async function versionsOf(db: Db, site_id: Id, rule_id: Id): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.number, v.state, v.valid_from, coalesce(v.valid_to, p.deleted_at) as valid_to, v.changed_by, u.name as changed_by_name, v.change_note,
      v.reverted_from
    from clash_rule_version v
    join clash_rule r on r.site_id = v.site_id and r.id = v.rule_id
    join rule_profile p on p.site_id = r.site_id and p.id = r.profile_id
    left join app_user u on u.id = v.changed_by
    where v.site_id = ${site_id} and v.rule_id = ${rule_id} order by v.number desc`.execute(db)
  return rows
}

/** A version of a rule, as clashes name the one that found them. */
export type VersionName = { rule_id: Id; rule_version: number }

/** Returns what these versions of rules found by. */
export async function versionContents(
  db: Db,
  site_id: Id,
  names: readonly VersionName[],
): Promise<(VersionName & { content: RuleContent })[]> {
  if (names.length === 0) return []
  const { rows } = await sql<VersionName & { content: RuleContent }>`
    select v.rule_id, v.number as rule_version, v.state -> 'content' as content
    from jsonb_to_recordset(${jsonb(names)}::jsonb) n (rule_id uuid, rule_version int)
    join clash_rule_version v on v.site_id = ${site_id} and v.rule_id = n.rule_id and v.number = n.rule_version`.execute(db)
  return rows
}

/** Returns the codes of the permit types of a site: the active ones, or all. */
export async function typeCodes(db: Db, site_id: Id, which: 'active' | 'all'): Promise<string[]> {
  const rows = await db
    .selectFrom('permit_type')
    .select('code')
    .where('site_id', '=', site_id)
    .$if(which === 'active', query => query.where('active', '=', true))
    .orderBy('code')
    .execute()
  return rows.map(row => row.code)
}

/** Returns the rules whose condition contains one of these ids; those of deleted profiles are deleted too. */
export async function rulesNaming(db: Db, site_id: Id, ids: readonly Id[]): Promise<{ used_id: Id; id: Id; name: string }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ used_id: Id; id: Id; name: string }>`
    select u.id as used_id, r.id, r.name from clash_rule r
    join rule_profile p on p.site_id = r.site_id and p.id = r.profile_id and p.deleted_at is null
    cross join unnest(${ids}::uuid[]) as u (id)
    where r.site_id = ${site_id} and r.deleted_at is null and position(u.id::text in (r.content -> 'when')::text) > 0
    order by r.name, r.id, u.id`.execute(db)
  return rows
}

/** Returns how many open episodes a rule has, by severity. */
export async function openEpisodes(db: Db, site_id: Id, rule_id: Id): Promise<{ red: number; amber: number }> {
  const { rows } = await sql<{ red: number; amber: number }>`
    select count(*) filter (where severity = 'red')::integer as red, count(*) filter (where severity = 'amber')::integer as amber
    from clash_episode where site_id = ${site_id} and rule_id = ${rule_id} and status = 'open'`.execute(db)
  return rows[0] ?? { red: 0, amber: 0 }
}
