import { answer, created, del, get, page, patch, post, put } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { LINK_TOKEN, limitLinkCall } from '../../../kernel/links/door.ts'
import { dropBoundary, setBoundary, showBoundary } from './actions/boundary.ts'
import { setMainContractor, setThreshold, setTransitive } from './actions/contractors.ts'
import { findAddress } from './actions/geocode.ts'
import { deleteSite, lockSite, nukeSite } from './actions/life.ts'
import { listMembers, publicSites, snapshotRevision, workingPeriod } from './actions/reading.ts'
import { changeSite, createSite, listSites, showSite } from './actions/sites.ts'
import { site } from './door.ts'
import { Member, MemberFilter, PeriodQuery, PublicQuery, PublicSite, SnapshotRevision, WorkingPeriod } from './schema/reading.ts'
import {
  Boundary,
  FoundPlace,
  GeocodeQuery,
  LockSite,
  NewBoundary,
  NewSite,
  NukeSite,
  SetMainContractor,
  SetThreshold,
  SetTransitive,
  Site,
  SiteChange,
  SiteFilter,
} from './schema/sites.ts'

const one = '/sites/:site_id'

export const routes = [
  get('/sites/', {
    name: 'site.list',
    summary: 'List sites',
    says: 'Returns the caller’s sites (for a superadmin, all sites), ordered by name and id.',
    access: { signed_in: true },
    query: SiteFilter,
    reply: Type.Array(ref(Site)),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listSites(ctx, query)
      return page(rows, { next })
    },
  }),
  post('/sites/', {
    name: 'site.create',
    summary: 'Create a site',
    says: 'Creates a site and its default records in one transaction. The caller becomes its administrator.',
    access: { needs: 'site_create' },
    body: NewSite,
    reply: ref(Site),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createSite(ctx, body)
      return created(made, `/sites/${made.id}`)
    },
  }),
  get('/sites/public', {
    name: 'site.list_public',
    summary: 'List public sites',
    says: 'Returns the publicly listed sites. With an invitation token, returns only the site of the invitation, with the details of the invitation.',
    access: { open: true },
    query: PublicQuery,
    in_header: { token: LINK_TOKEN },
    reply: Type.Array(ref(PublicSite)),
    refuses: ['not_found'],
    before: async ({ ctx, query, wire }) => {
      if (query.token !== undefined) await limitLinkCall(ctx, wire.address, query.token)
    },
    handle: ({ ctx, query }) => publicSites(ctx, query.token),
  }),
  get(one, {
    name: 'site.show',
    summary: 'Show a site',
    says: 'Returns one site in full, with its settings and what the caller can do.',
    access: { needs: 'site_view' },
    reply: ref(Site),
    handle: ({ ctx, site_id }) => showSite(ctx, site_id),
  }),
  patch(one, {
    name: 'site.change',
    summary: 'Update a site',
    says: 'Changes fields of a site. Each field needs `site_configure` or `site_administer`; if the caller can’t change one of the fields, the whole call is refused.',
    access: { needs: 'site_view' },
    on: site,
    passes_lock: true, // a deleted site that is locked can be restored; the room refuses other changes
    body: SiteChange,
    of: Site,
    reply: ref(Site),
    refuses: ['forbidden', 'conflict'],
    handle: ({ ctx, thing, body }) => changeSite(ctx, thing, body),
  }),
  del(one, {
    name: 'site.delete',
    summary: 'Delete a site',
    says: 'Deletes a site; its records are kept, and a superadmin can restore it. Refused while permits (other than imported ones) are live or expired and not closed out.',
    access: { needs: 'site_delete' },
    on: site,
    alone: true,
    passes_lock: true,
    reply: null,
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing }) => deleteSite(ctx, thing),
  }),
  post(`${one}/lock`, {
    name: 'site.lock',
    summary: 'Lock or unlock a site',
    says: 'Locks a site, which makes most of its records read-only, or unlocks it. Locking is refused while permits (other than imported ones) are live or expired and not closed out, unless forced.',
    access: { needs: 'site_administer' },
    on: site,
    alone: true,
    passes_lock: true,
    body: LockSite,
    reply: ref(Site),
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing, body }) => lockSite(ctx, thing, body),
  }),
  put(`${one}/main-contractor`, {
    name: 'site.set_main_contractor',
    summary: 'Set the main contractor',
    says: 'Ends the period of the current main contractor and, unless `contractor_id` is null, starts the period of another contractor.',
    access: { needs: 'site_administer' },
    on: site,
    body: SetMainContractor,
    of: Site,
    reply: ref(Site),
    refuses: ['conflict'],
    handle: ({ ctx, thing, body }) => setMainContractor(ctx, thing, body.contractor_id),
  }),
  put(`${one}/observation-threshold`, {
    name: 'site.set_observation_threshold',
    summary: 'Set the serious-observation threshold',
    says: 'Sets the risk score from which an observation counts as serious. With null, no observation does.',
    access: { needs: 'site_configure' },
    on: site,
    body: SetThreshold,
    of: Site,
    reply: ref(Site),
    handle: ({ ctx, thing, body }) => setThreshold(ctx, thing, body.risk_score),
  }),
  put(`${one}/oversight-transitive`, {
    name: 'site.set_oversight_transitive',
    summary: 'Set transitive oversight',
    says: 'Sets whether contractors also oversee their subcontractors’ subcontractors. Returns the site, with the pairs that were added or removed.',
    access: { needs: 'site_administer' },
    on: site,
    body: SetTransitive,
    of: Site,
    reply: ref(Site),
    handle: ({ ctx, thing, body }) => setTransitive(ctx, thing, body.oversight_transitive),
  }),
  get(`${one}/boundary`, {
    name: 'site.show_boundary',
    summary: 'Show the site boundary',
    says: 'Returns the boundary of a site, with its area and centre.',
    access: { needs: 'site_view' },
    reply: ref(Boundary),
    tagged: true,
    handle: async ({ ctx, site_id }) => {
      const { said, version } = await showBoundary(ctx, site_id)
      return answer(said, { headers: { etag: `"${version}"` } })
    },
  }),
  put(`${one}/boundary`, {
    name: 'site.set_boundary',
    summary: 'Replace the site boundary',
    says: 'Replaces the boundary. Returns how many records are now more than 2 km outside it; nothing is moved.',
    access: { needs: 'site_configure' },
    on: site,
    body: NewBoundary,
    of: Boundary,
    reply: ref(Boundary),
    sends: ['ETag'],
    handle: async ({ ctx, thing, body }) => {
      const { said, version } = await setBoundary(ctx, thing, body.geometry)
      return answer(said, { headers: { etag: `"${version}"` } })
    },
  }),
  del(`${one}/boundary`, {
    name: 'site.delete_boundary',
    summary: 'Delete the site boundary',
    says: 'Removes the boundary. The site’s location is kept.',
    access: { needs: 'site_configure' },
    on: site,
    reply: null,
    handle: ({ ctx, thing }) => dropBoundary(ctx, thing),
  }),
  get(`${one}/geocode`, {
    name: 'site.geocode',
    summary: 'Find places by address',
    says: 'Returns at most 8 places from the installation’s geocoder, best match first.',
    access: { needs: 'site_configure' },
    query: GeocodeQuery,
    reply: Type.Array(ref(FoundPlace)),
    refuses: ['unavailable'],
    before: ({ ctx, query }) => findAddress(ctx.house, query.q),
    handle: async ({ brought }) => brought,
  }),
  get(`${one}/members`, {
    name: 'site.list_members',
    summary: 'List members',
    says: 'Returns the members of a site, ordered by rank (highest first), name and id. Email addresses are shown only to people who manage members. `can` selects people with a permission.',
    access: { needs: 'member_view' },
    query: MemberFilter,
    reply: Type.Array(ref(Member)),
    refuses: ['forbidden'],
    handle: async ({ ctx, site_id, query }) => {
      const { rows, next } = await listMembers(ctx, site_id, query)
      return page(rows, { next })
    },
  }),
  get(`${one}/snapshot-revision`, {
    name: 'site.show_revision',
    summary: 'Show the map revision',
    says: 'Returns the revision of each map layer. Load a layer again when its revision has increased.',
    access: { needs: 'site_view' },
    reply: ref(SnapshotRevision),
    tagged: true,
    handle: async ({ ctx, site_id }) => {
      const said = await snapshotRevision(ctx, site_id)
      return answer(said, { headers: { etag: `"${said.revision}"` } })
    },
  }),
  get(`${one}/working-period`, {
    name: 'site.show_working_period',
    summary: 'Show a working period',
    says: 'Returns a working day, given by a point in time or a date, with its shifts, its working time, and the previous and next working day.',
    access: { needs: 'site_view' },
    query: PeriodQuery,
    reply: ref(WorkingPeriod),
    handle: ({ ctx, site_id, query }) => workingPeriod(ctx, site_id, query),
  }),
  del(`${one}/nuke`, {
    name: 'site.nuke',
    summary: 'Erase a site',
    says: 'Erases a locked or deleted site. Refused while records are within their legal retention period, unless `override_retention` is true. The site disappears immediately; a job then deletes its records.',
    access: { needs: 'site_nuke' },
    on: site,
    alone: true,
    passes_lock: true,
    body: NukeSite,
    reply: null,
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing, body }) => nukeSite(ctx, thing, body),
  }),
]
