import {
  anything,
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  name,
  object,
  oneOf,
  onSite,
  optional,
  orNull,
  paging,
  type Static,
  shape,
  text,
} from '../../base/schema.ts'

const SUBJECTS = ['entity', 'permit'] as const
const VISIBILITIES = ['private', 'shared'] as const

const Predicate = anything('Condition in the predicate language')
const Warning = object({
  path: text('Place in the condition', { max: 500, example: 'predicate.all[0].value' }),
  code: oneOf(['always_true', 'always_false', 'code_not_on_site', 'dead_reference'], 'What it is'),
  message: text('The same in words', { example: 'hw: did you mean HW?' }),
})
const User = object({
  kind: text('Kind of what uses it', { max: 60, example: 'notification_rule' }),
  id: id('Its id'),
  name: text('Its name', { max: 300, example: 'Hot work after four' }),
})
const Member = object({
  kind: text('Kind', { max: 60, example: 'permit' }),
  id: id('Id'),
  label: text('What it is called', { max: 300, example: 'PTW-000123' }),
})

const fields = {
  name: name('Name: unique among the shared groups of the site, and among one’s own', { example: 'Hot work after four' }),
  description: orNull(text('What it is for', { max: 2000 })),
  predicate: Predicate,
  visibility: oneOf(VISIBILITIES, 'Whether others see it'),
  colour: orNull(text('Colour on the map', { max: 7, pattern: '^#[0-9a-fA-F]{6}$', example: '#b42318' })),
  icon: orNull(text('Icon', { max: 60, pattern: '^[a-z0-9_-]+$', example: 'flame' })),
  sort: integer('Place in lists', { min: -1_000_000, max: 1_000_000, example: 0 }),
}

const members = optional(list(Member, 'Members that the caller sees, by kind, label and id', { max: 1000 }))

export const SmartGroup = shape('SmartGroup', 'A saved question with a name', {
  id: id('Id'),
  ...onSite,
  ...fields,
  subject: oneOf(SUBJECTS, 'What it asks of'),
  explanation: text('The condition in one sentence', { example: 'Permits where the set of types has HW' }),
  warnings: list(Warning, 'What is worth a second look', { max: 1000 }),
  used_by: list(User, 'What uses it: rules, shared groups, and groups of the caller', { max: 1000 }),
  owner: object({ id: id('Person'), name: text('Name', { max: 200, example: 'Cora Coordinator' }) }, 'Who keeps it'),
  count: optional(integer('Members that the caller sees')),
  members,
  permissions: flags(['edit', 'share', 'delete']),
  version: integer('Version', { min: 1 }),
  created_at: instant('When it was made'),
  updated_at: instant('When it was last changed'),
})

export const SmartGroupPreview = shape('SmartGroupPreview', 'What a group would be; nothing is stored', {
  explanation: text('The condition in one sentence', { example: 'Permits where the set of types has HW' }),
  warnings: list(Warning, 'What is worth a second look', { max: 1000 }),
  count: integer('Members that the caller sees'),
  members: list(Member, 'The first twenty of them', { max: 20 }),
})

export const SmartGroupFilter = object({
  ...onSite,
  id: optional(list(id('Group'), 'Only these')),
  subject: optional(oneOf(SUBJECTS, 'What it asks of')),
  visibility: optional(oneOf(VISIBILITIES, 'Whether others see it')),
  q: optional(text('Words of name or description', { max: 200, example: 'hot' })),
  include: optional(list(oneOf(['counts'], 'counts: how many members each has'), 'What more to say', { max: 1 })),
  at: optional(instant('Members at this instant; default now')),
  ...paging,
})

export const SmartGroupView = object({
  include: optional(list(oneOf(['members'], 'members: a page of them'), 'What more to say', { max: 1 })),
  at: optional(instant('Members at this instant; default now')),
  ...paging,
})

export const NewSmartGroup = shape('NewSmartGroup', 'A new group', {
  ...onSite,
  subject: oneOf(SUBJECTS, 'What it asks of; fixed for good'),
  name: fields.name,
  predicate: Predicate,
  description: optional(fields.description),
  visibility: optional(oneOf(VISIBILITIES, 'Whether others see it; default private')),
  colour: optional(fields.colour),
  icon: optional(fields.icon),
  sort: optional(fields.sort),
  dry_run: optional(flag('Answers what it would be, and stores nothing')),
  at: optional(instant('With dry_run: members at this instant; default now')),
})

export const SmartGroupChange = shape('SmartGroupChange', 'A change of a group', {
  name: optional(fields.name),
  predicate: optional(Predicate),
  description: optional(fields.description),
  visibility: optional(fields.visibility),
  colour: optional(fields.colour),
  icon: optional(fields.icon),
  sort: optional(fields.sort),
})

export type SmartGroupFilter = Static<typeof SmartGroupFilter>
export type SmartGroupView = Static<typeof SmartGroupView>
export type NewSmartGroup = Static<typeof NewSmartGroup>
export type SmartGroupChange = Static<typeof SmartGroupChange>
