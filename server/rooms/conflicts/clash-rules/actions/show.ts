import { checkRule } from '../../../../../shared/conflicts/check.ts'
import type { RuleContent } from '../../../../../shared/conflicts/rules.ts'
import { explainRule } from '../../../../../shared/conflicts/words.ts'
import { isOneOf } from '../../../../../shared/narrow.ts'
import type { Reader } from '../../../../../shared/predicates/explain.ts'
import { searching } from '../../../../../shared/text.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, explain, invalidField, notFound, refuse, type Verdict } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import type { Refs } from '../../../../kernel/predicates/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { type Difference, differences, isSame, type RuleState, resolvedPairs } from '../domain.ts'
import {
  activeProfileId,
  isProfile,
  openEpisodes,
  type RuleRow,
  rulesOf,
  typeCodes,
  type VersionName,
  type VersionRow,
  versionContents,
  versionsOf,
} from '../queries.ts'
import type { RuleFilter } from '../schema.ts'
import { refsOn } from './check.ts'

/** Returns everything of a rule that a version keeps. */
export const stateOf = ({ name, description, enabled, content }: RuleRow): RuleState => ({ name, description, enabled, content })

/** A standard rule is switched off instead of deleted (§1). */
export const cantDelete = ({ system_key, name }: RuleRow): Verdict =>
  system_key === null ? null : conflict('shipped', `“${name}” is a standard rule, so it can’t be deleted. Switch it off instead.`)

function shownWith(ctx: Ctx, row: RuleRow, refs: Refs, reader: { timezone: string; locale: string }) {
  const { reach, faults, warnings } = checkRule(row.content, refs)
  const manage = ctx.actor.lacks('clash_rule_manage')
  return {
    ...{ id: row.id, site_id: row.site_id, profile_id: row.profile_id, origin_id: row.origin_id, version: row.number },
    ...{ system_key: row.system_key, system_revision: row.system_revision },
    is_customised: row.system_content !== null && !isSame(row.content, row.system_content),
    ...{ name: row.name, description: row.description, enabled: row.enabled },
    ...row.content,
    reach_m: reach?.metres ?? null,
    reach_zone: reach?.zone ?? false,
    explanation: explainRule(row.content, { ...reader, refs }),
    problems: faults,
    warnings,
    permissions: flagsFor(ctx.actor, { edit: explain([manage]), delete: explain([manage, cantDelete(row)]) }),
    updated_at: row.updated_at,
  }
}

/** Returns rules as they are shown. */
async function shown(ctx: Ctx, site_id: Id, rows: readonly RuleRow[]) {
  const refs = await refsOn(
    ctx,
    site_id,
    rows.map(({ content }) => content),
  )
  const { timezone, locale } = await siteOf(ctx, site_id)
  return rows.map(row => shownWith(ctx, row, refs, { timezone, locale }))
}

const keyOf = ({ rule_id, rule_version }: VersionName): string => `${rule_id} ${rule_version}`

/** Returns a function that gives each of these versions of rules in words; null for any other. */
export async function sentencesOf(ctx: Ctx, site_id: Id, names: readonly VersionName[]): Promise<(name: VersionName) => string | null> {
  const wanted = [
    ...new Map(names.map(({ rule_id, rule_version }) => [keyOf({ rule_id, rule_version }), { rule_id, rule_version }])).values(),
  ]
  if (wanted.length === 0) return () => null
  const versions = await versionContents(ctx.db, site_id, wanted)
  const reader = await readerOf(
    ctx,
    site_id,
    versions.map(({ content }) => content),
  )
  const sentences = new Map(versions.map(version => [keyOf(version), explainRule(version.content, reader)]))
  return name => sentences.get(keyOf(name)) ?? null
}

/** Lists the rules of a profile that a filter leaves. */
export async function listOf(ctx: Ctx, site_id: Id, profile_id: Id, filter: Omit<RuleFilter, 'site_id' | 'profile_id'> = {}) {
  const { enabled, system, kind, q } = filter
  const isFound = searching(q)
  const rows = (await rulesOf(ctx.db, site_id, profile_id))
    .filter(row => enabled === undefined || row.enabled === enabled)
    .filter(row => system === undefined || (row.system_key !== null) === system)
    .filter(({ content }) => kind?.some(one => isOneOf(content.a.kinds, one) || isOneOf(content.b.kinds, one)) ?? true)
    .filter(row => isFound(`${row.name} ${row.description}`))
  return shown(ctx, site_id, rows)
}

