import { fileAnswer, get, post } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { permit } from '../permits/door.ts'
import { MatchQuery } from '../permits/schema/bodies.ts'
import { documentOf } from './actions/document.ts'
import { chainOf, keysFor, verifyPaper } from './actions/proof.ts'
import { DocumentQuery, KeysQuery, PermitChain, Verification, VerificationKey, Verified } from './schema.ts'

const one = '/permits/applications/:permit_id'

export const routes = [
  get(`${one}/document`, {
    name: 'permit.show_document',
    says: 'The permit as a PDF: the kept paper while it still says what the record says, else how things stand now; `snapshot` names a kept one.',
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
    says: 'The chain of signatures with what each covers, as a file that anybody can check without a server.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: ref(PermitChain),
    handle: ({ ctx, thing }) => chainOf(ctx, thing),
  }),
  get('/permits/verification-keys', {
    name: 'signing_key.list',
    says: 'Public keys of a site, oldest first; a phone keeps them and judges papers without a network.',
    access: { open: true },
    query: KeysQuery,
    reply: Type.Array(ref(VerificationKey)),
    handle: ({ ctx, query }) => keysFor(ctx, query.site_id),
  }),
  post('/permits/verification', {
    name: 'permit.verify',
    says: 'What a paper is worth now, for whoever holds it: one word, and nothing of a permit whose signed statement is not shown.',
    access: { open: true },
    query: MatchQuery,
    body: Verification,
    reply: ref(Verified),
    reads: true,
    handle: ({ ctx, query, body }) => verifyPaper(ctx, body.statement, query.site_id ?? body.site_id ?? null),
  }),
]
