import { created, get, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { linkedPermit, permit } from '../kit/kinds.ts'
import { MatchQuery } from '../kit/schema.ts'
import { Permit } from '../permit-lists/schema/permit.ts'
import { groupEntities, link, listEntities, requestFor, unlink } from './actions.ts'
import { ChangeLinks, InlinePermit, LinkedEntity, LinkedGroup, LinksChanged } from './schema.ts'

const one = '/permits/applications/:permit_id'
const reads = { access: { needs: 'site_view' }, on: permit, query: MatchQuery } as const
const writes = {
  access: { needs: 'map_entity_edit' },
  on: linkedPermit,
  query: MatchQuery,
  body: ChangeLinks,
  reply: ref(LinksChanged),
  refuses: ['invalid_transition', 'forbidden'],
} as const

export const routes = [
  post('/permits/applications/inline', {
    name: 'permit_entity.request',
    summary: 'Create a draft permit for work on the map',
    says: 'Creates a draft for workers, plant and deliveries, and links them to it. Its contractor, window and place are those of the work, unless the body has others: the time from the earliest start to the latest end, and the building, level and zone that all of it shares. The caller must be able to change what is linked.',
    access: { needs: 'permit_request' },
    query: MatchQuery,
    body: InlinePermit,
    of: Permit,
    reply: ref(Permit),
    status: 201,
    refuses: ['forbidden'],
    handle: async ({ ctx, body }) => {
      const made = await requestFor(ctx, body)
      return created(made, `/permits/applications/${made.id}`)
    },
  }),
  get(`${one}/entities`, {
    name: 'permit_entity.list',
    summary: 'List what a permit covers',
    says: 'Returns the workers, plant and deliveries that are linked to a permit, by kind, start and id.',
    ...reads,
    reply: Type.Array(ref(LinkedEntity)),
    handle: ({ ctx, thing }) => listEntities(ctx, thing),
  }),
  get(`${one}/entities/grouped`, {
    name: 'permit_entity.list_grouped',
    summary: 'List what a permit covers, by schedule',
    says: 'Returns the workers, plant and deliveries that are linked to a permit, by kind and schedule, with the number of records and their first and last time.',
    ...reads,
    reply: Type.Array(ref(LinkedGroup)),
    handle: ({ ctx, thing }) => groupEntities(ctx, thing),
  }),
  post(`${one}/link`, {
    name: 'permit_entity.link',
    summary: 'Link work to a permit',
    says: 'Links workers, plant or deliveries to a permit that isn’t over. Of a schedule, it links the occurrences inside the permit’s window, and returns the others. The caller must be able to see the permit, and to change what is linked. Repeating it changes nothing.',
    ...writes,
    handle: ({ ctx, thing, body }) => link(ctx, thing, body),
  }),
  post(`${one}/unlink`, {
    name: 'permit_entity.unlink',
    summary: 'Unlink work from a permit',
    says: 'Removes links between a permit and workers, plant or deliveries. What a closed-out, rejected or withdrawn permit covered is part of its record. Repeating it changes nothing.',
    ...writes,
    handle: ({ ctx, thing, body }) => unlink(ctx, thing, body),
  }),
]
