import { ROLES } from '../../base/actor.ts'
import {
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  name,
  object,
  oneOf,
  optional,
  orNull,
  paging,
  type Static,
  secret,
  shape,
  text,
} from '../../base/schema.ts'

const STATUS = ['open', 'accepted', 'used_up', 'expired', 'revoked', 'bounced'] as const
const role = (description: string) => oneOf(ROLES, description, { example: 'member' })
const approval = oneOf(['none', 'required'], 'Whether somebody must let the person in; forced to required where the rules say so')
const address = (description: string) =>
  text(description, { min: 3, max: 254, pattern: '^[^\\s@<>(),;:"\\[\\]\\\\]+@[^\\s@<>(),;:"\\[\\]\\\\]+$', example: 'ana@example.com' })

export const INVITE_ACTIONS = ['revoke', 'resend'] as const

const fields = {
  id: id('Invitation'),
  site_id: id('Site'),
  kind: oneOf(['email', 'link'], 'By mail to one person, or by link or poster to many'),
  role: role('Role that it gives'),
  contractor_id: orNull(id('Firm that the person joins; null: the main contractor’s own, or as the person picks')),
  contractor_choice: flag('The person picks the firm, or types it'),
  email: orNull(text('Address, of an invitation by mail', { max: 320, example: 'ana@example.com' })),
  name: orNull(text('Name of the person invited', { max: 200, example: 'Ana Ruiz' })),
  message: orNull(text('Words of the inviter, plain text', { max: 1000 })),
  label: orNull(text('What a link is called', { max: 200, example: 'Gate B poster' })),
  expires_at: instant('Until when it holds'),
  max_uses: integer('How many it lets in'),
  uses: integer('How often it was used'),
  approval,
  status: oneOf(STATUS, 'State now'),
  sends: integer('How often it was sent by mail'),
  last_sent_at: orNull(instant('When it was last sent')),
  bounced_at: orNull(instant('When its mail came back')),
  revoked_at: orNull(instant('When it was taken back')),
  invited_by: orNull(object({ id: id('Who invites'), name: text('Name', { max: 200, example: 'Max Manager' }) })),
  accepted_by: list(
    object({ user_id: id('Person'), membership_id: id('Membership'), at: instant('When') }),
    'Who came by it, the first first',
    { max: 500 },
  ),
  permissions: flags(INVITE_ACTIONS),
  version: integer('Version'),
  created_at: instant('When it was made'),
  updated_at: instant('When it was last changed'),
}

export const Invite = shape('Invite', 'An invitation; never with its token', fields)

export const SentInvite = shape('SentInvite', 'An invitation by mail that was just sent', {
  ...fields,
  join_url: optional(
    text('Link to pass on by hand, given this once; only where no mail server is set up', {
      max: 1000,
      example: 'https://walkdown.example.com/join#kQ3…',
    }),
  ),
  qr_svg: optional(text('The same link as a QR code, SVG', { max: 100_000, example: '<svg/>' })),
})

export const InviteLink = shape('InviteLink', 'A link that was just made: its token is given this once', {
  ...fields,
  token: text('Token, this once', { max: 100, example: 'kQ3…' }),
  url: text('Address for link and poster; the token stands behind the #, so that no server on the way sees it', { max: 1000 }),
  qr_svg: text('The address as a QR code, SVG', { max: 100_000, example: '<svg/>' }),
})

export const NewInvite = shape('NewInvite', 'An invitation by mail', {
  email: address('Address of the person'),
  role: role('Role; never above one’s own rank'),
  contractor_id: optional(orNull(id('Firm that the person joins'))),
  name: optional(orNull(name('Name of the person', { example: 'Ana Ruiz' }))),
  message: optional(orNull(text('Words for the mail, plain text', { max: 1000, example: 'See you on Monday at gate B.' }))),
  expires_at: optional(instant('Until when it holds; default 14 days, at most 60')),
  approval: optional(approval),
})

export const NewInviteLink = shape('NewInviteLink', 'A link or poster for many', {
  role: role('Role: member, viewer, client, commercial or contractor_hse'),
  contractor_id: optional(orNull(id('Firm that people join'))),
  contractor_choice: optional(flag('People pick the firm, or type it')),
  max_uses: optional(integer('How many it lets in; default 50', { min: 1, max: 500, example: 50 })),
  expires_at: optional(instant('Until when it holds; default 7 days, at most 90')),
  approval: optional(approval),
  label: optional(orNull(text('What it is called', { max: 200, example: 'Gate B poster' }))),
})

export const InviteFilter = object({
  kind: optional(list(oneOf(['email', 'link'], 'Kind'), 'Kinds', { max: 2 })),
  status: optional(list(oneOf(STATUS, 'State'), 'States', { max: 6 })),
  contractor_id: optional(list(id('Firm'), 'Firms', { max: 200 })),
  id: optional(list(id('Invitation'), 'Only these', { max: 500 })),
  q: optional(text('Text in address, name or label', { max: 200, example: 'gate' })),
  ...paging,
})

const firm = {
  contractor_id: optional(orNull(id('Firm, where the invitation lets one pick'))),
  contractor_name: optional(orNull(name('Firm as typed, where it is not on the list', { example: 'Northgate Steel' }))),
}
export const AcceptInvite = shape('AcceptInvite', 'Coming in by an invitation', firm)

export const Register = shape('Register', 'A new account and a place on the site, together', {
  name: optional(name('Name', { example: 'Ana Ruiz' })),
  email: optional(address('Address; of an invitation by mail it is the invited one, whatever is said here')),
  password: optional(secret('Password: at least 15 characters (a setting), any Unicode and spaces')),
  locale: optional(orNull(text('Language, BCP 47', { min: 2, max: 35, example: 'en-GB' }))),
  ...firm,
})

export const Registered = shape('Registered', 'What comes next; the same whether the address had an account or not', {
  next: oneOf(['sign_in', 'confirm_email'], 'Sign in, or confirm the address by the mail first'),
  sign_in_url: text('Where to sign in; it comes back to accept the invitation', { max: 1000 }),
  mail_sent: optional(flag('Whether the confirmation was sent by mail; false: no mail server is set up. Only with confirm_email')),
  membership_status: optional(oneOf(['active', 'pending'], 'State of the membership; left out with an external provider')),
})

export type NewInvite = Static<typeof NewInvite>
export type NewInviteLink = Static<typeof NewInviteLink>
export type InviteFilter = Static<typeof InviteFilter>
export type AcceptInvite = Static<typeof AcceptInvite>
export type Register = Static<typeof Register>
