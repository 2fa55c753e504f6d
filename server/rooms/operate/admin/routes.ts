import { get, page, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { clearAddress, listSuppressions, takeBounces } from './actions/mail.ts'
import { queueStats } from './actions/queues.ts'
import { listJobRuns } from './actions/runs.ts'
import {
  BounceQuery,
  Bounces,
  BouncesTaken,
  ClearSuppression,
  JobRun,
  JobRunFilter,
  QueueStats,
  Suppression,
  SuppressionFilter,
} from './schema.ts'

export const routes = [
  get('/admin/job-runs', {
    name: 'job_run.list',
    summary: 'List job runs',
    says: 'Returns background jobs and scheduled runs, newest first. Superadmins get every job; site managers and administrators get the jobs of their site. The person who started a job can also read it by its id, while they are a member of its site.',
    access: { signed_in: true },
    query: JobRunFilter,
    reply: Type.Array(ref(JobRun)),
    refuses: ['forbidden'],
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listJobRuns(ctx, query)
      return page(rows, { next })
    },
  }),
  get('/admin/queue-stats', {
    name: 'queue.show_stats',
    summary: 'Show queue statistics',
    says: 'Returns how many jobs are waiting, running and failed, how many events are still to be delivered, and when each schedule runs next.',
    access: { needs: 'platform_operate' },
    reply: ref(QueueStats),
    handle: ({ ctx }) => queueStats(ctx),
  }),
  post('/admin/email/bounce', {
    name: 'email.take_bounce',
    summary: 'Receive a bounce report',
    says: 'Records delivery reports (bounces, complaints and deliveries) from the mail relay. The body is signed by the relay (X-Signature: t=<unix>,v1=<hex HMAC-SHA256 of t.body>), or sent by a superadmin.',
    access: { needs: 'platform_operate', or_stranger: true },
    query: BounceQuery,
    body: ref(Bounces),
    max_body: 64 * 1024, // a report quotes the headers of the mail that it is about
    raw: ['message/rfc822', 'multipart/report', 'message/delivery-status', 'text/plain'],
    reply: ref(BouncesTaken),
    status: 200,
    handle: ({ ctx, query, body, wire }) => takeBounces(ctx, query.format ?? 'generic', body, wire),
  }),
  get('/admin/email/suppressions', {
    name: 'email.list_suppressions',
    summary: 'List suppressed email addresses',
    says: 'Returns the suppressed email addresses, the last reported first; with active=false, the addresses that were cleared.',
    access: { needs: 'platform_operate' },
    query: SuppressionFilter,
    reply: Type.Array(ref(Suppression)),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listSuppressions(ctx, query)
      return page(rows, { next })
    },
  }),
  post('/admin/email/suppressions/:email/clear', {
    name: 'email.clear_suppression',
    summary: 'Clear a suppressed email address',
    says: 'Allows email to an address again. The next hard bounce or complaint suppresses the address again.',
    access: { needs: 'platform_operate' },
    body: ref(ClearSuppression),
    reply: ref(Suppression),
    status: 200,
    refuses: ['not_found'],
    handle: ({ ctx, params, body }) => clearAddress(ctx, params.email ?? '', body),
  }),
]
