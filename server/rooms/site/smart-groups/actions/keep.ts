// Saving groups: what can be saved, who can do it, and what follows.
import type { AnySubject } from '../../../../../shared/predicates/language.ts'
import { expanded, reachFaults } from '../../../../../shared/predicates/nested.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, forbidden, invalid, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { permissionWords } from '../../../../kernel/access/door.ts'
import { canonical } from '../../../../kernel/audit/door.ts'
import { checkPredicate, type Predicate, type Refs, subjectOf, usersOf } from '../../../../kernel/predicates/door.ts'
import { changesOf } from '../../../../kernel/records/domain.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { enterSite, siteOf } from '../../../../kernel/site/door.ts'
import { placeOf } from '../../memberships/door.ts'
import { type Group, reaching } from '../domain.ts'
import {
  dropGroup,
  type GroupRow,
  type GroupSet,
  groupNamed,
  insertGroup,
  knownGroups,
  privateGroupsOf,
  saveGroup,
} from '../queries/groups.ts'
import type { NewSmartGroup, SmartGroupChange } from '../schema.ts'

import {
  counted,
  type Known,
  keeping,
  membersIn,
  myGroups,
  refsOf,
  type Said,
  shownOne,
  type User,
  used,
  usersIn,
  withPlaces,
  worded,
} from './show.ts'

const PREVIEWED = 20

/** Returns the condition that a group would have, or refuses it with all its faults. A shared group can refer only to shared groups. */
async function judged(
  ctx: Ctx,
  site_id: Id,
  group: Omit<Group, 'predicate'>,
  value: unknown,
): Promise<{ predicate: Predicate; refs: Refs; known: Known }> {
  const all = await myGroups(ctx, site_id)
  const known = new Map([...all].filter(([id, one]) => id === group.id || group.visibility === 'private' || one.visibility === 'shared'))
  const refs = await refsOf(ctx, site_id, [{ subject: group.subject, predicate: value }], known)
  const { predicate, faults } = checkPredicate(group.subject, value, refs)
  if (predicate === null) return refuse(invalid(faults))
  const further = reachFaults({ ...group, predicate }, all, subjectOf)
  if (further.length > 0) refuse(invalid(further))
  return { predicate, refs, known }
}

/** Refuses a change on a locked site, unless the group is the caller's private one (`site-and-people.md` §0.3). */
async function unlessLocked(ctx: Ctx, site_id: Id, shared: boolean): Promise<void> {
  if (shared) await enterSite(ctx, site_id)
}

async function freeName(ctx: Ctx, site_id: Id, group: Pick<Group, 'name' | 'visibility' | 'owner_id'>, but: Id | null): Promise<void> {
  const among = group.visibility === 'shared' ? 'shared' : { owner_id: group.owner_id }
  const existing_id = await groupNamed(ctx.db, site_id, group.name, among, but)
  if (existing_id !== null)
    refuse(
      conflict(
        'key_taken',
        `There is already a ${group.visibility === 'shared' ? 'shared group' : 'group of yours'} called “${group.name}”. Choose another name.`,
        { existing_id },
      ),
    )
}

/** Previews a group: its sentence, its warnings, its number of members and the first of them. */
export async function previewGroup(ctx: Ctx, body: NewSmartGroup, said: Said): Promise<Record<string, unknown>> {
  const { site_id, subject } = body
  const at = body.at ?? ctx.now
  const draft = { id: ids.next(), name: body.name, subject, visibility: body.visibility ?? 'private', owner_id: ctx.actor.id ?? '' }
  const { predicate, refs, known } = await judged(ctx, site_id, draft, body.predicate)
  const group = { ...draft, predicate }
  const { timezone } = await siteOf(ctx, site_id)
  const members = await membersIn(ctx, site_id, group, known, at, { limit: PREVIEWED, after: null })
  return {
    ...worded(ctx, group, refs, timezone, said),
    count: (await counted(ctx, site_id, [group], known, at)).get(group.id) ?? 0,
    members: await withPlaces(ctx, site_id, subject, members, at),
  }
}

/** Saves a new group. */
export async function createGroup(ctx: Ctx, body: NewSmartGroup, said: Said): Promise<Record<string, unknown>> {
  const { site_id, subject, name } = body
  const visibility = body.visibility ?? 'private'
  const owner_id = ctx.actor.id
  if (owner_id === null) return refuse(forbidden('smart_group_edit'))
  enforce([keeping(ctx, visibility)])
  await unlessLocked(ctx, site_id, visibility === 'shared')
  await hold(ctx, 'smart groups', site_id)
  const draft = { id: ids.next(), name, subject, visibility, owner_id }
  const { predicate } = await judged(ctx, site_id, draft, body.predicate)
  await freeName(ctx, site_id, draft, null)
  const { description = null, colour = null, icon = null, sort = 0 } = body
  await insertGroup(ctx.db, { site_id, ...draft, subject, predicate, description, colour, icon, sort })
  tell(ctx, site_id, 'smart_group.changed', { ...draft, predicate }, true)
  return shownOne(ctx, site_id, draft.id, said)
}

