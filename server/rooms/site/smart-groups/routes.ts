import { answer, created, del, get, page, patch, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { changeGroup, createGroup, previewGroup, removeGroup } from './actions/keep.ts'
import { listGroups, showGroup } from './actions/show.ts'
import { smartGroup } from './door.ts'
import { NewSmartGroup, SmartGroup, SmartGroupChange, SmartGroupFilter, SmartGroupPreview, SmartGroupView } from './schema.ts'

const one = '/smart-groups/:group_id'

export const routes = [
  get('/smart-groups/', {
    name: 'smart_group.list',
    summary: 'List smart groups',
    says: 'Returns the site’s shared groups and the caller’s own, ordered by `sort`, name and id.',
    access: { needs: 'smart_group_edit' },
    query: SmartGroupFilter,
    reply: Type.Array(ref(SmartGroup)),
    handle: async ({ ctx, query, wire }) => {
      const { rows, next } = await listGroups(ctx, query, wire)
      return page(rows, { next })
    },
  }),
  post('/smart-groups/', {
    name: 'smart_group.create',
    summary: 'Create a smart group',
    says: 'Saves a condition under a name. With `dry_run`, returns a preview (200) and saves nothing.',
    access: { needs: 'smart_group_edit' },
    body: NewSmartGroup,
    of: SmartGroup,
    reply: Type.Union([ref(SmartGroup), ref(SmartGroupPreview)]),
    status: 201,
    also: { 200: 'A preview (`dry_run`): nothing was created' },
    refuses: ['forbidden', 'conflict'],
    passes_lock: true, // private ones are possible; the room refuses shared ones
    handle: async ({ ctx, body, wire }) => {
      if (body.dry_run === true) return answer(await previewGroup(ctx, body, wire), { status: 200 })
      const made = await createGroup(ctx, body, wire)
      return created(made, `/smart-groups/${made.id}`)
    },
  }),
  get(one, {
    name: 'smart_group.show',
    summary: 'Show a smart group',
    says: 'Returns a group with the number of members that the caller can see. `include=members` adds a page of these members.',
    access: { needs: 'smart_group_edit' },
    on: smartGroup,
    query: SmartGroupView,
    reply: ref(SmartGroup),
    handle: async ({ ctx, thing, query, wire }) => {
      const { body, next } = await showGroup(ctx, thing, query, wire)
      return answer(body, next === null ? {} : { headers: { 'x-next-cursor': next } })
    },
  }),
  patch(one, {
    name: 'smart_group.change',
    summary: 'Update a smart group',
    says: 'Changes a group. Changing a condition that other records use also needs the permission to change those records.',
    access: { needs: 'smart_group_edit' },
    on: smartGroup,
    body: SmartGroupChange,
    of: SmartGroup,
    reply: ref(SmartGroup),
    refuses: ['forbidden', 'conflict'],
    passes_lock: true,
    handle: ({ ctx, thing, body, wire }) => changeGroup(ctx, thing, body, wire),
  }),
  del(one, {
    name: 'smart_group.delete',
    summary: 'Delete a smart group',
    says: 'Deletes a group. Refused while another group or another record uses it.',
    access: { needs: 'smart_group_edit' },
    on: smartGroup,
    reply: null,
    refuses: ['forbidden', 'conflict'],
    passes_lock: true,
    handle: ({ ctx, thing }) => removeGroup(ctx, thing),
  }),
]
