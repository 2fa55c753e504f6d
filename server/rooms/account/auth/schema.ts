import { SWITCHABLE_GROUPS } from '../../../../shared/groups.ts'
import { ROLES } from '../../../base/actor.ts'
import { flag, id, instant, integer, list, object, oneOf, orNull, type Static, secret, shape, text } from '../../../base/schema.ts'

const MyMembership = object({
  id: id('Membership'),
  site_id: id('Site'),
  site_code: text('Site code', { max: 12, example: 'RIV-1' }),
  site_name: text('Site name', { max: 200, example: 'Riverside Quarter' }),
  timezone: text('Site time zone', { max: 60, example: 'Europe/London' }),
  role: oneOf(ROLES, 'Role'),
  rank: integer('Role rank; a higher number outranks a lower one', { min: 0, max: 4 }),
  contractor_id: orNull(id('Contractor; null for the main contractor')),
  contractor_name: orNull(text('Contractor’s name; null for the main contractor', { max: 500 })),
  status: oneOf(['pending', 'active'], 'State; a pending membership gives no permissions yet'),
  permissions: list(text('Permission', { max: 60, example: 'permit_request' }), 'Permissions of the membership', { max: 300 }),
  flags: object({
    locked: flag('Whether the site is locked'),
    groups_off: list(oneOf(SWITCHABLE_GROUPS, 'Group of rooms'), 'Groups whose pages the site leaves out of its navigation', {
      max: SWITCHABLE_GROUPS.length,
    }),
    coverage_policy_enabled: flag('Whether the site requires a linked permit for work on the map'),
    close_out_gate_enabled: flag('Whether a contractor with overdue close-outs can’t have permits issued'),
    regime: orNull(oneOf(['major_hazard', 'generic_cdm'], 'Regime that the site has applied; null if it hasn’t applied one')),
  }),
})

export const Me = shape('Me', 'The caller and what they can do', {
  user: object({
    id: id('Person'),
    email: orNull(text('Email address; null if the identity provider has given none', { max: 320, example: 'ana@example.com' })),
    email_verified: flag('Whether the address is verified'),
    name: text('Name', { max: 200, example: 'Ana Ruiz' }),
    initials: text('Initials', { max: 4, example: 'AR' }),
    locale: orNull(text('Language; null if the identity provider has given none', { max: 35, example: 'en-GB' })),
    is_superadmin: flag('Whether the person is a superadmin'),
  }),
  memberships: list(MyMembership, 'Active and pending memberships, by site name', { max: 5000 }),
  flags: object({
    email_suppressed: flag('Whether email to the address is stopped, because messages bounced or were reported as spam'),
    can_create_site: flag('Whether the person can create a site'),
    must_change_password: flag('Whether the account is marked as needing a new password'),
  }),
  provider: object({
    kind: oneOf(['built_in', 'external'], 'Identity provider used to sign in'),
    can_change_password: flag('Whether the password can be changed in Walkdown'),
    account_url: orNull(text('URL of the external identity provider; null for built-in accounts', { max: 500 })),
  }),
  server_time: instant('Current time on the server'),
})

export const DeviceKey = shape('DeviceKey', 'The key with which the app encrypts what it stores on a person’s devices', {
  id: id('Key; encrypted values name it'),
  key: text('Key: 32 bytes in base64. Never store it where a script could read it', {
    max: 44,
    example: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=',
  }),
})

export const ChangePassword = shape('ChangePassword', 'A new password', {
  current_password: secret('Current password'),
  new_password: secret(
    'New password: at least 15 characters by default (`PASSWORD_MIN_LENGTH`), any Unicode characters including spaces, not easy to guess',
  ),
})
export type ChangePassword = Static<typeof ChangePassword>
