// What a change did to a permit, field by field, in words: from the audit log's before and after.
import { fieldsIn, isOneOf, itemsIn, textIn, textOrNull } from '../../../../shared/narrow.ts'
import { momentOf } from '../../../base/time.ts'
import { hasWord, t, tOf } from '../../../base/words.ts'

/** The values of a field before and after, from the audit log. */
export type Change = { path: string; before?: unknown; after?: unknown }
/** Names for values: people, contractors and places by id. */
export type Naming = { zone: string; name(id: string): string | undefined }

/** Fields that people fill in, with the labels of the form. All other fields follow from a step, and the step explains them. */
const FIELDS = [
  'title',
  'description',
  'controls',
  'location',
  'limitations',
  'hazards',
  'ppe',
  'categories',
  'start_at',
  'end_at',
  'contractor_id',
  'receiver_id',
  'parent_id',
  'building_id',
  'level_index',
  'zone_id',
  'fire_watch_until',
] as const
type Field = (typeof FIELDS)[number]

const isField = (name: string): name is Field => isOneOf(FIELDS, name)
const isInstant = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)
const LONG = 200

function said(field: Field, value: unknown, { zone, name }: Naming): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return t('change.none')
  if (isInstant(value)) return momentOf(new Date(value).toISOString(), zone)
  if (Array.isArray(value)) return value.join(', ')
  // For a long text, the audit log has only its digest.
  if (typeof value === 'object') return t('change.long')
  if (field.endsWith('_id')) return name(String(value)) ?? t('change.another')
  const text = String(value)
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text
}

type Check = { code: string; label: string; answer: string | null; comment: string | null }
const checksOf = (value: unknown): Check[] =>
  itemsIn(value).map(one => {
    const { code, label, answer, comment } = fieldsIn(one)
    return { code: textIn(code), label: textIn(label), answer: textOrNull(answer), comment: textOrNull(comment) }
  })

const answerOf = (check: Check | undefined): string =>
  check?.answer == null
    ? t('permit.unanswered')
    : `${tOf('common', check.answer)}${check.comment === null || check.comment === '' ? '' : ` (${check.comment})`}`

/** Pre-checks whose answer or comment changed. */
function checkLines(before: unknown, after: unknown): string[] {
  const was = new Map(checksOf(before).map(check => [check.code, check]))
  return checksOf(after).flatMap(check => {
    const [old, now] = [answerOf(was.get(check.code)), answerOf(check)]
    return old === now ? [] : [t('change.line', { field: check.label, before: old, after: now })]
  })
}

/** Returns one line for each changed field. */
export function changeLines(changes: readonly Change[] | null, naming: Naming): string[] {
  return (changes ?? []).flatMap(({ path, before, after }) => {
    const field = path.replace(/^\/?/, '').split(/[./]/)[0] ?? ''
    if (field === 'pre_checks') return checkLines(before, after)
    if (field === 'place_geometry') return [t('change.place')]
    if (!isField(field)) return []
    const [old, now] = [said(field, before, naming), said(field, after, naming)]
    const key = `change.${field}`
    return old === now ? [] : [t('change.line', { field: hasWord(key) ? t(key) : field, before: old, after: now })]
  })
}

/** Lists the ids in changes that need a name. */
export const idsIn = (changes: readonly Change[] | null, fields: readonly string[]): string[] =>
  (changes ?? []).flatMap(({ path, before, after }) =>
    fields.includes(path.replace(/^\/?/, '')) ? [before, after].filter((id): id is string => typeof id === 'string') : [],
  )

/** Causes of entries whose last part alone would say something else: a permit is approved by another step than its extension request. */
const LONGER: Readonly<Record<string, string>> = { 'permit_extension.approve': 'approve_extension' }

/** Says what an entry of a permit's history did; `changed` is the number of lines that it shows. */
export function didOf({ cause }: { cause: string }, changed: number): string {
  const key = LONGER[cause] ?? cause.split('.').at(-1) ?? cause
  return key === 'edit' && changed > 0 ? t('caused.edited', { n: changed }) : tOf('caused', key)
}
