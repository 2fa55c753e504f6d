// The standard rules: every profile begins with them, and takes over their newer revisions when it is synchronised (§2).
import { STANDARD_RULES, type StandardRule } from '../../../../../shared/conflicts/standard.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { attentionOf } from '../../../../kernel/site/door.ts'
import { isSame } from '../domain.ts'
import { insertRules, type NewRow, nameKey, type RuleRow, rulesOf, updateRule } from '../queries.ts'
import { tell } from './change.ts'
import { checkedRules } from './check.ts'

const rowOf = (profile_id: Id, { system_key, revision, name, description, enabled, content }: StandardRule): NewRow => {
  const id = ids.next()
  const standard = { system_key, system_revision: revision, system_content: content }
  return { id, profile_id, origin_id: id, ...standard, name, description, enabled, content }
}

/** Gives a profile every standard rule. */
export const seedRules = (ctx: Ctx, site_id: Id, profile_id: Id): Promise<void> =>
  insertRules(
    ctx.db,
    site_id,
    STANDARD_RULES.map(one => rowOf(profile_id, one)),
    ctx.now,
    ctx.actor.id,
  )

/** Copied rules: the new id of each, and those that name records which the other site doesn't have. */
export type Copied = { ids: Map<Id, Id>; needs_attention: string[] }

/** Copies the rules of a profile into another one, which can be on another site: rules whose records or types aren't there arrive switched off. */
export async function copyRules(ctx: Ctx, from: { site_id: Id; profile_id: Id }, to: { site_id: Id; profile_id: Id }): Promise<Copied> {
  const rules = await rulesOf(ctx.db, from.site_id, from.profile_id)
  const copied: Copied = { ids: new Map(), needs_attention: [] }
  const rows: NewRow[] = []
  // On its own site nothing is missing that wasn't missing before.
  const contents = from.site_id === to.site_id ? [] : rules.map(({ content }) => content)
  const checked = contents.length === 0 ? [] : await checkedRules(ctx, to.site_id, contents)
  for (const [i, rule] of rules.entries()) {
    const { id, origin_id, system_key, system_revision, system_content, name, description, enabled, content } = rule
    const { faults = [], warnings = [] } = checked[i] ?? {}
    const strange = [...faults, ...warnings.filter(({ code }) => code === 'code_not_on_site')]
    copied.needs_attention.push(...attentionOf(name, strange))
    const row = {
      id: ids.next(),
      profile_id: to.profile_id,
      origin_id,
      system_key,
      system_revision,
      system_content,
      name,
      description,
      content,
    }
    copied.ids.set(id, row.id)
    rows.push({ ...row, enabled: enabled && strange.length === 0 })
  }
  await insertRules(ctx.db, to.site_id, rows, ctx.now, ctx.actor.id)
  return copied
}

/** What synchronising a profile does with each standard rule, by its key. */
export type Synced = Record<'added' | 'updated' | 'unchanged' | 'kept_customised' | 'overwritten' | 'retired', string[]>

const isCustomised = ({ content, system_content }: RuleRow): boolean => system_content !== null && !isSame(content, system_content)

/** Takes over the newest revisions of the standard rules. With `dry_run` it only says what it would do. */
export async function synced(ctx: Ctx, site_id: Id, profile_id: Id, overwrite: readonly string[], dry_run: boolean): Promise<Synced> {
  const done: Synced = { added: [], updated: [], unchanged: [], kept_customised: [], overwritten: [], retired: [] }
  const all = await rulesOf(ctx.db, site_id, profile_id)
  const rules = all.filter(rule => rule.system_key !== null)
  // A rule of the site can already have the name.
  const taken = new Set(all.map(rule => nameKey(rule.name)))
  const freeName = (name: string, nth = 0): string => {
    const tried = nth === 0 ? name : nth === 1 ? `${name} (standard)` : `${name} (standard ${nth})`
    return taken.has(nameKey(tried)) ? freeName(name, nth + 1) : tried
  }
  const missing: NewRow[] = []
  for (const one of STANDARD_RULES) {
    const rule = rules.find(({ system_key }) => system_key === one.system_key)
    const { content, revision } = one
    if (rule === undefined) {
      done.added.push(one.system_key)
      missing.push({ ...rowOf(profile_id, one), name: freeName(one.name) })
      continue
    }
    const custom = isCustomised(rule)
    if (custom && !overwrite.includes(one.system_key)) {
      done.kept_customised.push(one.system_key)
      continue
    }
    if (rule.system_revision === revision && !custom) {
      done.unchanged.push(one.system_key)
      continue
    }
    done[custom ? 'overwritten' : 'updated'].push(one.system_key)
    if (dry_run) continue
    const change = { at: ctx.now, by: ctx.actor.id, note: null, reverted_from: null }
    const state = { name: rule.name, description: one.description, enabled: rule.enabled, content }
    await updateRule(ctx.db, rule, state, change, { system_revision: revision, system_content: content })
    tell(ctx, rule, rule.name, ['content'])
  }
  done.retired.push(
    ...rules.flatMap(({ system_key }) => (STANDARD_RULES.some(one => one.system_key === system_key) ? [] : (system_key ?? []))),
  )
  if (dry_run) return done
  await insertRules(ctx.db, site_id, missing, ctx.now, ctx.actor.id)
  for (const rule of missing) tell(ctx, { site_id, ...rule }, rule.name, ['created'])
  return done
}
