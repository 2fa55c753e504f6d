// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, needs, roomCases, seen, site, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    'permit_config.show': seen,
    'permit_config.replace': writes(needs('permit_settings_manage'), t => ({
      by: hse(t),
      body: { site_id: t.site_id, expiring_warning_lead_hours: 1 + (t.fresh() % 700) },
    })),
    'permit_config.apply_regime': writes(needs('permit_settings_manage'), async t => {
      const { id: site_id } = await site(t)
      return { by: t.superadmin, body: { site_id, regime: 'major_hazard' }, other: { site_id, regime: 'generic_cdm' } }
    }),
  },
})
