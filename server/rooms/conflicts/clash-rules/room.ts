import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { conditionUse } from './actions/uses.ts'
import { clashRule } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'clash-rules',
  says: 'Rules that say which two things can’t be together, with their versions.',
  routes,
  kinds: [clashRule],
  permissions: {
    clash_view: held(
      BANDS.read.filter(role => role !== 'client'),
      'See clash rules and what they find',
    ),
    clash_rule_manage: held(BANDS.manage, 'Change clash rules, rule profiles and consequences'),
  },
  events: eventsOf(
    'clash_rule',
    { rule_id: 'Rule; empty if the profile itself changed', profile_id: 'Profile', fields: field.texts('Changed fields') },
    { changed: 'A clash rule, what its clashes mean for the work, or a rule profile was created, changed or deleted' },
  ),
  condition_uses: [conditionUse],
})
