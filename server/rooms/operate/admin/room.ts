import { BANDS, held, superadminOnly } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { job } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'admin',
  says: 'Running the installation: job runs, queues, bounced emails.',
  routes,
  kinds: [job],
  schedules,
  permissions: {
    platform_operate: superadminOnly('See the installation’s queues, background jobs, connections and logs, and manage its email'),
    job_view: held(BANDS.administer, 'See the background jobs of your own site'),
  },
  events: eventsOf(
    'job',
    {
      job_kind: 'Kind of job',
      requested_by_id: 'Person who asked for it',
      link: 'Page of the app that shows the result',
      reason: 'Why it failed or was cancelled',
      announced: field.flag(
        'The person is notified of the failure in another way',
        'The person isn’t notified of the failure in another way',
      ),
    },
    {
      succeeded: 'A job that a person asked for has succeeded',
      failed: 'A job that a person asked for has failed, after its last attempt',
      cancelled: 'A job that a person asked for was cancelled',
    },
    { identities: { asker: 'requested_by_id' }, sometimes: ['reason', 'announced'] },
  ),
  notices: {
    kinds: [
      {
        kind: 'your_job',
        label: 'Jobs that you asked for',
        group: 'Site',
        urgency: 'info',
        channels: ['in_app'],
        many: '{{count}} jobs that you asked for have ended',
      },
    ],
    rules: [
      {
        key: 'your_job_succeeded',
        event_kind: 'job.succeeded',
        kind: 'your_job',
        audience: [{ named: 'asker' }],
        channels: ['in_app'],
        title: '{{subject_label}} has finished',
        link: '{link}',
        may_reach_nobody: true,
      },
      {
        key: 'your_job_failed',
        event_kind: 'job.failed',
        kind: 'your_job',
        when: { field: 'announced', op: 'eq', value: false },
        audience: [{ named: 'asker' }],
        channels: ['in_app'],
        title: '{{subject_label}} has failed',
        body: '{{reason}}',
        link: '{link}',
        may_reach_nobody: true,
      },
    ],
  },
})
