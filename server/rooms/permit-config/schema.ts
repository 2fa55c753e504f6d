import { flag, flags, id, instant, integer, object, oneOf, optional, orNull, shape } from '../../base/schema.ts'
import { REGIMES } from '../permit-types/domain/sets.ts'

const lead = (description: string) => integer(description, { min: 1, max: 720, example: 24 })

const six = {
  coverage_policy_enabled: flag('Whether entities without a linked permit get a badge; blocks nothing'),
  close_out_gate_enabled: flag('Whether issue is refused while the contractor has overdue close-outs'),
  nominee_user_id: orNull(id('Nominee: receives notifications of endorsed permits')),
  deputy_nominee_user_id: orNull(id('Deputy nominee: receives the same notifications as the nominee')),
  expiring_warning_lead_hours: lead('How far ahead the expiring-soon warning fires, hours'),
  activation_gap_lead_hours: lead('How far ahead the activation-gap alarm looks, hours'),
}

export const PermitConfig = shape('SitePermitConfig', 'Permit policy of a site; both policies are off by default', {
  site_id: id('Site'),
  ...six,
  regime: orNull(oneOf(REGIMES, 'Regime that was applied; null: none')),
  permissions: flags(['edit']),
  version: integer('Version; 0: never saved'),
  updated_at: orNull(instant('Time of the last save')),
})

const loose = Object.fromEntries(Object.entries(six).map(([key, schema]) => [key, optional(schema)])) as {
  [K in keyof typeof six]: ReturnType<typeof optional<(typeof six)[K]>>
}

export const SaveConfig = shape('SavePermitConfig', 'The whole policy; a field that is left out is reset to its default', {
  site_id: optional(id('Site, where the path has none')),
  ...loose,
})
export const ConfigQuery = object({ site_id: id('Site') })
export const MaybeSite = object({ site_id: optional(id('Site')) })
export const ApplyRegime = shape('ApplyRegime', 'A regime to apply', {
  site_id: optional(id('Site, where the path has none')),
  regime: oneOf(REGIMES, 'major_hazard: coverage on, every type but GEN needs a parent; generic_cdm: coverage off, none does'),
})
