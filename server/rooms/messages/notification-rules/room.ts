import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { eventSubjects } from '../../../kernel/notices/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { copyNotificationRules } from './actions/copy.ts'
import { conditionUse } from './actions/uses.ts'
import { rule } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'notification-rules',
  says: 'Rules that set who is notified of which events on a site, and with which text.',
  routes,
  kinds: [rule],
  subjects: eventSubjects,
  condition_uses: [conditionUse],
  site: { seeds: [{ area: 'notification-rules', keys: [], copy: copyNotificationRules }] },
  permissions: {
    notification_rule_view: held(BANDS.coordinate, 'See notification rules and their recipients'),
    notification_rule_manage: held(BANDS.manage, 'Create rules, switch standard rules on or off, and send test notifications to others'),
  },
  events: eventsOf(
    'notification_rule',
    {
      rule_id: 'Rule',
      rule_name: 'Name',
      author_id: 'Author',
      paused_until: 'End of the pause',
      reached: field.number('Number of notifications that the rule created in the hour of the pause'),
    },
    { paused: 'A rule was paused, because it would have created too many notifications' },
    { identities: { author: 'author_id' }, sample: { rule_name: 'Hot work after four' } },
  ),
  notices: {
    kinds: [
      {
        kind: 'notification_rule_paused',
        label: 'Rules that are paused',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} rules are paused',
      },
    ],
    rules: [
      {
        key: 'notification_rule_paused',
        event_kind: 'notification_rule.paused',
        kind: 'notification_rule_paused',
        audience: [{ named: 'author' }, { band: 'administer' }],
        channels: ['in_app'],
        title: 'The rule “{{rule_name}}” is paused until {{paused_until}}',
        body: 'This rule would have sent more than 500 notifications within an hour. Narrow its condition or its recipients.',
        link: '/sites/{site_id}/settings/rules/{subject_id}',
      },
    ],
  },
})
