import { answer, created, del, get, page, patch, post, put } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { limitLinkCall } from '../../kernel/links/door.ts'
import { dropBoundary, setBoundary, showBoundary } from './actions/boundary.ts'
import {
  changeSite,
  createSite,
  deleteSite,
  listMembers,
  listSites,
  lockSite,
  nukeSite,
  publicSites,
  setMainContractor,
  setThreshold,
  setTransitive,
  showSite,
  snapshotRevision,
  workingPeriod,
} from './actions/sites.ts'
import { site } from './door.ts'
import {
  Boundary,
  LockSite,
  Member,
  MemberFilter,
  NewBoundary,
  NewSite,
  NukeSite,
  PeriodQuery,
  PublicQuery,
  PublicSite,
  SetMainContractor,
  SetThreshold,
  SetTransitive,
  Site,
  SiteChange,
  SiteFilter,
  SnapshotRevision,
  WorkingPeriod,
} from './schema.ts'

const one = '/sites/:site_id'

export const routes = [
  get('/sites/', {
    name: 'site.list',
    says: 'Sites of the caller (a superadmin: all), by name and id.',
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
    says: 'Makes a site with all that its areas seed, or none of it. Its maker becomes an administrator.',
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
    says: 'Open sites that strangers may see; with the token of an invitation that one site, and what the invitation gives.',
    access: { open: true },
    query: PublicQuery,
    reply: Type.Array(ref(PublicSite)),
    refuses: ['not_found'],
    before: async ({ ctx, query, wire }) => {
      if (query.token !== undefined) await limitLinkCall(ctx, wire.address, query.token)
    },
    handle: ({ ctx, query }) => publicSites(ctx, query.token),
  }),
  get(one, {
    name: 'site.show',
    says: 'One site, whole, with its settings and the caller’s flags.',
    access: { needs: 'site_view' },
    reply: ref(Site),
    handle: ({ ctx, site_id }) => showSite(ctx, site_id),
  }),
  patch(one, {
    name: 'site.change',
    says: 'Changes fields by their permission; one forbidden field refuses all. A new time zone derives future occurrences again.',
    access: { needs: 'site_view' },
    on: site,
    body: SiteChange,
    of: Site,
    reply: ref(Site),
    refuses: ['forbidden', 'conflict'],
    handle: ({ ctx, thing, body }) => changeSite(ctx, thing, body),
  }),
  del(one, {
    name: 'site.delete',
    says: 'Ends a site; refused while permits are live.',
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
    says: 'Freezes a site as a record, or thaws it. Refused while permits of the application flow are live, unless forced.',
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
    says: 'Ends the period of the firm in charge and begins that of another.',
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
    says: 'From which risk score an observation is serious; null: never.',
    access: { needs: 'site_configure' },
    on: site,
    body: SetThreshold,
    of: Site,
    reply: ref(Site),
    handle: ({ ctx, thing, body }) => setThreshold(ctx, thing, body.risk_score),
  }),
  put(`${one}/oversight-transitive`, {
    name: 'site.set_oversight_transitive',
    says: 'Whether oversight counts through chains; answers with the derived pairs that this made or took.',
    access: { needs: 'site_administer' },
    on: site,
    body: SetTransitive,
    of: Site,
    reply: ref(Site),
    handle: ({ ctx, thing, body }) => setTransitive(ctx, thing, body.oversight_transitive),
  }),
  get(`${one}/boundary`, {
    name: 'site.show_boundary',
    says: 'The ground of a site, with its area and centre.',
    access: { needs: 'site_view' },
    reply: ref(Boundary),
    handle: async ({ ctx, site_id }) => {
      const { said, version } = await showBoundary(ctx, site_id)
      return answer(said, { headers: { etag: `"${version}"` } })
    },
  }),
  put(`${one}/boundary`, {
    name: 'site.set_boundary',
    says: 'Draws the boundary anew, whole; answers with what now lies more than 2 km outside of it. Nothing is moved.',
    access: { needs: 'site_configure' },
    on: site,
    body: NewBoundary,
    of: Boundary,
    reply: ref(Boundary),
    handle: async ({ ctx, thing, body }) => {
      const { said, version } = await setBoundary(ctx, thing, body.geometry)
      return answer(said, { headers: { etag: `"${version}"` } })
    },
  }),
  del(`${one}/boundary`, {
    name: 'site.delete_boundary',
    says: 'Takes the boundary away; where the site is stays known.',
    access: { needs: 'site_configure' },
    on: site,
    reply: null,
    handle: ({ ctx, thing }) => dropBoundary(ctx, thing),
  }),
  get(`${one}/members`, {
    name: 'site.list_members',
    says: 'Members: rank falling, name, id. Addresses for who manages members. `can` narrows to those who may do something.',
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
    says: 'How new each layer of the map picture is: a client that holds r reloads the layers above r.',
    access: { needs: 'site_view' },
    reply: ref(SnapshotRevision),
    handle: async ({ ctx, site_id }) => {
      const said = await snapshotRevision(ctx, site_id)
      return answer(said, { headers: { etag: `"${said.revision}"` } })
    },
  }),
  get(`${one}/working-period`, {
    name: 'site.show_working_period',
    says: 'The working day at an instant, or of a site day: shifts, working time, neighbours.',
    access: { needs: 'site_view' },
    query: PeriodQuery,
    reply: ref(WorkingPeriod),
    handle: ({ ctx, site_id, query }) => workingPeriod(ctx, site_id, query),
  }),
  del(`${one}/nuke`, {
    name: 'site.nuke',
    says: 'Erases a locked or deleted site. The law’s holds refuse it unless they are overridden.',
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
