// Reading groups: what they say, how many members they have, who uses them.

import { ENTITY_COLUMNS } from '../../../../../shared/predicates/entity.ts'
import { expanded, groupsNamed } from '../../../../../shared/predicates/nested.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, explain, notFound, refuse, type Verdict } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import {
  batched,
  checkPredicate,
  type Expression,
  explainPredicate,
  membersOf,
  NO_REFS,
  predicateSql,
  type Refs,
  refsFor,
  sizeOf,
  subjectOf,
  together,
  usersOf,
} from '../../../../kernel/predicates/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import type { Group } from '../domain.ts'
import { countsOf, type GroupRow, groupRow, groupsFor, knownGroups, type MemberRow, membersFor } from '../queries/groups.ts'
import type { SmartGroupFilter, SmartGroupView } from '../schema.ts'

/** The groups that a person's conditions can refer to. */
export type Known = ReadonlyMap<Id, Group>
/** What uses a group. */
export type User = { kind: string; id: Id; name: string }

/** Returns the shared groups and the caller’s own. */
export const myGroups = (ctx: Ctx, site_id: Id): Promise<Map<Id, Group>> => knownGroups(ctx.db, site_id, ctx.actor.id)

/** Returns the records of a subject that the caller sees, at an instant. */
async function seen(ctx: Ctx, site_id: Id, subject: string, at: string): Promise<Expression> {
  const relations = await Promise.all(membersOf(subject).map(one => one.at(ctx, site_id, at, false)))
  return together(relations, ENTITY_COLUMNS)
}

/** Returns what the conditions of groups refer to, with the names that the caller sees. */
export async function refsOf(
  ctx: Ctx,
  site_id: Id,
  groups: readonly { subject: string; predicate: unknown }[],
  known: Known,
): Promise<Refs> {
  const { ids, codes } = await refsFor(ctx, site_id, groups)
  return { codes, ids: new Map(ids).set('smart_group', new Map([...known.values()].map(group => [group.id, group.name]))) }
}

/** Returns what uses these groups: rules, shared groups, and groups of the caller; by the group that is used. */
export async function usersIn(ctx: Ctx, site_id: Id, group_ids: readonly Id[], known: Known): Promise<Map<Id, User[]>> {
  const out = new Map<Id, User[]>(group_ids.map(id => [id, []]))
  if (group_ids.length === 0) return out
  for (const area of usersOf('smart_group'))
    for (const { used_id, id, name } of await area.by(ctx, site_id, group_ids)) out.get(used_id)?.push({ kind: area.kind, id, name })
  for (const group of known.values())
    for (const id of groupsNamed(subjectOf(group.subject), group.predicate))
      out.get(id)?.push({ kind: 'smart_group', id: group.id, name: group.name })
  return out
}

/** Decides whether the caller can save groups with this visibility. */
export const keeping = (ctx: Ctx, visibility: Group['visibility']): Verdict =>
  ctx.actor.lacks(visibility === 'shared' ? 'smart_group_share' : 'smart_group_edit')

/** Refuses a change to something that is in use. */
export const used = (users: readonly User[], what: string): Verdict =>
  users.length === 0
    ? null
    : conflict(
        'in_use',
        `${what} is used by ${users.map(user => `“${user.name}”`).join(', ')}. Change ${users.length === 1 ? 'that' : 'those'} first.`,
        { used_by: users },
      )

/** Counts the members of each of these groups, in as few statements as parameters allow. */
export async function counted(ctx: Ctx, site_id: Id, groups: readonly Group[], known: Known, at: string): Promise<Map<Id, number>> {
  const { timezone } = await siteOf(ctx, site_id)
  const out = new Map<Id, number>()
  const written = groups.map(group => {
    const subject = subjectOf(group.subject)
    const predicate = expanded(subject, group.predicate, known)
    return { group, subject, predicate, size: sizeOf(subject, predicate) }
  })
  for (const batch of batched(written)) {
    const bySubject = [...Map.groupBy(batch, one => one.subject)]
    const asked = await Promise.all(
      bySubject.map(async ([subject, own]) => ({
        members: await seen(ctx, site_id, subject.name, at),
        conditions: own.map(one => predicateSql(subject, one.predicate, { now: at, timezone })),
      })),
    )
    const counts = await countsOf(ctx.db, asked)
    bySubject.forEach(([, own], i) => {
      own.forEach((one, k) => {
        out.set(one.group.id, counts[i]?.[k] ?? 0)
      })
    })
  }
  return out
}

type Page = { limit: number; after: readonly (string | number | null)[] | null }

/** Returns the members of a group that the caller sees. */
export async function membersIn(
  ctx: Ctx,
  site_id: Id,
  group: Pick<Group, 'subject' | 'predicate'>,
  known: Known,
  at: string,
  page: Page,
): Promise<MemberRow[]> {
  const { timezone } = await siteOf(ctx, site_id)
  const subject = subjectOf(group.subject)
  const condition = predicateSql(subject, expanded(subject, group.predicate, known), { now: at, timezone })
  return membersFor(ctx.db, await seen(ctx, site_id, group.subject, at), condition, page)
}

/** Returns a member of a group as the API shows it. */
const plain = ({ kind, id, label }: MemberRow) => ({ kind, id, label })

