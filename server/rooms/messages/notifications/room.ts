import { isId } from '../../../base/ids.ts'
import { eventsOf } from '../../../kernel/events/door.ts'
import { noteReport } from '../../../kernel/notices/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { concernedByNotifications, countUnread } from './actions/inbox.ts'
import { notification } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'notifications',
  says: 'A person’s notifications.',
  routes,
  schedules,
  waits: {
    notifications: {
      thing: 'notification',
      count: async ctx => (await countUnread(ctx, undefined)).unread,
      concerns: concernedByNotifications,
    },
  },
  kinds: [notification],
  reports: [
    async (ctx, report) => {
      const id = report.message_id?.split('@')[0] ?? ''
      if (isId(id) && report.type !== 'delivered')
        await noteReport(ctx.db, id, report.type === 'complaint' ? 'complained' : 'bounced', report.diagnostic ?? report.status, ctx.now)
    },
  ],
  events: eventsOf(
    'notification',
    {
      notification_kind: 'Kind of notification without recipients',
      rule_name: 'Rule that had no recipients',
      event_kind: 'Kind of event',
      event_id: 'Event',
      subject_label: 'Subject',
    },
    { nobody_addressed: 'A rule matched and had no recipients' },
    { unruled: true, sample: { rule_name: 'Permits waiting for approval', event_kind: 'permit.endorsed', subject_label: 'PTW-000123' } },
  ),
  notices: {
    kinds: [
      {
        kind: 'nobody_addressed',
        label: 'Notifications without recipients',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} notifications had no recipients',
      },
      {
        kind: 'test_message',
        label: 'Test notifications',
        group: 'Site',
        urgency: 'info',
        channels: ['in_app', 'email', 'push'],
        many: '{{count}} test notifications',
      },
    ],
    rules: [
      {
        key: 'nobody_addressed',
        event_kind: 'notification.nobody_addressed',
        kind: 'nobody_addressed',
        audience: [{ band: 'administer' }],
        channels: ['in_app'],
        title: 'No one was notified about {{subject_label}}',
        body: 'The rule “{{rule_name}}” has no recipients on this site. Give a member one of the roles in the rule, or add a rule with other recipients.',
        may_reach_nobody: true,
      },
    ],
  },
})
