import {
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  name,
  object,
  optional,
  orNull,
  type Pattern,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

/** The code of a permit type. */
export const code = (description: string) =>
  text(description, {
    min: 1,
    max: 20,
    pattern: [
      '^[A-Za-z0-9][A-Za-z0-9._-]*$',
      'must start with a letter or digit, and can contain only letters from A to Z, digits, dots, underscores and hyphens.',
    ],
    example: 'HW',
  })

const typeCode = code('Code, case-sensitive; can’t be changed later')
const KEY: Pattern = ['^[a-z0-9_]{1,60}$', 'can contain only the letters a to z, digits and underscores.']

const Slot = object({
  key: text('Key', { max: 60, example: 'rams' }),
  label: text('Label', { max: 200, example: 'RAMS' }),
  required: flag('Whether the document must be attached before a permit can be submitted'),
})
const Check = object({
  code: text('Code', { max: 60, example: 'fire_watch_named' }),
  label: text('Pre-check text', { max: 300, example: 'Fire watch named' }),
  required: flag('Whether the pre-check must be confirmed; enforced only by workflows with the guard `prechecks_confirmed`'),
})
const GivenSlot = object({
  key: optional(text('Key; default: made from the label', { max: 60, pattern: KEY, example: 'rams' })),
  label: text('Label', { min: 1, max: 200, example: 'RAMS' }),
  required: optional(flag('Whether the document must be attached before a permit can be submitted; default false')),
})
const GivenCheck = object({
  code: optional(text('Code; default: made from the label', { max: 60, pattern: KEY, example: 'fire_watch_named' })),
  label: text('Pre-check text', { min: 1, max: 300, example: 'Fire watch named' }),
  required: optional(flag('Whether the pre-check must be confirmed; enforced only by workflows with the guard `prechecks_confirmed`')),
})

export const PermitTypeShape = shape('PermitType', 'A permit type', {
  id: id('Type'),
  site_id: id('Site'),
  code: typeCode,
  name: text('Name', { max: 200, example: 'Hot work' }),
  active: flag('Whether the type is offered; false if the type is retired. Existing permits keep a retired type', { example: true }),
  requires_parent: flag('Whether permits of this type need a parent permit, unless the general permit is also one of their types'),
  is_extendable: flag('Whether the window of a permit can be extended if all its types have this flag'),
  single_stage: flag('Whether permits skip the endorsement if all their types have this flag'),
  requires_powra: flag('Reserved; has no effect'),
  pre_checks: list(Check, 'Pre-checks', { max: 100 }),
  expected_attachments: list(Slot, 'Required documents', { max: 50 }),
  default_duration_hours: orNull(integer('Default length of the permit window, hours; null for none', { min: 1, max: 8760, example: 12 })),
  permissions: flags(['edit']),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

const fields = {
  name: optional(name('Name; a new type’s default is its code', { example: 'Hot work' })),
  active: optional(flag('Whether the type is offered; false retires the type', { example: true })),
  requires_parent: optional(
    flag(
      'Whether permits of this type need a parent permit, unless the general permit is also one of their types; a new type’s default is what the regime requires',
    ),
  ),
  is_extendable: optional(flag('Whether the window of a permit can be extended if all its types have this flag')),
  single_stage: optional(flag('Whether permits skip the endorsement if all their types have this flag')),
  requires_powra: optional(flag('Reserved; has no effect')),
  pre_checks: optional(list(GivenCheck, 'Pre-checks', { max: 100 })),
  expected_attachments: optional(list(GivenSlot, 'Required documents', { max: 50 })),
  default_duration_hours: optional(
    orNull(integer('Default length of the permit window, hours; null for none', { min: 1, max: 8760, example: 12 })),
  ),
}

export const NewType = shape('NewPermitType', 'A permit type', { site_id: id('Site'), code: typeCode, ...fields })
export const TypeChange = shape('PermitTypeChange', 'Changes to a permit type', {
  site_id: optional(id('Site; must match the record’s')),
  code: optional(typeCode),
  ...fields,
})
/** Every path of permits can have the site in its query, too (conventions §1). */
export const MaybeSite = object({ site_id: optional(id('Site; must match the record’s')) })

export const TypeFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Type'), 'Ids', { max: 200 })),
  active: optional(flag('State of the types to return: true for active ones, false for retired ones; default both')),
})

export type NewType = Static<typeof NewType>
export type TypeChange = Static<typeof TypeChange>
