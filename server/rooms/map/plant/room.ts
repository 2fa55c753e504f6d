import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { plantCutter, plants } from './actions.ts'
import { plant, plantSchedule } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'plant',
  says: 'Cranes, excavators and other machines: where each one is, how far it reaches, and whether its examination is in date.',
  routes,
  kinds: [plant, plantSchedule],
  uses: plants.uses,
  exports: [plants.area.exported('plant')],
  changes: [plants.area.changing('plant')],
  members: plants.area.members,
  geometry: { cutters: [plantCutter] },
  tokens: [plants.tokens],
  schedules,
  site: { outside: [plants.area.outside], rederive: [plants.rederive] },
  events: eventsOf(
    'plant',
    {
      plant_id: 'Machine',
      category: field.text('Category'),
      due_on: 'Date on which the examination is due',
      days_left: field.number('Days until then; negative afterwards'),
      contractor_id: 'Contractor',
    },
    {
      examination_due: 'A thorough examination is due within 14 days',
      examination_expired: 'A thorough examination has expired while the machine is on site',
    },
    { contractors: { own: 'contractor_id' }, selects: { subject: 'entity' } },
  ),
  tasks: [
    {
      kind: 'renew_plant_examination',
      area: 'plant',
      title: 'Renew examination',
      action_label: 'Open machine',
      link_pattern: '/sites/{site_id}/map?plant={subject_id}',
      addressed_to: 'the contractor’s H&S people; H&S people and managers of the site',
      manual_resolve: false,
      urgency: 'attention',
      resolves_when: 'enter the date of the next examination',
      falls_back_to: 'manage',
    },
  ],
  notices: {
    kinds: [
      {
        kind: 'plant_examination',
        label: 'Examinations of plant',
        group: 'Safety',
        urgency: 'attention',
        channels: ['in_app', 'email'],
        mandatory: ['in_app'],
        many: '{{count}} examinations of plant',
        moot_task: 'renew_plant_examination',
      },
    ],
    rules: [
      {
        key: 'plant_examination:due',
        event_kind: 'plant.examination_due',
        kind: 'plant_examination',
        audience: [{ contractor: 'own' }, { role: 'hse' }],
        channels: ['in_app'],
        title: 'The examination of {{subject_label}} is due on {{due_on}}',
        body: 'Book the thorough examination and enter its date.',
        link: '/sites/{site_id}/map?plant={subject_id}',
      },
      {
        key: 'plant_examination:expired',
        event_kind: 'plant.examination_expired',
        kind: 'plant_examination',
        audience: [{ contractor: 'own' }, { role: 'hse' }],
        channels: ['in_app', 'email'],
        title: 'The examination of {{subject_label}} has expired',
        body: 'It was due on {{due_on}}. Don’t lift with this machine until it has been examined.',
        link: '/sites/{site_id}/map?plant={subject_id}',
      },
    ],
  },
})
