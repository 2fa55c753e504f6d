import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

const notice = (verb: string, title: string, body: string) => ({
  ...{ key: `weather_limit_ahead:${verb}`, event_kind: `weather.${verb}`, kind: 'weather_limit_ahead' },
  audience: [{ band: 'coordinate' as const }, { contractor: 'concerned' }],
  channels: ['in_app' as const],
  ...{ title, body, link: '/sites/{site_id}/map', may_reach_nobody: true },
})

export const room = defineRoom({
  name: 'weather',
  says: 'The weather at the site: now, ahead and past, with the limits of lifting, platforms, roofs and concrete.',
  routes,
  schedules,
  events: eventsOf(
    'weather',
    {
      limit: field.text('Limit'),
      state: field.text('State', ['caution', 'stop']),
      from: field.instant('Start of the hours that reach it'),
      to: field.instant('End of these hours'),
      at: field.instant('Start of the worst hour'),
      value: field.number('Value in that hour'),
      work_date: 'Site day',
      contractor_ids: 'Contractors with plant or permits that it concerns',
    },
    {
      limit_forecast: 'A weather limit is forecast for working hours',
      limit_cleared: 'A weather limit is no longer forecast',
      limit_passed: 'A gale or heavy rain was recorded, so scaffolds, excavations and cranes fall due for inspection',
    },
    { contractors: { concerned: 'contractor_ids' } },
  ),
  notices: {
    kinds: [
      {
        kind: 'weather_limit_ahead',
        label: 'Weather limits',
        group: 'Safety',
        urgency: 'attention',
        channels: ['in_app'],
        many: '{{count}} weather limits',
      },
    ],
    rules: [
      notice(
        'limit_forecast',
        'Weather limit ahead: {{subject_label}}, from {{from}}',
        'A forecast is a planning aid. Measure on site, and keep to the limit of the machine or the work.',
      ),
      notice('limit_cleared', 'No longer forecast: {{subject_label}}', 'It had been forecast from {{from}}.'),
    ],
  },
})
