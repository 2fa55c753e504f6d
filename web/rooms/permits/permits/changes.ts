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
/** Characters of a text that are shown, and how many of them lead up to the first difference. */
const LONG = 200
const LEAD = 40

function said(field: Field, value: unknown, { zone, name }: Naming): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return t('change.none')
  if (isInstant(value)) return momentOf(new Date(value).toISOString(), zone)
  if (Array.isArray(value)) return value.join(', ')
  return field.endsWith('_id') ? (name(String(value)) ?? t('change.another')) : String(value)
}

/** Shortens two texts to where they begin to differ: a change far down in the controls must be seen as well as one at their start. */
function shortened(before: string, after: string): [string, string] {
  if (Math.max(before.length, after.length) <= LONG) return [before, after]
  let from = 0
  while (from < before.length && before[from] === after[from]) from++
  const start = from <= LONG - LEAD ? 0 : before.lastIndexOf(' ', from - LEAD) + 1
  const part = (text: string) => `${start > 0 ? '…' : ''}${text.slice(start, start + LONG)}${text.length > start + LONG ? '…' : ''}`
  return [part(before), part(after)]
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
    const [old, now] = shortened(said(field, before, naming), said(field, after, naming))
    const key = `change.${field}`
    return old === now ? [] : [t('change.line', { field: hasWord(key) ? t(key) : field, before: old, after: now })]
  })
}

/** An entry of a permit's history, as far as it matters here. */
type Step = { cause: string; at: string; changes: readonly Change[] | null }

/**
 * Returns what changed between the last two submissions of a permit, with the step that returned it; null if it was submitted only once. Several changes of
 * a field are one, and a field that was changed back is none. `entries` are the newest first.
 */
export function sinceReturned<E extends Step>(entries: readonly E[]): { returned: E; since: string; changes: Change[] } | null {
  const submitted = entries.findIndex(({ cause }) => cause === 'permit.submit')
  const before = entries.findIndex(({ cause }, i) => i > submitted && cause === 'permit.submit')
  const returned = entries.findIndex(({ cause }, i) => i > submitted && cause === 'permit.request_corrections')
  const step = entries[returned]
  const last = entries[before]
  if (submitted < 0 || last === undefined || step === undefined || returned > before) return null
  const net = new Map<string, Change>()
  for (const { changes } of entries.slice(submitted, returned).reverse())
    for (const { path, before: was, after } of changes ?? [])
      net.set(path, { path, before: net.has(path) ? net.get(path)?.before : was, after })
  return { returned: step, since: last.at, changes: [...net.values()] }
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
