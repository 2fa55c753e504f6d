import { STANDARD_RULES } from '../../../../shared/conflicts/standard.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { conflict, enforce, explain, notFound, refuse, type Verdict } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import { actorFor, personAt } from '../../../kernel/access/door.ts'
import { hold } from '../../../kernel/records/door.ts'
import { enterSite, siteOf } from '../../../kernel/site/door.ts'
import { copyConsequences } from '../clash-consequences/door.ts'
import { checkedRules, copyRules, nameKey, rulesOf, seedRules, synced } from '../clash-rules/door.ts'
import {
  activateRow,
  type Counts,
  deleteProfile,
  insertProfile,
  type ProfileRow,
  profileRow,
  profileRows,
  ruleCounts,
  updateProfile,
} from './queries.ts'

const STANDARD = 'Standard'
const MOST_PROFILES = 50

const cantActivate = ({ is_active, name }: ProfileRow): Verdict => (is_active ? conflict('in_use', `“${name}” is already active.`) : null)

/** The active profile, and the last one, stay (§2). */
const cantDelete = ({ is_active, name }: ProfileRow): Verdict =>
  is_active ? conflict('in_use', `“${name}” is active, so it can’t be deleted. Activate another profile first.`) : null

function shown(ctx: Ctx, row: ProfileRow, counts: Counts | undefined) {
  const manage = ctx.actor.lacks('clash_rule_manage')
  const { rules = 0, enabled = 0, standard = [] } = counts ?? {}
  const newer = STANDARD_RULES.filter(one => (standard.find(({ key }) => key === one.system_key)?.revision ?? 0) < one.revision)
  const { id, site_id, name, description, is_active, based_on_id, activated_at, activated_by, version, updated_at } = row
  return {
    ...{ id, site_id, name, description, is_active, based_on_id, activated_at, activated_by },
    ...{ rule_count: rules, enabled_count: enabled, updates_available: newer.length },
    permissions: flagsFor(ctx.actor, {
      edit: explain([manage]),
      activate: explain([manage, cantActivate(row)]),
      delete: explain([manage, cantDelete(row)]),
    }),
    ...{ version, updated_at },
  }
}

/** Lists the profiles of a site. */
export async function listProfiles(ctx: Ctx, site_id: Id) {
  const [rows, counts] = [await profileRows(ctx.db, site_id), await ruleCounts(ctx.db, site_id)]
  return rows.map(row => shown(ctx, row, counts.get(row.id)))
}

/** Shows a profile. */
export const showProfile = async (ctx: Ctx, row: ProfileRow) => shown(ctx, row, (await ruleCounts(ctx.db, row.site_id)).get(row.id))

const showNow = async (ctx: Ctx, site_id: Id, id: Id) =>
  showProfile(ctx, (await profileRow(ctx.db, site_id, id, false)) ?? refuse(notFound()))

type Named = Pick<ProfileRow, 'site_id' | 'id' | 'name'>

/** Tells that a profile was created, changed or deleted. `messages.md` §0.5 has no event of its own for that: it is a change of the site's rules. */
const tell = (ctx: Ctx, { site_id, id, name }: Named, fields: readonly string[]) =>
  ctx.emit({
    kind: 'clash_rule.changed',
    site_id,
    subject: { kind: 'rule_profile', id, label: name },
    payload: { rule_id: null, profile_id: id, fields },
  })

/** Locks the names of a site's profiles, and refuses one that another profile has. */
async function refuseTakenName(ctx: Ctx, site_id: Id, name: string, own: Id | null): Promise<void> {
  await hold(ctx, 'rule_profiles', site_id)
  const rows = await profileRows(ctx.db, site_id)
  const taken = rows.find(row => row.id !== own && nameKey(row.name) === nameKey(name))
  if (taken !== undefined)
    refuse(conflict('key_taken', `There is already a profile called “${taken.name}”. Choose another name.`, { existing_id: taken.id }))
  if (own === null && rows.length >= MOST_PROFILES)
    refuse(
      conflict('too_many', `A site can have at most ${MOST_PROFILES} profiles. Delete one that you don’t need.`, { limit: MOST_PROFILES }),
    )
}

/** Adds a profile, which is not active. */
export async function createProfile(
  ctx: Ctx,
  {
    site_id,
    name,
    description = '',
    start_from = 'system',
  }: { site_id: Id; name: string; description?: string; start_from?: 'system' | 'empty' },
) {
  await refuseTakenName(ctx, site_id, name, null)
  const id = await insertProfile(ctx.db, { site_id, name, description, based_on_id: null })
  if (start_from === 'system') await seedRules(ctx, site_id, id)
  tell(ctx, { site_id, id, name }, ['created'])
  return showNow(ctx, site_id, id)
}

/** Changes the name or the description. */
export async function changeProfile(
  ctx: Ctx,
  row: ProfileRow,
  { name = row.name, description = row.description }: { name?: string; description?: string },
) {
  if (name !== row.name) await refuseTakenName(ctx, row.site_id, name, row.id)
  const fields = [...(name === row.name ? [] : ['name']), ...(description === row.description ? [] : ['description'])]
  if (fields.length > 0) {
    await updateProfile(ctx.db, row.site_id, row.id, { name, description })
    tell(ctx, { ...row, name }, fields)
  }
  return showNow(ctx, row.site_id, row.id)
}

