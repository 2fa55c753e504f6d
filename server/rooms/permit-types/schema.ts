import { flag, flags, id, instant, integer, list, name, object, optional, orNull, type Static, shape, text } from '../../base/schema.ts'

const code = text('Code; case-sensitive; can’t be changed', { min: 1, max: 20, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', example: 'HW' })

const Slot = object({
  key: text('Key', { max: 60, example: 'rams' }),
  label: text('Label', { max: 200, example: 'RAMS' }),
  required: flag('Whether submitting is refused without it'),
})
const Check = object({
  code: text('Code', { max: 60, example: 'fire_watch_named' }),
  label: text('Pre-check in words', { max: 300, example: 'Fire watch named' }),
  required: flag('Whether an answer is required'),
})
const GivenSlot = object({
  key: optional(text('Key; made from the label', { max: 60, pattern: '^[a-z0-9_]{1,60}$', example: 'rams' })),
  label: text('Label', { min: 1, max: 200, example: 'RAMS' }),
  required: optional(flag('Whether submitting is refused without it; default advisory')),
})
const GivenCheck = object({
  code: optional(text('Code; made from the label', { max: 60, pattern: '^[a-z0-9_]{1,60}$', example: 'fire_watch_named' })),
  label: text('Pre-check in words', { min: 1, max: 300, example: 'Fire watch named' }),
  required: optional(flag('Whether an answer is required')),
})

export const PermitTypeShape = shape('PermitType', 'A permit type', {
  id: id('Type'),
  site_id: id('Site'),
  code,
  name: text('Name', { max: 200, example: 'Hot work' }),
  active: flag('false: retired; permits that have it keep it', { example: true }),
  requires_parent: flag('Whether it needs a parent permit'),
  is_extendable: flag('Whether its window can be extended'),
  single_stage: flag('Whether endorsement is skipped'),
  requires_powra: flag('Reserved; enforces nothing'),
  pre_checks: list(Check, 'Pre-checks', { max: 100 }),
  expected_attachments: list(Slot, 'Expected documents', { max: 50 }),
  default_duration_hours: orNull(integer('Default duration of a window, hours', { min: 1, max: 8760, example: 12 })),
  permissions: flags(['edit']),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

const fields = {
  name: optional(name('Name; default the code', { example: 'Hot work' })),
  active: optional(flag('false retires it', { example: true })),
  requires_parent: optional(flag('Whether it needs a parent permit; default by the regime')),
  is_extendable: optional(flag('Whether its window can be extended')),
  single_stage: optional(flag('Whether endorsement is skipped')),
  requires_powra: optional(flag('Reserved; enforces nothing')),
  pre_checks: optional(list(GivenCheck, 'Pre-checks', { max: 100 })),
  expected_attachments: optional(list(GivenSlot, 'Expected documents', { max: 50 })),
  default_duration_hours: optional(orNull(integer('Default duration of a window, hours', { min: 1, max: 8760, example: 12 }))),
}

export const NewType = shape('NewPermitType', 'A permit type', { site_id: id('Site'), code, ...fields })
export const TypeChange = shape('PermitTypeChange', 'Changes to a permit type; active=false retires it', {
  site_id: optional(id('Site; must match the record’s')),
  code: optional(code),
  ...fields,
})
/** Every path of permits needs the site in its query too (conventions §1). */
export const MaybeSite = object({ site_id: optional(id('Site; must match the record’s')) })

export const TypeFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Type'), 'Ids', { max: 200 })),
  active: optional(flag('Filter: active or retired; default both')),
})

export type NewType = Static<typeof NewType>
export type TypeChange = Static<typeof TypeChange>
