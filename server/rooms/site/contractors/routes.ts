import { answer, created, del, fileAnswer, get, page, patch, post, put } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { bringIn } from '../../../kernel/evidence/door.ts'
import { LINK_TOKEN, limitLinkCall } from '../../../kernel/links/door.ts'
import {
  changeContractor,
  createContractor,
  dropLogo,
  listContractors,
  removeContractor,
  setLogo,
  showLogo,
} from './actions/contractors.ts'
import { addOversight, dropOversight, listOversight, listPairs } from './actions/oversight.ts'
import { publicContractors } from './actions/strangers.ts'
import { contractor } from './door.ts'
import {
  Contractor,
  ContractorChange,
  ContractorFilter,
  LogoFields,
  LogoQuery,
  NewContractor,
  NewOversight,
  Overseen,
  OversightDirection,
  OversightPair,
  PairsQuery,
  PublicContractor,
  PublicContractors,
} from './schema.ts'

const one = '/contractors/:contractor_id'
const LOGO = { types: ['image/png', 'image/jpeg', 'image/webp'], said: 'a PNG, JPEG or WebP picture', pixels_a_side: 4096, still: true }

export const routes = [
  get('/contractors/', {
    name: 'contractor.list',
    summary: 'List contractors',
    says: 'Returns the contractors of a site, ordered by name. Contractors that have left are included only if `status` or `id` selects them.',
    access: { needs: 'site_view' },
    query: ContractorFilter,
    reply: Type.Array(ref(Contractor)),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listContractors(ctx, query)
      return page(rows, { next })
    },
  }),
  post('/contractors/', {
    name: 'contractor.create',
    summary: 'Create a contractor',
    says: 'Adds a contractor. The colour is derived from the name unless a colour is sent. A name similar to that of another contractor must be confirmed.',
    access: { needs: 'contractor_edit' },
    body: NewContractor,
    of: Contractor,
    reply: ref(Contractor),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createContractor(ctx, body)
      return created(made, `/contractors/?site_id=${body.site_id}&id=${made.id}`)
    },
  }),
  get('/contractors/oversight', {
    name: 'contractor.list_oversight',
    summary: 'List oversight pairs',
    says: 'Returns the pairs of overseeing and overseen contractors on a site, ordered by name. `effective` adds the pairs that follow from other pairs.',
    access: { needs: 'site_view' },
    query: PairsQuery,
    reply: Type.Array(ref(OversightPair)),
    handle: ({ ctx, query }) => listPairs(ctx, query.site_id, query.effective === true),
  }),
  get('/contractors/public', {
    name: 'contractor.list_public',
    summary: 'List contractors before sign-in',
    says: 'With an invitation token, returns the contractors to choose from; for a publicly listed site, returns only its main contractor. The URLs of logos contain the token only if the URL of the request did.',
    access: { open: true },
    query: PublicContractors,
    in_header: { token: LINK_TOKEN },
    reply: Type.Array(ref(PublicContractor)),
    refuses: ['not_found'],
    before: async ({ ctx, query, wire }) => {
      if (query.token !== undefined) await limitLinkCall(ctx, wire.address, query.token)
    },
    handle: ({ ctx, query, wire }) => publicContractors(ctx, query, wire.headers[LINK_TOKEN.toLowerCase()] === undefined),
  }),
  patch(one, {
    name: 'contractor.change',
    summary: 'Update a contractor',
    says: 'Changes a contractor. A rename keeps the old name as an alias. If `status` is set to `left`, the response also says what the contractor still has on the site.',
    access: { needs: 'contractor_edit' },
    on: contractor,
    body: ContractorChange,
    of: Contractor,
    reply: ref(Contractor),
    refuses: ['conflict'],
    handle: ({ ctx, thing, body }) => changeContractor(ctx, thing, body),
  }),
  del(one, {
    name: 'contractor.delete',
    summary: 'Delete a contractor',
    says: 'Deletes a contractor that no record refers to.',
    access: { needs: 'contractor_manage' },
    on: contractor,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing }) => removeContractor(ctx, thing),
  }),
  put(`${one}/logo`, {
    name: 'contractor.set_logo',
    summary: 'Set a contractor’s logo',
    says: 'Stores a PNG, JPEG or WebP logo of at most 2 MB and 4,096 × 4,096 pixels.',
    access: { needs: 'contractor_edit' },
    on: contractor,
    upload: { max_bytes: 2 * 1024 * 1024 },
    body: LogoFields,
    of: Contractor,
    reply: ref(Contractor),
    refuses: ['unsupported_media_type', 'too_large'],
    before: ({ ctx, files }) => bringIn(ctx.house, files, LOGO),
    handle: async ({ ctx, thing, brought }) => {
      const [logo] = brought
      return logo === undefined ? undefined : setLogo(ctx, thing, logo)
    },
  }),
  del(`${one}/logo`, {
    name: 'contractor.delete_logo',
    summary: 'Delete a contractor’s logo',
    says: 'Removes the logo of a contractor.',
    access: { needs: 'contractor_edit' },
    on: contractor,
    reply: null,
    handle: ({ ctx, thing }) => dropLogo(ctx, thing),
  }),
  get(`${one}/logo/image`, {
    name: 'contractor.show_logo',
    summary: 'Download a contractor’s logo',
    says: 'Returns the logo as WebP of 64 or 256 pixels, or the original file. No sign-in is needed for a contractor that is listed before sign-in.',
    access: { needs: 'site_view', or_stranger: true },
    on: contractor,
    query: LogoQuery,
    in_header: { token: LINK_TOKEN },
    reply: null,
    produces: ['image/webp', 'image/png', 'image/jpeg', 'image/svg+xml'],
    handle: async ({ ctx, thing, query }) => fileAnswer(await showLogo(ctx, thing, query)),
  }),
  get(`${one}/oversight`, {
    name: 'contractor.show_oversight',
    summary: 'Show a contractor’s oversight',
    says: 'Returns the contractors that this one oversees or, with `direction=up`, those that oversee it; direct ones first, then by name.',
    access: { needs: 'site_view' },
    on: contractor,
    query: OversightDirection,
    reply: Type.Array(ref(Overseen)),
    handle: ({ ctx, thing, query }) => listOversight(ctx, thing, query.direction ?? 'down'),
  }),
  post(`${one}/oversight`, {
    name: 'contractor.add_oversight',
    summary: 'Add an oversight pair',
    says: 'Records that this contractor engaged another. The people of this contractor can then see the records of the other contractor and act for that contractor.',
    access: { needs: 'contractor_manage' },
    on: contractor,
    body: NewOversight,
    reply: ref(Overseen),
    status: 201,
    also: { 200: 'The contractor already oversaw the other one' },
    refuses: ['conflict'],
    handle: async ({ ctx, thing, body }) => {
      const { made, said } = await addOversight(ctx, thing, body.subordinate_id)
      return made ? created(said, `/contractors/${thing.id}/oversight`) : answer(said, { status: 200 })
    },
  }),
  del(`${one}/oversight/:subordinate_id`, {
    name: 'contractor.drop_oversight',
    summary: 'Remove an oversight pair',
    says: 'Ends an oversight. A pair that follows from other pairs can’t be removed.',
    access: { needs: 'contractor_manage' },
    on: contractor,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing, params }) => dropOversight(ctx, thing, params.subordinate_id ?? ''),
  }),
]