/** Deletes a profile that isn't active. Its request is alone on the site, so that the profile isn't activated meanwhile. */
export async function removeProfile(ctx: Ctx, row: ProfileRow): Promise<void> {
  enforce([cantDelete(row)])
  await deleteProfile(ctx.db, row.site_id, row.id, ctx.now)
  ctx.note(row.id, { action: 'delete' })
  tell(ctx, row, ['deleted'])
}

/** Makes a profile the active one; one that is active already stays so. Its request is alone on the site, so that there is always exactly one. */
export async function activateProfile(ctx: Ctx, row: ProfileRow) {
  const { site_id, id } = row
  if (row.is_active) return showProfile(ctx, row)
  const rules = (await rulesOf(ctx.db, site_id, id)).filter(rule => rule.enabled)
  const checked = await checkedRules(
    ctx,
    site_id,
    rules.map(({ content }) => content),
  )
  const broken = rules.flatMap((rule, i) => {
    const problems = checked[i]?.faults ?? []
    return problems.length > 0 ? [{ id: rule.id, name: rule.name, problems }] : []
  })
  if (broken.length > 0)
    refuse(
      conflict('invalid_rules', `Some rules of “${row.name}” refer to what no longer exists. Correct them or switch them off first.`, {
        rules: broken,
      }),
    )
  const [before] = await profileRows(ctx.db, site_id)
  await activateRow(ctx.db, site_id, id, ctx.now, ctx.actor.id)
  announce(ctx, row, before?.is_active === true ? before.id : null)
  return showNow(ctx, site_id, id)
}

const announce = (ctx: Ctx, { site_id, id, name }: Named, previous_profile_id: Id | null) =>
  ctx.emit({
    kind: 'rule_profile.activated',
    site_id,
    subject: { kind: 'rule_profile', id, label: name },
    payload: { profile_id: id, previous_profile_id },
  })

/** Enters another site for a write. A site of which the caller is no member doesn't exist for them. */
async function enterOther(ctx: Ctx, site_id: Id): Promise<void> {
  const person = ctx.actor.id === null ? null : await personAt(ctx.db, { id: ctx.actor.id }, site_id)
  const actor = person === null ? null : actorFor(person, person.standing, ctx.house.settings)
  if (actor === null || !actor.can('clash_view')) return refuse(notFound())
  enforce([actor.lacks('clash_rule_manage')])
  await enterSite(ctx, site_id)
}

/** Copies the rules of a profile into another one, and what their clashes mean for the work. */
async function copyContent(ctx: Ctx, from: Parameters<typeof copyRules>[1], to: Parameters<typeof copyRules>[2]) {
  const copied = await copyRules(ctx, from, to)
  await copyConsequences(ctx, from.site_id, to.site_id, copied.ids)
  return copied
}

/** Copies a profile with its rules and consequences, to the same site or to another one where the caller can change rules. */
export async function cloneProfile(
  ctx: Ctx,
  row: ProfileRow,
  { name, target_site_id = row.site_id }: { name: string; target_site_id?: Id },
) {
  const { site_id } = row
  const own = await siteOf(ctx, site_id)
  if (target_site_id !== site_id) await enterOther(ctx, target_site_id)
  await refuseTakenName(ctx, target_site_id, name, null)
  const id = await insertProfile(ctx.db, {
    site_id: target_site_id,
    name,
    description: row.description,
    based_on_id: target_site_id === site_id ? row.id : null,
  })
  const copied = await copyContent(ctx, { site_id, profile_id: row.id }, { site_id: target_site_id, profile_id: id })
  tell(ctx, { site_id: target_site_id, id, name }, ['created'])
  const made = await showNow(ctx, target_site_id, id)
  ctx.site = own
  return { ...made, needs_attention: copied.needs_attention }
}

/** Takes over the newest standard rules. */
export async function syncProfile(
  ctx: Ctx,
  { site_id, id }: ProfileRow,
  { dry_run = false, overwrite = [] }: { dry_run?: boolean; overwrite?: string[] },
) {
  return synced(ctx, site_id, id, overwrite, dry_run)
}

/**
 * Gives a site its first profile, which has the standard rules and is active, unless it has one. What is on an older site is compared by these rules from
 * then on.
 */
export async function seedProfile(ctx: Ctx, site_id: Id, { new_site }: { new_site: boolean }): Promise<void> {
  if ((await profileRows(ctx.db, site_id)).length > 0) return
  const id = await insertProfile(ctx.db, { site_id, name: STANDARD, description: '', based_on_id: null })
  await seedRules(ctx, site_id, id)
  await activateRow(ctx.db, site_id, id, ctx.now, ctx.actor.id)
  if (!new_site) announce(ctx, { site_id, id, name: STANDARD }, null)
}

/** Gives a new site the profiles of another one, with their rules and consequences. */
export async function copyProfiles(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<string[]> {
  const attention: string[] = []
  for (const { id: origin, name, description, is_active } of await profileRows(ctx.db, from_site_id)) {
    const id = await insertProfile(ctx.db, { site_id, name, description, based_on_id: null })
    const copied = await copyContent(ctx, { site_id: from_site_id, profile_id: origin }, { site_id, profile_id: id })
    if (is_active) await activateRow(ctx.db, site_id, id, ctx.now, ctx.actor.id)
    attention.push(...copied.needs_attention)
  }
  await seedProfile(ctx, site_id, { new_site: true })
  return attention
}
