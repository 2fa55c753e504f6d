// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { bookOf } from '../../../../tests/books.ts'
import { file, hse, needs, ok, roomCases, signedIn, square, type Tour, writes } from '../../../../tests/calls.ts'
import type { Part } from '../../../../tests/world.ts'

/** Returns a register of one permit, as an upload sends it. */
const register = (t: Pick<Tour, 'fresh' | 'site_id'>, place: string | null = null): Part[] => {
  const header = ['Permit No', 'Type(s)', 'Contractor', 'Location', 'Level', 'Start', 'Finish', 'Description']
  const book = bookOf([header, [`BP-${t.fresh()}`, 'HW', null, place, null, '01/04/2026', '02/04/2026', null]])
  return [{ name: 'site_id', value: t.site_id }, file(book, 'register.xlsx')]
}

export const cases = roomCases({
  records: async t => {
    const { set_id } = await ok(t.as('admin').send('POST', '/permits/upload', register(t)))
    return { set_id }
  },
  routes: {
    'permit_set.list_formats': signedIn,
    'permit_set.import': writes(needs('contractor_manage'), t => ({ by: t.as('admin'), parts: register(t), others: register(t) })),
    'permit_set.re_resolve': writes(needs('contractor_manage'), async t => {
      const name = `Tower ${t.fresh()}`
      const { set_id } = await ok(t.as('admin').send('POST', '/permits/upload', register(t, name)))
      await ok(hse(t).post('/reference-features/zones', { site_id: t.site_id, kind: 'building', name, outline: square(t.fresh()) }))
      return { by: t.as('admin'), body: { site_id: t.site_id, set_id }, other: { site_id: t.site_id } }
    }),
    'permit_set.list': needs('contractor_manage'),
    'permit_set.delete': writes(needs('contractor_manage'), async t => {
      const { set_id } = await ok(t.as('admin').send('POST', '/permits/upload', register(t)))
      return { by: t.as('admin'), params: { set_id } }
    }),
  },
})
