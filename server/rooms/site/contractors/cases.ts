// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import sharp from 'sharp'
import {
  ADMINISTER,
  COORDINATE,
  contractor,
  coordinator,
  file,
  needs,
  ok,
  roomCases,
  seen,
  type Tour,
  writes,
} from '../../../../tests/calls.ts'

const picture = (t: Tour) => sharp({ create: { width: 8 + (t.fresh() % 200), height: 8, channels: 3, background: '#123456' } })

export const cases = roomCases({
  held: {
    contractor_manage: ADMINISTER,
    contractor_edit: COORDINATE,
  },
  records: async t => {
    const admin = t.as('admin')
    const contractor_id = await t.contractor('Birch Steel')
    const subordinate_id = await t.contractor('Cedar Fixings')
    await ok(admin.post(`/contractors/${contractor_id}/oversight`, { subordinate_id }))
    await ok(admin.patch(`/contractors/${contractor_id}`, { short_name: 'BIR9' }))
    return { contractor_id, subordinate_id }
  },
  routes: {
    'contractor.list_public': { open: true },
    'contractor.list': seen,
    'contractor.create': writes(needs('contractor_edit'), t => ({
      by: coordinator(t),
      body: { site_id: t.site_id, name: `Works ${t.fresh()} Ltd`, confirm_similar: true },
      other: { site_id: t.site_id, name: `Works ${t.fresh()} Ltd`, confirm_similar: true },
    })),
    'contractor.list_oversight': seen,
    'contractor.change': writes(needs('contractor_edit'), async t => ({
      by: coordinator(t),
      params: { contractor_id: await contractor(t) },
      body: { short_name: 'XY12' },
    })),
    'contractor.delete': writes(needs('contractor_manage'), async t => ({
      by: t.as('admin'),
      params: { contractor_id: await contractor(t) },
    })),
    'contractor.set_logo': writes(needs('contractor_edit'), async t => ({
      by: coordinator(t),
      params: { contractor_id: await contractor(t) },
      parts: [file(await picture(t).png().toBuffer(), 'logo.png')],
    })),
    'contractor.delete_logo': writes(needs('contractor_edit'), async t => {
      const contractor_id = await contractor(t)
      await ok(coordinator(t).send('PUT', `/contractors/${contractor_id}/logo`, [file(await picture(t).png().toBuffer(), 'logo.png')]))
      return { by: coordinator(t), params: { contractor_id } }
    }),
    'contractor.show_logo': needs('site_view', { absent: true }),
    'contractor.show_oversight': seen,
    'contractor.add_oversight': writes(needs('contractor_manage'), async t => ({
      by: t.as('admin'),
      params: { contractor_id: await contractor(t) },
      body: { subordinate_id: await contractor(t) },
      other: { subordinate_id: t.params.subordinate_id },
    })),
    'contractor.drop_oversight': writes(needs('contractor_manage'), async t => {
      const [contractor_id, subordinate_id] = [await contractor(t), await contractor(t)]
      await ok(t.as('admin').post(`/contractors/${contractor_id}/oversight`, { subordinate_id }))
      return { by: t.as('admin'), params: { contractor_id, subordinate_id } }
    }),
  },
})