/** Changes a group. Only a person who can change a rule can change the condition of its group. */
export async function changeGroup(
  ctx: Ctx,
  row: GroupRow,
  change: SmartGroupChange,
  said: Said = { locale: null },
): Promise<Record<string, unknown>> {
  const { site_id } = row
  const visibility = change.visibility ?? row.visibility
  enforce([keeping(ctx, row.visibility), keeping(ctx, visibility)])
  await unlessLocked(ctx, site_id, row.visibility === 'shared' || visibility === 'shared')
  await hold(ctx, 'smart groups', site_id)
  const after = { ...row, ...change, visibility, predicate: row.predicate }
  const { predicate: wanted, ...rest } = change
  const set: GroupSet = { ...rest }
  const reworded = wanted !== undefined && canonical(wanted) !== canonical(row.predicate)
  if (reworded || visibility !== row.visibility) {
    const { predicate } = await judged(ctx, site_id, after, wanted === undefined ? row.predicate : wanted)
    after.predicate = predicate
    if (reworded) set.predicate = predicate
  }
  if (reworded) await enforceRules(ctx, row)
  if (visibility === 'private' && row.visibility === 'shared') {
    const users = (await usersIn(ctx, site_id, [row.id], await myGroups(ctx, site_id))).get(row.id) ?? []
    // The caller's own private groups can still refer to it.
    enforce([used(await othersOf(ctx, site_id, users), `“${row.name}”`)])
    if (row.owner_id !== ctx.actor.id)
      refuse(
        forbidden(
          'smart_group_edit',
          `“${row.name}” belongs to ${row.owner_name}, and only its owner can make it private. Ask them, or save a copy as your own private group.`,
        ),
      )
  }
  if (change.name !== undefined || visibility !== row.visibility) await freeName(ctx, site_id, after, row.id)
  const changes = changesOf(row, set)
  if (Object.keys(changes).length === 0) return shownOne(ctx, site_id, row.id, said)
  await saveGroup(ctx.db, site_id, row.id, changes)
  if (row.visibility === 'shared' || visibility === 'shared')
    tell(ctx, site_id, 'smart_group.changed', { ...after, visibility: 'shared' }, reworded)
  return shownOne(ctx, site_id, row.id, said)
}

/** Returns uses other than the caller's private groups. */
async function othersOf(ctx: Ctx, site_id: Id, users: readonly User[]): Promise<User[]> {
  const own = await myGroups(ctx, site_id)
  return users.filter(user => user.kind !== 'smart_group' || own.get(user.id)?.visibility !== 'private')
}

/** Refuses with a rule's permission, if the rule uses the condition of this group, directly or through other groups. */
async function enforceRules(ctx: Ctx, row: GroupRow): Promise<void> {
  const reach = [...reaching([row.id], await myGroups(ctx, row.site_id), subjectOf)]
  for (const area of usersOf('smart_group')) {
    if (ctx.actor.can(area.permission)) continue
    const rules = await area.by(ctx, row.site_id, reach)
    if (rules.length > 0)
      refuse(
        forbidden(
          area.permission,
          `The condition of “${row.name}” is used by ${rules.map(rule => `“${rule.name}”`).join(', ')}. You can’t change it without this permission: “${permissionWords(area.permission)}”. Save it as a new group instead.`,
        ),
      )
  }
}

/** Deletes a group that nothing uses. */
export async function removeGroup(ctx: Ctx, row: GroupRow): Promise<void> {
  const { site_id } = row
  enforce([keeping(ctx, row.visibility)])
  await unlessLocked(ctx, site_id, row.visibility === 'shared')
  await hold(ctx, 'smart groups', site_id)
  const users = (await usersIn(ctx, site_id, [row.id], await myGroups(ctx, site_id))).get(row.id) ?? []
  enforce([used(users, `“${row.name}”`)])
  await dropGroup(ctx.db, site_id, row.id)
  tell(ctx, site_id, 'smart_group.deleted', row, true)
}

/** Emits a change that others can see; private groups concern only their owner. */
function tell(ctx: Ctx, site_id: Id, kind: 'smart_group.changed' | 'smart_group.deleted', group: Group, reworded: boolean): void {
  if (group.visibility === 'private') return
  ctx.emit({
    kind,
    site_id,
    subject: { kind: 'smart_group', id: group.id, label: group.name },
    payload: { group_id: group.id, subject: group.subject, predicate_changed: reworded },
  })
}

/** Deletes a person's private groups when their membership ends; shared ones stay. */
export async function forgetPrivate(ctx: Ctx, site_id: Id, user_id: Id): Promise<void> {
  const place = await placeOf(ctx, site_id, user_id)
  if (place !== null && place.status !== 'ended') return
  // Writes on groups lock the record before the name. The second reading finds what was written meanwhile; later writes see that the membership has ended.
  await privateGroupsOf(ctx.db, site_id, user_id)
  await hold(ctx, 'smart groups', site_id)
  for (const id of await privateGroupsOf(ctx.db, site_id, user_id)) await dropGroup(ctx.db, site_id, id)
}

/** Returns the condition of a rule with its groups expanded, as `compilePredicate` and `predicateSql` need it. Rules can refer only to shared groups. */
export async function expandGroups(ctx: Ctx, site_id: Id, subject: AnySubject, predicate: Predicate): Promise<Predicate> {
  return expanded(subject, predicate, await sharedGroups(ctx, site_id))
}

/** Returns the groups that rules can refer to: the shared ones. */
export const sharedGroups = (ctx: Ctx, site_id: Id): Promise<Map<Id, Group>> => knownGroups(ctx.db, site_id, null)

/** Returns the names of those of these groups that rules can refer to. */
export async function sharedNames(ctx: Ctx, site_id: Id, group_ids: readonly Id[]): Promise<Map<Id, string>> {
  const known = await sharedGroups(ctx, site_id)
  return new Map(group_ids.flatMap(id => (known.has(id) ? [[id, known.get(id)?.name ?? ''] as const] : [])))
}
