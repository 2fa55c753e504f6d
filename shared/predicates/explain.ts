// Puts a condition into one sentence, for the person who has to trust it.

import { isRecord, itemsIn } from '../narrow.ts'
import { counted } from '../text.ts'
import { type Instant, ms } from '../time.ts'
import {
  type AnyField,
  type AnySubject,
  fieldOf,
  type Leaf,
  memberOf,
  nodeOf,
  type Operator,
  type Predicate,
  type Refs,
} from './language.ts'
import { durationOf, formOf } from './literals.ts'

/** What the sentence depends on: the reader's locale, the time zone of the site, and the site's names for ids and codes. */
export type Reader = { locale?: string; timezone?: string; refs?: Refs }

const MOST = 5
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Explains a condition in one sentence. It must have no faults. */
export function sentenceOf(subject: AnySubject, predicate: Predicate, reader: Reader): string {
  const clause = clauseOf(subject, predicate, reader, 'none')
  const whole =
    subject.sentence !== undefined
      ? subject.sentence(clause)
      : clause === ALWAYS
        ? `all ${subject.label}`
        : clause === NEVER
          ? `no ${subject.label}`
          : `${subject.label} where ${clause}`
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}`
}

const ALWAYS = 'always'
const NEVER = 'never'

function clauseOf(subject: AnySubject, predicate: Predicate, reader: Reader, inside: 'none' | 'all' | 'any'): string {
  const node = nodeOf(subject, predicate)
  switch (node.is) {
    case 'constant':
      return node.value ? ALWAYS : NEVER
    case 'leaf':
      return leafWords(subject, node.leaf, reader, false)
    case 'all':
    case 'any': {
      const [only, ...more] = node.parts
      if (only === undefined) return node.is === 'all' ? ALWAYS : NEVER
      if (more.length === 0) return clauseOf(subject, only, reader, inside)
      const words = node.parts.map(part => clauseOf(subject, part, reader, node.is)).join(node.is === 'all' ? ' and ' : ' or ')
      return inside === 'none' || inside === node.is ? words : `(${words})`
    }
    case 'not': {
      const inner = nodeOf(subject, node.inner)
      if (inner.is === 'constant') return inner.value ? NEVER : ALWAYS
      if (inner.is === 'leaf') return leafWords(subject, inner.leaf, reader, true)
      if (inner.is === 'not') return clauseOf(subject, inner.inner, reader, inside)
      if (inner.is === 'any') {
        const leaves = inner.parts.flatMap(part => leafIn(subject, part))
        const words = leaves.map(leaf => leafWords(subject, leaf, reader, true)).join(' and ')
        if (leaves.length === inner.parts.length && leaves.length > 0) return inside === 'any' ? `(${words})` : words
      }
      return `${inner.is === 'all' ? 'these don’t all apply' : 'none of these applies'}: (${clauseOf(subject, node.inner, reader, 'none')})`
    }
  }
}

/** Returns the comparison that a part consists of; none if it has parts itself. */
function leafIn(subject: AnySubject, part: Predicate): Leaf[] {
  const node = nodeOf(subject, part)
  return node.is === 'leaf' ? [node.leaf] : []
}

/** Each operator in words, and its negation. "Not" of a comparison is also true for an absent value; the sentence doesn't mention that. */
const WORDS: Record<Operator, readonly [string, string]> = {
  eq: ['is', 'is not'],
  ne: ['is not', 'is'],
  lt: ['is below', 'is at least'],
  lte: ['is at most', 'is above'],
  gt: ['is above', 'is at most'],
  gte: ['is at least', 'is below'],
  between: ['is from', 'is not from'],
  in: ['is one of', 'is not one of'],
  not_in: ['is none of', 'is one of'],
  contains: ['contains', 'does not contain'],
  starts_with: ['starts with', 'does not start with'],
  before: ['is before', 'is not before'],
  after: ['is after', 'is not after'],
  overlaps: ['includes any of', 'does not include any of'],
  contains_all: ['includes all of', 'does not include all of'],
  disjoint: ['includes none of', 'includes any of'],
  is_empty: ['is empty', 'is not empty'],
  is_set: ['has a value', 'has no value'],
  is_not_set: ['has no value', 'has a value'],
}

function leafWords(subject: AnySubject, leaf: Leaf, reader: Reader, denied: boolean): string {
  const field = fieldOf(subject, leaf.field)
  if (field === undefined) return NEVER
  const own = leaf.ref === undefined ? (field.clause?.(leaf, denied) ?? null) : null
  if (own !== null) return own
  const { op } = leaf
  const say = (which: Operator, no: boolean) => `${field.label} ${(field.wording?.[which] ?? WORDS[which])[no ? 1 : 0]}`
  const [has, hasNot] = field.wording?.one ?? ['includes', 'does not include']
  if (op === 'is_set' || op === 'is_not_set') {
    // The label of a boolean is a whole clause.
    const known = (op === 'is_set') !== denied
    return field.type === 'boolean' ? `it is ${known ? '' : 'not '}known whether ${field.label}` : say('is_set', !known)
  }
  if (field.type === 'boolean' && leaf.ref === undefined) {
    return (leaf.value === true) !== denied ? field.label : (field.otherwise ?? `it isn’t the case that ${field.label}`)
  }
  if (leaf.ref !== undefined) {
    const other = fieldOf(subject, leaf.ref)?.label ?? leaf.ref
    return field.type === 'boolean'
      ? `${denied ? 'exactly one of these applies' : 'both or neither of these apply'}: ${field.label}; ${other}`
      : `${say(op, denied)} ${other}`
  }
  const { form } = formOf(field, op)
  if (form === 'truth') return say('is_empty', (leaf.value === true) === denied)
  if (form === 'range') {
    const [from, to] = itemsIn(leaf.value)
    return `${say(op, denied)} ${worded(field, from, reader)} ${field.type === 'instant' || field.type === 'local_time' ? 'until' : 'to'} ${worded(field, to, reader)}`
  }
  if (form === 'one' && memberOf(field.type) !== null) return `${field.label} ${denied ? hasNot : has} ${worded(field, leaf.value, reader)}`
  if (form === 'one') return `${say(op, denied)} ${worded(field, leaf.value, reader)}`
  const all = itemsIn(leaf.value)
  const [only] = all
  if (all.length === 1) {
    const single: Partial<Record<Operator, Operator>> = { in: 'eq', not_in: 'ne' }
    const plain = single[op]
    if (plain !== undefined) return `${say(plain, denied)} ${worded(field, only, reader)}`
    if (op !== 'disjoint') return `${field.label} ${denied ? hasNot : has} ${worded(field, only, reader)}`
    if (field.wording !== undefined) return `${field.label} ${denied ? has : hasNot} ${worded(field, only, reader)}`
  }
  if (all.length === 0) return `${say(op, denied)} nothing`
  const words = all.slice(0, MOST).map(one => worded(field, one, reader))
  const more = all.length - words.length
  if (more > 0) words.push(`${more} more`)
  return `${say(op, denied)} ${words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} ${op === 'contains_all' ? 'and' : 'or'} ${words.at(-1)}`}`
}

