import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import type { NoticePlugs } from '../../../kernel/notices/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { deliveries } from './actions/deliveries.ts'
import { delivery } from './door.ts'
import { schedules } from './jobs.ts'
import { staysDuring } from './queries.ts'
import { routes } from './routes.ts'

const payload = {
  ...{
    delivery_id: 'Delivery',
    number: field.text('Number'),
    status: field.text('State'),
    from_status: field.text('State before; null for a new one'),
  },
  ...{ contractor_id: 'Contractor', supplier_name: field.text('Supplier'), direction: field.text('Direction, inbound or outbound') },
  ...{ start_at: field.instant('Start of the slot, or arrival'), end_at: field.instant('End of the slot, or departure') },
  ...{ bay_id: 'Delivery bay', gate_poi_id: 'Vehicle gate', booked_by_id: 'Person who asked for the slot' },
  ...{ minutes_late: field.number('Minutes after the start of the slot; negative before it'), reason: field.text('Reason') },
}

const people = { contractors: { own: 'contractor_id' }, identities: { booker: 'booked_by_id' } }

const link = '/sites/{site_id}/map?delivery={subject_id}'
const contractor = [{ named: 'booker' }, { contractor: 'own' }] as const

/** Returns the rule that notifies the contractor of a delivery, and the person who asked for its slot, of a decision. */
const decided = (verb: string, title: string, body: string) => ({
  ...{ key: `delivery_decided:${verb}`, event_kind: `delivery.${verb}`, kind: 'delivery_decided', audience: [...contractor] },
  ...{ channels: ['in_app' as const], title, body, link, may_reach_nobody: true },
})

// Who is notified of deliveries (`messages.md` §0.5).
const notices: Partial<NoticePlugs> = {
  kinds: [
    {
      ...{ kind: 'delivery_decided', label: 'Decisions on your deliveries', group: 'Logistics', urgency: 'attention' },
      ...{ channels: ['in_app'], many: '{{count}} decisions on your deliveries' },
    },
    {
      ...{ kind: 'delivery_late', label: 'Vehicles that are late', group: 'Logistics', urgency: 'attention' },
      ...{ channels: ['in_app'], many: '{{count}} vehicles are late' },
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
      ...{ key: 'delivery_late:late', event_kind: 'delivery.late', kind: 'delivery_late', audience: [{ role: 'coordinator' }] },
      channels: ['in_app'],
      title: 'Late: {{subject_label}}',
      body: 'The vehicle was booked for {{start_at}} and hasn’t arrived.',
      link,
      may_reach_nobody: true,
    },
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

export const room = defineRoom({
  name: 'deliveries',
  says: 'Deliveries and collections: the slots that contractors ask for, and the vehicles that arrive.',
  routes,
  kinds: [delivery],
  uses: deliveries.uses,
  changes: [deliveries.changing('delivery', { during: staysDuring })],
  members: deliveries.members,
  exports: [deliveries.exported('deliveries')],
  tokens: [deliveries.tokens()],
  schedules,
  site: { outside: [deliveries.outside] },
  permissions: {
    delivery_view: held(BANDS.read, 'See deliveries: the vehicle, its slot, contractor and state'),
    delivery_details: held([...BANDS.coordinate, 'commercial'], 'See drivers, registrations and notes of every delivery'),
    delivery_request: held(BANDS.contribute, 'Ask for slots of your contractor, change them, and cancel them'),
    delivery_gate: held(
      BANDS.contribute,
      'Record arrivals and departures: for your contractor; for everyone as a member of the main contractor',
    ),
    delivery_manage: held(BANDS.coordinate, 'Decide on slots, and change anyone’s deliveries'),
  },
  events: [
    ...eventsOf(
      'delivery',
      payload,
      {
        requested: 'A slot was asked for',
        booked: 'A delivery has its slot',
        retimed: 'A coordinator gave a delivery another slot',
        arrived: 'A vehicle has arrived',
        late: 'A booked vehicle is a quarter of an hour late',
      },
      { ...people, selects: { subject: 'entity' } },
    ),
    // What isn’t coming is in no group.
    ...eventsOf(
      'delivery',
      payload,
      {
        declined: 'A delivery doesn’t get the slot that was asked for',
        turned_away: 'A vehicle was turned away',
        no_show: 'A vehicle did not come',
        cancelled: 'A delivery was cancelled',
      },
      people,
    ),
  ],
  notices,
  tasks: [
    {
      kind: 'decide_delivery',
      area: 'deliveries',
      title: 'Decide on delivery',
      action_label: 'Open delivery',
      link_pattern: '/sites/{site_id}/map?delivery={subject_id}',
      addressed_to: 'coordinators',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'book or decline the delivery',
      falls_back_to: 'stage1',
    },
  ],
})
