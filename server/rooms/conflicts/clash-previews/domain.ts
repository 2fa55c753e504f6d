// Reads a rule that isn't finished: every fault is named, and nothing is refused (`conflict-and-planning.md` §1, dsl/preview). Pure.
import type { CellNote } from '../../../../shared/conflicts/matrix.ts'
import { pairSubject } from '../../../../shared/conflicts/pair.ts'
import type { RuleContent } from '../../../../shared/conflicts/rules.ts'
import { fieldsIn, isOneOf, isRecord, itemsIn } from '../../../../shared/narrow.ts'
import { SIDE_KINDS, type SideKind } from '../../../../shared/predicates/entity.ts'
import { operatorsOf } from '../../../../shared/predicates/language.ts'
import { contentOf } from '../clash-rules/domain.ts'

const KNOWN = ['a', 'b', 'when', 'levels', 'time_buffer_minutes', 'min_overlap_minutes', 'outcome', 'name', 'description', 'enabled']
const MOST_MINUTES = 1440

/** Reads a rule as it is being written, with every fault of its form. */
export function draftIn(value: unknown): { content: RuleContent; faults: CellNote[] } {
  const faults: CellNote[] = []
  if (!isRecord(value)) faults.push({ path: 'definition', code: 'wrong_type', message: 'must be an object.' })
  const given = fieldsIn(value)
  for (const key of Object.keys(given))
    if (!KNOWN.includes(key)) faults.push({ path: key, code: 'unknown_field', message: 'isn’t a field of a rule.' })
  const kindsIn = (side: 'a' | 'b'): SideKind[] => {
    const { kinds, ...others } = fieldsIn(given[side])
    for (const key of Object.keys(others))
      faults.push({ path: `${side}.${key}`, code: 'unknown_field', message: 'isn’t a field of a side.' })
    if (!Array.isArray(kinds)) faults.push({ path: `${side}.kinds`, code: 'missing_value', message: 'must be a list of kinds.' })
    else if (new Set(kinds).size < kinds.length)
      faults.push({ path: `${side}.kinds`, code: 'wrong_type', message: 'contains a duplicate.' })
    return itemsIn(kinds).flatMap((kind, i) => {
      if (isOneOf(SIDE_KINDS, kind)) return kind
      faults.push({ path: `${side}.kinds[${i}]`, code: 'unknown_value', message: `must be one of ${SIDE_KINDS.join(', ')}.` })
      return []
    })
  }
  const minutesIn = (key: 'time_buffer_minutes' | 'min_overlap_minutes'): number => {
    const minutes = given[key] ?? 0
    if (typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 0 && minutes <= MOST_MINUTES) return minutes
    faults.push({ path: key, code: 'wrong_type', message: `must be a whole number from 0 to ${MOST_MINUTES}.` })
    return 0
  }
  const levels = fieldsIn(given.levels ?? { mode: 'same' })
  const { content, faults: form } = contentOf({
    a: { kinds: kindsIn('a') },
    b: { kinds: kindsIn('b') },
    when: given.when ?? true,
    levels: { ...levels, mode: isOneOf(['same', 'within', 'any'] as const, levels.mode) ? levels.mode : 'within' },
    time_buffer_minutes: minutesIn('time_buffer_minutes'),
    min_overlap_minutes: minutesIn('min_overlap_minutes'),
    outcome: given.outcome,
  })
  return { content, faults: [...faults, ...form.map(fault => ({ ...fault, code: 'wrong_type' }))] }
}

/** Returns what an editor of conditions offers: the fields of pairs with their types and operators, and the named predicates. */
export const registryOf = () => ({
  fields: pairSubject.fields.map(field => ({
    ...{ path: field.path, type: field.type, label: field.label, refers: field.refers ?? null },
    values: [...(field.values ?? [])],
    operators: [...operatorsOf(field)],
  })),
  named: (pairSubject.named ?? []).map(({ name, takes }) => ({ name, takes })),
})
