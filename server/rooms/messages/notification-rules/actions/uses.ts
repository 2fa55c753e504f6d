import { groupsAsked, ruleRows } from '../../../../kernel/notices/door.ts'
import type { ConditionUse } from '../../../../kernel/predicates/door.ts'

/** Rules whose condition uses a smart group, on or off: changing the group changes them too, so it needs the permission for rules. */
export const conditionUse: ConditionUse = {
  of: 'smart_group',
  kind: 'notification_rule',
  permission: 'notification_rule_manage',
  seen_with: 'notification_rule_view',
  async by(ctx, site_id, ids) {
    const rules = await ruleRows(ctx.db, site_id)
    return rules
      .filter(rule => rule.source === 'site')
      .flatMap(rule => groupsAsked(rule).flatMap(used_id => (ids.includes(used_id) ? { used_id, id: rule.id, name: rule.name } : [])))
  },
}
