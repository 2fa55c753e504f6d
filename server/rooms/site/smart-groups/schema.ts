import {
  anything,
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
  onSite,
  optional,
  orNull,
  paging,
  ref,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

import { Place } from '../../../kernel/placed/schema.ts'

const SUBJECTS = ['entity', 'permit'] as const
const VISIBILITIES = ['private', 'shared'] as const

const Predicate = anything('Condition in the predicate language')
const Warning = object({
  path: text('Position in the condition', { max: 500, example: 'predicate.all[0].value' }),
  code: oneOf(['always_true', 'always_false', 'code_not_on_site', 'dead_reference'], 'Warning code'),
  message: text('Problem description', { example: 'hw: did you mean HW?' }),
})
const User = object({
  kind: text('Kind of record that uses the group', { max: 60, example: 'notification_rule' }),
  id: id('Id'),
  name: text('Name', { max: 300, example: 'Hot work after four' }),
})
const member = {
  kind: text('Kind', { max: 60, example: 'permit' }),
  id: id('Id'),
  label: text('Name', { max: 300, example: 'PTW-000123' }),
}
const Member = object(member)
const PlacedMember = object({ ...member, place: orNull(ref(Place, 'Place; null if none is set')) })

const fields = {
  name: name('Name, unique among the shared groups of the site and among the caller’s own', { example: 'Hot work after four' }),
  description: orNull(text('Purpose; null if none is stated', { max: 2000 })),
  predicate: Predicate,
  visibility: oneOf(VISIBILITIES, 'Who can see the group: its owner, or everyone on the site'),
  colour: orNull(colour('Colour on the map; null for none', '#b42318')),
  icon: orNull(
    text('Icon; null for none', {
      max: 60,
      pattern: ['^[a-z0-9_-]+$', 'can contain only the letters a to z, digits, underscores and hyphens.'],
      example: 'flame',
    }),
  ),
  sort: integer('Position in lists', { min: -1_000_000, max: 1_000_000, example: 0 }),
}

const members = optional(list(Member, 'Members that the caller can see, ordered by kind, label and id', { max: 1000 }))

export const SmartGroup = shape('SmartGroup', 'A saved condition with a name', {
  id: id('Id'),
  ...onSite,
  ...fields,
  subject: oneOf(SUBJECTS, 'Subject'),
  explanation: text('The condition in one sentence', { example: 'Permits where the set of types includes HW' }),
  warnings: list(Warning, 'Warnings', { max: 1000 }),
  used_by: list(User, 'Rules, shared groups and groups of the caller that use this group', { max: 1000 }),
  owner: object({ id: id('Person'), name: text('Name', { max: 200, example: 'Cora Coordinator' }) }, 'Owner'),
  count: optional(integer('Number of members that the caller can see')),
  members,
  permissions: flags(['edit', 'share', 'delete']),
  version: integer('Version', { min: 1 }),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

export const SmartGroupPreview = shape('SmartGroupPreview', 'A preview of a group', {
  explanation: text('The condition in one sentence', { example: 'Permits where the set of types includes HW' }),
  warnings: list(Warning, 'Warnings', { max: 1000 }),
  count: integer('Number of members that the caller can see'),
  members: list(PlacedMember, 'First twenty members, ordered by kind, label and id', { max: 20 }),
})

export const SmartGroupFilter = object({
  ...onSite,
  id: optional(list(id('Group'), 'Ids')),
  subject: optional(list(oneOf(SUBJECTS, 'Subject'), 'Subjects', { max: 2 })),
  visibility: optional(list(oneOf(VISIBILITIES, 'Visibility'), 'Visibilities', { max: 2 })),
  q: optional(text('Text to search for in names and descriptions', { max: 200, example: 'hot' })),
  include: optional(
    list(oneOf(['counts'], '`counts` adds the number of members of each group'), 'Optional content to include', { max: 1 }),
  ),
  at: optional(instant('Time for which members are counted and listed; default now')),
  ...changedSince,
  ...paging,
})

export const SmartGroupView = object({
  include: optional(list(oneOf(['members'], '`members` adds a page of the members'), 'Optional content to include', { max: 1 })),
  at: optional(instant('Time for which members are counted and listed; default now')),
  ...paging,
})

export const NewSmartGroup = shape('NewSmartGroup', 'A new group', {
  ...onSite,
  subject: oneOf(SUBJECTS, 'Subject; can’t be changed'),
  name: fields.name,
  predicate: Predicate,
  description: optional(fields.description),
  visibility: optional(oneOf(VISIBILITIES, 'Who can see the group: its owner (default), or everyone on the site')),
  colour: optional(fields.colour),
  icon: optional(fields.icon),
  sort: optional(fields.sort),
  dry_run: optional(flag('Whether to return the result without saving the group')),
  at: optional(instant('Point in time for which members are returned, used only with `dry_run`; default now')),
})

export const SmartGroupChange = shape('SmartGroupChange', 'Changes to a group', {
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
