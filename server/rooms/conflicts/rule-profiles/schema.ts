import { STANDARD_RULES } from '../../../../shared/conflicts/standard.ts'
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
  optionals,
  orNull,
  shape,
  text,
} from '../../../base/schema.ts'

const fields = {
  name: name('Name, unique on the site, ignoring case', { example: 'Shutdown weekend' }),
  description: text('Description', { max: 2000 }),
}

export const RuleProfile = shape('RuleProfile', 'A set of clash rules for a phase of the job; exactly one is active', {
  id: id('Profile'),
  site_id: id('Site'),
  ...fields,
  is_active: flag('Whether its rules apply now'),
  based_on_id: orNull(id('Profile that it was copied from; null if it isn’t a copy')),
  activated_at: orNull(instant('When it was last activated; null if it never was')),
  activated_by: orNull(id('Person who activated it; null if it never was, or when the site was created')),
  rule_count: integer('Number of its rules', { min: 0 }),
  enabled_count: integer('Number of its rules that are on', { min: 0 }),
  updates_available: integer('Number of standard rules of which this version of Walkdown has a newer revision, or that it lacks', {
    min: 0,
  }),
  permissions: flags(['edit', 'activate', 'delete']),
  version: integer('Version', { min: 1 }),
  updated_at: instant('Time of the last change'),
})

export const ProfileFilter = object({ site_id: id('Site') })
export const NewProfile = shape('NewRuleProfile', 'A profile, which is not active', {
  site_id: id('Site'),
  name: fields.name,
  description: optional(fields.description),
  start_from: optional(oneOf(['system', 'empty'], 'system (default): with every standard rule; empty: without rules')),
})
export const ProfileChange = shape('RuleProfileChange', 'Changes to a profile', optionals(fields))
export const CloneProfile = shape('CloneRuleProfile', 'A copy of a profile with its rules and consequences', {
  name: fields.name,
  target_site_id: optional(id('Site that gets the copy; default the same site')),
})
export const ClonedProfile = shape('ClonedRuleProfile', 'A copy of a profile', {
  ...RuleProfile.properties,
  needs_attention: list(
    text('What refers to a record or a permit type that the other site doesn’t have', { max: 1000 }),
    'Rules that arrived switched off, each with the reason',
    {
      max: 2000,
    },
  ),
})

const key = text('Key of a standard rule', { max: 60, example: 'permit_proximity' })
const keys = (description: string) => list(key, description, { max: 100 })
export const SyncProfile = shape('SyncRuleProfile', 'How the standard rules are taken over', {
  dry_run: optional(flag('Whether to only say what would be done')),
  overwrite: optional(
    list(
      oneOf(
        STANDARD_RULES.map(one => one.system_key),
        'Standard rule',
      ),
      'Customised rules to replace all the same',
      { max: 100 },
    ),
  ),
})
export const SyncedProfile = shape('SyncedRuleProfile', 'What was done with each standard rule', {
  added: keys('Were missing'),
  updated: keys('Follow a newer revision now'),
  unchanged: keys('Were up to date'),
  kept_customised: keys('Were customised, and stay as they are'),
  overwritten: keys('Were customised, and were replaced'),
  retired: keys('Are no longer part of the product; they stay as they are'),
})
