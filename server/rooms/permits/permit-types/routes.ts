import { created, get, patch, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { changeType, createType, listTypes } from './actions.ts'
import { permitType } from './door.ts'
import { MaybeSite, NewType, PermitTypeShape, TypeChange, TypeFilter } from './schema.ts'

export const routes = [
  get('/permits/types', {
    name: 'permit_type.list',
    summary: 'List permit types',
    says: 'Returns the permit types of a site, including retired ones, ordered by code.',
    access: { needs: 'site_view' },
    query: TypeFilter,
    reply: Type.Array(ref(PermitTypeShape)),
    handle: ({ ctx, query }) => listTypes(ctx, query),
  }),
  post('/permits/types', {
    name: 'permit_type.create',
    summary: 'Create a permit type',
    says: 'Adds a permit type to the site. Codes are unique on the site.',
    access: { needs: 'permit_settings_manage' },
    query: MaybeSite,
    body: NewType,
    of: PermitTypeShape,
    reply: ref(PermitTypeShape),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createType(ctx, body)
      return created(made, `/permits/types?site_id=${body.site_id}&id=${made.id}`)
    },
  }),
  patch('/permits/types/:type_id', {
    name: 'permit_type.change',
    summary: 'Update or retire a permit type',
    says: 'Changes a type, or retires it (`active=false`), even while it is in use. Permits in review keep the number of reviews that they started with.',
    access: { needs: 'permit_settings_manage' },
    on: permitType,
    query: MaybeSite,
    body: TypeChange,
    of: PermitTypeShape,
    reply: ref(PermitTypeShape),
    handle: ({ ctx, thing, body }) => changeType(ctx, thing, body),
  }),
]
