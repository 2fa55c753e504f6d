import type { Id } from '../../../../base/ids.ts'

/** A site's policy: its six editable fields (`permits.md` SitePermitConfig). */
export type Policy = {
  coverage_policy_enabled: boolean
  close_out_gate_enabled: boolean
  nominee_user_id: Id | null
  deputy_nominee_user_id: Id | null
  expiring_warning_lead_hours: number
  activation_gap_lead_hours: number
}

/** The policy that applies before anything is saved. */
export const DEFAULT_POLICY: Policy = {
  coverage_policy_enabled: false,
  close_out_gate_enabled: false,
  nominee_user_id: null,
  deputy_nominee_user_id: null,
  expiring_warning_lead_hours: 24,
  activation_gap_lead_hours: 24,
}
