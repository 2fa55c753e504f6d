import { eventsOf } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { copyProfiles, seedProfile } from './actions.ts'
import { ruleProfile } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'rule-profiles',
  says: 'Sets of clash rules for phases of the job, of which one is active.',
  routes,
  kinds: [ruleProfile],
  events: eventsOf(
    'rule_profile',
    { profile_id: 'Profile', previous_profile_id: 'Profile that was active before' },
    { activated: 'A rule profile was activated' },
  ),
  site: { seeds: [{ area: 'rule-profiles', keys: ['standard'], run: seedProfile, copy: copyProfiles }] },
})
