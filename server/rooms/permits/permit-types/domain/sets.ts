// Permit types and what follows from a set of them (`permits.md`, Derived category-set rules 1 to 5).
import { slugOf } from '../../../../../shared/text.ts'
import type { FieldFault } from '../../../../base/errors.ts'

/** A pre-check that the requestor answers. */
export type PreCheck = { code: string; label: string; required: boolean }
/** A document that is expected with the request. */
export type Slot = { key: string; label: string; required: boolean }

/** A permit type, as rules see it. */
export type PermitType = {
  code: string
  name: string
  active: boolean
  requires_parent: boolean
  is_extendable: boolean
  single_stage: boolean
  requires_powra: boolean
  pre_checks: readonly PreCheck[]
  expected_attachments: readonly Slot[]
  /** Null if the type has no default. */
  default_duration_hours: number | null
}

/** The code of the general permit, which is its own parent. */
export const GENERAL = 'GEN'

/** What follows from a set of types. */
export type Derived = {
  single_stage: boolean
  is_extendable: boolean
  requires_parent: boolean
  default_duration_hours: number | null
  /** Longest default duration of the set: the most that one extension can add (`permits-decisions.md` §1, Extension). */
  longest_duration_hours: number | null
  pre_checks: (PreCheck & { from: string[] })[]
  slots: (Slot & { from: string[] })[]
  /** Codes of the types that can't be extended, so that the set can't be either. */
  not_extendable: string[]
}

/** Returns what follows from a set of types; a retired type counts like any other (`permits-decisions.md` §1). */
export function derived(types: readonly PermitType[]): Derived {
  const sorted = [...types].sort((a, b) => (a.code < b.code ? -1 : 1))
  const durations = sorted.flatMap(t => (t.default_duration_hours === null ? [] : [t.default_duration_hours]))
  return {
    // Rule 1: a flag is true only if it is true for every type; an empty set has neither flag.
    single_stage: sorted.length > 0 && sorted.every(t => t.single_stage),
    is_extendable: sorted.length > 0 && sorted.every(t => t.is_extendable),
    // Rule 2: the shortest duration wins.
    default_duration_hours: durations.length === 0 ? null : Math.min(...durations),
    longest_duration_hours: durations.length === 0 ? null : Math.max(...durations),
    // Rule 3: required documents are merged by key; one is mandatory if any type says so.
    pre_checks: united(
      sorted,
      t => t.pre_checks,
      check => check.code,
    ),
    slots: united(
      sorted,
      t => t.expected_attachments,
      slot => slot.key,
    ),
    // Rule 4: a parent is required if any type requires one, unless the set includes the general permit.
    requires_parent: sorted.some(t => t.requires_parent) && !sorted.some(t => t.code === GENERAL),
    not_extendable: sorted.filter(t => !t.is_extendable).map(t => t.code),
  }
}

function united<T extends { required: boolean }>(
  types: readonly PermitType[],
  of: (type: PermitType) => readonly T[],
  keyOf: (item: T) => string,
): (T & { from: string[] })[] {
  const found = new Map<string, T & { from: string[] }>()
  for (const type of types) {
    for (const item of of(type)) {
      const known = found.get(keyOf(item))
      if (known === undefined) found.set(keyOf(item), { ...item, from: [type.code] })
      else {
        known.required ||= item.required
        known.from.push(type.code)
      }
    }
  }
  return [...found.values()]
}

/** A required document as the caller sends it: its key, and whether it is mandatory, can be left out. */
export type GivenSlot = { key?: string; label: string; required?: boolean }
/** A pre-check as the caller sends it. */
export type GivenCheck = { code?: string; label: string; required?: boolean }

/** Returns required documents with their keys, made from their labels where none is given. Two with one key are a fault. */
export function slotsOf(given: readonly GivenSlot[], faults: FieldFault[]): Slot[] {
  const slots = given.map(({ key, label, required }) => ({ key: key ?? slugOf(label), label, required: required ?? false }))
  doubles(
    slots.map(s => s.key),
    'expected_attachments',
    'key',
    faults,
  )
  return slots
}

/** Returns pre-checks with their codes, made from their labels where none is given. */
export function checksOf(given: readonly GivenCheck[], faults: FieldFault[]): PreCheck[] {
  const checks = given.map(({ code, label, required }) => ({ code: code ?? slugOf(label), label, required: required ?? false }))
  doubles(
    checks.map(c => c.code),
    'pre_checks',
    'code',
    faults,
  )
  return checks
}

function doubles(keys: readonly string[], path: string, name: string, faults: FieldFault[]): void {
  keys.forEach((key, i) => {
    if (key === '')
      faults.push({ path: `${path}[${i}].label`, message: `must contain a letter or a digit, because the ${name} is made from it.` })
    else if (keys.indexOf(key) !== i)
      faults.push({ path: `${path}[${i}].${name}`, message: `is “${key}”, which an earlier entry already has. Choose another ${name}.` })
  })
}

/** Finds a required document by its key or label; the case of the label doesn't matter. */
export const slotNamed = (slots: readonly Slot[], name: string): Slot | undefined =>
  slots.find(slot => slot.key === name) ?? slots.find(slot => slot.label.toLowerCase() === name.toLowerCase())

/** The known regimes (`permits.md`, POST /permits/config/regime). */
export const REGIMES = ['major_hazard', 'generic_cdm'] as const
export type Regime = (typeof REGIMES)[number]

/** Returns whether a type needs a parent under a regime: every one but the general permit under major hazard, none under generic CDM. */
export const needsParent = (regime: Regime | null, code: string): boolean => regime === 'major_hazard' && code !== GENERAL
