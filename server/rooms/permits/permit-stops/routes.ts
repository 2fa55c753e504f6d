import { created, get, page, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { permit } from '../kit/kinds.ts'
import { MatchQuery } from '../kit/schema.ts'
import { Permit, SteppedPermit } from '../permit-lists/schema/permit.ts'
import { revalidatePermit } from './actions/revalidate.ts'
import { liftStop, listStops, previewStop, stopWork } from './actions/stops.ts'
import { areaStop } from './door.ts'
import { AreaStop, LiftStop, NewAreaStop, Revalidation, StopFilter, StopPreview, StopPreviewBody } from './schema.ts'

export const routes = [
  get('/permits/stops', {
    name: 'area_stop.list',
    summary: 'List area stops',
    says: 'Returns the area stops of a site, the newest first, each with the permits that it stopped. Without a state, those that are active and those with permits that still have to be revalidated.',
    access: { needs: 'site_view' },
    query: StopFilter,
    reply: Type.Array(ref(AreaStop)),
    handle: async ({ ctx, query: { site_id, ...query } }) => {
      const { rows, next } = await listStops(ctx, site_id, query)
      return page(rows, { next })
    },
  }),
  post('/permits/stops', {
    name: 'area_stop.create',
    summary: 'Stop work in an area',
    says: 'Stops every live permit in an area, by its own place or by work that is linked to it and on site now. Raises an alert of danger over the area and notifies the people of each permit. Each permit must be revalidated before its work goes on, and a permit that goes live in the area later is stopped, too.',
    access: { needs: 'alert_stop' },
    query: MatchQuery,
    body: NewAreaStop,
    of: AreaStop,
    reply: ref(AreaStop),
    status: 201,
    refuses: ['conflict'],
    alone: true,
    handle: async ({ ctx, body }) => {
      const made = await stopWork(ctx, body)
      return created(made, `/permits/stops?site_id=${body.site_id}&id=${made.id}`)
    },
  }),
  post('/permits/stops/preview', {
    name: 'area_stop.preview',
    summary: 'Preview an area stop',
    says: 'Returns the live permits that a stop of this area would stop, and those whose place is unknown. Changes nothing.',
    access: { needs: 'alert_stop' },
    reads: true,
    query: MatchQuery,
    body: StopPreviewBody,
    reply: ref(StopPreview),
    handle: ({ ctx, body }) => previewStop(ctx, body),
  }),
  post('/permits/stops/:stop_id/lift', {
    name: 'area_stop.lift',
    summary: 'Lift an area stop',
    says: 'Ends an area stop and resolves its alert. Look at the place first. Permits that haven’t been revalidated stay stopped until they are.',
    access: { needs: 'alert_stop' },
    on: areaStop,
    query: MatchQuery,
    body: LiftStop,
    reply: ref(AreaStop),
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing, body }) => liftStop(ctx, thing, body.note),
  }),
  post('/permits/applications/:permit_id/revalidate', {
    name: 'permit.revalidate',
    summary: 'Revalidate a stopped permit',
    says: 'Signs that the work under a permit can go on after an area stop. Only an issuer appointed for all the permit’s types, or someone who can approve permits, can do this. One signature counts for all of its stops, lifted or not.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    body: Revalidation,
    of: Permit,
    reply: ref(SteppedPermit),
    refuses: ['invalid_transition', 'forbidden', 'conflict'],
    handle: ({ ctx, thing, body }) => revalidatePermit(ctx, thing, body),
  }),
]
