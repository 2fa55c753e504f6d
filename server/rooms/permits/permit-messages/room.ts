import { defineRoom } from '../../../kernel/sockets/door.ts'
import type { TaskKind } from '../../../kernel/tasks/door.ts'
import { actsOn } from './actions/acts.ts'
import { nextGateOf, permitSight } from './actions/audience.ts'
import { pending } from './actions/pending.ts'
import { permitEvents } from './domain/events.ts'
import { permitNotices, permitRules } from './domain/notices.ts'

const gate = (
  kind: string,
  title: string,
  action_label: string,
  addressed_to: string,
  resolves_when: string,
  falls_back_to: TaskKind['falls_back_to'],
): TaskKind => ({
  kind: `${kind}_permit`,
  area: 'permits',
  title,
  action_label,
  link_pattern: `/sites/{site_id}/permits/{subject_id}?review=${kind}`,
  addressed_to,
  manual_resolve: false,
  urgency: 'attention',
  resolves_when,
  falls_back_to,
})

export const room = defineRoom({
  name: 'permit-messages',
  area: 'permits',
  says: 'Events, notifications and tasks about permits.',
  events: permitEvents,
  notices: { kinds: permitNotices, rules: permitRules, sights: [permitSight], gates: [{ subject_kind: 'permit', of: nextGateOf }] },
  tasks: [
    gate(
      'endorse',
      'Review & endorse',
      'Endorse',
      'everyone who can endorse permits',
      'endorse or reject the permit, or return it for corrections',
      'stage1',
    ),
    gate(
      'approve',
      'Review & approve',
      'Approve',
      'everyone who can approve permits',
      'approve or reject the permit, or return it for corrections',
      'stage2',
    ),
    gate(
      'issue',
      'Walk down and issue',
      'Issue',
      'issuers appointed for all the permit’s types; people who can approve permits see that the permit is waiting',
      'sign as issuer or hand the permit back',
      'stage2',
    ),
    {
      ...gate(
        'close_out',
        'Close out',
        'Close out',
        'reviewers, and issuers appointed for the permit’s types',
        'close out the permit',
        'stage1',
      ),
      on_locked_site: true,
    },
  ],
  acts: [actsOn],
  pending: [pending],
})
