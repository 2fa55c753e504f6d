import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { kind } from '../../../kernel/records/door.ts'
import { type ConsequenceRow, consequenceOf, consequenceRows, keepConsequence } from './queries.ts'

/** What clashes of a rule mean, as a record that is found by the id of its rule. */
export const clashConsequence = kind<ConsequenceRow>({
  name: 'clash_consequence',
  param: 'clash_rule_id',
  label: () => 'Consequence',
  parent: row => ({ kind: 'clash_rule', id: row.clash_rule_id }),
  find: (ctx, site_id, clash_rule_id, lock) => consequenceOf(ctx.db, site_id, clash_rule_id, lock),
  seen_with: 'clash_view',
  revert: 'ledger',
})

/** Copies the consequences of copied rules: `ids` are their new ids. */
export async function copyConsequences(ctx: Ctx, from_site_id: Id, to_site_id: Id, ids: ReadonlyMap<Id, Id>): Promise<void> {
  for (const row of await consequenceRows(ctx.db, from_site_id)) {
    const rule = ids.get(row.clash_rule_id)
    if (rule === undefined) continue
    const { effect, affected, task_lead_hours, blocker_category, loss_share_percent, instruction } = row
    await keepConsequence(ctx.db, to_site_id, rule, {
      effect,
      affected,
      task_lead_hours,
      blocker_category,
      loss_share_percent,
      instruction,
    })
  }
}
