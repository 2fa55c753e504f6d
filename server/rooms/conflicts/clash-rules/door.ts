import { kind } from '../../../kernel/records/door.ts'
import { type RuleRow, ruleRow } from './queries.ts'

export { CONSEQUENCE, tell as tellRule } from './actions/change.ts'
export { checkedRules, refsOn } from './actions/check.ts'
export { listOf, profileOf, sentencesOf } from './actions/show.ts'
export { copyRules, seedRules, synced } from './actions/standard.ts'
export { worstOf } from './domain.ts'
export { activeProfileId, activeRules, nameKey, type RuleRow, ruleRow, rulesOf } from './queries.ts'

/** A clash rule as a record. Deleted ones are found by the endpoints of their versions. */
export const clashRule = kind<RuleRow>({
  name: 'clash_rule',
  param: 'rule_id',
  label: row => row.name,
  find: async (ctx, site_id, id, lock) => ruleRow(ctx.db, site_id, id, lock),
  seen_with: 'clash_view',
  derived: ['name_key', 'number', 'system_content'],
  revert: 'ledger',
})
