import { get } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { namesOf } from './actions.ts'
import { BulkQuery, UserName } from './schema.ts'

export const routes = [
  get('/users/bulk', {
    name: 'user.list',
    summary: 'List names of users',
    says: 'Returns the names of the people with these ids, in the order of the request. Leaves out people who have never shared a site with the caller, unless the caller is a superadmin. Email addresses are never included.',
    access: { signed_in: true },
    query: BulkQuery,
    reply: Type.Array(ref(UserName)),
    handle: ({ ctx, query }) => namesOf(ctx, query.id, query.site_id ?? null),
  }),
]