/** Writes a literal the way a reader would say it. */
function worded(field: AnyField, value: unknown, reader: Reader): string {
  const locale = reader.locale ?? 'en-GB'
  if (isRecord(value)) {
    if ('now' in value) return distance(durationOf(String(value.now)) ?? 0)
    const days = Number(value.today)
    return days === 0
      ? 'today'
      : days === 1
        ? 'tomorrow'
        : days === -1
          ? 'yesterday'
          : days > 0
            ? `in ${counted(days, 'day')}`
            : `${counted(-days, 'day')} ago`
  }
  const type = field.type.replace('set of ', '')
  if (typeof value === 'number') {
    if (type === 'weekday') return DAYS[value - 1] ?? String(value)
    const n = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(value)
    return type === 'metres' ? `${n} m` : type === 'minutes' ? `${n} ${value === 1 ? 'minute' : 'minutes'}` : n
  }
  if (typeof value !== 'string') return String(value)
  if (type === 'text') return `“${value}”`
  if (type === 'enum') return value.replaceAll('_', ' ')
  if (type === 'instant') return instantWords(value, locale, reader.timezone ?? 'UTC')
  if (type === 'work_date')
    return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(ms(`${value}T00:00:00Z`))
  // Without the names of a kind, nobody knows whether a record of it still exists.
  const names = type === 'id' && field.refers !== undefined ? reader.refs?.ids.get(field.refers) : undefined
  return names === undefined ? value : (names.get(value.toLowerCase()) ?? 'a deleted one')
}

const instantWords = (at: Instant, locale: string, zone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(ms(at))

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const

function distance(milliseconds: number): string {
  if (milliseconds === 0) return 'now'
  let left = Math.abs(milliseconds)
  const parts: string[] = []
  for (const [size, unit] of UNITS) {
    const n = Math.floor(left / size)
    left -= n * size
    if (n > 0) parts.push(counted(n, unit))
  }
  const words = parts.join(' ')
  return milliseconds < 0 ? `${words} ago` : `${words} from now`
}
