import type { Instant } from '../../../../../shared/time.ts'
import { newColumns, setColumns } from '../../../../base/columns.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { andSince } from '../../../../base/plans.ts'
import { mentions } from '../../../../kernel/listing/door.ts'
import type { Condition, Expression, Predicate } from '../../../../kernel/predicates/door.ts'
import type { Group } from '../domain.ts'

/** A group as the database has it. */
export type GroupRow = Group & {
  site_id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  updated_at: Instant
  updated_by: Id | null
  description: string | null
  subject: 'entity' | 'permit'
  colour: string | null
  icon: string | null
  sort: number
  owner_name: string
}

const seenBy = (user_id: Id | null) => sql`(g.visibility = 'shared' or g.owner_id = ${user_id}::uuid)`
const columns = sql`g.*, u.name as owner_name`

/** The filters of a list of groups. */
export type GroupFilter = {
  ids?: readonly Id[]
  subject?: readonly string[]
  visibility?: readonly string[]
  q?: string
  updated_since?: Instant | undefined
}

/** Lists the groups of a site that a person sees: shared ones and their own, by sort, name and id. */
export async function groupsFor(
  db: Db,
  site_id: Id,
  user_id: Id | null,
  filter: GroupFilter,
  page: { limit: number; after: readonly (string | number | null)[] | null },
): Promise<(GroupRow & { sort_name: string })[]> {
  const { after } = page
  const { rows } = await sql<GroupRow & { sort_name: string }>`
    select ${columns}, fold_text(g.name) as sort_name from smart_group g join app_user u on u.id = g.owner_id
    where g.site_id = ${site_id} and ${seenBy(user_id)}
      ${filter.ids === undefined ? sql`` : sql`and g.id = any(${filter.ids}::uuid[])`}
      ${andSince('g.updated_at', filter.updated_since)}
      ${filter.subject === undefined ? sql`` : sql`and g.subject = any(${filter.subject}::text[])`}
      ${filter.visibility === undefined ? sql`` : sql`and g.visibility = any(${filter.visibility}::text[])`}
      ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`g.name`, sql`g.description`], filter.q)}`}
      ${after === null ? sql`` : sql`and (g.sort, fold_text(g.name) collate "C", g.id) > (${after[0]}::integer, ${after[1]}::text collate "C", ${after[2]}::uuid)`}
    order by g.sort, fold_text(g.name) collate "C", g.id limit ${page.limit}`.execute(db)
  return rows
}

/** Returns a group by its id, locked when it is about to be written. */
export async function groupRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<GroupRow | null> {
  const { rows } = await sql<GroupRow>`
    select ${columns} from smart_group g join app_user u on u.id = g.owner_id
    where g.site_id = ${site_id} and g.id = ${id} ${lock ? sql`for no key update of g` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** Returns every group of a site that a person's conditions can refer to: shared ones, and their own. With null, only shared ones, for rules. */
export async function knownGroups(db: Db, site_id: Id, user_id: Id | null): Promise<Map<Id, Group>> {
  const { rows } = await sql<Group>`
    select g.id, g.name, g.subject, g.predicate, g.visibility, g.owner_id from smart_group g
    where g.site_id = ${site_id} and ${seenBy(user_id)}`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'smart_group.predicate': Predicate
  }
}

/** The columns of a group that a person sets. */
export type GroupSet = Partial<Pick<GroupRow, 'name' | 'description' | 'visibility' | 'colour' | 'icon' | 'sort'>> & {
  predicate?: Predicate
}

/** Inserts a new group. */
export async function insertGroup(
  db: Db,
  row: Pick<GroupRow, 'site_id' | 'id' | 'owner_id' | 'subject' | 'name' | 'visibility' | 'predicate'> & GroupSet,
): Promise<void> {
  await db.insertInto('smart_group').values(newColumns('smart_group', row)).execute()
}

/** Changes a group. */
export async function saveGroup(db: Db, site_id: Id, id: Id, set: GroupSet): Promise<void> {
  if (Object.keys(set).length > 0)
    await db.updateTable('smart_group').set(setColumns('smart_group', set)).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Deletes a group. */
export async function dropGroup(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('smart_group').where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the private groups of a person on a site. */
export async function privateGroupsOf(db: Db, site_id: Id, user_id: Id): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from smart_group where site_id = ${site_id} and owner_id = ${user_id} and visibility = 'private' order by id for update`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Returns another shared group with this name, or another of the person's own. */
export async function groupNamed(
  db: Db,
  site_id: Id,
  name: string,
  among: { owner_id: Id } | 'shared',
  but: Id | null,
): Promise<Id | null> {
  const { rows } = await sql<{ id: Id }>`
    select g.id from smart_group g where g.site_id = ${site_id} and fold_text(g.name) = fold_text(${name})
      and ${among === 'shared' ? sql`g.visibility = 'shared'` : sql`g.visibility = 'private' and g.owner_id = ${among.owner_id}`}
      ${but === null ? sql`` : sql`and g.id <> ${but}`}`.execute(db)
  return rows[0]?.id ?? null
}

/** Counts how many records meet each of these conditions: one statement whatever their number, and each relation is read once. */
export async function countsOf(db: Db, asked: readonly { members: Expression; conditions: readonly Condition[] }[]): Promise<number[][]> {
  const parts = asked
    .filter(one => one.conditions.length > 0)
    .map(
      ({ members, conditions }, i) =>
        sql`(select array[${sql.join(conditions.map(c => sql`count(*) filter (where ${c})`))}] as n from ${members} m) ${sql.ref(`s${i}`)}`,
    )
  if (parts.length === 0) return asked.map(() => [])
  const { rows } = await sql<Record<string, number[]>>`
    select ${sql.join(parts.map((_, i) => sql`${sql.ref(`s${i}.n`)} as ${sql.ref(`n${i}`)}`))} from ${sql.join(parts, sql` cross join `)}`.execute(
    db,
  )
  const [row] = rows
  let i = 0
  return asked.map(one => (one.conditions.length === 0 ? [] : (row?.[`n${i++}`] ?? []).map(Number)))
}

/** A member of a group. */
export type MemberRow = { kind: string; id: Id; label: string; sort_label: string }

/** Lists the records that meet a condition, by kind, label and id. */
export async function membersFor(
  db: Db,
  members: Expression,
  condition: Condition,
  page: { limit: number; after: readonly (string | number | null)[] | null },
): Promise<MemberRow[]> {
  const { after } = page
  const { rows } = await sql<MemberRow>`
    select m.kind, m.id, m.label, fold_text(m.label) as sort_label from ${members} m where ${condition}
      ${after === null ? sql`` : sql`and (m.kind collate "C", fold_text(m.label) collate "C", m.id) > (${after[0]}::text collate "C", ${after[1]}::text collate "C", ${after[2]}::uuid)`}
    order by m.kind collate "C", fold_text(m.label) collate "C", m.id limit ${page.limit}`.execute(db)
  return rows
}
