import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'audit',
  routes,
  schedules,
  permissions: {
    audit_view: held(BANDS.coordinate, 'The trail of the site; others see the history of records that they may read'),
    audit_revert_old: held(BANDS.manage, 'Put back what is older than 30 days'),
  },
  events: eventsOf(
    'audit',
    { seq: field.number('First entry that does not fit'), what: 'What is wrong with it', detail: 'The same in words' },
    { chain_broken: 'The audit trail of a site was altered' },
  ),
  notices: {
    kinds: [
      {
        kind: 'chain_broken',
        label: 'The audit trail was altered',
        group: 'Site',
        urgency: 'critical',
        channels: ['in_app', 'email'],
        mandatory: ['in_app'],
        many: 'The audit trail was altered at {{count}} places',
      },
    ],
    rules: [
      {
        key: 'chain_broken',
        event_kind: 'audit.chain_broken',
        kind: 'chain_broken',
        audience: [{ band: 'administer' }],
        channels: ['in_app', 'email'],
        title: 'The audit trail of {{site_name}} was altered',
        body: '{{detail}}. Keep what you have printed of it, and tell whoever runs the installation.',
        link: '/sites/{site_id}/audit',
      },
    ],
  },
})
