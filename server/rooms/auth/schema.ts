import { ROLES } from '../../base/actor.ts'
import { flag, id, instant, integer, list, object, oneOf, orNull, type Static, secret, shape, text } from '../../base/schema.ts'

const MyMembership = object({
  id: id('Membership'),
  site_id: id('Site'),
  site_code: text('Code of the site', { max: 12, example: 'RIV-1' }),
  site_name: text('Name of the site', { max: 200, example: 'Riverside Quarter' }),
  timezone: text('Time zone of the site', { max: 60, example: 'Europe/London' }),
  role: oneOf(ROLES, 'Role'),
  rank: integer('Rank of the role', { min: 0, max: 4 }),
  contractor_id: orNull(id('Firm')),
  contractor_name: orNull(text('Its name', { max: 500 })),
  status: oneOf(['pending', 'active'], 'State; a pending one gives nothing yet'),
  permissions: list(text('Permission', { max: 60, example: 'permit_request' }), 'Names of the permissions that it gives', { max: 300 }),
  flags: object({
    locked: flag('The site is a frozen record'),
    coverage_policy_enabled: flag('Entities without a permit get a badge'),
    close_out_gate_enabled: flag('A contractor with expired, unclosed permits gets none issued'),
    regime: orNull(oneOf(['major_hazard', 'generic_cdm'], 'Regime that was applied; null: none')),
  }),
})

export const Me = shape('Me', 'Who is calling, and what he may do', {
  user: object({
    id: id('Person'),
    email: orNull(text('Address', { max: 320, example: 'ana@example.com' })),
    email_verified: flag('Whether the address is proven'),
    name: text('Name', { max: 200, example: 'Ana Ruiz' }),
    initials: text('Initials', { max: 4, example: 'AR' }),
    locale: orNull(text('Language', { max: 35, example: 'en-GB' })),
    is_superadmin: flag('Whether he runs the installation'),
  }),
  memberships: list(MyMembership, 'Places on sites, by name of the site', { max: 5000 }),
  flags: object({
    email_suppressed: flag('Mails to the address come back'),
    can_create_site: flag('May make a site'),
    must_change_password: flag('Must choose another password first'),
  }),
  provider: object({
    kind: oneOf(['built_in', 'external'], 'Whose sign-in it is'),
    can_change_password: flag('Whether the password is changed here'),
    account_url: orNull(text('Where the account is managed', { max: 500 })),
  }),
  server_time: instant('The service’s clock'),
})

export const ChangePassword = shape('ChangePassword', 'A new password in place of the present one', {
  current_password: secret('The present password'),
  new_password: secret('The new one: at least 15 characters (a setting), any Unicode and spaces, nothing that is easy to guess'),
})
export type ChangePassword = Static<typeof ChangePassword>
