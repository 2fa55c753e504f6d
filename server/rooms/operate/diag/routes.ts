import { answer, get, page, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { clientConfig, readLines, tellAuthEvent, tellClientEvents } from './actions.ts'
import { AuthEvent, ClientConfig, ClientEvents, DiagLine, LineQuery, Taken } from './schema.ts'

export const routes = [
  get('/diag/client-config', {
    name: 'diag.show_client_config',
    summary: 'Show the app configuration',
    says: 'Returns the settings that the app needs before anyone signs in.',
    access: { open: true },
    reply: ref(ClientConfig),
    tagged: true,
    handle: ({ ctx: { house } }) => {
      const { body, etag } = clientConfig(house)
      return answer(body, { headers: { etag, 'cache-control': 'no-cache' } })
    },
  }),
  post('/diag/auth-event', {
    name: 'diag.tell_auth_event',
    summary: 'Report a sign-in event',
    says: 'Records a sign-in fault or a sign-out in the log of the service. Needs no token. Accepts 10 reports a minute from one IP address.',
    access: { open: true },
    body: ref(AuthEvent),
    max_body: 4 * 1024,
    reads: true,
    reply: null,
    refuses: ['rate_limited', 'too_large'],
    handle: ({ ctx, body, wire }) => tellAuthEvent(ctx, body, wire.address),
  }),
  post('/diag/client-events', {
    name: 'diag.tell_client_events',
    summary: 'Report app events',
    says: 'Records errors, warnings, web vitals, and outbox, sync and connection events from the app in the log of the service. Accepts 120 events a minute from each person.',
    access: { signed_in: true },
    body: ref(ClientEvents),
    max_body: 64 * 1024,
    reads: true,
    reply: ref(Taken),
    status: 202,
    refuses: ['rate_limited', 'too_large'],
    handle: ({ ctx, body, wire }) => tellClientEvents(ctx, body, wire.address),
  }),
  get('/diag/logs', {
    name: 'diag.list_logs',
    summary: 'List log lines',
    says: 'Returns log lines of the service and its apps, newest first, for superadmins only. Each read is recorded in the audit log of the platform.',
    access: { signed_in: true },
    query: LineQuery,
    audited: true,
    reply: Type.Array(ref(DiagLine)),
    refuses: ['forbidden'],
    before: ({ ctx }) => ctx.house.lines.flush(),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await readLines(ctx, query)
      return page(rows, { next })
    },
  }),
]
