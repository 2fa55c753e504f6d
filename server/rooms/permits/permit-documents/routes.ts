import { fileAnswer, get, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { permit } from '../kit/kinds.ts'
import { MatchQuery } from '../kit/schema.ts'
import { documentOf } from './actions/document.ts'
import { chainOf, keysFor, verifyPaper } from './actions/proof.ts'
import { DocumentQuery, KeysQuery, PermitChain, Verification, VerificationKey, Verified } from './schema.ts'

const one = '/permits/applications/:permit_id'

export const routes = [
  get(`${one}/document`, {
    name: 'permit.show_document',
    summary: 'Download a permit as PDF',
    says: 'Returns the latest snapshot if it still matches the permit, otherwise a new document of the permit’s current state. `snapshot` selects a stored document.',
    access: { needs: 'site_view' },
    on: permit,
    query: DocumentQuery,
    reply: null,
    produces: 'application/pdf',
    refuses: ['conflict', 'unavailable'],
    handle: async ({ ctx, thing, query }) => fileAnswer(await documentOf(ctx, thing, query.snapshot ?? null)),
  }),
  get(`${one}/chain`, {
    name: 'permit.show_chain',
    summary: 'Export a permit’s signature chain',
    says: 'Returns a file that anyone can verify without a server: the signatures with the content that each one covers, the hashes of the stored documents, and the site’s signature of all parts.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: ref(PermitChain),
    handle: ({ ctx, thing }) => chainOf(ctx, thing),
  }),
  get('/permits/verification-keys', {
    name: 'signing_key.list',
    summary: 'List verification keys',
    says: 'Returns the public keys of a site, oldest first. A phone can store them and verify documents offline.',
    access: { open: true },
    query: KeysQuery,
    reply: Type.Array(ref(VerificationKey)),
    handle: ({ ctx, query }) => keysFor(ctx, query.site_id),
  }),
  post('/permits/verification', {
    name: 'permit.verify',
    summary: 'Verify a permit document',
    says: 'Returns whether a document is genuine and still valid. Reveals nothing about a permit unless the request contains its signed statement.',
    access: { open: true },
    query: MatchQuery,
    body: Verification,
    reply: ref(Verified),
    reads: true,
    handle: ({ ctx, query, body }) => verifyPaper(ctx, body.statement, query.site_id ?? body.site_id ?? null),
  }),
]
