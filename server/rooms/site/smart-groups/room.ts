import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { forgetPrivate, sharedGroups, sharedNames } from './actions/keep.ts'
import { smartGroup } from './door.ts'
import { entitySubject } from './queries/entity.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'smart-groups',
  says: 'Saved conditions that select records.',
  routes,
  kinds: [smartGroup],
  permissions: {
    smart_group_edit: held(BANDS.read, 'Save your own groups'),
    smart_group_share: held(BANDS.coordinate, 'Share groups with the site; change and delete shared groups'),
  },
  events: eventsOf(
    'smart_group',
    { group_id: 'Group', subject: 'Subject', predicate_changed: field.flag('The condition has changed', 'The condition hasn’t changed') },
    { changed: 'A shared group was created or changed', deleted: 'A shared group was deleted' },
  ),
  subjects: [entitySubject],
  references: [{ name: 'smart_group', ids: sharedNames }],
  groups_of_rules: sharedGroups,
  comings: [forgetPrivate],
})
