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
  partial,
  type Static,
  shape,
  text,
} from '../../base/schema.ts'

const colour = (description: string) => text(description, { max: 7, pattern: '^#[0-9a-fA-F]{6}$', example: '#128189' })

const contact = {
  registration_number: orNull(text('Number in the register of companies', { max: 60, example: '01234567' })),
  email: orNull(text('Address', { max: 320, example: 'office@acme.example' })),
  phone: orNull(text('Telephone', { max: 60, example: '+44 20 7946 0100' })),
  address: orNull(text('Postal address', { max: 1000 })),
}

const editable = {
  name: name('Name of the firm, unique on the site', { example: 'Acme Scaffolding Ltd' }),
  short_name: text('Drawn beside the colour; default initials', { min: 1, max: 12, example: 'AS' }),
  aliases: list(text('Name', { min: 1, max: 200, example: 'ACME SCAFF' }), 'What spreadsheets call it; unique on the site', { max: 20 }),
  colour: orNull(colour('Colour on the map; null: derived from the name')),
  trades: list(text('Trade', { min: 1, max: 60, example: 'scaffolding' }), 'What it does', { max: 30 }),
  ...contact,
  status: oneOf(['active', 'left'], 'left: out of the pickers, its records stay'),
}

/** A firm that an import made is called as its register calls it: up to 500 characters. */
const called = text('Name of the firm', { max: 500, example: 'Acme Scaffolding Ltd' })

const counts = object({
  members: integer('Active members'),
  workers_now: integer('Workers on the map now'),
  live_permits: integer('Issued or expired permits'),
})

export const CONTRACTOR_ACTIONS = ['edit', 'delete', 'oversee'] as const

export const Contractor = shape('Contractor', 'A firm on the site', {
  id: id('Firm'),
  site_id: id('Site'),
  ...editable,
  name: called,
  aliases: list(called, 'What spreadsheets call it', { max: 20 }),
  colour: colour('Colour on the map'),
  colour_source: oneOf(['derived', 'chosen'], 'Where the colour comes from'),
  email: optional(contact.email),
  phone: optional(contact.phone),
  address: optional(contact.address),
  name_key: text('What decides whether two names are one firm', { max: 600, example: 'acme scaffolding' }),
  logo_version: integer('Rises with each logo; 0: none'),
  source: oneOf(['manual', 'import', 'invite'], 'How it came here'),
  is_main: flag('Whether it is in charge of the site'),
  similar_to: list(id('Firm'), 'Firms whose colour can be mistaken for it (within 0.05 in OKLab)', { max: 500 }),
  counts: optional(counts),
  still_here: optional(
    object({
      workers_ahead: integer('Workers planned from now on'),
      open_permits: integer('Open permits'),
      members: integer('Active members'),
    }),
  ),
  permissions: flags(CONTRACTOR_ACTIONS),
  version: integer('Version'),
  created_at: instant('When it was made'),
  updated_at: instant('When it was last changed'),
})

const { name: firmName, ...others } = editable

export const NewContractor = shape('NewContractor', 'A firm to be added', {
  site_id: id('Site'),
  name: firmName,
  ...(Object.fromEntries(Object.entries(others).map(([key, schema]) => [key, optional(schema)])) as {
    [K in keyof typeof others]: ReturnType<typeof optional<(typeof others)[K]>>
  }),
  confirm_similar: optional(flag('Add it although a firm of nearly this name is there')),
})

export const ContractorChange = partial('ContractorChange', 'Changes of a firm', editable)

export const ContractorFilter = object({
  site_id: id('Site'),
  q: optional(text('Text in name or alias', { max: 200, example: 'acme' })),
  status: optional(list(oneOf(['active', 'left'], 'State'), 'States; default active', { max: 2 })),
  trade: optional(text('Trade', { max: 60 })),
  id: optional(list(id('Firm'), 'Only these', { max: 500 })),
  overseen_by: optional(id('Firm that oversees')),
  include: optional(list(oneOf(['counts'], 'What else'), 'What else to show', { max: 1 })),
  ...paging,
})

export const Overseen = shape('Overseen', 'A firm in oversight', {
  contractor_id: id('Firm'),
  name: called,
  direct: flag('Engaged directly, not through others'),
  via: list(id('Firm'), 'Firms between, for a derived pair', { max: 8 }),
  since: orNull(instant('Since when; null for a derived pair')),
  by: orNull(id('Who said so')),
})
export const NewOversight = shape('NewOversight', 'A firm that this one engaged', { subordinate_id: id('Firm') })
export const OversightDirection = object({ direction: optional(oneOf(['down', 'up'], 'down: those it oversees; up: its overseers')) })

export const OversightPair = shape('OversightPair', 'Who oversees whom', {
  overseer_id: id('Firm that oversees'),
  overseer_name: called,
  subordinate_id: id('Firm that is overseen'),
  subordinate_name: called,
  direct: flag('Engaged directly'),
  via: list(id('Firm'), 'Firms between', { max: 8 }),
})
export const PairsQuery = object({ site_id: id('Site'), effective: optional(flag('Derived pairs, too')) })

export const PublicContractor = shape('PublicContractor', 'A firm as strangers see it', {
  id: id('Firm'),
  name: called,
  short_name: text('Short name', { max: 12 }),
  colour: colour('Colour'),
  logo_url: orNull(text('Where its logo is', { max: 300 })),
})
export const PublicContractors = object({
  token: optional(text('Token of an invite link, capture link or briefing', { max: 100 })),
  site_id: optional(id('A listed site')),
})

export const LogoQuery = object({
  size: optional(oneOf(['64', '256', 'original'], 'Longest side in pixels; default 256')),
  v: optional(text('Version, for the cache', { max: 20 })),
  token: optional(text('Token, in place of a sign-in', { max: 100 })),
})
export const LogoFields = object({})

export type NewContractor = Static<typeof NewContractor>
export type ContractorChange = Static<typeof ContractorChange>
export type ContractorFilter = Static<typeof ContractorFilter>
