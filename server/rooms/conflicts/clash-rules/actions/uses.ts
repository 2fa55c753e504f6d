import type { ConditionUse } from '../../../../kernel/predicates/door.ts'
import { rulesNaming } from '../queries.ts'

/** Clash rules whose condition uses a smart group: changing the group changes them too, so it needs the permission for rules. */
export const conditionUse: ConditionUse = {
  of: 'smart_group',
  kind: 'clash_rule',
  permission: 'clash_rule_manage',
  seen_with: 'clash_view',
  by: (ctx, site_id, ids) => rulesNaming(ctx.db, site_id, ids),
}
