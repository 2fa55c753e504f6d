import { BLOCKER_CATEGORIES, EFFECTS } from '../../../../shared/blockers.ts'
import { AFFECTED } from '../../../../shared/conflicts/consequences.ts'
import {
  flag,
  flags,
  id,
  integer,
  list,
  object,
  oneOf,
  optional,
  orNull,
  recordId,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

const fields = {
  effect: oneOf(EFFECTS, 'Whether work goes on (none), is slowed, or stops'),
  affected: oneOf(AFFECTED, 'Which side gives way: a, b, both, or the one that came later into the plan'),
  task_lead_hours: orNull(
    integer('How long before the clash people get a task to settle it, hours; null for no task', { min: 0, max: 720, example: 24 }),
  ),
  blocker_category: oneOf(BLOCKER_CATEGORIES, 'Category of a blocker that is declared from the clash'),
  loss_share_percent: integer('Part of the time of the affected gang that is lost while the clash lasts, percent', {
    min: 0,
    max: 100,
    example: 100,
  }),
  instruction: text('What is shown on the clash', { max: 500, example: 'The lift has right of way. Clear the slab 15 minutes before.' }),
}

export const ClashConsequence = shape('ClashConsequence', 'What a clash of a rule means for the work', {
  site_id: id('Site'),
  clash_rule_id: id('Rule'),
  rule_name: text('Name of the rule', { max: 200, example: 'Permits too close together' }),
  version: integer('Version; 0 if nobody has set it'),
  is_default: flag('Whether nobody has set it. For a rule whose clashes can be amber or red, it is then that of the worst'),
  ...fields,
  permissions: flags(['edit', 'reset'], { reset: 'go back to the default' }),
})

export const ConsequenceFilter = object({
  site_id: id('Site'),
  profile_id: optional(id('Profile; default the active one')),
  clash_rule_id: optional(list(id('Rule'), 'Rules', { max: 100 })),
})
export type ConsequenceFilter = Static<typeof ConsequenceFilter>
export const SetConsequence = shape('SetClashConsequence', 'What clashes of a rule mean; a field that is left out gets its default', {
  site_id: id('Site'),
  clash_rule_id: recordId('clash_rule', 'Rule'),
  effect: fields.effect,
  affected: optional(fields.affected),
  task_lead_hours: optional(fields.task_lead_hours),
  blocker_category: optional(fields.blocker_category),
  loss_share_percent: optional(fields.loss_share_percent),
  instruction: optional(fields.instruction),
})
