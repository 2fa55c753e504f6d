import { answer, created, del, fileAnswer, get, page, patch, post, put } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { bringIn } from '../../kernel/evidence/door.ts'
import { limitLinkCall } from '../../kernel/links/door.ts'
import {
  addOversight,
  changeContractor,
  createContractor,
  dropLogo,
  dropOversight,
  listContractors,
  listOversight,
  listPairs,
  publicContractors,
  removeContractor,
  setLogo,
  showLogo,
} from './actions.ts'
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
    says: 'Firms of a site, by name; those that left only when asked for.',
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
    says: 'Adds a firm. Its colour follows from its name. One that reads like another needs to be confirmed.',
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
    says: 'Who oversees whom on a site; `effective` adds pairs that follow through chains.',
    access: { needs: 'site_view' },
    query: PairsQuery,
    reply: Type.Array(ref(OversightPair)),
    handle: ({ ctx, query }) => listPairs(ctx, query.site_id, query.effective === true),
  }),
  get('/contractors/public', {
    name: 'contractor.list_public',
    says: 'Firms as strangers may see them: by a token those to pick from; of a listed site, the one in charge.',
    access: { open: true },
    query: PublicContractors,
    reply: Type.Array(ref(PublicContractor)),
    refuses: ['not_found'],
    before: async ({ ctx, query, wire }) => {
      if (query.token !== undefined) await limitLinkCall(ctx, wire.address, query.token)
    },
    handle: ({ ctx, query }) => publicContractors(ctx, query),
  }),
  patch(one, {
    name: 'contractor.change',
    says: 'Changes a firm. Renamed, it keeps the old name as an alias; `left` says what of it is still here.',
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
    says: 'Deletes a firm that nothing names.',
    access: { needs: 'contractor_manage' },
    on: contractor,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing }) => removeContractor(ctx, thing),
  }),
  put(`${one}/logo`, {
    name: 'contractor.set_logo',
    says: 'Puts a logo on a firm: PNG, JPEG or WebP, at most 2 MB and 4,096 pixels a side.',
    access: { needs: 'contractor_edit' },
    on: contractor,
    upload: { max_bytes: 2 * 1024 * 1024 },
    body: LogoFields,
    of: Contractor,
    reply: ref(Contractor),
    refuses: ['unsupported_media_type', 'too_large'],
    before: ({ ctx, files }) => bringIn(ctx.house, files.slice(0, 1), LOGO),
    handle: async ({ ctx, thing, brought }) => {
      const [logo] = brought
      return logo === undefined ? undefined : setLogo(ctx, thing, logo)
    },
  }),
  del(`${one}/logo`, {
    name: 'contractor.delete_logo',
    says: 'Takes the logo off a firm.',
    access: { needs: 'contractor_edit' },
    on: contractor,
    reply: null,
    handle: ({ ctx, thing }) => dropLogo(ctx, thing),
  }),
  get(`${one}/logo/image`, {
    name: 'contractor.show_logo',
    says: 'The logo of a firm, as WebP of 64 or 256 pixels, or as it was sent. Without a sign-in, to whoever may see the firm publicly.',
    access: { needs: 'site_view', or_stranger: true },
    on: contractor,
    query: LogoQuery,
    reply: null,
    produces: 'image/webp',
    handle: async ({ ctx, thing, query }) => fileAnswer(await showLogo(ctx, thing, query)),
  }),
  get(`${one}/oversight`, {
    name: 'contractor.show_oversight',
    says: 'Those that a firm oversees, or (`direction=up`) its overseers: direct ones first.',
    access: { needs: 'site_view' },
    on: contractor,
    query: OversightDirection,
    reply: Type.Array(ref(Overseen)),
    handle: ({ ctx, thing, query }) => listOversight(ctx, thing, query.direction ?? 'down'),
  }),
  post(`${one}/oversight`, {
    name: 'contractor.add_oversight',
    says: 'Says that this firm engaged another: it sees and acts for it.',
    access: { needs: 'contractor_manage' },
    on: contractor,
    body: NewOversight,
    reply: ref(Overseen),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, thing, body }) => {
      const { made, said } = await addOversight(ctx, thing, body.subordinate_id)
      return made ? created(said, `/contractors/${thing.id}/oversight`) : answer(said, { status: 200 })
    },
  }),
  del(`${one}/oversight/:subordinate_id`, {
    name: 'contractor.drop_oversight',
    says: 'Ends an oversight; a derived pair is ended where it comes from.',
    access: { needs: 'contractor_manage' },
    on: contractor,
    reply: null,
    refuses: ['conflict'],
    handle: ({ ctx, thing, params }) => dropOversight(ctx, thing, params.subordinate_id ?? ''),
  }),
]
