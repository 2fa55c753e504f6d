import {
  changedSince,
  colour,
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
  optionals,
  orNull,
  paging,
  partial,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

const contact = {
  registration_number: orNull(text('Company number; null if unknown', { max: 60, example: '01234567' })),
  email: orNull(text('Email address; null if unknown', { max: 320, example: 'office@acme.example' })),
  phone: orNull(text('Telephone number; null if unknown', { max: 60, example: '+44 20 7946 0100' })),
  address: orNull(text('Postal address; null if unknown', { max: 1000 })),
}

const editable = {
  name: name('Contractor name, unique on the site, ignoring case', { example: 'Acme Scaffolding Ltd' }),
  short_name: text('Text shown next to the colour; default: made from the name', { min: 1, max: 12, example: 'AS' }),
  aliases: list(text('Name', { min: 1, max: 200, example: 'ACME SCAFF' }), 'Other names, as registers use them; unique on the site', {
    max: 20,
  }),
  colour: orNull(colour('Colour on the map; null to derive it from the name')),
  trades: list(text('Trade', { min: 1, max: 60, example: 'scaffolding' }), 'Contractor’s trades', { max: 30 }),
  ...contact,
  status: oneOf(['active', 'left'], 'Status; a contractor that has left is no longer offered, and its records stay'),
}

/** A contractor that an import created has the name in its register: up to 500 characters. */
const called = text('Contractor name', { max: 500, example: 'Acme Scaffolding Ltd' })

const counts = object({
  members: integer('Number of active members'),
  workers_now: integer('Number of workers and gangs on the map now; those without a contractor are the main contractor’s'),
  live_permits: integer('Number of permits that are live or expired'),
})

export const CONTRACTOR_ACTIONS = ['edit', 'delete', 'oversee'] as const

export const Contractor = shape('Contractor', 'A contractor on the site', {
  id: id('Contractor'),
  site_id: id('Site'),
  ...editable,
  name: called,
  aliases: list(called, 'Other names, as registers use them', { max: 20 }),
  colour: colour('Colour on the map'),
  colour_source: oneOf(['derived', 'chosen'], 'Source of the colour'),
  // Left out for callers who can't see the contact details.
  email: optional(contact.email),
  phone: optional(contact.phone),
  address: optional(contact.address),
  name_key: text('Normalised name, without case, punctuation and legal form', { example: 'acme scaffolding' }),
  logo_version: integer('Logo version; 0 for none'),
  source: oneOf(['manual', 'import', 'invite'], 'Source'),
  is_main: flag('Whether this is the main contractor'),
  similar_to: list(id('Contractor'), 'Contractors with a similar colour (within 0.05 in OKLab)', { max: 500 }),
  in_use: flag('Whether other records refer to the contractor, so that it can’t be deleted'),
  counts: optional(counts),
  still_here: optional(
    object({
      workers_ahead: integer('Number of workers planned for the future'),
      open_permits: integer('Number of open permits'),
      members: integer('Number of active members'),
    }),
  ),
  permissions: flags(CONTRACTOR_ACTIONS, { oversee: 'change the contractor’s oversight' }),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

const { name: contractorName, ...others } = editable

export const NewContractor = shape('NewContractor', 'A contractor to add', {
  site_id: id('Site'),
  name: contractorName,
  ...optionals(others),
  confirm_similar: optional(flag('Whether to create the contractor even if another contractor has a similar name; default false')),
})

export const ContractorChange = partial('ContractorChange', 'Changes to a contractor', editable)

export const ContractorFilter = object({
  site_id: id('Site'),
  q: optional(text('Text to search for in names and aliases', { max: 200, example: 'acme' })),
  status: optional(list(oneOf(['active', 'left'], 'State'), 'Statuses; default active', { max: 2 })),
  trade: optional(list(text('Trade', { max: 60 }), 'Trades', { max: 100 })),
  id: optional(list(id('Contractor'), 'Ids', { max: 500 })),
  overseen_by: optional(list(id('Contractor'), 'Overseeing contractors', { max: 100 })),
  include: optional(list(oneOf(['counts'], 'Field'), 'Optional fields to include', { max: 1 })),
  ...changedSince,
  ...paging,
})

export const Overseen = shape('Overseen', 'A contractor in an oversight pair', {
  contractor_id: id('Contractor'),
  name: called,
  direct: flag('Whether the pair is direct; false if it follows from other pairs'),
  via: list(id('Contractor'), 'Contractors in between, for a pair that follows from other pairs; empty for a direct pair', { max: 8 }),
  since: orNull(instant('Time when the pair was added; null for a pair that follows from other pairs')),
  by: orNull(id('Person who added the pair; null for a pair that follows from other pairs')),
})
export const NewOversight = shape('NewOversight', 'A contractor that this one engaged', { subordinate_id: id('Contractor') })
export const OversightDirection = object({
  direction: optional(
    oneOf(['down', 'up'], 'down: contractors that this one oversees; up: contractors that oversee this one; default down'),
  ),
})

export const OversightPair = shape('OversightPair', 'An oversight pair', {
  overseer_id: id('Overseeing contractor'),
  overseer_name: called,
  subordinate_id: id('Overseen contractor'),
  subordinate_name: called,
  direct: flag('Whether the pair is direct; false if it follows from other pairs'),
  via: list(id('Contractor'), 'Contractors in between; empty for a direct pair', { max: 8 }),
})
export const PairsQuery = object({
  site_id: id('Site'),
  effective: optional(flag('Whether to include pairs that follow from other pairs; default false')),
})

export const PublicContractor = shape('PublicContractor', 'A contractor as shown publicly', {
  id: id('Contractor'),
  name: called,
  short_name: text('Short name', { max: 12 }),
  colour: colour('Colour'),
  logo_url: orNull(text('Logo URL; null without a logo', { max: 300 })),
})
export const PublicContractors = object({
  token: optional(text('Token of an invitation', { max: 100 })),
  site_id: optional(id('Publicly listed site')),
})

export const LogoQuery = object({
  size: optional(oneOf(['64', '256', 'original'], 'Longest side in pixels; default 256')),
  v: optional(text('Logo version, so that a cache doesn’t return an older logo', { max: 20 })),
  token: optional(text('Token of an invitation, instead of signing in', { max: 100 })),
})
export const LogoFields = object({})

export type NewContractor = Static<typeof NewContractor>
export type ContractorChange = Static<typeof ContractorChange>
export type ContractorFilter = Static<typeof ContractorFilter>
