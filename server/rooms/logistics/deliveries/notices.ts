// Who is notified of deliveries (`messages.md` §0.5).
import type { NoticePlugs } from '../../../kernel/notices/door.ts'

const link = '/sites/{site_id}/map?delivery={subject_id}'
const contractor = [{ named: 'booker' }, { contractor: 'own' }] as const

/** Returns the rule that notifies the contractor of a delivery, and the person who asked for its slot, of a decision. */
const decided = (verb: string, title: string, body: string) => ({
  ...{ key: `delivery_decided:${verb}`, event_kind: `delivery.${verb}`, kind: 'delivery_decided', audience: [...contractor] },
  ...{ channels: ['in_app' as const], title, body, link, may_reach_nobody: true },
})

/** The notifications of deliveries. */
export const notices: Partial<NoticePlugs> = {
  kinds: [
    {
      ...{ kind: 'delivery_decided', label: 'Decisions on your deliveries', group: 'Logistics', urgency: 'attention' },
      ...{ channels: ['in_app'], many: '{{count}} decisions on your deliveries' },
    },
    {
      ...{ kind: 'delivery_problem', label: 'Vehicles that were turned away', group: 'Logistics', urgency: 'attention' },
      ...{ channels: ['in_app'], many: '{{count}} vehicles were turned away' },
    },
  ],
  rules: [
    decided('booked', 'Booked: {{subject_label}}', 'The delivery has its slot from {{start_at}}.'),
    decided('declined', 'Declined: {{subject_label}}', '{{reason}}'),
    decided('retimed', 'Another slot: {{subject_label}}', 'A coordinator gave the delivery the slot from {{start_at}}.'),
    {
      ...{ key: 'delivery_problem:turned_away', event_kind: 'delivery.turned_away', kind: 'delivery_problem' },
      audience: [{ named: 'booker' }, { role: 'coordinator' }, { role: 'commercial' }],
      channels: ['in_app'],
      title: 'Turned away: {{subject_label}}',
      body: 'Open the delivery to see why its vehicle was turned away.',
      link,
      may_reach_nobody: true,
    },
  ],
}