/** Returns members with where each is at an instant; null for one without a place. */
export async function withPlaces(ctx: Ctx, site_id: Id, subject: string, members: readonly MemberRow[], at: string) {
  const ids = members.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await Promise.all(membersOf(subject).map(one => one.places?.(ctx, site_id, at, ids)))
  const places = new Map(found.flatMap(some => [...(some ?? [])]))
  return members.map(member => ({ ...plain(member), place: places.get(member.id) ?? null }))
}

/** The reader’s language. */
export type Said = { locale: string | null }

/** Returns the sentence of a group, and its warnings. */
export function worded(ctx: Ctx, group: Pick<Group, 'subject' | 'predicate'>, refs: Refs, timezone: string, { locale }: Said) {
  const { faults, warnings } = checkPredicate(group.subject, group.predicate, refs)
  return {
    explanation: explainPredicate(group.subject, group.predicate, { locale: locale ?? ctx.site?.locale ?? 'en-GB', timezone, refs }),
    // What existed when the group was saved can have been deleted since: its condition stays, with a warning.
    warnings: [
      ...faults.filter(fault => fault.code === 'dead_reference'),
      ...(faults.length === 0 ? warnings : checkPredicate(group.subject, group.predicate, { ...refs, ids: NO_REFS.ids }).warnings),
    ],
  }
}

async function shown(ctx: Ctx, site_id: Id, rows: readonly GroupRow[], said: Said): Promise<Record<string, unknown>[]> {
  const known = await myGroups(ctx, site_id)
  const refs = await refsOf(ctx, site_id, rows, known)
  const { timezone } = await siteOf(ctx, site_id)
  const users = await usersIn(
    ctx,
    site_id,
    rows.map(row => row.id),
    known,
  )
  const hidden = new Set(usersOf('smart_group').flatMap(area => (ctx.actor.can(area.seen_with) ? [] : area.kind)))
  return rows.map(row => {
    const { owner_id, owner_name, created_by: _by, updated_by: _last, ...rest } = row
    const used_by = (users.get(row.id) ?? []).filter(user => !hidden.has(user.kind))
    const may = keeping(ctx, row.visibility)
    return {
      ...rest,
      ...worded(ctx, row, refs, timezone, said),
      used_by,
      owner: { id: owner_id, name: ctx.actor.can('member_view') || owner_id === ctx.actor.id ? owner_name : 'A member' },
      permissions: flagsFor(
        ctx.actor,
        {
          edit: explain([may]),
          share: explain([ctx.actor.lacks('smart_group_share')]),
          delete: explain([may, used(used_by, `“${row.name}”`)]),
        },
        row.visibility === 'shared' ? [] : ['edit', 'delete'],
      ),
    }
  })
}

/** Returns a group as the API shows it. */
export async function shownOne(ctx: Ctx, site_id: Id, id: Id, said: Said): Promise<Record<string, unknown>> {
  const row = await groupRow(ctx.db, site_id, id, false)
  const [one] = row === null ? [] : await shown(ctx, site_id, [row], said)
  return one ?? refuse(notFound())
}

/** Lists the shared groups and the caller's own, by sort, name and id. */
export async function listGroups(ctx: Ctx, filter: SmartGroupFilter, said: Said): Promise<{ rows: unknown[]; next: string | null }> {
  const { site_id } = filter
  const limit = filter.limit ?? PAGE
  const found = await groupsFor(
    ctx.db,
    site_id,
    ctx.actor.id,
    {
      ...(filter.id === undefined ? {} : { ids: filter.id }),
      ...(filter.subject === undefined ? {} : { subject: filter.subject }),
      ...(filter.visibility === undefined ? {} : { visibility: filter.visibility }),
      ...(filter.q === undefined ? {} : { q: filter.q }),
      updated_since: filter.updated_since,
    },
    { limit: limit + 1, after: readCursor(filter.cursor, 3) },
  )
  const { rows, next } = cut(found, limit, row => [row.sort, row.sort_name, row.id])
  const groups = rows.map(({ sort_name: _key, ...row }) => row)
  const out = await shown(ctx, site_id, groups, said)
  if (filter.include?.includes('counts')) {
    const counts = await counted(ctx, site_id, groups, await myGroups(ctx, site_id), filter.at ?? ctx.now)
    for (const one of out) one.count = counts.get(String(one.id)) ?? 0
  }
  return { rows: out, next }
}

/** Returns a group with its number of members, and a page of them if asked. */
export async function showGroup(
  ctx: Ctx,
  row: GroupRow,
  view: SmartGroupView,
  said: Said,
): Promise<{ body: Record<string, unknown>; next: string | null }> {
  const { site_id } = row
  const at = view.at ?? ctx.now
  const known = await myGroups(ctx, site_id)
  const body = await shownOne(ctx, site_id, row.id, said)
  body.count = (await counted(ctx, site_id, [row], known, at)).get(row.id) ?? 0
  if (!view.include?.includes('members')) return { body, next: null }
  const limit = view.limit ?? PAGE
  const found = await membersIn(ctx, site_id, row, known, at, { limit: limit + 1, after: readCursor(view.cursor, 3) })
  const { rows, next } = cut(found, limit, member => [member.kind, member.sort_label, member.id])
  body.members = rows.map(plain)
  return { body, next }
}
