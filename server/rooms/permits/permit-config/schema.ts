import { flag, flags, id, instant, integer, object, oneOf, optional, optionals, orNull, shape } from '../../../base/schema.ts'
import { REGIMES } from '../permit-types/domain/sets.ts'

const lead = (description: string) => integer(description, { min: 1, max: 720, example: 24 })

const six = {
  coverage_policy_enabled: flag('Whether the site requires a linked permit for work on the map; Walkdown doesn’t enforce the requirement'),
  close_out_gate_enabled: flag('Whether a contractor with overdue close-outs can’t have permits issued'),
  nominee_user_id: orNull(id('Nominee, who is notified when an endorsed permit needs its next step; null for none')),
  deputy_nominee_user_id: orNull(id('Deputy nominee, who gets the same notifications as the nominee; null for none')),
  expiring_warning_lead_hours: lead('Hours before the end of its window from which a permit counts as ending soon'),
  activation_gap_lead_hours: lead(
    'Hours before work on the map starts from which people are notified that no live permit covers it; and before the start of a permit’s window from which `declare_blocker_available` can be true',
  ),
}

export const PermitConfig = shape(
  'SitePermitConfig',
  'Permit policy of a site; the coverage policy and the close-out gate are off by default',
  {
    site_id: id('Site'),
    ...six,
    regime: orNull(oneOf(REGIMES, 'Regime that the site has applied; null if it hasn’t applied one')),
    permissions: flags(['edit']),
    version: integer('Version; 0 before the first save'),
    updated_at: orNull(instant('Time of the last save; null before the first')),
  },
)

export const SaveConfig = shape('SavePermitConfig', 'The whole policy; a field that is left out is reset to its default', {
  site_id: optional(id('Site. Required if the query doesn’t contain it')),
  ...optionals(six),
})
export const ConfigQuery = object({ site_id: id('Site') })
export const MaybeSite = object({ site_id: optional(id('Site. Required if the body doesn’t contain it')) })
export const ApplyRegime = shape('ApplyRegime', 'A regime to apply', {
  site_id: optional(id('Site. Required if the query doesn’t contain it')),
  regime: oneOf(
    REGIMES,
    'major_hazard: the coverage policy is on and every type except GEN needs a parent; generic_cdm: the coverage policy is off and no type needs a parent',
  ),
})
