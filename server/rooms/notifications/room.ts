import { isId } from '../../base/ids.ts'
import { eventsOf } from '../../kernel/events/door.ts'
import { noteReport } from '../../kernel/notices/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { countUnread } from './actions/inbox.ts'
import { notification } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'notifications',
  routes,
  schedules,
  waits: { notifications: async ctx => (await countUnread(ctx, undefined)).unread },
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
      notification_kind: 'Kind of notification that reached nobody',
      rule_name: 'Rule that made it',
      event_kind: 'Kind of event that it tells of',
      event_id: 'Event that it tells of',
      subject_label: 'What it is about',
    },
    { nobody_addressed: 'A rule fired and there was nobody to tell' },
    { unruled: true, sample: { rule_name: 'Permits that wait for approval', event_kind: 'permit.endorsed', subject_label: 'PTW-000123' } },
  ),
  notices: {
    kinds: [
      {
        kind: 'nobody_addressed',
        label: 'Messages that reached nobody',
        group: 'Site',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} messages reached nobody',
      },
      {
        kind: 'test_message',
        label: 'Test messages',
        group: 'Site',
        urgency: 'info',
        channels: ['in_app', 'email', 'push'],
        many: '{{count}} test messages',
      },
    ],
    rules: [
      {
        key: 'nobody_addressed',
        event_kind: 'notification.nobody_addressed',
        kind: 'nobody_addressed',
        audience: [{ band: 'administer' }],
        channels: ['in_app'],
        title: 'Nobody was told of {{subject_label}}',
        body: 'The rule “{{rule_name}}” found nobody on this site to tell. Give somebody the role it addresses, or name the missing person.',
        may_reach_nobody: true,
      },
    ],
  },
})
