import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
import { eventSubjects } from '../../kernel/notices/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { rule } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'notification-rules',
  routes,
  kinds: [rule],
  subjects: eventSubjects,
  permissions: {
    notification_rule_view: held(BANDS.coordinate, 'See by which rules people are told, and whom they reach'),
    notification_rule_manage: held(BANDS.manage, 'Write rules, switch shipped ones, try channels on others'),
  },
  events: eventsOf(
    'notification_rule',
    {
      rule_id: 'Rule',
      rule_name: 'Its name',
      author_id: 'Who wrote it',
      paused_until: 'Until when it rests',
      reached: field.number('How many it had told within the hour'),
    },
    { paused: 'A rule would have told too many people, and rests' },
    { identities: { author: 'author_id' }, sample: { rule_name: 'Hot work after four' } },
  ),
  notices: {
    kinds: [
      {
        kind: 'notification_rule_paused',
        label: 'Rules that told too many',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} rules rest',
      },
    ],
    rules: [
      {
        key: 'notification_rule_paused',
        event_kind: 'notification_rule.paused',
        kind: 'notification_rule_paused',
        audience: [{ named: 'author' }, { band: 'administer' }],
        channels: ['in_app'],
        title: 'The rule “{{rule_name}}” rests until {{paused_until}}',
        body: 'It would have told more than 500 people within an hour. Narrow its condition or its audience.',
        link: '/sites/{site_id}/settings/rules/{subject_id}',
      },
    ],
  },
})
