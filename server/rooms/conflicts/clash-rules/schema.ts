import { SIDE_KINDS } from '../../../../shared/predicates/entity.ts'
import {
  anything,
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  optionals,
  orNull,
  recordId,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

const sides = (side: string) =>
  object(
    { kinds: list(oneOf(SIDE_KINDS, 'Kind'), 'Kinds of things', { min: 1, max: SIDE_KINDS.length, unique: true }) },
    `What side ${side} can be`,
  )
const minutes = (description: string) => integer(description, { min: 0, max: 1440, example: 15 })
const levels = object(
  {
    mode: oneOf(['same', 'within', 'any'], 'same: only on the same level; within: at most `max_gap` levels apart; any: on any levels'),
    max_gap: optional(integer('Levels between the two; only with `within`', { min: 1, max: 50, example: 1 })),
  },
  'Levels on which the two sides clash',
)

const content = {
  name: name('Name, unique in the profile, ignoring case', { example: 'Permits too close together' }),
  description: text('Description', { max: 2000 }),
  enabled: flag('Whether the rule is on'),
  a: sides('a'),
  b: sides('b'),
  when: anything('Condition on the pair (subject `pair`); `true` matches every pair. It must limit the distance, to at most 500 m'),
  levels,
  time_buffer_minutes: minutes('Time by which both sides are widened before they are compared, minutes'),
  min_overlap_minutes: minutes('Shortest common time that counts, minutes; 0: any'),
  outcome: anything(
    '`{"severity": "amber" | "red"}`; or, for rules between permits only, `{"matrix": "permit_type", "default_distance_m": 0–500, "cells": {"HW|CSE": "red", "*|*": "off", …}}`. A cell is off, amber, red, or an object with `outcome`, `distance_m` and `levels`. Both keys of a pair are the same cell',
  ),
}

const note = object({
  path: text('Where', { max: 500, example: 'outcome.cells.hw|CSE' }),
  code: text('Code', { max: 60, example: 'code_not_on_site' }),
  message: text('What it is', { max: 1000 }),
})

export const ClashRule = shape('ClashRule', 'A rule that says which two things can’t be together', {
  id: id('Rule'),
  site_id: id('Site'),
  profile_id: id('Profile that the rule belongs to'),
  origin_id: id('The same for all copies of a rule'),
  version: integer('Version of the content', { min: 1 }),
  system_key: orNull(text('Key of a standard rule; null for a rule of the site', { max: 60, example: 'permit_proximity' })),
  system_revision: orNull(integer('Revision of the standard rule that it follows; null for a rule of the site', { min: 1 })),
  is_customised: flag('Whether it is a standard rule whose content was changed'),
  ...content,
  reach_m: orNull(
    number('How far two sides can be from each other and still clash, metres; null if only a shared zone limits it', { min: 0, max: 500 }),
  ),
  reach_zone: flag('Whether two sides also clash anywhere in the same zone'),
  explanation: text('The rule in words', { max: 10_000 }),
  problems: list(note, 'Why the rule no longer works, such as a record that was deleted; empty for a rule without faults', { max: 200 }),
  warnings: list(note, 'What people should know about it', { max: 500 }),
  permissions: flags(['edit', 'delete']),
  updated_at: instant('Time of the last change'),
})

const cell = object({
  x: text('Type', { max: 20, example: 'HW' }),
  y: text('Type', { max: 20, example: 'CSE' }),
  outcome: oneOf(['off', 'amber', 'red'], 'What the pair gives'),
  distance_m: number('Distance within which it does, metres', { min: 0, max: 500 }),
  levels,
  key: orNull(text('Cell that decided; null if none did', { max: 50, example: 'HW|CSE' })),
})
export const OneClashRule = shape('ClashRuleWithMatrix', 'A rule, with what its matrix gives every two active permit types', {
  ...ClashRule.properties,
  open_episodes: object({ red: integer('Red ones'), amber: integer('Amber ones') }, 'Open episodes that it found'),
  resolved: optional(list(cell, 'Every two active types, each pair once; only for a rule with a matrix', { max: 10_000 })),
})

const ruleFilters = {
  enabled: optional(flag('Whether the rules are on; default both')),
  system: optional(flag('Whether they are standard rules; default both')),
  kind: optional(list(oneOf(SIDE_KINDS, 'Kind'), 'Kinds that one of the sides can be', { max: 5 })),
  q: optional(text('Text to search for in names and descriptions', { max: 200, example: 'crane' })),
}
export const ProfileRuleFilter = object(ruleFilters)
export const RuleFilter = object({ site_id: id('Site'), profile_id: optional(id('Profile; default the active one')), ...ruleFilters })
export type RuleFilter = Static<typeof RuleFilter>

const change_note = optional(text('Why the rule is changed', { max: 500 }))
const { name: _name, outcome: _outcome, a: _a, b: _b, ...rest } = content
export const NewClashRule = shape('NewClashRule', 'A rule of the site', {
  site_id: id('Site'),
  profile_id: optional(recordId('rule_profile', 'Profile; default the active one')),
  name: content.name,
  a: content.a,
  b: content.b,
  outcome: content.outcome,
  ...optionals(rest),
})
export type NewClashRule = Static<typeof NewClashRule>

export const ClashRuleChange = shape(
  'ClashRuleChange',
  'Changes to a rule. Cells of the matrix are merged one by one; null removes a cell, and the pair then follows the wildcards',
  { ...optionals(content), change_note },
)
export type ClashRuleChange = Static<typeof ClashRuleChange>

const who = orNull(
  object({ user_id: id('Person'), name: text('Name', { max: 200 }) }, 'Who saved it; null for the first one of a standard rule'),
)
const versioned = {
  version: integer('Version', { min: 1 }),
  changed_at: instant('When it was saved'),
  changed_by: who,
  change_note: orNull(text('Why it was changed', { max: 500 })),
  reverted_from: orNull(integer('Version that was restored; null for another change', { min: 1 })),
}
export const ClashRuleHistory = shape('ClashRuleHistoryEntry', 'A version of a rule in its history', {
  ...versioned,
  summary: text('What changed, in words', { max: 4000 }),
})
export const ClashRuleVersion = shape('ClashRuleVersion', 'The content of a rule in a version', {
  ...versioned,
  valid_from: instant('Start'),
  valid_to: orNull(instant('End; null while the version is active')),
  ...content,
})

export const DiffQuery = object({
  from: optional(integer('Version; default the one before the current one', { min: 1 })),
  to: optional(integer('Version; default the current one', { min: 1 })),
})
export const ClashRuleDifference = shape('ClashRuleDifference', 'A difference between two versions of a rule', {
  path: text('Field or cell; a cell stands for its mirror too', { max: 200, example: 'outcome.cells.CSE|HW' }),
  before: anything('Value in the earlier version; null if it wasn’t there'),
  after: anything('Value in the later version; null if it isn’t there'),
  in_words: text('The difference in words', { max: 10_000 }),
})
export const RevertBody = shape('RevertClashRule', 'Why a version is restored', { change_note })
