import { created, get, patch, post } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { changeType, createType, listTypes } from './actions.ts'
import { permitType } from './door.ts'
import { MaybeSite, NewType, PermitTypeShape, TypeChange, TypeFilter } from './schema.ts'

export const routes = [
  get('/permits/types', {
    name: 'permit_type.list',
    says: 'Permit types of a site, by code; retired ones too, flagged.',
    access: { needs: 'site_view' },
    query: TypeFilter,
    reply: Type.Array(ref(PermitTypeShape)),
    handle: ({ ctx, query }) => listTypes(ctx, query),
  }),
  post('/permits/types', {
    name: 'permit_type.create',
    says: 'Adds a permit type; its code alone is needed.',
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
    says: 'Changes a type, or retires it (active=false); never refused for being in use. What is in review keeps its path.',
    access: { needs: 'permit_settings_manage' },
    on: permitType,
    query: MaybeSite,
    body: TypeChange,
    of: PermitTypeShape,
    reply: ref(PermitTypeShape),
    handle: ({ ctx, thing, body }) => changeType(ctx, thing, body),
  }),
]
