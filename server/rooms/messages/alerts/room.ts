import { isClause } from '../../../../shared/conflicts/pair-words.ts'
import { isOneOf } from '../../../../shared/narrow.ts'
import { BANDS, held } from '../../../kernel/access/domain.ts'
import { actsForAny, oversightOn } from '../../../kernel/access/door.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import type { NoticePlugs } from '../../../kernel/notices/door.ts'
import { tableRow } from '../../../kernel/records/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { alertChanges } from './actions/changes.ts'
import { CATEGORIES, EFFECTS, SEVERITIES } from './domain.ts'
import { alert } from './door.ts'
import { schedules } from './jobs.ts'
import { alertsFor, openCounts } from './queries.ts'
import { routes } from './routes.ts'

/** What an alert is, by its severity. */
const GRADES: Readonly<Record<string, string>> = { info: 'for information', warning: 'a warning', danger: 'about a danger' }

/** What is left of the work that an alert affects. */
const LEFT_OF_WORK: Readonly<Record<string, string>> = { none: 'unaffected', caution: 'allowed with care', stops: 'stopped' }

const is = (name: string, value: unknown) => ({ field: name, op: 'eq', value })
const grave = { any: [is('severity', 'danger'), is('effect', 'stops')] }
const link = '/sites/{site_id}/alerts?alert={subject_id}'

/** Returns the rule that notifies the audience of an alert; people who can’t see it aren’t notified. */
const told = (key: string, verb: string, title: string, body: string, when: unknown = true) => ({
  ...{
    key: `alert_told:${key}`,
    event_kind: `alert.${verb}`,
    kind: 'alert_told',
    audience: [{ band: 'read' as const }],
    channels: ['in_app' as const],
  },
  ...{ title, body, when, link, may_reach_nobody: true },
})

const notices: Partial<NoticePlugs> = {
  kinds: [
    {
      kind: 'alert_danger',
      label: 'Danger, and stopped work',
      group: 'Safety',
      urgency: 'critical',
      channels: ['in_app', 'push'],
      mandatory: ['in_app', 'push'],
      many: '{{count}} alerts of danger',
      moot_after: ['alert.resolved'],
      ttl_seconds: 3600,
    },
    { kind: 'alert_told', label: 'Other alerts', group: 'Safety', urgency: 'attention', channels: ['in_app'], many: '{{count}} alerts' },
  ],
  rules: [
    {
      key: 'alert_danger',
      event_kind: 'alert.raised',
      kind: 'alert_danger',
      when: grave,
      audience: [{ band: 'read' }],
      channels: ['in_app', 'push'],
      title: '{{subject_label}}',
      body: 'Open the alert to see where it is and what you must do.',
      link,
      may_reach_nobody: true,
    },
    told('raised', 'raised', '{{subject_label}}', 'Open the alert to see where it is.', { not: grave }),
    told(
      'overdue',
      'overdue',
      'Still active: {{subject_label}}',
      'Its end has passed. It stays active until someone has looked at the place and resolved it.',
    ),
    told('resolved', 'resolved', 'Over: {{subject_label}}', 'The alert has been resolved.', is('withdrawn', false)),
    told('withdrawn', 'resolved', 'Withdrawn: {{subject_label}}', 'The alert was raised by mistake.', is('withdrawn', true)),
    told('unresolved', 'unresolved', 'Active again: {{subject_label}}', 'Open the alert to see where it is.'),
  ],
  sights: [
    {
      subject_kind: 'alert',
      // A deleted alert is read too: its audience is notified that it was a mistake.
      async among(ctx, site_id, subject_id, people) {
        const row = await tableRow(ctx.db, 'alert', site_id, subject_id, false)
        if (row === null) return new Set()
        const audience = new Set<string | null>(row.contractor_ids)
        if (audience.size === 0) return new Set(people.map(one => one.user_id))
        const between = await oversightOn(ctx, site_id)
        return new Set(
          people
            .filter(one => isOneOf(BANDS.coordinate, one.role) || one.user_id === row.created_by || actsForAny(one, between, audience))
            .map(one => one.user_id),
        )
      },
    },
  ],
}

export const room = defineRoom({
  name: 'alerts',
  says: 'What everyone must know now, at a place: gusts, a closed road, a live cable.',
  routes,
  schedules,
  changes: [alertChanges],
  kinds: [alert],
  uses: [{ of: 'contractor', name: 'alerts', when: 'ever', count: (ctx, site_id, ids) => alertsFor(ctx.db, site_id, ids) }],
  permissions: {
    alert_raise: held(BANDS.contribute, 'Raise alerts'),
    alert_stop: held(BANDS.coordinate, 'Raise and lift alerts that stop work'),
    alert_manage: held(BANDS.coordinate, 'Change, resolve and reopen alerts of other people'),
  },
  site: { counts: [{ name: 'open_alerts', of: (ctx, site_ids) => openCounts(ctx.db, site_ids) }] },
  events: eventsOf(
    'alert',
    {
      alert_id: 'Alert',
      severity: { ...field.text('Severity', SEVERITIES), clause: isClause('the alert', value => GRADES[value] ?? value) },
      category: field.text('Category', CATEGORIES),
      effect: { ...field.text('Effect on work', EFFECTS), clause: isClause('the work', value => LEFT_OF_WORK[value] ?? value) },
      source: field.text('What raised it'),
      contractor_ids: 'Contractors that it is for; empty for everyone',
      withdrawn: field.flag('The alert was raised by mistake', 'The alert wasn’t raised by mistake'),
    },
    {
      raised: 'An alert became active, or became dangerous',
      changed: 'An alert was changed, or one that hasn’t been active yet was scheduled, resolved or deleted',
      overdue: 'An alert is past its end and still active',
      resolved: 'An alert was resolved or deleted',
      unresolved: 'An alert was reopened',
    },
    { contractors: { audience: 'contractor_ids' }, sometimes: ['withdrawn'] },
  ),
  notices,
  tasks: [
    {
      kind: 'resolve_alert',
      area: 'site',
      title: 'Lift an overdue alert',
      action_label: 'Open alert',
      link_pattern: link,
      addressed_to: 'coordinators, H&S people and managers',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'resolve the alert, or give it a later end',
      falls_back_to: 'coordinate',
    },
  ],
})
