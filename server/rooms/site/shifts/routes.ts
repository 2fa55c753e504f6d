import { created, del, get, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { createShift, listShifts, removeShift } from './actions.ts'
import { shift } from './door.ts'
import { EndShift, NewShift, Shift, ShiftFilter } from './schema.ts'

export const routes = [
  get('/shifts/', {
    name: 'shift.list',
    summary: 'List shifts',
    says: 'Returns the shifts that are active on `work_date` or later and, with `include_ended`, also those that have ended: the site’s own first, then by contractor, start and name.',
    access: { needs: 'site_view' },
    query: ShiftFilter,
    reply: Type.Array(ref(Shift)),
    handle: ({ ctx, query }) => listShifts(ctx, query),
  }),
  post('/shifts/', {
    name: 'shift.create',
    summary: 'Create a shift',
    says: 'Adds a shift. To change hours, add a new shift that `replaces` the old one: hours that have already been counted still refer to the old one.',
    access: { needs: 'site_configure' },
    body: NewShift,
    of: Shift,
    reply: ref(Shift),
    status: 201,
    refuses: ['conflict'],
    handle: async ({ ctx, body }) => {
      const made = await createShift(ctx, body)
      return created(made, `/shifts/?site_id=${body.site_id}&id=${made.id}`)
    },
  }),
  del('/shifts/:shift_id', {
    name: 'shift.end',
    summary: 'End a shift',
    says: 'Ends a shift. `effective_on` is the first day without the shift; a shift whose first day is that day or later is deleted.',
    access: { needs: 'site_configure' },
    on: shift,
    query: EndShift,
    reply: null,
    handle: ({ ctx, thing, query }) => removeShift(ctx, thing, query.effective_on),
  }),
]
