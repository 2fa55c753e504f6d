// The fields of a subject as the form offers them, and conditions on a subject as lines.
import { checked } from '../../../../shared/predicates/check.ts'
import { type AnyField, type AnySubject, expandPredicate, NO_REFS, operatorsOf } from '../../../../shared/predicates/language.ts'
import { type Field, type Group, isWhole, linesOf, readCondition } from './condition.ts'

/** Returns fields of a subject as the form offers them. */
export const fieldsFor = (
  fields: readonly Pick<AnyField, 'path' | 'label' | 'type' | 'operators' | 'refers' | 'groups' | 'values'>[],
): Field[] =>
  fields.map(field => ({
    path: field.path,
    label: field.label,
    type: field.type,
    operators: [...operatorsOf(field)],
    in_words: false,
    ...(field.refers === undefined ? {} : { refers: field.refers }),
    ...(field.groups === undefined ? {} : { groups: field.groups }),
    ...(field.values === undefined ? {} : { values: [...field.values] }),
  }))

/** Reads a condition on a subject as a group of lines; null if it has faults, or if lines can’t show it. */
export function linesIn(subject: AnySubject, value: unknown): Group | null {
  const { predicate } = checked(subject, value, NO_REFS, '')
  return predicate === null ? null : readCondition(expandPredicate(subject, predicate, leaf => leaf))
}

/** Returns whether every line of a group is complete. */
export const isComplete = (group: Group, fields: readonly Field[]): boolean =>
  linesOf(group).every(line =>
    isWhole(
      line,
      fields.find(field => field.path === line.field),
    ),
  )