/** Returns a profile that a request names, or the active one. */
export async function profileOf(ctx: Ctx, site_id: Id, asked: Id | undefined): Promise<Id> {
  if (asked !== undefined)
    return (await isProfile(ctx.db, site_id, asked)) ? asked : refuse(invalidField('profile_id', 'isn’t a rule profile of this site.'))
  return (await activeProfileId(ctx.db, site_id)) ?? refuse(notFound())
}

/** Lists rules by name. */
export const listRules = async (ctx: Ctx, { site_id, profile_id, ...filter }: RuleFilter) =>
  listOf(ctx, site_id, await profileOf(ctx, site_id, profile_id), filter)

const alive = (row: RuleRow): RuleRow => (row.deleted_at === null ? row : refuse(notFound()))

/** Shows one rule, with what its matrix gives every two active types. */
export async function showRule(ctx: Ctx, given: RuleRow) {
  const row = alive(given)
  const [one] = await shown(ctx, row.site_id, [row])
  const pairs = resolvedPairs(row.content, await typeCodes(ctx.db, row.site_id, 'active'))
  const open_episodes = await openEpisodes(ctx.db, row.site_id, row.id)
  return { ...one, open_episodes, ...(pairs.length === 0 ? {} : { resolved: pairs }) }
}

const versioned = ({ number, valid_from, changed_by, changed_by_name, change_note, reverted_from }: VersionRow) => ({
  version: number,
  changed_at: valid_from,
  changed_by: changed_by === null ? null : { user_id: changed_by, name: changed_by_name ?? '' },
  change_note,
  reverted_from,
})

const summary = (all: readonly Difference[]): string => {
  const text = all.map(one => one.in_words).join('; ')
  return text.length <= 4000 ? text : `${text.slice(0, 3999)}…`
}

/** Returns what is needed to say changes of these versions in words: names of what their conditions refer to, and how the site writes times. */
async function readerOf(ctx: Ctx, site_id: Id, contents: readonly RuleContent[]): Promise<Reader> {
  const refs = await refsOn(ctx, site_id, contents)
  const { timezone, locale } = await siteOf(ctx, site_id)
  return { timezone, locale, refs }
}

/** Lists the versions of a rule, newest first, each with what changed. */
export async function showHistory(ctx: Ctx, { site_id, id }: RuleRow) {
  const versions = await versionsOf(ctx.db, site_id, id)
  const reader = await readerOf(
    ctx,
    site_id,
    versions.map(({ state }) => state.content),
  )
  return versions.map((version, i) => {
    const before = versions[i + 1]
    return {
      ...versioned(version),
      summary: before === undefined ? 'First version' : summary(differences(before.state, version.state, reader)),
    }
  })
}

/** Returns one version of a rule; refuses one that it doesn't have. */
export async function versionOf(ctx: Ctx, { site_id, id }: RuleRow, number: number): Promise<VersionRow> {
  return (await versionsOf(ctx.db, site_id, id)).find(version => version.number === number) ?? refuse(notFound())
}

/** Shows one version of a rule. */
export async function showVersion(ctx: Ctx, row: RuleRow, number: number) {
  const version = await versionOf(ctx, row, number)
  const { content, ...state } = version.state
  return { ...versioned(version), valid_from: version.valid_from, valid_to: version.valid_to, ...state, ...content }
}

/** Shows what differs between two versions of a rule. */
export async function showDiff(ctx: Ctx, row: RuleRow, { from, to }: { from?: number; to?: number }) {
  const last = to ?? row.number
  const first = from ?? Math.max(1, last - 1)
  const [before, after] = [await versionOf(ctx, row, first), await versionOf(ctx, row, last)]
  return differences(before.state, after.state, await readerOf(ctx, row.site_id, [before.state.content, after.state.content]))
}
