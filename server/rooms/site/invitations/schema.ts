import { ROLES } from '../../../base/actor.ts'
import {
  changedSince,
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
} from '../../../base/schema.ts'

const STATUS = ['open', 'accepted', 'used_up', 'expired', 'revoked', 'bounced'] as const
const role = (description: string) => oneOf(ROLES, description, { example: 'member' })
const approval = oneOf(
  ['none', 'required'],
  'Whether an approval is required; always required if the inviter can’t approve members, and for a link with which people choose their contractor or with more than 100 uses',
)
const address = (description: string) =>
  text(description, {
    min: 3,
    max: 254,
    pattern: ['^[^\\s@<>(),;:"\\[\\]\\\\]+@[^\\s@<>(),;:"\\[\\]\\\\]+$', 'must be an email address, such as ana@example.com.'],
    example: 'ana@example.com',
  })

export const INVITE_ACTIONS = ['revoke', 'resend'] as const

const fields = {
  id: id('Invitation'),
  site_id: id('Site'),
  kind: oneOf(['email', 'link'], 'Kind: an email to one person, or a link or poster for several'),
  role: role('Role given by the invitation'),
  contractor_id: orNull(id('Contractor that the person joins; null for the main contractor, or when the person chooses')),
  contractor_choice: flag('Whether the person chooses or enters their contractor'),
  email: orNull(text('Email address; null for a link, or if it was erased', { max: 320, example: 'ana@example.com' })),
  name: orNull(text('Invited person’s name; null if the inviter gave none', { max: 200, example: 'Ana Ruiz' })),
  message: orNull(text('Message from the inviter, plain text; null if there is none', { max: 1000 })),
  label: orNull(text('Label of the link; null if it has none', { max: 200, example: 'Gate B poster' })),
  expires_at: instant('Expiry'),
  max_uses: integer('Maximum number of uses'),
  uses: integer('Number of uses so far'),
  approval,
  status: oneOf(STATUS, 'Current state'),
  sends: integer('Number of times the invitation was sent by email; 0 for a link'),
  last_sent_at: orNull(instant('Time when the invitation was last sent; null for a link')),
  bounced_at: orNull(instant('Time when the email bounced; null if it hasn’t')),
  revoked_at: orNull(instant('Time when the invitation was revoked; null if it hasn’t been')),
  invited_by: orNull(
    object(
      { id: id('Person'), name: text('Name', { max: 200, example: 'Max Manager' }) },
      'Person who created the invitation; null if unknown',
    ),
  ),
  accepted_by: list(
    object({ user_id: id('Person'), membership_id: id('Membership'), at: instant('Time of joining') }),
    'People who joined through the invitation, in the order of joining',
    { max: 500 },
  ),
  permissions: flags(INVITE_ACTIONS),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
}

export const Invite = shape('Invite', 'An invitation, without its token', fields)

export const SentInvite = shape('SentInvite', 'An invitation by email that was just sent', {
  ...fields,
  join_url: optional(
    text('Link to pass on to the person; returned only in this response, and only if no mail server is set up', {
      max: 1000,
      example: 'https://walkdown.example.com/join#kQ3…',
    }),
  ),
  qr_svg: optional(text('The same link as a QR code, SVG', { max: 100_000, example: '<svg/>' })),
})

export const InviteLink = shape('InviteLink', 'A new link, with its token', {
  ...fields,
  token: text('Token, returned only in this response', { max: 100, example: 'kQ3…' }),
  url: text('URL for the link and poster; the token follows the #, so that it isn’t sent to any server', { max: 1000 }),
  qr_svg: text('The URL as a QR code, SVG', { max: 100_000, example: '<svg/>' }),
})

export const NewInvite = shape('NewInvite', 'An invitation by email', {
  email: address('Person’s email address'),
  role: role('Role, no higher than the caller’s'),
  contractor_id: optional(orNull(id('Contractor that the person joins; null for the main contractor'))),
  name: optional(orNull(name('Person’s name; null if unknown', { example: 'Ana Ruiz' }))),
  message: optional(
    orNull(text('Message for the email, plain text; null for none', { max: 1000, example: 'See you on Monday at gate B.' })),
  ),
  expires_at: optional(instant('Expiry; default 14 days from now, at most 60')),
  approval: optional(approval),
})

export const NewInviteLink = shape('NewInviteLink', 'A link or poster for several people', {
  role: role('Role: member, viewer, client, commercial or contractor_hse'),
  contractor_id: optional(orNull(id('Contractor that people join; null for the main contractor, or if people choose'))),
  contractor_choice: optional(flag('Whether people choose or enter their contractor; default false')),
  max_uses: optional(integer('Maximum number of uses; default 50', { min: 1, max: 500, example: 50 })),
  expires_at: optional(instant('Expiry; default 7 days from now, at most 90')),
  approval: optional(approval),
  label: optional(orNull(text('Label of the link; null for none', { max: 200, example: 'Gate B poster' }))),
})

export const InviteFilter = object({
  kind: optional(list(oneOf(['email', 'link'], 'Kind'), 'Kinds', { max: 2 })),
  status: optional(list(oneOf(STATUS, 'State'), 'States', { max: 6 })),
  contractor_id: optional(list(id('Contractor'), 'Contractors', { max: 200 })),
  id: optional(list(id('Invitation'), 'Ids', { max: 500 })),
  q: optional(text('Text to search for in addresses, names and labels', { max: 200, example: 'gate' })),
  ...changedSince,
  ...paging,
})

const joining = {
  contractor_id: optional(orNull(id('Contractor, if the invitation lets the person choose; null if they enter a name'))),
  contractor_name: optional(
    orNull(name('Name of a contractor that isn’t in the list; null if they choose from the list', { example: 'Northgate Steel' })),
  ),
}
export const AcceptInvite = shape('AcceptInvite', 'Acceptance of an invitation', joining)
const token = text('Token of the invitation', { max: 100, example: 'kQ3…' })
export const AcceptInviteByToken = shape('AcceptInviteByToken', 'Acceptance of an invitation, with its token', { token, ...joining })

const registering = {
  name: optional(name('Name', { example: 'Ana Ruiz' })),
  email: optional(address('Email address; an invitation by email always uses the invited address')),
  password: optional(
    secret('Password: at least 15 characters by default (`PASSWORD_MIN_LENGTH`), any Unicode characters including spaces'),
  ),
  locale: optional(orNull(text('Language, BCP 47; null if unknown', { min: 2, max: 35, example: 'en-GB' }))),
  ...joining,
}
export const Register = shape('Register', 'A new account and its membership', registering)
export const RegisterByToken = shape('RegisterByToken', 'A new account and its membership, with the token of the invitation', {
  token,
  ...registering,
})

export const Registered = shape('Registered', 'Next step; the same whether or not the address already had an account', {
  next: oneOf(['sign_in', 'confirm_email'], 'Whether the person must sign in, or first confirm the address by email'),
  sign_in_url: text('Sign-in page URL; after signing in, the person returns to accept the invitation', { max: 1000 }),
  mail_sent: optional(flag('Whether the confirmation was sent by email; false if no mail server is set up; returned with `confirm_email`')),
  membership_status: optional(oneOf(['active', 'pending'], 'Membership state; left out with an external provider')),
})

export type NewInvite = Static<typeof NewInvite>
export type NewInviteLink = Static<typeof NewInviteLink>
export type InviteFilter = Static<typeof InviteFilter>
export type AcceptInvite = Static<typeof AcceptInvite>
export type Register = Static<typeof Register>
