import { type Consequence, defaultFor, lossOf } from '../../../../shared/conflicts/consequences.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { expectVersion, explain, invalidField, notFound, refuse } from '../../../base/errors.ts'
import type { Static } from '../../../base/schema.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import { changesOf } from '../../../kernel/records/domain.ts'
import { hold } from '../../../kernel/records/door.ts'
import { CONSEQUENCE, profileOf, type RuleRow, ruleRow, rulesOf, tellRule, worstOf } from '../clash-rules/door.ts'
import { judgeTasks } from '../kit/actions/tasks.ts'
import { type ConsequenceRow, consequenceOf, consequenceRows, dropConsequence, keepConsequence } from './queries.ts'
import type { ConsequenceFilter, SetConsequence } from './schema.ts'

function shown(ctx: Ctx, { site_id, id, name, content }: RuleRow, row: ConsequenceRow | undefined) {
  const manage = ctx.actor.lacks('clash_rule_manage')
  const { effect, affected, task_lead_hours, blocker_category, loss_share_percent, instruction } = row ?? defaultFor(worstOf(content))
  return {
    ...{ site_id, clash_rule_id: id, rule_name: name, version: row?.version ?? 0, is_default: row === undefined },
    ...{ effect, affected, task_lead_hours, blocker_category, loss_share_percent, instruction },
    // Without a consequence of its own there is nothing to reset.
    permissions: flagsFor(ctx.actor, {
      edit: explain([manage]),
      reset: explain([manage, row === undefined ? notFound() : null]),
    }),
  }
}

/** Lists what clashes of every rule of a profile mean, by the name of the rule; by default of the active one. */
export async function listConsequences(ctx: Ctx, { site_id, profile_id, clash_rule_id: wanted }: ConsequenceFilter) {
  const profile = await profileOf(ctx, site_id, profile_id)
  const rows = new Map((await consequenceRows(ctx.db, site_id)).map(row => [row.clash_rule_id, row]))
  const rules = await rulesOf(ctx.db, site_id, profile)
  return rules.filter(rule => wanted?.includes(rule.id) ?? true).map(rule => shown(ctx, rule, rows.get(rule.id)))
}

/** Sets what clashes of a rule mean. Returns it, whether it is new, and the profile of the rule. */
export async function setConsequence(
  ctx: Ctx,
  { site_id, clash_rule_id, effect, ...given }: Static<typeof SetConsequence>,
  if_match: string | undefined,
) {
  await hold(ctx, 'clash_consequence', clash_rule_id)
  const rule = await ruleRow(ctx.db, site_id, clash_rule_id, false)
  if (rule === null) return refuse(invalidField('clash_rule_id', 'isn’t a clash rule of this site.'))
  if (rule.deleted_at !== null) return refuse(notFound())
  const before = await consequenceOf(ctx.db, site_id, clash_rule_id, true)
  expectVersion(if_match, before?.version ?? 0)
  const usual = defaultFor(worstOf(rule.content))
  const set: Consequence = { ...usual, effect, loss_share_percent: lossOf(effect), ...given }
  if (before !== null && Object.keys(changesOf(before, set)).length === 0)
    return { shown: shown(ctx, rule, before), fresh: false, profile_id: rule.profile_id }
  const fresh = await keepConsequence(ctx.db, site_id, clash_rule_id, set)
  const row = (await consequenceOf(ctx.db, site_id, clash_rule_id, false)) ?? refuse(notFound())
  await judgeTasks(ctx, site_id, { rule_id: clash_rule_id })
  tellRule(ctx, rule, rule.name, [CONSEQUENCE])
  return { shown: shown(ctx, rule, row), fresh, profile_id: rule.profile_id }
}

/** Goes back to the defaults. */
export async function resetConsequence(ctx: Ctx, row: ConsequenceRow): Promise<void> {
  await dropConsequence(ctx.db, row.site_id, row.id)
  await judgeTasks(ctx, row.site_id, { rule_id: row.clash_rule_id })
  const rule = await ruleRow(ctx.db, row.site_id, row.clash_rule_id, false)
  if (rule !== null) tellRule(ctx, rule, rule.name, [CONSEQUENCE])
}
