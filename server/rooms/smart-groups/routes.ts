import { answer, created, del, get, page, patch, post } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { changeGroup, createGroup, previewGroup, removeGroup } from './actions/keep.ts'
import { listGroups, showGroup } from './actions/show.ts'
import { smartGroup } from './door.ts'
import { NewSmartGroup, SmartGroup, SmartGroupChange, SmartGroupFilter, SmartGroupPreview, SmartGroupView } from './schema.ts'

const one = '/smart-groups/:group_id'

export const routes = [
  get('/smart-groups/', {
    name: 'smart_group.list',
    says: 'Shared groups of a site and the caller’s own, by sort, name and id.',
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
    says: 'Keeps a question under a name. With `dry_run` it answers what it would be (200), and nothing is stored.',
    access: { needs: 'smart_group_edit' },
    body: NewSmartGroup,
    of: SmartGroup,
    reply: Type.Union([ref(SmartGroup), ref(SmartGroupPreview)]),
    status: 201,
    refuses: ['forbidden', 'conflict'],
    passes_lock: true, // private ones; shared ones are refused by the room
    handle: async ({ ctx, body, wire }) => {
      if (body.dry_run === true) return answer(await previewGroup(ctx, body, wire), { status: 200 })
      const made = await createGroup(ctx, body, wire)
      return created(made, `/smart-groups/${made.id}`)
    },
  }),
  get(one, {
    name: 'smart_group.show',
    says: 'A group with how many members the caller sees, and with `include=members` a page of them.',
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
    says: 'Changes a group. A condition that a rule is made of needs the permission of that rule, too.',
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
    says: 'Deletes a group that nothing uses.',
    access: { needs: 'smart_group_edit' },
    on: smartGroup,
    reply: null,
    refuses: ['forbidden', 'conflict'],
    passes_lock: true,
    handle: ({ ctx, thing }) => removeGroup(ctx, thing),
  }),
]
