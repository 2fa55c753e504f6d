import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { mails, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'audit',
  says: 'The audit log: what happened to a record or on a site, and how to revert a change.',
  routes,
  schedules,
  mails,
  permissions: {
    audit_view: held(BANDS.coordinate, 'Read the audit log of the site; everyone else can read the history of the records they can see'),
    audit_revert_old: held(BANDS.manage, 'Revert changes older than 30 days'),
  },
  events: eventsOf(
    'audit',
    { seq: field.number('First entry that doesn’t match'), what: 'Fault', detail: 'Description' },
    { chain_broken: 'The audit log of a site is broken' },
  ).concat(
    eventsOf(
      'audit',
      { entry_id: 'Entry', entries: field.number('Number of entries that were reverted'), reason: 'Reason' },
      { reverted: 'Changes were reverted' },
    ),
  ),
  notices: {
    kinds: [
      {
        kind: 'chain_broken',
        label: 'The audit log is broken',
        group: 'Site',
        urgency: 'critical',
        channels: ['in_app', 'email'],
        mandatory: ['in_app'],
        many: 'The audit log is broken in {{count}} places',
      },
    ],
    rules: [
      {
        key: 'chain_broken',
        event_kind: 'audit.chain_broken',
        kind: 'chain_broken',
        audience: [{ band: 'administer' }],
        channels: ['in_app', 'email'],
        title: 'The audit log of {{site_name}} is broken',
        body: '{{detail}}. Keep any printed copies and contact the person who runs the installation.',
        link: '/sites/{site_id}/audit',
      },
    ],
  },
})
