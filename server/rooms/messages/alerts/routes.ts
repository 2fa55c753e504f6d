import { fieldsIn } from '../../../../shared/narrow.ts'
import { get, page } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { routesOf } from '../../../kernel/resource/kit.ts'
import { alerts } from './actions/alerts.ts'
import { activityOf, listAlerts, showAlert } from './actions/reads.ts'
import { alert } from './door.ts'
import { Activity, ShowQuery } from './schema.ts'

const plain = routesOf(alerts, { order: 'danger first, then by start, the latest first' })

export const routes = [
  get('/alerts/', {
    name: 'alert.list',
    summary: 'List alerts',
    says: 'Returns the alerts of a site that the caller can see, danger first, then by start, the latest first. Without a state or a time, those that aren’t over.',
    access: { needs: 'site_view' },
    query: alerts.list.query,
    reply: Type.Array(ref(alerts.shapes.record)),
    sends: ['X-Total-Count'],
    handle: async ({ ctx, site_id, query }) => {
      const { rows, next, total } = await listAlerts(ctx, site_id, fieldsIn(query))
      return page(rows, { next, total })
    },
  }),
  get('/alerts/:alert_id', {
    name: 'alert.show',
    summary: 'Show an alert',
    says: 'Returns one alert.',
    access: { needs: 'site_view' },
    on: alert,
    query: ShowQuery,
    reply: ref(alerts.shapes.record),
    handle: ({ ctx, thing, query }) => showAlert(ctx, thing, query.include),
  }),
  get('/alerts/:alert_id/activity', {
    name: 'alert.list_activity',
    summary: 'List what happened to an alert',
    says: 'Returns everything that happened to an alert, oldest first: who raised, changed and resolved it, what the clock did, and how many people were notified.',
    access: { needs: 'site_view' },
    on: alert,
    reply: Type.Array(ref(Activity)),
    handle: ({ ctx, thing }) => activityOf(ctx, thing),
  }),
  ...plain.filter(route => route.name !== 'alert.list' && route.name !== 'alert.show'),
]
