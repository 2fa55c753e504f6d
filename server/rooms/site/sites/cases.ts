// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import {
  ADMINISTER,
  contractor,
  EVERY_ROLE,
  MANAGE,
  NOBODY,
  needs,
  ok,
  roomCases,
  seen,
  signedIn,
  site,
  square,
  writes,
} from '../../../../tests/calls.ts'

export const cases = roomCases({
  held: {
    site_view: EVERY_ROLE,
    member_view: EVERY_ROLE.filter(role => role !== 'client'),
    site_create: NOBODY,
    site_configure: MANAGE,
    site_administer: ADMINISTER,
    site_delete: ['admin'],
    site_nuke: NOBODY,
  },
  routes: {
    'site.list_public': { open: true },
    'site.list': { ...signedIn, siteless: true },
    'site.create': writes(needs('site_create', { siteless: true }), t => ({
      by: t.superadmin,
      body: { name: `Site ${t.fresh()}`, timezone: 'Europe/London' },
      other: { name: 'Elsewhere', timezone: 'UTC' },
    })),
    'site.show': seen,
    'site.geocode': needs('site_configure', { query: 'q=Tower', unavailable: true }),
    'site.change': writes(seen, t => ({ by: t.as('admin'), body: { locality: `Town ${t.fresh()}` } })),
    'site.delete': writes(needs('site_delete', { ends_site: true }), async t => ({
      by: t.superadmin,
      params: { site_id: (await site(t)).id },
    })),
    'site.lock': writes(needs('site_administer', { ends_site: true }), async t => ({
      by: t.superadmin,
      params: { site_id: (await site(t)).id },
      body: { locked: true, reason: 'Handed over' },
      other: { locked: true, reason: 'In dispute' },
    })),
    'site.set_main_contractor': writes(needs('site_administer'), async t => ({
      by: t.as('admin'),
      body: { contractor_id: await contractor(t) },
    })),
    'site.set_observation_threshold': writes(needs('site_configure'), t => ({
      by: t.as('admin'),
      body: { risk_score: 1 + (t.fresh() % 14) },
    })),
    'site.set_oversight_transitive': writes(needs('site_administer'), t => ({ by: t.as('admin'), body: { oversight_transitive: true } })),
    'site.show_boundary': seen,
    'site.set_boundary': writes(needs('site_configure'), t => ({ by: t.as('admin'), body: { geometry: square(t.fresh()) } })),
    'site.delete_boundary': writes(needs('site_configure'), async t => {
      await ok(t.as('admin').put(`/sites/${t.site_id}/boundary`, { geometry: square(t.fresh()) }))
      return { by: t.as('admin') }
    }),
    'site.list_members': needs('member_view'),
    'site.show_revision': seen,
    'site.show_working_period': needs('site_view', { query: 'work_date=2026-03-16' }),
    'site.nuke': writes(needs('site_nuke', { ends_site: true }), async t => {
      const { id, code } = await site(t)
      await ok(t.superadmin.del(`/sites/${id}`))
      return { by: t.superadmin, params: { site_id: id }, body: { confirm: code, reason: 'Made by mistake' } }
    }),
  },
})
